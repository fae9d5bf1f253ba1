"""Which files are a set: folders, single case files, and a gatekit.yaml that lists cases; and that shared rules hold once, however a path is given."""
import json
import os
import tempfile
import unittest

from .running import call, write

SHARED = "matchers: [{type: contains, value: shared}]\n"
FILES = {
    "set/a.yaml": "id: a\nrubric: {must_include: [x]}\n",
    "set/sub/b.yaml": "id: b\nrubric: {must_include: [x]}\n",
    "set/sub/deep/c.yaml": "id: c\nrubric: {must_include: [x]}\n",
    "set/runs.jsonl": "".join(json.dumps({"case": case, "sample": "1", "output": "x"}) + "\n" for case in "abc"),
}


class Manifest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        write(self.folder.name, FILES)

    def judged(self, *paths, settings=None):
        """The exit code, the names of the rules that failed by case, and the errors."""
        if settings is not None:
            write(self.folder.name, {"set/gatekit.yaml": settings})
        code, out, err = call(*paths, "--format", "json", cwd=self.folder.name)
        self.assertEqual(err, b"")
        report = json.loads(out)
        failed = {case["id"]: [finding["rule"] for sample in case["samples"] for finding in sample["findings"]] for case in report["cases"]}
        errors = [tuple(error[key] for key in ("file", "line", "message")) for error in report["errors"]]
        return code, failed, errors

    def test_a_manifest_lists_what_is_judged(self):
        both = {"a": ["shared.matchers[0]"], "c": ["shared.matchers[0]"]}
        settings = SHARED + "cases: [a.yaml, sub/deep]\n"
        self.assertEqual(self.judged("set/gatekit.yaml", settings=settings), (1, both, []))
        code, failed, [(file, _, message)] = self.judged("set")
        self.assertEqual((code, failed, file), (4, both, "sub/b.yaml"))
        self.assertIn("not among the cases that gatekit.yaml lists", message)
        self.assertEqual(self.judged("set/gatekit.yaml", "set/runs.jsonl"), (1, both, []))

    def test_a_folder_that_lists_all_its_cases_is_judged_without_a_word(self):
        code, failed, errors = self.judged("set", settings="cases: [a.yaml, sub/]\n")
        self.assertEqual((code, sorted(failed), errors), (0, ["a", "b", "c"], []))

    def test_what_is_listed_and_not_there_is_an_error(self):
        os.mkdir(os.path.join(self.folder.name, "set", "empty"))
        for path in ("set", "set/gatekit.yaml"):
            code, failed, errors = self.judged(path, settings="# what is judged\ncases:\n  - a.yaml\n  - gone.yaml\n  - sub\n  - empty\n")
            self.assertEqual((code, sorted(failed)), (4, ["a", "b", "c"]))
            self.assertEqual([(line, message) for _, line, message in errors], [(4, "there is no such case file or folder: 'gone.yaml'"), (6, "there is no case below it: 'empty'")])

    def test_a_manifest_below_the_path_holds_for_its_own_folder(self):
        write(self.folder.name, {"set/sub/gatekit.yaml": "cases: [b.yaml]\n"})
        code, failed, errors = self.judged("set")
        self.assertEqual((code, sorted(failed), [file for file, _, _ in errors]), (4, ["a", "b"], ["sub/deep/c.yaml"]))

    def test_lists_that_cannot_be_meant(self):
        for listed, says in (
            ("[]", "leave it out, or list something"),
            ("a.yaml", "a list of case files"),
            ("[5]", "is text"),
            ("[../other]", "from here downwards"),
            ("[/tmp/x]", "from here downwards"),
            ("[a.yaml, a.yaml]", "listed twice"),
        ):
            code, _, errors = self.judged("set", settings=f"cases: {listed}\n")
            self.assertEqual((code, says in errors[0][2], errors[0][0]), (4, True, "gatekit.yaml"), errors)

    def test_settings_that_list_nothing_are_no_path(self):
        code, failed, errors = self.judged("set/gatekit.yaml", settings=SHARED)
        self.assertEqual((code, failed, len(errors)), (4, {}, 1))
        self.assertIn("it is no manifest", errors[0][2])

    def test_shared_rules_hold_once_however_a_path_is_given(self):
        once = ["shared.matchers[0]"]
        write(self.folder.name, {"set/gatekit.yaml": SHARED})
        for paths in (("set",), ("set/sub", "set"), ("set", "set/sub"), ("set/sub/b.yaml", "set"), ("set", "./set/sub/../sub"), ("set/sub", "set/a.yaml", "set/runs.jsonl")):
            code, failed, errors = self.judged(*paths)
            self.assertEqual((code, failed, errors), (1, {"a": once, "b": once, "c": once}, []), paths)

    def test_a_case_by_itself_reads_the_vectors_beside_it(self):
        case = {"id": "near", "matchers": [{"type": "embedding_similarity", "golden_text": "hello", "model": "m", "threshold": 0.9}], "samples": ["hello"]}
        vector = {"model": "m", "text_sha256": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "vector": [1, 2]}
        write(self.folder.name, {"near/near.json": json.dumps(case), "near/embeddings.jsonl": json.dumps(vector)})
        self.assertEqual(self.judged("near/near.json"), (0, {"near": []}, []))


if __name__ == "__main__":
    unittest.main()
