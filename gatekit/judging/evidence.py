"""What a number of samples can show about a failure rate: the one-sided bounds of Clopper and Pearson, decided exactly.

C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934). With k failures
among n samples, at the confidence c and with level = 1 - c,

    the rate is shown to be at most p   where   P(X <= k) <= level   (then the upper bound is at most p)
    the rate is shown to be above p     where   P(X >= k) < level    (then the lower bound is above p)

for X, the failures among n samples that each fail with the chance p. From a confidence of one half on, never both. A bound is never worked out to be
compared: it is compared by asking what is shown (binomial.py), and what cannot be told apart is not shown.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact, parse_rate

# What a sample size can show is told at this confidence, where none was asked for.
USUAL_CONFIDENCE = Exact(95, 100)
MOST_SAMPLES = 10**9  # more of them are not weighed
_MOST_NEEDED = 10**18
_HALF = Exact(1, 2)
_LEAST_LEVEL = Exact(1, 10**18)  # nobody means to be surer than that, and every digit of it would cost time
_ONE = Exact(1)
_MOST_PLACES = 40


def parse_confidence(value: object) -> Exact:
    """A confidence, from one half up to below 1 (by at least 10^-18): 0.95, "0.95" or "95%". Raises CaseError for all else."""
    mend = "a confidence is a share from 0.5 to below 1: write one such as 0.95 or 95%"
    try:
        confidence = value if isinstance(value, Exact) else parse_rate(value)
    except CaseError:
        raise CaseError(mend) from None
    other = _ONE - confidence
    if confidence < _HALF or other < _LEAST_LEVEL:
        raise CaseError(mend + (f" (did you mean {percent(other)}?)" if _HALF < other < _ONE else " (18 nines are the most)" if confidence < _ONE else ""))
    return confidence


def shows_at_most(failures: int, samples: int, rate: Exact, confidence: Exact) -> bool:
    """Whether so many failures among so many samples show the failure rate to be at or below `rate`."""
    if not rate < _ONE:
        return True
    sign = _compare(failures, samples, rate, confidence)
    return sign is not None and sign <= 0


def shows_above(failures: int, samples: int, rate: Exact, confidence: Exact) -> bool:
    """Whether so many failures among so many samples show the failure rate to be above `rate`."""
    return failures > 0 and _compare(samples - failures, samples, _ONE - rate, confidence) == -1


def _compare(failures: int, samples: int, rate: Exact, confidence: Exact) -> int | None:
    """The sign of P(X <= failures) - (1 - confidence)."""
    from .binomial import compare_tail  # one answer by itself needs no evidence

    return compare_tail(failures, samples, rate, _ONE - confidence)


def samples_needed(failures: int, rate: Exact, confidence: Exact) -> int | None:
    """The smallest number of samples that, with so many failures among them, show the rate to be at most `rate`; None from 10^18 on."""
    low, step = failures, 1  # so many samples, all failed, show no rate below 1
    while not shows_at_most(failures, low + step, rate, confidence):
        low, step = low + step, 2 * step
        if low >= _MOST_NEEDED:
            return None
    return _first(low, low + step, lambda samples: shows_at_most(failures, samples, rate, confidence))


def most_failures(samples: int, rate: Exact, confidence: Exact) -> int | None:
    """The largest number of failures among so many samples that still shows the rate to be at most `rate`; None where not even 0 do."""
    if not shows_at_most(0, samples, rate, confidence):
        return None
    return _first(0, samples + 1, lambda failures: failures > samples or not shows_at_most(failures, samples, rate, confidence)) - 1


def fewest_failures(samples: int, rate: Exact, confidence: Exact) -> int | None:
    """The smallest number of failures among so many samples that shows the rate to be above `rate`; None where not even all of them do."""
    if not shows_above(samples, samples, rate, confidence):
        return None
    return _first(0, samples, lambda failures: shows_above(failures, samples, rate, confidence))


def _first(low: int, high: int, holds) -> int:
    """The smallest number from which on it holds, where it does not at `low` and does at `high`."""
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def upper_bound(failures: int, samples: int, confidence: Exact, beside: Exact | None = None) -> str:
    """The upper bound of the rate in percent, rounded up: two digits, or as many as it takes to be at most `beside` where that is shown."""
    if beside is not None and not shows_at_most(failures, samples, beside, confidence):
        beside = None
    low, high, places = 0, 1000, 1
    while True:
        scale = 10 ** (places + 2)
        high = _first(low, high, lambda share: shows_at_most(failures, samples, Exact(share, scale), confidence))
        if high >= 10 and (beside is None or not beside < Exact(high, scale)) or places == _MOST_PLACES:
            return Exact(high, scale).percent(places)
        low, high, places = 10 * (high - 1), 10 * high, places + 1


def evidence(failures: int, samples: int, rate: Exact, confidence: Exact) -> str:
    """What so many failures among so many samples show, and how many clean ones would show `rate`.

    `0 of 100: up to 3.0% at 95%; 299 clean samples would show 1%`, say. Empty where there are no samples, or more than are weighed.
    """
    if not 0 < samples <= MOST_SAMPLES:
        return ""
    within = Exact(0) < rate < _ONE
    words = f"{failures} of {samples}: up to {upper_bound(failures, samples, confidence, rate if within else None)} at {percent(confidence)}"
    if not within:
        return words
    if shows_at_most(failures, samples, rate, confidence):
        return f"{words}, which shows {percent(rate)}"
    needed = samples_needed(failures, rate, confidence)
    clean = clean_samples(needed, 0, "") if not failures else clean_samples(needed, samples, "more ")
    return f"{words}; {clean} would show {percent(rate)}"


def more_to_show(failures: int, samples: int, rate: Exact, confidence: Exact) -> str:
    """How many clean samples, besides those that there are, would show a rate that is not shown yet: `199 more clean samples`."""
    return clean_samples(samples_needed(failures, rate, confidence), samples, "more ")


def clean_samples(needed: int | None, there: int, more: str) -> str:
    """The clean samples that are missing of those that are needed, in words."""
    if needed is None:
        return "no number of clean samples below 10^18"
    return f"{needed - there} {more}clean sample{'s' * (needed - there != 1)}"


def percent(share: Exact) -> str:
    """A share in percent, with as many digits as it has: `1%`, `99.9%`."""
    places = 0
    while places < _MOST_PLACES and share.numerator * 10 ** (places + 2) % share.denominator:
        places += 1
    return share.percent(places, "down")
