"""Runs that stop at their failures: where, what is said of it in every format, and that nothing else changes."""
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree

import gatekit
from gatekit.golden.folder import Folder
from gatekit.golden.suite import Selection, Suite
from gatekit.reports.catalogue import FORMATS

from .running import call, write

HALF = '"gate": {"max_failure_rate": "50%"}'
CASES = {f"{name}.json": f'{{"id": "{name}", "rubric": {{"must_include": ["x"]}}, {HALF}}}' for name in ("one", "two")}
TOLD = "what comes after, if anything, was not judged, and counts and rates are of the judged part only"


def lines(*samples):
    """Samples as lines: `(case, sample, output, other fields)`."""
    return "".join(json.dumps({"case": case, "sample": sample, "output": output, **fields}) + "\n" for case, sample, output, fields in samples)


def sample(name, output="an x", case="one", **fields):
    return case, name, output, fields


# In the order of its lines: passes, and failures third and fifth; the other case comes last.
RUNS = lines(sample("a"), sample("b"), sample("c", "no"), sample("d"), sample("e", "no"), sample("f"), sample("g", case="two"))
FAILING = gatekit.Workflow("w", [gatekit.WorkflowStep("a", lambda step: "no", checks=[{"must_include": ["x"]}])], inputs={"q": 1}, max_failure_rate=1)


