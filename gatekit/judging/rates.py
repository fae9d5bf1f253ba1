"""Failure rates, and the gate's outcome that follows from them: exact fractions, no floats.

    judged = passed + check_failed + error
    rate   = (check_failed + error) / judged

The outcome of one batch is the first that applies:

    fail           a rule with a veto failed
    inconclusive   the share of transient samples among all is above `max_transient`: an agent cannot be judged on a provider's outage
    inconclusive   fewer than `min_judged` were judged
    fail           the rate is above `max_failure_rate` (with `rounding`, once both are rounded half up to a tenth of a percent;
                   with `confidence`, where the samples show it to be above: evidence.py)
    diverged       a sample left its recording
    inconclusive   a sample could not be told, or waits for a person's review
    inconclusive   with `confidence`, the samples do not show the rate to be at or below `max_failure_rate`
    pass
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact, parse_rate
from ..ground.record import Record
from .evidence import MOST_SAMPLES, USUAL_CONFIDENCE, evidence, more_to_show, parse_confidence, percent, shows_above, shows_at_most

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 2, "diverged": 3, "error": 4}
# Over many cases the worst wins, in this order.
WORST_FIRST = ("error", "fail", "diverged", "inconclusive", "pass")
_TENTH_OF_A_PERCENT = 1000
A_FIFTH = Exact(1, 5)
LARGEST = 10**18


def worst(outcomes) -> str:
    """The worst of some outcomes; inconclusive where there are none, since then nothing was judged."""
    present = set(outcomes)
    for outcome in WORST_FIRST:
        if outcome in present:
            return outcome
    return "inconclusive"


class Thresholds(Record):
    """What a batch is held to. `max_failure_rate` and `max_transient` are shares from 0 to 1: "0.01", 0.01 or "1%"; `min_judged` is at least 1.

    `rounding` compares rates as printed. `confidence`, a share from 0.5 to below 1, asks for evidence: the rate itself is not compared then, but what the
    samples show of it. Raises CaseError, with the setting as `path`.
    """

    __slots__ = ("max_failure_rate", "max_transient", "min_judged", "rounding", "confidence")
    max_failure_rate: Exact
    max_transient: Exact
    min_judged: int
    rounding: bool
    confidence: Exact | None

    def __init__(
        self, max_failure_rate: object = 0, max_transient: object = A_FIFTH, min_judged: int = 1, rounding: bool = False, confidence: object = None
    ) -> None:
        if not isinstance(min_judged, int) or isinstance(min_judged, bool) or not 1 <= min_judged < LARGEST:
            raise CaseError("min_judged is a whole number from 1 on: where nothing is judged, nothing passes", path=("min_judged",))
        if not isinstance(rounding, bool):
            raise CaseError("rounding is true or false", path=("rounding",))
        limit, shown = _rate("max_failure_rate", max_failure_rate), _confidence(confidence)
        if shown is not None and not limit.numerator:
            mend = "no number of samples shows a rate of 0: set max_failure_rate above 0, or leave confidence out"
            raise CaseError(mend, path=("confidence",))
        if shown is not None and rounding:
            raise CaseError("with confidence the rate is not compared as printed: leave out rounding or confidence", path=("rounding",))
        self._set(limit, _rate("max_transient", max_transient), min_judged, rounding, shown)


def _confidence(value: object) -> Exact | None:
    try:
        return None if value is None else parse_confidence(value)
    except CaseError as error:
        raise error.located(path=("confidence",)) from None


def _rate(name: str, value: object) -> Exact:
    if isinstance(value, Exact):
        return value
    if value == 0 and value is not False:
        return Exact(0)
    try:
        return parse_rate(value)
    except CaseError as error:
        raise error.located(path=(name,)) from None


class BatchSummary(Record):
    """Counts of one batch, the thresholds that it is held to, and what follows: `judged`, `rate`, `outcome`, `exit_code`."""

    __slots__ = ("passed", "check_failed", "error", "transient", "diverged", "inconclusive", "review", "thresholds", "vetoed", "_decided")
    passed: int
    check_failed: int
    error: int
    transient: int
    diverged: int
    inconclusive: int
    review: int
    thresholds: Thresholds
    vetoed: bool

    def __init__(
        self,
        passed: int,
        check_failed: int,
        error: int,
        transient: int,
        diverged: int,
        inconclusive: int,
        review: int,
        thresholds: Thresholds,
        vetoed: bool = False,
    ) -> None:
        for name, count in zip(self.__slots__, (passed, check_failed, error, transient, diverged, inconclusive, review)):
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < LARGEST:
                raise CaseError(f"{name} is a count: a whole number from 0 on, below {LARGEST}", path=(name,))
        if thresholds.confidence is not None and passed + check_failed + error > MOST_SAMPLES:
            raise CaseError(f"with confidence at most {MOST_SAMPLES} samples are weighed: leave it out", path=("confidence",))
        self._set(passed, check_failed, error, transient, diverged, inconclusive, review, thresholds, vetoed, None)

    @classmethod
    def from_counts(
        cls,
        passed: int = 0,
        check_failed: int = 0,
        error: int = 0,
        transient: int = 0,
        diverged: int = 0,
        inconclusive: int = 0,
        review: int = 0,
        max_failure_rate: object = 0,
        max_transient: object = "0.2",
        min_judged: int = 1,
        confidence: object = None,
        rounding: bool = False,
    ) -> BatchSummary:
        """A summary from counts; the settings are those of `Thresholds`. Raises CaseError for a count or setting that cannot be meant."""
        thresholds = Thresholds(max_failure_rate, max_transient, min_judged, rounding, confidence)
        return cls(passed, check_failed, error, transient, diverged, inconclusive, review, thresholds)

    @property
    def samples(self) -> int:
        """All samples of the batch."""
        return self.judged + self.transient + self.diverged + self.inconclusive + self.review

    @property
    def judged(self) -> int:
        """The samples that count: passed, failed or crashed."""
        return self.passed + self.failures

    @property
    def failures(self) -> int:
        """The samples that count against the agent."""
        return self.check_failed + self.error

    @property
    def rate(self) -> Exact | None:
        """The failure rate as an exact fraction, None where nothing was judged."""
        return Exact(self.failures, self.judged) if self.judged else None

    @property
    def outcome(self) -> str:
        """`pass`, `fail`, `inconclusive` or `diverged`: see the module's table."""
        return self._decision[0]

    @property
    def exit_code(self) -> int:
        """The outcome as an exit code."""
        return EXIT_CODES[self.outcome]

    @property
    def reason(self) -> str:
        """Why the outcome is not `pass`; empty where it is."""
        return self._decision[1]

    @property
    def evidence(self) -> str:
        """What the samples show of the rate, at the batch's confidence or at 95%; empty where none was judged."""
        held_to = self.thresholds
        return evidence(self.failures, self.judged, held_to.max_failure_rate, held_to.confidence or USUAL_CONFIDENCE)

    @property
    def is_batch(self) -> bool:
        """Whether a report says what the samples show: of several, and of one where a rate was asked for. One answer by itself is no batch."""
        return 1 < self.judged <= MOST_SAMPLES or self.judged == 1 and self.thresholds.max_failure_rate.numerator > 0

    def pass_at_k(self, k: int) -> Exact | None:
        """pass@k: the chance that at least one of k samples, drawn from those judged, passed; None where fewer than k were judged (draws.py).

        `k` is from 1 to 1000. Raises CaseError for another.
        """
        from .draws import all_good  # few reports ask for it

        none_of = all_good(self.failures, self.judged, k)
        return None if none_of is None else Exact(1) - none_of

    def pass_hat_k(self, k: int) -> Exact | None:
        """pass^k: the chance that all of k samples, drawn from those judged, passed; None where fewer than k were judged (draws.py).

        `k` is from 1 to 1000. Raises CaseError for another.
        """
        from .draws import all_good

        return all_good(self.passed, self.judged, k)

    @property
    def _decision(self) -> tuple:
        if self._decided is None:
            object.__setattr__(self, "_decided", self._decide())
        return self._decided

    def _decide(self) -> tuple:
        held_to = self.thresholds
        if self.vetoed:
            return "fail", "a rule with a veto failed"
        if not self.samples:
            return "inconclusive", "there were no samples"
        if Exact(self.transient, self.samples) > held_to.max_transient:
            share = _beside(Exact(self.transient, self.samples), held_to.max_transient)
            return "inconclusive", f"{self.transient} of {self.samples} samples transient ({share}), more than {_percent(held_to.max_transient)}"
        if self.judged < held_to.min_judged:
            return "inconclusive", f"{self.judged} judged, fewer than {held_to.min_judged}" + (f"; {self.review} to be reviewed" if self.review else "")
        if self.is_above:
            return "fail", f"failure rate {self._rate_words()}, {self._above_words()}"
        if self.diverged:
            return "diverged", f"{self.diverged} diverged"
        if self.inconclusive or self.review:
            return "inconclusive", " and ".join(
                words for count, words in ((self.inconclusive, f"{self.inconclusive} inconclusive"), (self.review, f"{self.review} to be reviewed")) if count
            )
        if not self.is_shown:
            limit, confidence = held_to.max_failure_rate, held_to.confidence
            words = more_to_show(self.failures, self.judged, limit, confidence)
            return "inconclusive", f"not shown to be at most {percent(limit)} at {percent(confidence)}: {words} would show it"
        return "pass", ""

    def _above_words(self) -> str:
        held_to = self.thresholds
        if held_to.confidence is not None:
            return f"shown to be above {percent(held_to.max_failure_rate)} at {percent(held_to.confidence)}"
        return f"above {self._threshold_words()}"

    @property
    def is_above(self) -> bool:
        """Whether the rate counts as above its threshold; with a confidence, whether it is shown to be. Something must have been judged."""
        if self.thresholds.confidence is not None:
            return shows_above(self.failures, self.judged, self.thresholds.max_failure_rate, self.thresholds.confidence)
        if self.thresholds.rounding:
            return _tenths(self.rate) > _tenths(self.thresholds.max_failure_rate)
        return self.rate > self.thresholds.max_failure_rate

    @property
    def is_shown(self) -> bool:
        """Whether the rate counts as at or below its threshold; with a confidence, whether it is shown to be. Something must have been judged."""
        held_to = self.thresholds
        if held_to.confidence is None:
            return not self.is_above
        return shows_at_most(self.failures, self.judged, held_to.max_failure_rate, held_to.confidence)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The summary as lines to read; counts of 0 are left out, but for those of samples and passed."""
        rows = [("samples", str(self.samples)), ("passed", str(self.passed))]
        for name in ("check_failed", "error", "transient", "diverged", "inconclusive", "review"):
            count = getattr(self, name)
            if count:
                rows.append((name, f"{count} (excluded from the rate)" if name == "transient" else str(count)))
        if self.judged:
            rows.append(("failure rate", self.rate_text()))
        rows.append(("gate", self.outcome.upper() + (f" ({self.reason})" if self.reason else "")))
        return [f"{name + ':':<15} {value}" for name, value in rows]

    def rate_text(self) -> str:
        """The rate beside its threshold, with as many digits as it takes to see on which side it is."""
        confidence = self.thresholds.confidence
        return f"{self._rate_words()} (threshold {self._threshold_words()}{'' if confidence is None else f' at {percent(confidence)}'})"

    def _threshold_words(self) -> str:
        """The threshold; with `rounding` as it is compared, where that is not what it is."""
        threshold = self.thresholds.max_failure_rate
        tenths = Exact(_tenths(threshold), _TENTH_OF_A_PERCENT)
        return f"{tenths.percent(1)}, which is {_percent(threshold)} rounded" if self.thresholds.rounding and tenths != threshold else _percent(threshold)

    def _rate_words(self) -> str:
        threshold = self.thresholds.max_failure_rate
        if self.thresholds.rounding:
            return self.rate.percent(1)
        places = _places(self.rate, 6)
        if places is not None:
            return self.rate.percent(places)
        return f"{_beside(self.rate, threshold, 1)} ({self.failures} of {self.judged})"


def _beside(rate: Exact, threshold: Exact, more: int = 0) -> str:
    """A rate in percent beside its threshold, with as many digits as that has, or so many more, or as many as it takes to be seen on its side of it.

    It is rounded half up; but up, where it is above and with the threshold's own digits would not look so.
    """
    above = rate > threshold
    shown = _places(threshold, 40) or 1
    places = shown + more
    mode = "up" if above and not _rounded(rate, shown, "half_up") > threshold else "half_up"
    while (_rounded(rate, places, mode) > threshold) != above:
        mode, places = "up" if above else "down", places + 1
    return rate.percent(places, mode)


def _tenths(rate: Exact) -> int:
    """A rate in tenths of a percent, rounded half up."""
    return (2 * rate.numerator * _TENTH_OF_A_PERCENT + rate.denominator) // (2 * rate.denominator)


def _places(rate: Exact, most: int) -> int | None:
    """How many digits after the point a rate has in percent, at least 1; None where they are more than `most`."""
    for places in range(1, most + 1):
        if rate.numerator * 10 ** (places + 2) % rate.denominator == 0:
            return places
    return None


def _rounded(rate: Exact, places: int, mode: str) -> Exact:
    """A rate as `percent` prints it with so many places."""
    scaled, rest = divmod(rate.numerator * 10 ** (places + 2), rate.denominator)
    up = mode == "up" and rest or mode == "half_up" and 2 * rest >= rate.denominator
    return Exact(scaled + (1 if up else 0), 10 ** (places + 2))


def _percent(threshold: Exact) -> str:
    """A threshold in percent, with as many digits as it has."""
    return threshold.percent(_places(threshold, 40) or 40)
