"""The first day: a starter set that passes lint and runs, and a schema that agrees with what the package reads."""
import json
import os
import tempfile
import unittest

import gatekit

from . import verdict_cases
from .running import ROOT, call, write


class Start(unittest.TestCase):
    def test_the_starter_set_runs_and_passes_lint(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, _ = call("init", "golden", "--date", "2026-01-31", cwd=folder)
            self.assertEqual((code, b"golden/intent.yaml" in out), (0, True))
            self.assertEqual(call("golden", cwd=folder)[0], 0)
            self.assertEqual(call("lint", "golden", cwd=folder)[0], 0)
            self.assertEqual(call("lock", "golden", cwd=folder)[0], 0)
            for words, says in ((("init", "golden", "--date", "2026-01-31"), b"is there already"), (("init", "new"), b"--date"), (("init", "new", "--date", "today"), b"--date")):
                code, _, err = call(*words, cwd=folder)
                self.assertEqual((code, says in err), (4, True), words)

    def test_the_name_of_the_folder_does_not_act(self):
        for name, shown in (("##[error]", "#\\x23[error]"), ("::error::", ":\\x3aerror::"), ("a\u202eb", "a\\u202eb")):
            with tempfile.TemporaryDirectory() as folder:
                code, out, _ = call("init", name, "--date", "2026-01-31", cwd=folder)
                lines = out.decode().splitlines()
                self.assertEqual((code, lines[0], lines[-1]), (0, f"{shown}/gatekit.yaml", f"now: python -m gatekit {shown}"))

    def test_the_schema_holds_what_is_read_and_refuses_what_is_misspelt(self):
        code, out, _ = call("schema")
        self.assertEqual(code, 0)
        schema = gatekit.JsonSchema(json.loads(out))
        for name in ("golden/intent-refund.yaml", "golden/order-lookup.yaml", "golden/offer-laptop.yaml", "golden/old-discount.yaml", "golden/apology-tone.yaml"):
            with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as file:
                self.assertEqual(schema.errors(gatekit.read_yaml(file.read())), [], name)
        checked = refused = 0
        for file, number, line in verdict_cases.read():
            case = {"id": "case", **line["rules"]}
            if line["status"] == "refused":
                refused += not schema.is_valid(case)
            else:
                checked += 1
                self.assertEqual([str(error) for error in schema.errors(case)], [], (file, number))
        self.assertGreater(checked, 250)
        self.assertGreater(refused, 20)

    def test_the_schema_keeps_the_bounds_of_the_fields(self):
        schema = gatekit.JsonSchema(json.loads(call("schema")[1]))

        def similar(**more):
            return {"type": "text_similarity", "golden_text": "x", "threshold": 0.5, **more}

        near = {"type": "near", "value": ["a", "b"], "within": 3}
        embedded = {"type": "embedding_similarity", "golden_text": "x", "threshold": 1, "model": "m", "golden_vector": [1, 2.5], "golden_sha256": "0" * 64}
        some = {"type": "at_least", "n": 1, "matchers": [near]}
        for right in (similar(), similar(threshold=1, n=10), near, embedded, some):
            self.assertEqual(schema.errors({"id": "a", "matchers": [right]}), [], right)
        for wrong in (
            similar(threshold=1.5), similar(threshold=0), similar(n=0), similar(n=11), {**near, "value": ["a"]}, {**near, "value": ["a", "b", "c"]}, {**near, "within": -1},
            {**embedded, "golden_sha256": "x"}, {**embedded, "golden_vector": []}, {**embedded, "golden_vector": ["1"]}, {**some, "n": 0},
        ):  # fmt: skip
            self.assertFalse(schema.is_valid({"id": "a", "matchers": [wrong]}), wrong)
        for rate, holds in (("1%", True), (" 20 %", True), ("0.01", True), ("1e-2", True), (".5", True), (0.5, True), ("0.1.1", False), ("%", False), ("5.", False), ("one", False), (2, False)):
            case = {"id": "a", "rubric": {"must_include": ["x"]}, "gate": {"max_failure_rate": rate}}
            self.assertEqual(schema.is_valid(case), holds, rate)
            if holds:
                gatekit.Case.from_dict(case)
        # A case may live by the rules of its gatekit.yaml alone, which an editor does not see.
        for rules, holds in (({}, True), ({"rubric": {}}, False), ({"matchers": []}, False), ({"invariants": []}, False), ({"rubric": {"packs": ["secrets"]}}, True)):
            self.assertEqual(schema.is_valid({"id": "a", **rules}), holds, rules)

    def test_hostile_files_are_errors_and_the_rest_is_judged(self):
        """Hostile files cost an error each, with the file's name, and nothing else."""
        hostile = {
            "brackets.json": "[" * 200000,
            "brackets.yaml": "[" * 200000,
            "indents.yaml": "".join(" " * depth + "a:\n" for depth in range(600)),
            "digits.yaml": "id: x\nlevel: " + "9" * 5000,
            "long.yaml": "id: " + "x" * 2000000 + "\nrubrik: {}\n",
            "bytes.yaml": b"id: \xff\n",
        }
        good = {"a.yaml": "id: a\nrubric: {must_include: [x]}\n", "runs.jsonl": '{"case": "a", "sample": "1", "output": "x"}\n'}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {**hostile, **good})
            os.mkdir(os.path.join(folder, "folder.yaml"))
            code, out, _ = call(".", "--format", "json", cwd=folder)
        report = json.loads(out)
        self.assertEqual(code, 4)
        self.assertEqual(sorted(error["file"] for error in report["errors"]), sorted([*hostile, "folder.yaml"]))
        self.assertEqual(report["cases"][0]["outcome"], "pass")


if __name__ == "__main__":
    unittest.main()
