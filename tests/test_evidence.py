"""Exact evidence: against an independent slow definition, hand-worked values, and what must be monotonic."""
import math
import random
import tempfile
import time
import unittest
from fractions import Fraction

from gatekit import BatchSummary, Case, CaseError, Gate, Rubric, load
from gatekit.ground.exact import Exact
from gatekit.judging import binomial
from gatekit.judging.evidence import evidence, fewest_failures, most_failures, samples_needed, shows_above, shows_at_most, upper_bound

from .running import write

C95 = Exact(95, 100)
PERCENT = Exact(1, 100)
FIVE = Exact(1, 20)


def tail(failures, samples, chance):
    """P(X <= failures) by its definition, in fractions."""
    return sum(math.comb(samples, i) * chance**i * (1 - chance) ** (samples - i) for i in range(min(failures, samples) + 1))


def sign(number):
    return (number > 0) - (number < 0)


def exact(fraction):
    return Exact(fraction.numerator, fraction.denominator)


def log_tail(failures, samples, chance):
    """P(X <= failures) in floats, by logarithms of the terms: good for about nine digits."""
    logs = [
        math.lgamma(samples + 1) - math.lgamma(i + 1) - math.lgamma(samples - i + 1) + i * math.log(chance) + (samples - i) * math.log1p(-chance)
        for i in range(max(0, failures - 20000), failures + 1)
    ]
    top = max(logs)
    return math.exp(top) * math.fsum(math.exp(each - top) for each in logs)


class Tails(unittest.TestCase):
    def test_all_small_ones(self):
        """Every k of every n up to 12, at chances with and without small denominators, at common levels, and at the tail itself: a tie."""
        chances = [Fraction(0), Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(7, 10), Fraction(999, 1000), Fraction(1)]
        for samples in range(13):
            for failures in range(samples + 1):
                for chance in chances:
                    value = tail(failures, samples, chance)
                    levels = [Fraction(1, 20), Fraction(1, 2), Fraction(1, 10**6), Fraction(19, 20)]
                    levels += [level for level in (value, value - Fraction(1, 10**30), value + Fraction(1, 10**30)) if 0 < level < 1]
                    for level in levels:
                        got = binomial.compare_tail(failures, samples, exact(chance), exact(level))
                        self.assertEqual(got, sign(value - level), (failures, samples, chance, level))

    def test_larger_ones(self):
        rng = random.Random(5)
        for _ in range(40):
            samples = rng.randint(50, 250)
            chance = Fraction(rng.randint(1, 99), 100)
            failures = min(samples, max(0, round(samples * chance) + rng.randint(-20, 20)))
            value = tail(failures, samples, chance)
            for level in (Fraction(1, 20), value, value * (1 - Fraction(1, 10**50)), value + (1 - value) / 10**50):
                if 0 < level < 1:
                    got = binomial.compare_tail(failures, samples, exact(chance), exact(level))
                    self.assertEqual(got, sign(value - level), (failures, samples, chance))

    def test_the_interval_never_says_what_is_not_so(self):
        """With few bits the intervals are wide: they may leave open, and never err."""
        rng = random.Random(6)
        undecided = 0
        for _ in range(600):
            samples, chance = rng.randint(1, 40), Fraction(rng.randint(1, 19), 20)
            failures = rng.randrange(samples)
            value = tail(failures, samples, chance)
            level = value * Fraction(rng.randint(60, 140), 100)
            if not 0 < level < 1:
                continue
            hit, missed = chance.numerator, chance.denominator - chance.numerator
            got = binomial._compare_within(
                rng.randint(1, 6), (failures, samples, missed, hit), (samples - failures, samples, hit, missed), level.numerator, level.denominator
            )
            self.assertIn(got, (0, sign(value - level)))
            undecided += not got
        self.assertTrue(50 < undecided < 550, undecided)

    def test_ties_that_are_known(self):
        """Half of a symmetric distribution; and the perfect codes of Golay and of 90: sums of binomials that are powers of two."""
        half = Exact(1, 2)
        for failures, samples, level in ((499999, 999999, half), (3, 23, Exact(1, 2**12)), (2, 90, Exact(1, 2**78)), (0, 640, Exact(1, 2**640))):
            self.assertEqual(binomial.compare_tail(failures, samples, half, level), 0)
        self.assertEqual(binomial.compare_tail(499999, 999999, half, Exact(10**600 + 1, 2 * 10**600)), -1)
        self.assertEqual(binomial.compare_tail(499998, 999999, half, half), -1)

    def test_a_million(self):
        """k anywhere, against logarithms in floats, a millionth beside the tail; each in far less than a second."""
        slowest = 0.0
        for failures, chance in ((500000, 0.5), (499178, 0.5), (9836, 0.01), (10165, 0.01), (5, 1e-6), (990000, 0.99), (300, 0.00025)):
            value = log_tail(failures, 10**6, chance)
            for factor, wanted in ((1 - 1e-6, 1), (1 + 1e-6, -1)):
                level = Fraction(value * factor)
                start = time.process_time()
                got = binomial.compare_tail(failures, 10**6, exact(Fraction(str(chance))), exact(level))
                slowest = max(slowest, time.process_time() - start)
                self.assertEqual(got, wanted, (failures, chance, factor))
        self.assertLess(slowest, 0.5)

    def test_what_cannot_be_told_apart_is_not_shown(self):
        """Beyond every width and too long for whole integers: nothing is shown, on either side."""
        widths, bits = binomial._WIDTHS, binomial._EXACT_BITS
        try:
            binomial._WIDTHS, binomial._EXACT_BITS = (2,), 0
            self.assertIsNone(binomial.compare_tail(3, 23, Exact(1, 2), Exact(1, 2**12)))
            self.assertFalse(shows_at_most(3, 23, Exact(1, 2), Exact(2**12 - 1, 2**12)))
            self.assertFalse(shows_above(20, 23, Exact(1, 2), Exact(2**12 - 1, 2**12)))
        finally:
            binomial._WIDTHS, binomial._EXACT_BITS = widths, bits
        self.assertTrue(shows_at_most(3, 23, Exact(1, 2), Exact(2**12 - 1, 2**12)))  # at or below: a tie is enough
        self.assertFalse(shows_above(20, 23, Exact(1, 2), Exact(2**12 - 1, 2**12)))  # above: a tie is not