class Stopping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def judge(self, files, *words):
        write(self.folder, {f"set/{name}": content for name, content in files.items()})
        code, out, err = call("set", *words, cwd=self.folder)
        self.assertEqual(err, b"")
        return code, out.decode()

    def report(self, files, *words):
        code, out = self.judge(files, "--format", "json", *words)
        told = json.loads(out)
        self.assertEqual(told["exit_code"], code)
        return told

    def test_where_it_stops(self):
        for words, judged, passed, unreached in (
            (("--fail-fast",), 3, 2, ["two"]),
            (("--max-failures", "1"), 3, 2, ["two"]),
            (("--max-failures", "2"), 5, 3, ["two"]),
        ):
            told = self.report({**CASES, "runs.jsonl": RUNS}, *words)
            self.assertEqual((told["exit_code"], told["counts"]["samples"], told["counts"]["passed"]), (1, judged, passed))
            stopped = told["stopped"]
            self.assertEqual([stopped[name] for name in ("max_failures", "failures", "judged", "cases_not_judged")], [judged - passed, judged - passed, judged, unreached])
            self.assertEqual([case["id"] for case in told["cases"]], ["one"])
            self.assertEqual(told["cases"][0]["outcome"], "fail", "although half of them may fail")

    def test_fewer_failures_change_no_byte(self):
        for form in FORMATS:
            whole = self.judge({**CASES, "runs.jsonl": RUNS}, "--format", form)
            self.assertEqual(whole[0], 0)
            self.assertEqual(self.judge({}, "--format", form, "--max-failures", "3"), whole)

    def test_the_last_sample_may_be_the_one(self):
        told = self.report({"one.json": CASES["one.json"], "runs.jsonl": lines(sample("a"), sample("b", "no"))}, "--fail-fast")
        self.assertEqual((told["exit_code"], told["stopped"]["judged"]), (1, 2), "the order of the samples does not decide about a failure")

    def test_every_format_says_so(self):
        for form in FORMATS:
            _, out = self.judge({**CASES, "runs.jsonl": RUNS}, "--format", form, "--fail-fast")
            self.assertIn("after 3 samples, since 1 failed", out, form)
            self.assertIn(TOLD, out, form)
            self.assertIn("two", out, form)
        _, out = self.judge({}, "--quiet", "--fail-fast")
        self.assertEqual(out.split("\n")[:2], [f"stopped: after 3 samples, since 1 failed: {TOLD}", "gate: FAIL (exit 1): 2 of 3 passed"])

    def test_junit_skips_what_it_did_not_come_to(self):
        root = xml.etree.ElementTree.fromstring(self.judge({**CASES, "runs.jsonl": RUNS}, "--format", "junit", "--fail-fast")[1])
        skipped = [(test.get("classname"), test.get("name")) for test in root.iter("testcase") if test.find("skipped") is not None]
        self.assertEqual(skipped, [("(stopped)", "(stopped)"), ("two", "(not judged)")])

    def test_what_counts(self):
        case = CASES["one.json"][:-1] + ', "matchers": [{"type": "budget", "max_turns": 3}]}'
        passed_over = (
            sample("a", "", status="transient", error="429"),
            sample("b", "no", case_verdict="rejected"),
            sample("c"),
            sample("c", "no", attempt=2),
            sample("old", "no", case="old"),
            sample("d", "an x", finish_reason="length"),
        )
        files = {"one.json": case, "old.json": '{"id": "old", "deprecated": true, "rubric": {"must_include": ["y"]}}'}
        self.assertNotIn("stopped", self.report({**files, "runs.jsonl": lines(*passed_over)}, "--fail-fast"))
        for last in (sample("z", "no"), sample("z", "", status="error", error="boom"), sample("z", "an x", status="diverged")):
            told = self.report({**files, "runs.jsonl": lines(*passed_over, last, sample("zz", "no"))}, "--fail-fast")
            self.assertEqual((told["exit_code"], told["stopped"]["failures"]), (1, 1))
            self.assertNotIn("zz", [one["sample"] for one in told["cases"][-1]["samples"]])

    def test_an_earlier_attempt_takes_a_failure_back(self):
        late = lines(sample("a", "no", attempt=2), sample("a"), sample("b", "no"), sample("c"))
        told = self.report({"one.json": CASES["one.json"], "runs.jsonl": late}, "--max-failures", "2")
        self.assertNotIn("stopped", told)
        self.assertEqual(told["counts"]["samples"], 3)

    def test_a_retry_is_no_failure_before_its_first_attempt_came(self):
        late = [sample("a", "no", attempt=2), sample("a"), sample("b"), sample("c", "no", attempt=3), sample("c", "no", attempt=2)]
        files = {"one.json": CASES["one.json"]}
        whole = self.judge({**files, "runs.jsonl": lines(*late[:3])}, "--format", "json")
        self.assertEqual(whole[0], 0)
        self.assertEqual(self.judge(files, "--format", "json", "--fail-fast"), whole)
        told = self.report({**files, "runs.jsonl": lines(*late)}, "--fail-fast")
        self.assertEqual((told["exit_code"], told["stopped"]["failures"], told["stopped"]["judged"]), (1, 1, 3), "at the end the lowest attempt counts, whatever its number")
        told = self.report({**files, "runs.jsonl": lines(sample("z", "no", attempt=2), sample("y", "no"), sample("x", "no"))}, "--fail-fast")
        self.assertEqual((told["stopped"]["failures"], told["stopped"]["judged"]), (2, 2))

    def test_an_error_is_still_an_error(self):
        told = self.report({**CASES, "bad.json": "{", "runs.jsonl": RUNS}, "--fail-fast")
        self.assertEqual((told["exit_code"], told["outcome"]), (4, "error"))
        told = self.report({"bad.json": "{}", "runs.jsonl": "{\n" + RUNS + "{\n"}, "--fail-fast")
        self.assertEqual([error["line"] for error in told["errors"] if error["file"] == "runs.jsonl"], [1], "what comes after is not read")

    def test_samples_in_cases_come_first_and_a_second_file_is_not_read(self):
        files = {"a.json": CASES["one.json"][:-1] + ', "samples": ["x", "no", "x"]}', "b.jsonl": "{\n"}
        told = self.report(files, "--fail-fast")
        self.assertEqual((told["exit_code"], told["counts"]["samples"], told["errors"]), (1, 2, []))

    def test_a_decision_that_met_nothing_is_not_out_of_date(self):
        case = '{"id": "one", "matchers": [{"type": "text_similarity", "golden_text": "hello there", "threshold": 0.9, "name": "near"}]}'
        override = {"case": "one", "matcher": "near", "output_sha256": gatekit.ground.canonical.digest("later"), "approved_by": "ann", "ticket": "T-1", "reason": "It is well."}
        files = {"one.json": case, "overrides.jsonl": json.dumps(override) + "\n", "runs.jsonl": lines(sample("a", "no"), sample("b", "other"))}
        self.assertEqual(self.report(files)["exit_code"], 4)
        told = self.report(files, "--fail-fast")
        self.assertEqual((told["exit_code"], told["errors"]), (1, []))

    def test_no_evidence_is_drawn_from_it(self):
        files = {"one.json": CASES["one.json"], "runs.jsonl": lines(*(sample(f"{number:03}") for number in range(30)), sample("z", "no"), sample("zz"))}
        self.assertIn("evidence:", self.judge(files)[1])
        self.assertNotIn("evidence:", self.judge(files, "--fail-fast")[1])

    def test_the_report_in_python(self):
        write(self.folder, {f"set/{name}": content for name, content in {**CASES, "runs.jsonl": RUNS}.items()})
        suite = Suite(Folder([os.path.join(self.folder, "set")]), Selection(), most_failures=1)
        suite.add_all()
        report = suite.report()
        self.assertFalse(report)
        self.assertEqual((report.outcome, report.stopped.cases_not_judged, report.cases[0].reason), ("fail", ("two",), "the run was stopped, and a sample had failed"))
        self.assertEqual(report.with_errors([gatekit.GatekitError("x")]).stopped, report.stopped)
        self.assertNotIn("PASS", str(report))
        self.assertIn("gate:           FAIL (the run was stopped, and a sample had failed)", str(report))
        self.assertIn(f"stopped:        {report.stopped.reason}", str(report))

    def test_a_candidate_is_not_called_again(self):
        write(self.folder, {"set/a.json": '{"id": "a", "input": "q", "rubric": {"must_include": ["x"]}}', "set/b.json": '{"id": "b", "input": "r", "rubric": {"must_include": ["x"]}}'})
        code, out, _ = call("set", "--candidate", "operator:not_", "--fail-fast", "--format", "json", cwd=self.folder)
        self.assertEqual((code, json.loads(out)["stopped"]["cases_not_judged"]), (1, ["b"]))

    def test_what_cannot_be_meant(self):
        for words, says in (
            (("--fail-fast", "--max-failures", "2"), "give one of the two"),
            (("--fail-fast", "--shard", "1/2"), "--fail-fast does not go with --shard"),
            (("--max-failures", "2", "--shard", "1/2"), "--max-failures does not go with --shard"),
            (("--max-failures", "0"), "a whole number from 1"),
            (("--max-failures", "two"), "a whole number from 1"),
            (("--list", "--fail-fast"), "--fail-fast would be passed over"),
        ):
            write(self.folder, {f"set/{name}": content for name, content in CASES.items()})
            code, out, err = call("set", *words, cwd=self.folder)
            self.assertEqual((code, out), (4, b""), words)
            self.assertIn(says, err.decode())

    def test_it_is_no_part_of_a_merge(self):
        _, out = self.judge({**CASES, "runs.jsonl": RUNS}, "--fail-fast", "--format", "json")
        write(self.folder, {"report.json": out})
        code, out, err = call("merge", "report.json", cwd=self.folder)
        self.assertEqual((code, out), (4, b""))
        self.assertIn("report.json: stopped: the run was stopped at its failures", err.decode())


