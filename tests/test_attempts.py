"""Several attempts at one sample: the first counts, the others are listed, in whatever order they come."""
import itertools
import json
import tempfile
import unittest

from gatekit import CaseError, Gate, Rubric, Sample
from gatekit.judging.tally import EVIDENCE

from .running import call, write

CASE = '{"id": "refund", "rubric": {"must_include": ["refund"], "forbidden_prefix": ["sk-"]}, "gate": {"max_failure_rate": "50%"}}'
LEAK = "refund sk" + "-live-1234567890abcdef"


def attempt(number, output, sample="a", **more):
    return {"sample": sample, "output": output, **({} if number is None else {"attempt": number}), **more}


class Attempts(unittest.TestCase):
    def setUp(self):
        self.gate = Gate(Rubric(must_include=["refund"], forbidden_prefix=["sk-"]), max_failure_rate="50%")

    def statuses(self, samples):
        report = self.gate.judge(samples)
        self.assertEqual(report.errors, ())
        [case] = report.cases
        return case.statuses, case.retries

    def test_the_first_counts_in_every_order(self):
        samples = [attempt(None, "no"), attempt(2, "a refund"), attempt(3, "", status="transient"), attempt(None, "refund", "b")]
        reports = {str(self.gate.judge(order)) for order in itertools.permutations(samples)}
        self.assertEqual(len(reports), 1)
        for order in itertools.permutations(samples):
            report = self.gate.judge(order)
            self.assertEqual(self.statuses(order), ({"a": "check_failed", "b": "passed"}, {"a": {2: "passed", 3: "transient"}}))
            self.assertEqual((report.counts["samples"], report.counts["passed"], report.counts["check_failed"], report.counts["transient"]), (2, 1, 1, 0))
            self.assertEqual([(name, verdict.status) for name, verdict in ((each.sample, each) for each in report.cases[0].verdicts)], [("a", "check_failed")])
            self.assertEqual(report.counts["retries"], 2)
            self.assertEqual(list(report.cases[0].retries["a"]), [2, 3])

    def test_a_retry_that_passes_does_not_help(self):
        self.assertEqual(self.gate.judge([attempt(1, "no"), attempt(2, "refund")]).exit_code, 1)
        self.assertEqual(self.gate.judge([attempt(2, "refund"), attempt(1, "no")]).exit_code, 1)
        self.assertEqual(self.gate.judge([attempt(1, "refund"), attempt(2, "no")]).exit_code, 0)

    def test_a_retry_does_not_bring_a_provider_back(self):
        report = self.gate.judge([attempt(1, "", status="transient"), attempt(2, "refund")])
        self.assertEqual((report.exit_code, report.counts["transient"], report.counts["passed"]), (2, 1, 0))

    def test_where_the_first_is_not_there_the_lowest_counts(self):
        self.assertEqual(self.statuses([attempt(5, "no"), attempt(3, "refund")]), ({"a": "passed"}, {"a": {5: "check_failed"}}))

    def test_a_veto_counts_in_every_attempt(self):
        for order in itertools.permutations([attempt(1, "refund"), attempt(2, LEAK), attempt(3, "refund")]):
            report = self.gate.judge(order)
            self.assertEqual((report.exit_code, report.cases[0].summary.reason), (1, "a rule with a veto failed"))
            self.assertNotIn("1234567890", str(report))

    def test_an_attempt_twice_is_an_error(self):
        for pair in ((1, 1), (None, 1), (None, None), (2, 2)):
            report = self.gate.judge([attempt(number, "refund") for number in pair])
            self.assertIn("is there twice", str(report.errors[0]))
            self.assertEqual((report.exit_code, report.counts["samples"]), (4, 1))
        report = self.gate.judge([attempt(1, "refund"), attempt(2, "no"), attempt(2, "refund")])
        self.assertEqual((len(report.errors), report.cases[0].retries), (1, {"a": {2: "check_failed"}}))

    def test_evidence_that_was_left_out_is_taken_back_too(self):
        count = EVIDENCE + 5
        samples = [attempt(2, "no", f"s{place}") for place in range(count)]
        report = self.gate.judge(samples + [attempt(1, "refund", "s0"), attempt(1, "refund", f"s{count - 1}")])
        [case] = report.cases
        self.assertEqual((case.summary.check_failed, len(case.verdicts), case.left_out), (count - 2, EVIDENCE, 3))

    def test_numbers_that_are_none(self):
        for number in (0, -1):
            with self.assertRaises(CaseError) as caught:
                Sample.of(attempt(number, "refund"))
            self.assertIn("counts from 1", str(caught.exception))
        for number in (True, 1.0, "1"):
            with self.assertRaises(CaseError):
                Sample.of(attempt(number, "refund"))


class Listed(unittest.TestCase):
    def judge(self, samples, *words):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"case.json": CASE, "runs.jsonl": "".join(json.dumps({"case": "refund", **sample}) + "\n" for sample in samples)})
            code, out, err = call(folder, *words)
        self.assertEqual(err, b"")
        return code, out.decode()

    def test_in_text(self):
        code, text = self.judge([attempt(2, "no"), attempt(1, "refund"), attempt(None, "refund", "b"), attempt(4, "refund")])
        self.assertEqual(code, 0)
        self.assertIn("\n  a: retried, which does not count: attempt 2 check_failed, attempt 4 passed\n", text)
        self.assertIn("\nretries:        2 (listed, not counted)\n", text)
        self.assertIn("\npassed:         2\n", text)

    def test_in_json(self):
        _, text = self.judge([attempt(2, "no"), attempt(1, "refund"), attempt(None, "refund", "b")], "--format", "json")
        [case] = json.loads(text)["cases"]
        self.assertEqual(case["samples"][0], {"sample": "a", "status": "passed", "findings": [], "retries": [{"attempt": 2, "status": "check_failed"}]})
        self.assertNotIn("retries", case["samples"][1])
        self.assertEqual(json.loads(text)["counts"]["retries"], 1)

    def test_many_are_listed_in_part(self):
        _, text = self.judge([attempt(number, "refund", f"s{place}") for place in range(102) for number in (1, 2)])
        self.assertIn("\n  and 2 more that were retried\n", text)


if __name__ == "__main__":
    unittest.main()