class SampleSizes(unittest.TestCase):
    def test_published_sizes(self):
        """Wilks' one-sided 95/95 and 95/99 sizes, as they stand in handbooks of tolerance limits."""
        self.assertEqual([samples_needed(failures, FIVE, C95) for failures in range(6)], [59, 93, 124, 153, 181, 208])
        self.assertEqual([samples_needed(failures, PERCENT, C95) for failures in range(6)], [299, 473, 628, 773, 913, 1049])
        self.assertEqual(samples_needed(0, Exact(1, 10), Exact(9, 10)), 22)
        self.assertEqual(samples_needed(0, Exact(1, 10), Exact(99, 100)), 44)
        self.assertIsNone(samples_needed(0, Exact(1, 10**20), C95))

    def test_clean_samples_by_their_formula(self):
        """Without a failure, n is the first with (1 - p) ** n at most the level."""
        for rate in (Fraction(1, 2), Fraction(1, 10), Fraction(3, 100), Fraction(1, 1000)):
            for level in (Fraction(1, 2), Fraction(1, 20), Fraction(1, 1000)):
                n = samples_needed(0, exact(rate), exact(1 - level))
                self.assertLessEqual((1 - rate) ** n, level)
                self.assertGreater((1 - rate) ** (n - 1), level)

    def test_the_other_way_round(self):
        for samples, most in ((298, None), (299, 0), (472, 0), (473, 1), (1048, 4), (1049, 5)):
            self.assertEqual(most_failures(samples, PERCENT, C95), most)
        for samples in (2, 59, 60, 299, 1000):
            first = fewest_failures(samples, FIVE, C95)
            self.assertGreater(1 - tail(first - 2, samples, Fraction(1, 20)), Fraction(1, 20))
            self.assertLess(1 - tail(first - 1, samples, Fraction(1, 20)), Fraction(1, 20))
        self.assertIsNone(fewest_failures(1, FIVE, C95))  # exactly 5%: a tie is not above
        self.assertIsNone(fewest_failures(0, FIVE, C95))
        self.assertEqual(most_failures(7, Exact(1), C95), 7)


