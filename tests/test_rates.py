"""Rates: hand-worked outcomes, and the text of a summary."""
import unittest

from gatekit import BatchSummary, CaseError


def summary(**counts):
    return BatchSummary.from_counts(**counts)


class Rates(unittest.TestCase):
    def test_outcomes(self):
        for counts, outcome in (
            ({}, "inconclusive"),
            ({"passed": 1}, "pass"),
            ({"passed": 99, "check_failed": 1}, "fail"),
            ({"passed": 99, "check_failed": 1, "max_failure_rate": "0.01"}, "pass"),
            ({"passed": 98, "check_failed": 1, "max_failure_rate": "0.01"}, "fail"),
            ({"passed": 98, "check_failed": 1, "max_failure_rate": "1%", "rounding": True}, "pass"),
            ({"passed": 98, "error": 1, "max_failure_rate": "0.01"}, "fail"),
            ({"passed": 9, "check_failed": 1, "max_failure_rate": 0.1}, "pass"),
            ({"passed": 7, "check_failed": 3, "max_failure_rate": 0.3}, "pass"),
            ({"passed": 8, "transient": 2}, "pass"),
            ({"passed": 7, "transient": 2}, "inconclusive"),
            ({"check_failed": 7, "transient": 2}, "inconclusive"),
            ({"transient": 5, "max_transient": 1}, "inconclusive"),
            ({"passed": 4, "min_judged": 5}, "inconclusive"),
            ({"check_failed": 4, "min_judged": 5}, "inconclusive"),
            ({"passed": 5, "diverged": 1}, "diverged"),
            ({"passed": 5, "check_failed": 1, "diverged": 1}, "fail"),
            ({"passed": 5, "inconclusive": 1}, "inconclusive"),
            ({"passed": 5, "review": 1}, "inconclusive"),
            ({"passed": 5, "inconclusive": 1, "diverged": 1}, "diverged"),
        ):
            got = summary(**counts)
            self.assertEqual(got.outcome, outcome, counts)
            self.assertEqual(got.exit_code, {"pass": 0, "fail": 1, "inconclusive": 2, "diverged": 3}[outcome])

    def test_settings_that_are_not_guessed(self):
        for settings in (
            {"max_failure_rate": ""}, {"max_failure_rate": 5}, {"max_failure_rate": "5"}, {"max_failure_rate": -0.1}, {"max_failure_rate": float("nan")},
            {"max_failure_rate": True}, {"max_failure_rate": None}, {"max_transient": "all"}, {"min_judged": 0}, {"min_judged": 1.5}, {"rounding": 1},
            {"passed": -1}, {"passed": 1.0}, {"confidence": 0.95},
        ):  # fmt: skip
            with self.assertRaises(CaseError, msg=settings):
                summary(**settings)

    def test_text(self):
        self.assertEqual(
            str(summary(passed=98, check_failed=1, transient=1, max_failure_rate="0.01", rounding=True)),
            "samples:        100\npassed:         98\ncheck_failed:   1\ntransient:      1 (excluded from the rate)\n"
            "failure rate:   1.0% (threshold 1.0%)\ngate:           PASS",
        )

    def test_rate_threshold_and_verdict_agree(self):
        for counts, text in (
            ({"passed": 98, "check_failed": 1, "max_failure_rate": "0.01"}, "1.02% (1 of 99) (threshold 1.0%)"),
            ({"passed": 9, "check_failed": 1, "max_failure_rate": 0.1}, "10.0% (threshold 10.0%)"),
            ({"passed": 2, "check_failed": 1, "max_failure_rate": "0.5"}, "33.33% (1 of 3) (threshold 50.0%)"),
            ({"passed": 2, "check_failed": 1}, "33.33% (1 of 3) (threshold 0.0%)"),
            ({"passed": 9, "check_failed": 3, "error": 2, "max_failure_rate": "10%"}, "35.71% (5 of 14) (threshold 10.0%)"),
            ({"passed": 2999, "check_failed": 1}, "0.04% (1 of 3000) (threshold 0.0%)"),
            ({"passed": 1616, "check_failed": 25, "max_failure_rate": "1.5%"}, "1.53% (25 of 1641) (threshold 1.5%)"),
            ({"passed": 199999, "check_failed": 1, "max_failure_rate": "0.0005%"}, "0.0005% (threshold 0.0005%)"),
            ({"passed": 997, "check_failed": 3, "max_failure_rate": "0.25%", "rounding": True}, "0.3% (threshold 0.3%, which is 0.25% rounded)"),
            ({"passed": 199998, "check_failed": 1, "max_failure_rate": "0.0005%"}, "0.00051% (1 of 199999) (threshold 0.0005%)"),
        ):
            self.assertEqual(summary(**counts).rate_text(), text)

    def test_the_share_of_transients_agrees_with_the_verdict(self):
        for counts, text in (
            ({"passed": 2, "transient": 1}, "1 of 3 samples transient (33.3%), more than 20.0%"),
            ({"passed": 799, "transient": 200}, "200 of 999 samples transient (20.1%), more than 20.0%"),
            ({"passed": 2, "transient": 1, "max_transient": "33.33%"}, "1 of 3 samples transient (33.34%), more than 33.33%"),
        ):
            self.assertEqual(summary(**counts).reason, text)


if __name__ == "__main__":
    unittest.main()
