"""Recordings in a set: each is a sample of the case that it names, and `lint` knows those of no case."""
import json
import os
import tempfile
import unittest

import gatekit

from .running import call, run, write

CASE = {
    "id": "support",
    "description": "An order is looked up before it is spoken of.",
    "created_at": "2026-01-31",
    "invariants": [{"type": "claim_needs_call", "claim": "has shipped", "call": "find_order"}],
}


def record(path, case, reply="It has shipped.", looks_up=True):
    """Write a recording of one turn."""
    recorder = gatekit.Recorder(lambda messages: reply, {"find_order": lambda order: "shipped"})
    recorder.user("Where is order 4183?")
    if looks_up:
        recorder.tools["find_order"](order="4183")
    recorder.assistant(recorder.client(messages=[{"role": "user", "content": "Where is order 4183?"}]))
    recording = recorder.recording("lookup", case=case)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(recording.text())


class RecordedSets(unittest.TestCase):
    def run_in(self, *words, **recordings):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"case.json": json.dumps(CASE)})
            for name, settings in recordings.items():
                record(os.path.join(folder, f"{name}.recording.json"), **settings)
            return call(*words, cwd=folder)

    def check(self, **recordings):
        code, out, _ = self.run_in(".", "--format", "json", **recordings)
        return code, json.loads(out)

    def test_a_recording_is_a_sample_of_its_case(self):
        code, report = self.check(good={"case": "support"}, bad={"case": "support", "looks_up": False})
        statuses = {sample["sample"]: sample["status"] for sample in report["cases"][0]["samples"]}
        self.assertEqual((code, statuses["bad"], report["counts"]["passed"], report["counts"]["samples"]), (1, "check_failed", 1, 2))

    def test_one_of_no_case_is_judged_by_none(self):
        code, report = self.check(good={"case": None})
        self.assertEqual((code, report["counts"]["samples"], report["errors"]), (2, 0, []))

    def test_one_of_another_case_is_an_error(self):
        code, report = self.check(good={"case": "suport"})
        self.assertEqual((code, report["errors"][0]["file"]), (4, "good.recording.json"))
        self.assertIn("did you mean 'support'?", report["errors"][0]["message"])

    def test_lint_fails_where_a_recording_has_no_case(self):
        self.assertEqual(self.run_in("lint", ".", good={"case": "support"})[0], 0)
        for case, words in ((None, "names no case"), ("other", "a case that there is not: 'other'")):
            code, out, _ = self.run_in("lint", ".", good={"case": case})
            self.assertEqual(code, 1, case)
            self.assertRegex(out.decode(), rf"^good\.recording\.json:\d+:\d+: (case: )?a recording .*{words}")

    def test_lint_fails_where_a_sample_has_no_case(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"case.json": json.dumps(CASE), "runs.jsonl": '{"case": "support", "sample": "1", "output": "x"}\n\n{"case": "typo", "sample": "2", "output": "x"}\n'})
            code, out, _ = call("lint", ".", cwd=folder)
        self.assertEqual((code, out.decode().splitlines()[0]), (1, "runs.jsonl:3: a sample of a case that there is not: 'typo'"))


class SingleCases(unittest.TestCase):
    """A case file by itself, and cases that cannot be read."""

    FILES = {
        "a.json": '{"id": "a", "rubric": {"must_include": ["yes"]}}',
        "b.json": '{"id": "b", "rubric": {"must_include": ["yes"]}}',
        "broken.json": '{"id": "c", "rubrik": {}}',
        "runs.jsonl": '{"case": "a", "sample": "1", "output": "yes"}\n{"case": "b", "sample": "1", "output": "no"}\n',
    }

    def call(self, *words, stdin=b""):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, self.FILES)
            record(os.path.join(folder, "one.recording.json"), "a", "yes")
            code, out, err = call(*words, cwd=folder, stdin=stdin)
        return code, out.decode(), err.decode()

    def test_the_samples_beside_it_that_are_its_own_are_judged(self):
        code, out, _ = self.call("a.json", "--format", "json")
        self.assertEqual((code, json.loads(out)["counts"]["samples"], json.loads(out)["errors"]), (0, 2, []))
        self.assertEqual(self.call("b.json")[0], 1)

    def test_a_case_that_cannot_be_read_says_why_and_is_not_called_unknown(self):
        for words in (("--case", "c", "--output", "-"), ("--id", "c")):
            code, out, err = self.call(".", *words, stdin=b"yes")
            self.assertEqual((code, err), (4, ""))
            self.assertIn("did you mean 'rubric'?", out)
            self.assertNotIn("no case", out)

    def test_a_recording_is_no_file_of_samples(self):
        code, _, err = self.call("a.json", "--samples", "one.recording.json")
        self.assertEqual(code, 4)
        self.assertIn("'one.recording.json' is a recording", err)

    def test_rules_of_a_team_are_linted_and_locked_with_their_module(self):
        with tempfile.TemporaryDirectory() as folder:
            rule = {"id": "a", "description": "d", "created_at": "2026-01-31", "matchers": [{"type": "polite_in_lint"}]}
            module = 'import gatekit\n\n\n@gatekit.matcher("polite_in_lint", tier=2)\ndef polite(sample):\n    return "please" in sample.text\n'
            write(folder, {"rules_in_lint.py": module, "set/a.json": json.dumps(rule)})
            code, out, _ = run("lint", "set", cwd=folder)
            self.assertEqual((code, "by --plugin" in out.decode()), (4, True))
            for command in ("lint", "lock"):
                self.assertEqual(run(command, "set", "--plugin", "rules_in_lint", cwd=folder)[0], 0)


if __name__ == "__main__":
    unittest.main()