class Bounds(unittest.TestCase):
    def test_printed_upper_bounds(self):
        """0 of n: 1 - 0.05 ** (1/n), worked out by hand; k of n from the tables of Clopper and Pearson at 95% one-sided."""
        for failures, samples, text in (
            (0, 1, "95.0%"),
            (0, 10, "25.9%"),
            (0, 59, "5.0%"),
            (0, 100, "3.0%"),
            (0, 299, "1.0%"),
            (0, 298, "1.1%"),
            (0, 1000, "0.30%"),
            (0, 10**6, "0.00030%"),
            (1, 10, "39.5%"),
            (5, 10, "77.8%"),
            (10, 10, "100.0%"),
            (1, 100, "4.7%"),
        ):
            self.assertEqual(upper_bound(failures, samples, C95), text, (failures, samples))

    def test_a_printed_bound_is_the_least_of_its_digits(self):
        rng = random.Random(7)
        for _ in range(60):
            samples = rng.randint(1, 120)
            failures = rng.randint(0, samples)
            text = upper_bound(failures, samples, C95)
            digits = len(text) - text.index(".") - 2
            bound, step = Fraction(text[:-1]) / 100, Fraction(1, 10 ** (digits + 2))
            if bound < 1:
                self.assertLessEqual(tail(failures, samples, bound), Fraction(1, 20))
            self.assertGreater(tail(failures, samples, bound - step), Fraction(1, 20))

    def test_words(self):
        for counts, words in (
            ((0, 100, PERCENT, C95), "0 of 100: up to 3.0% at 95%; 299 clean samples would show 1%"),
            ((1, 100, PERCENT, C95), "1 of 100: up to 4.7% at 95%; 373 more clean samples would show 1%"),
            ((1, 472, PERCENT, C95), "1 of 472: up to 1.1% at 95%; 1 more clean sample would show 1%"),
            ((0, 299, PERCENT, C95), "0 of 299: up to 1.0% at 95%, which shows 1%"),
            ((0, 300, Exact(997, 100000), C95), "0 of 300: up to 0.994% at 95%, which shows 0.997%"),
            ((0, 1, Exact(1, 10**30), C95), "0 of 1: up to 95.0% at 95%; no number of clean samples below 10^18 would show 0." + "0" * 27 + "1%"),
            ((3, 6, Exact(0), C95), "3 of 6: up to 84.7% at 95%"),
            ((3, 6, Exact(1), C95), "3 of 6: up to 84.7% at 95%"),
            ((0, 100, PERCENT, Exact(999, 1000)), "0 of 100: up to 6.7% at 99.9%; 688 clean samples would show 1%"),
            ((0, 0, PERCENT, C95), ""),
            ((0, 10**12, PERCENT, C95), ""),
        ):
            self.assertEqual(evidence(*counts), words)


def outcome(failures, samples, **settings):
    return BatchSummary.from_counts(passed=samples - failures, check_failed=failures, **settings).outcome


