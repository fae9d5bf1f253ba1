"""Failure rates, and the gate's outcome that follows from them: exact fractions, no floats.

    judged = passed + check_failed + error
    rate   = (check_failed + error) / judged

The outcome of one batch is the first that applies:

    fail           a rule with a veto failed
    inconclusive   the share of transient samples among all is above `max_transient`: an agent cannot be judged on a provider's outage
    inconclusive   fewer than `min_judged` were judged
    fail           the rate is above `max_failure_rate` (with `rounding`, once both are rounded half up to a tenth of a percent)
    diverged       a sample left its recording
    inconclusive   a sample could not be told, or waits for a person's review
    pass
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact, parse_rate
from ..ground.record import Record

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

    `rounding` compares rates as printed. Raises CaseError, with the setting as `path`.
    """

    __slots__ = ("max_failure_rate", "max_transient", "min_judged", "rounding")
    max_failure_rate: Exact
    max_transient: Exact
    min_judged: int
    rounding: bool

    def __init__(self, max_failure_rate: object = 0, max_transient: object = A_FIFTH, min_judged: int = 1, rounding: bool = False) -> None:
        if not isinstance(min_judged, int) or isinstance(min_judged, bool) or not 1 <= min_judged < LARGEST:
            raise CaseError("min_judged is a whole number from 1 on: where nothing is judged, nothing passes", path=("min_judged",))
        if not isinstance(rounding, bool):
            raise CaseError("rounding is true or false", path=("rounding",))
        self._set(_rate("max_failure_rate", max_failure_rate), _rate("max_transient", max_transient), min_judged, rounding)


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

    __slots__ = ("passed", "check_failed", "error", "transient", "diverged", "inconclusive", "review", "thresholds", "vetoed")
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
        self._set(passed, check_failed, error, transient, diverged, inconclusive, review, thresholds, vetoed)

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
        """A summary from counts. `confidence` is not available yet and refused. Raises CaseError for a setting that cannot be meant."""
        if confidence is not None:
            raise CaseError("confidence is not available yet: leave it out, and the rate itself is compared", path=("confidence",))
        thresholds = Thresholds(max_failure_rate, max_transient, min_judged, rounding)
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
    def _decision(self) -> tuple:
        held_to = self.thresholds
        if self.vetoed:
            return "fail", "a rule with a veto failed"
        if not self.samples:
            return "inconclusive", "there were no samples"
        if Exact(self.transient, self.samples) > held_to.max_transient:
            share = Exact(self.transient, self.samples).percent(1, "up")
            return "inconclusive", f"{self.transient} of {self.samples} samples transient ({share}), more than {_percent(held_to.max_transient)}"
        if self.judged < held_to.min_judged:
            return "inconclusive", f"{self.judged} judged, fewer than {held_to.min_judged}" + (f"; {self.review} to be reviewed" if self.review else "")
        if self._is_above():
            return "fail", f"failure rate {self._rate_words()}, above {_percent(held_to.max_failure_rate)}"
        if self.diverged:
            return "diverged", f"{self.diverged} diverged"
        if self.inconclusive or self.review:
            return "inconclusive", " and ".join(
                words for count, words in ((self.inconclusive, f"{self.inconclusive} inconclusive"), (self.review, f"{self.review} to be reviewed")) if count
            )
        return "pass", ""

    def _is_above(self) -> bool:
        if self.thresholds.rounding:
            return _tenths(self.rate) > _tenths(self.thresholds.max_failure_rate)
        return self.rate > self.thresholds.max_failure_rate

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
        return f"{self._rate_words()} (threshold {_percent(self.thresholds.max_failure_rate)})"

    def _rate_words(self) -> str:
        threshold = self.thresholds.max_failure_rate
        if self.thresholds.rounding:
            return self.rate.percent(1)
        above = self.rate > threshold
        places = _places(self.rate, 6)
        if places is not None:
            return self.rate.percent(places)
        # One digit more than the threshold has, or as many as it takes until the rounded rate is on the rate's side of it.
        mode, places = "up" if above else "half_up", (_places(threshold, 40) or 1) + 1
        while (_rounded(self.rate, places, mode) > threshold) != above:
            mode, places = "up" if above else "down", places + 1
        return f"{self.rate.percent(places, mode)} ({self.failures} of {self.judged})"


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
