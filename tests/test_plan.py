"""The command `plan`, and what reports say of rates: evidence, pass@k and pass^k."""
import json
import tempfile
import unittest

from .running import call, write

SIZES = """\
to show at 95% that the failure rate is at most 1%:
   299 samples with no failure
   473 samples with at most 1 failure
   628 samples with at most 2 failures
   773 samples with at most 3 failures
   913 samples with at most 4 failures
  1049 samples with at most 5 failures
"""


def plan(*words):
    code, out, err = call("plan", *words)
    return code, out.decode(), err.decode()


class Plan(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual(plan("--threshold", "1%", "--confidence", "95%"), (0, SIZES, ""))
        self.assertEqual(plan("--threshold", "0.01"), (0, SIZES, ""))
        self.assertEqual(plan("--threshold", "5%", "--failures", "1")[1].splitlines()[1:], ["  59 samples with no failure", "  93 samples with at most 1 failure"])
        self.assertEqual(plan("--threshold=50%", "--confidence=0.5", "--failures=0")[1].splitlines()[1:], ["  1 sample with no failure"])
        self.assertEqual(plan("--threshold", "1e-30")[1].splitlines()[1:], ["  more than 10^18 samples"])

    def test_the_other_way_round(self):
        code, out, _ = plan("--threshold", "1%", "--samples", "1000")
        self.assertEqual(code, 0)
        self.assertEqual(
            out.splitlines()[1:],
            ["  pass          with at most 4 failures", "  fail          from 16 failures on", "  inconclusive  with 5 to 15 failures",
             "without a failure they show a rate of up to 0.30%"],
        )  # fmt: skip
        self.assertEqual(plan("--threshold", "1%", "--samples", "100")[1].splitlines()[1], "  pass          never: it takes 299 clean samples")
        self.assertEqual(plan("--threshold", "50%", "--samples", "1")[1].splitlines()[2], "  fail          never: too few samples to show more")

    def test_what_cannot_be_meant(self):
        for words, mend in (
            ((), "--threshold 1%"),
            (("--threshold", "5"), "1%"),
            (("--threshold", "0"), "no number of samples shows a rate of 0"),
            (("--threshold", "100%"), "needs no sample"),
            (("--threshold", "1%", "--confidence", "5%"), "did you mean 95%?"),
            (("--threshold", "1%", "--confidence", "1"), "--confidence: "),
            (("--threshold", "1%", "--samples", "0"), "from 1 to"),
            (("--threshold", "1%", "--samples", "1.5"), "from 1 to"),
            (("--threshold", "1%", "--failures", "-1"), "from 0 to"),
            (("--threshold", "1%", "--failures", "1", "--samples", "1"), "exclude each other"),
            (("--treshold", "1%"), "did you mean --threshold?"),
            (("golden", "--threshold", "1%"), "takes no PATH"),
        ):
            code, out, err = plan(*words)
            self.assertEqual((code, out), (4, ""), words)
            self.assertIn(mend, err)

    def test_help(self):
        code, out, err = plan("--help")
        self.assertEqual((code, err), (0, ""))
        for flag in ("--threshold", "--confidence", "--failures", "--samples"):
            self.assertIn(flag, out)


class Reports(unittest.TestCase):
    def judge(self, cases, samples, *words):
        """The report on some cases, id to gate, and samples, id to outputs."""
        with tempfile.TemporaryDirectory() as folder:
            files = {f"{name}.json": json.dumps({"id": name, "rubric": {"must_include": ["yes"]}, "gate": gate}) for name, gate in cases.items()}
            rows = [{"case": name, "sample": str(place), "output": output} for name, outputs in samples.items() for place, output in enumerate(outputs)]
            write(folder, {**files, "runs.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
            code, out, err = call(folder, *words)
        self.assertEqual(err, b"")
        return code, out.decode()

    def test_one_batch(self):
        code, text = self.judge({"a": {"max_failure_rate": "1%"}}, {"a": ["yes"] * 100})
        self.assertEqual(code, 0)
        self.assertIn("\ngate:           PASS (exit 0)\nevidence:       0 of 100: up to 3.0% at 95%; 299 clean samples would show 1%\nA pass means", text)
        _, text = self.judge({"a": {}}, {"a": ["yes"]})
        self.assertNotIn("evidence", text)  # one golden sample that must pass: no rate was asked for
        _, text = self.judge({"a": {"max_failure_rate": "1%"}}, {"a": ["yes"]})
        self.assertIn("\nevidence:       0 of 1: up to 95.0% at 95%; 299 clean samples would show 1%\n", text)

    def test_with_a_confidence(self):
        code, text = self.judge({"a": {"max_failure_rate": "10%", "confidence": "90%"}}, {"a": ["yes"] * 21})
        self.assertEqual(code, 2)
        self.assertIn("INCONCLUSIVE a (a.json): 21 of 21 passed: not shown to be at most 10% at 90%: 1 more clean sample would show it", text)
        self.assertIn("\nfailure rate:   0.0% (threshold 10.0% at 90%)\n", text)
        code, text = self.judge({"a": {"max_failure_rate": "10%", "confidence": "90%"}}, {"a": ["yes"] * 22})
        self.assertEqual(code, 0)
        self.assertIn("\nevidence:       0 of 22: up to 10.0% at 90%, which shows 10%\n", text)

    def test_several_batches(self):
        _, text = self.judge({"a": {}, "b": {"max_failure_rate": "1%"}}, {"a": ["yes", "yes"], "b": ["no", "yes"]}, "--verbose")
        self.assertIn("  evidence: 0 of 2: up to 77.7% at 95%\n", text)
        self.assertIn("  evidence: 1 of 2: up to 97.5% at 95%; 471 more clean samples would show 1%\n", text)
        self.assertNotIn("\nevidence:", text)

    def test_in_json(self):
        _, text = self.judge({"a": {"max_failure_rate": "1%"}}, {"a": ["yes"] * 100}, "--format", "json", "--pass-k", "1", "--pass-k", "101")
        [case] = json.loads(text)["cases"]
        self.assertEqual(case["evidence"], "0 of 100: up to 3.0% at 95%; 299 clean samples would show 1%")
        self.assertEqual(
            case["draws"], [{"k": 1, "pass_at_k": "1.000000", "pass_hat_k": "1.000000"}, {"k": 101, "pass_at_k": None, "pass_hat_k": None}]
        )

    def test_draws(self):
        """2 of 3 passed: of the three pairs all have a pass, one is of passes only. 1 of 2 passed: the only pair has a pass."""
        gates = {"a": {"max_failure_rate": 1}, "b": {"max_failure_rate": 1}, "c": {"max_failure_rate": 1}}
        _, text = self.judge({"a": gates["a"]}, {"a": ["yes", "no", "yes"]}, "--pass-k", "2", "--pass-k", "4")
        self.assertIn("\npass@2:         100.00%\npass^2:         33.33%\npass@4:         undefined: fewer than 4 judged\n", text)
        _, text = self.judge(gates, {"a": ["yes", "no", "yes"], "b": ["yes", "no"], "c": ["yes"]}, "--pass-k", "2")
        self.assertIn("pass@2:         100.00%, the mean over 2 cases; undefined in 1 case: fewer than 2 judged\n", text)
        self.assertIn("pass^2:         16.66%, the mean over 2 cases; undefined in 1 case: fewer than 2 judged\n", text)
        for k in ("0", "1001", "x", "1.0"):
            code, _, err = call("examples/refund", "--pass-k", k)
            self.assertEqual((code, b"from 1 to 1000" in err), (4, True))


if __name__ == "__main__":
    unittest.main()