class Gates(unittest.TestCase):
    def test_outcomes(self):
        for failures, samples, wanted in (
            (0, 0, "inconclusive"), (0, 298, "inconclusive"), (0, 299, "pass"), (1, 299, "inconclusive"), (1, 472, "inconclusive"), (1, 473, "pass"),
            (1, 5, "fail"), (1, 6, "inconclusive"), (10, 100, "fail"), (5, 5, "fail"),
        ):  # fmt: skip
            self.assertEqual(outcome(failures, samples, max_failure_rate="1%", confidence="0.95"), wanted, (failures, samples))

    def test_against_the_definition(self):
        for samples in range(1, 26):
            for failures in range(samples + 1):
                for limit, confidence in ((Fraction(1, 10), Fraction(9, 10)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3), Fraction(99, 100))):
                    level = 1 - confidence
                    at_most, above = tail(failures, samples, limit) <= level, 1 - (tail(failures - 1, samples, limit) if failures else 0) < level
                    self.assertFalse(at_most and above)
                    got = outcome(failures, samples, max_failure_rate=exact(limit), confidence=exact(confidence))
                    self.assertEqual(got, "pass" if at_most else "fail" if above else "inconclusive", (failures, samples, limit, confidence))

    def test_more_failures_never_help_and_more_clean_samples_never_hurt(self):
        order = ("pass", "inconclusive", "fail")
        for samples in (20, 60, 150):
            row = [order.index(outcome(failures, samples, max_failure_rate="5%", confidence=0.9)) for failures in range(samples + 1)]
            self.assertEqual(row, sorted(row))
        for failures in (0, 1, 4):
            row = [order.index(outcome(failures, samples, max_failure_rate="5%", confidence=0.9)) for samples in range(failures + 1, 250)]
            self.assertEqual(row, sorted(row, reverse=True))
        for confidences in ([50, 60, 80, 95, 99],):
            for failures in range(0, 40):
                decided = [outcome(failures, 200, max_failure_rate="5%", confidence=f"{each}%") != "inconclusive" for each in confidences]
                self.assertEqual(decided, sorted(decided, reverse=True))

    def test_what_stands_before_the_evidence(self):
        settings = {"max_failure_rate": "1%", "confidence": 0.95}
        for counts, wanted in (
            ({"passed": 299, "diverged": 1}, "diverged"), ({"passed": 299, "review": 1}, "inconclusive"), ({"passed": 299, "transient": 80}, "inconclusive"),
            ({"passed": 299, "min_judged": 300}, "inconclusive"), ({"check_failed": 9, "diverged": 1}, "fail"), ({"passed": 9, "diverged": 1}, "diverged"),
        ):  # fmt: skip
            self.assertEqual(BatchSummary.from_counts(**counts, **settings).outcome, wanted, counts)

    def test_reasons(self):
        def summary(passed, failed):
            return BatchSummary.from_counts(passed=passed, check_failed=failed, max_failure_rate="1%", confidence=0.95)

        self.assertEqual(summary(299, 0).reason, "")
        self.assertEqual(summary(298, 0).reason, "not shown to be at most 1% at 95%: 1 more clean sample would show it")
        self.assertEqual(summary(100, 0).reason, "not shown to be at most 1% at 95%: 199 more clean samples would show it")
        self.assertEqual(summary(90, 10).reason, "failure rate 10.0%, shown to be above 1% at 95%")
        self.assertEqual(summary(99, 1).rate_text(), "1.0% (threshold 1.0% at 95%)")
        self.assertEqual(summary(299, 0).evidence, "0 of 299: up to 1.0% at 95%, which shows 1%")

    def test_what_a_reason_promises_comes_true(self):
        for failures in range(5):
            summary = BatchSummary.from_counts(passed=30, error=failures, max_failure_rate="7.5%", confidence="90%")
            more = int(summary.reason.split(": ")[1].split()[0]) if summary.outcome == "inconclusive" else 0
            if more:
                settled = {clean: outcome(failures, 30 + failures + clean, max_failure_rate="7.5%", confidence="90%") for clean in (more - 1, more)}
                self.assertEqual(settled, {more - 1: "inconclusive", more: "pass"})

    def test_spellings_of_a_confidence(self):
        texts = {str(BatchSummary.from_counts(passed=300, max_failure_rate="1%", confidence=given)) for given in (0.95, "0.95", "95%", " 95 %", Exact(19, 20))}
        self.assertEqual(len(texts), 1)

    def test_settings_that_cannot_be_meant(self):
        for settings, words in (
            ({"confidence": 0.95}, "set max_failure_rate above 0"),
            ({"confidence": 0.95, "max_failure_rate": "0%"}, "set max_failure_rate above 0"),
            ({"confidence": 0.95, "max_failure_rate": "1%", "rounding": True}, "leave out rounding or confidence"),
            ({"confidence": 0.05, "max_failure_rate": "1%"}, "did you mean 95%?"),
            *(({"confidence": given, "max_failure_rate": "1%"}, "from 0.5 to below 1") for given in (0, 1, -1, 2, 95, "95", "", "all", True, [], float("nan"))),
            ({"confidence": "0." + "9" * 19, "max_failure_rate": "1%"}, "18 nines are the most"),
            ({"confidence": 0.95, "max_failure_rate": "1%", "passed": 10**9 + 1}, "at most 1000000000 samples"),
        ):
            with self.assertRaises(CaseError, msg=settings) as caught:
                BatchSummary.from_counts(**settings)
            self.assertIn(words, str(caught.exception))
            self.assertIn(caught.exception.path[0], ("confidence", "rounding"))

    def test_a_gate_and_a_case(self):
        gate = Gate(Rubric(must_include=["refund"]), max_failure_rate="5%", confidence="95%")
        self.assertEqual(gate.judge(["refund"] * 58).exit_code, 2)
        self.assertEqual(gate.judge(["refund"] * 59).exit_code, 0)
        self.assertEqual(gate.judge(["no"] * 59).exit_code, 1)
        self.assertTrue(gate.check("refund").passed)
        case = Case.from_dict({"id": "a", "rubric": {"must_include": ["refund"]}, "gate": {"max_failure_rate": 0.05, "confidence": 0.95}})
        self.assertEqual(case.judge(["refund"] * 58).exit_code, 2)
        self.assertEqual(case.judge(["refund"] * 59).exit_code, 0)
        with self.assertRaises(CaseError) as caught:
            Case.from_dict({"id": "a", "rubric": {"must_include": ["refund"]}, "gate": {"confidence": 0.95}})
        self.assertEqual(caught.exception.path, ("gate", "confidence"))

    def test_what_a_folder_shares(self):
        """A folder may ask for a confidence and leave the failure rate to its cases; a case may do without."""
        case = '{"id": "%s", "rubric": {"must_include": ["x"]}, "gate": %s}'
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"gatekit.yaml": "gate: {confidence: 95%}\n", "a.json": case % ("a", '{"max_failure_rate": "5%"}')})
            write(folder, {"b.json": case % ("b", '{"confidence": null}')})
            first, second = load(folder)
            self.assertEqual((first.thresholds.confidence, second.thresholds.confidence), (C95, None))
            for gate in ("{}", '{"max_failure_rate": "5%", "rounding": true}'):
                write(folder, {"b.json": case % ("b", gate)})
                with self.assertRaises(CaseError) as caught:
                    list(load(folder))
                self.assertEqual((caught.exception.file, caught.exception.path[0]), ("b.json", "gate"))
            write(folder, {"gatekit.yaml": "gate: {confidence: 95%, max_failure_rate: 0}\n"})
            with self.assertRaises(CaseError) as caught:
                list(load(folder))
            self.assertEqual(caught.exception.file, "gatekit.yaml")

    def test_a_million_samples(self):
        start = time.process_time()
        # Between which counts it turns was worked out with `log_tail`.
        for failures, wanted in ((9836, "pass"), (9837, "inconclusive"), (10164, "inconclusive"), (10165, "fail")):
            summary = BatchSummary.from_counts(passed=10**6 - failures, check_failed=failures, max_failure_rate="1%", confidence=0.95)
            self.assertEqual(summary.outcome, wanted)
            self.assertTrue(str(summary) and summary.evidence)
        self.assertLess(time.process_time() - start, 2)


