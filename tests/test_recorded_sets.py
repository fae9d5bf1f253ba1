"""Recordings in a set: each is a sample of the case that it names, and `lint` knows those of no case."""
import json
import os
import tempfile
import unittest

import gatekit

from .running import call, write

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


if __name__ == "__main__":
    unittest.main()