class Runs(unittest.TestCase):
    def batch(self, *words):
        code, out, err = call("batch", "tests.batch_agents:FAILING", "-n", "20", "--no-curtail", "--format", "json", *words)
        return code, json.loads(out), err.decode()

    def test_a_batch(self):
        code, told, _ = self.batch("--max-failures", "3")
        self.assertEqual((code, told["counts"]["samples"], told["stopped"]["failures"]), (1, 3, 3))
        self.assertNotIn("planned", told["cases"][0])
        self.assertEqual(self.batch("--max-failures", "21")[1], self.batch()[1])

    def test_a_batch_whose_rate_would_allow_it(self):
        code, told, _ = self.batch("--max-failure-rate", "99%", "--fail-fast")
        self.assertEqual((code, told["cases"][0]["outcome"], told["counts"]["samples"]), (1, "fail", 1))

    def test_a_ledger_goes_on_without_it(self):
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "ledger")
            self.batch("--ledger", ledger, "--fail-fast")
            again = self.batch("--ledger", ledger, "--fail-fast")
            self.assertEqual((again[1]["counts"]["samples"], again[1]["stopped"]["judged"]), (1, 1))
            whole = self.batch("--ledger", ledger)
            self.assertEqual(whole[1], self.batch()[1])
            self.assertIn("1 of 20 runs stand in the ledger", whole[2])

    def test_a_workflow(self):
        words = ("workflow", "tests.test_stopping:FAILING", "-n", "3", "--format", "json")
        code, out, _ = call(*words)
        self.assertEqual((code, json.loads(out)["counts"]["check_failed"]), (0, 3))
        self.assertEqual(call(*words, "--max-failures", "4")[1], out)
        code, out, _ = call(*words, "--max-failures", "2")
        told = json.loads(out)
        self.assertEqual((code, told["counts"]["samples"], told["stopped"]["failures"], told["errors"]), (1, 2, 2, []))



if __name__ == "__main__":
    unittest.main()