class Draws(unittest.TestCase):
    def test_by_counting_the_draws(self):
        """Of all ways to draw k of n samples: those with a pass, and those of passes only."""
        from itertools import combinations

        for judged in range(7):
            for passed in range(judged + 1):
                summary = BatchSummary.from_counts(passed=passed, error=judged - passed)
                for k in range(1, 8):
                    draws = list(combinations([True] * passed + [False] * (judged - passed), k))
                    if not draws:
                        self.assertIsNone(summary.pass_at_k(k))
                        self.assertIsNone(summary.pass_hat_k(k))
                        continue
                    self.assertEqual(summary.pass_at_k(k), Exact(sum(map(any, draws)), len(draws)))
                    self.assertEqual(summary.pass_hat_k(k), Exact(sum(map(all, draws)), len(draws)))

    def test_k_that_cannot_be_meant(self):
        for k in (0, -1, 1001, True, 1.0, "1", None):
            for figure in (BatchSummary.from_counts(passed=5).pass_at_k, BatchSummary.from_counts(passed=5).pass_hat_k):
                with self.assertRaises(CaseError):
                    figure(k)

    def test_other_statuses_are_no_draws(self):
        self.assertIsNone(BatchSummary.from_counts(passed=2, transient=9, review=4).pass_hat_k(3))


if __name__ == "__main__":
    unittest.main()
