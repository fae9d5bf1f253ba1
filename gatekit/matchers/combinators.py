"""Combinators: matchers of matchers, by Kleene's tables (outcome.py). Every matcher inside is judged, so that no veto is missed."""
from __future__ import annotations

from ..ground.errors import CaseError
from .fields import LARGEST, Field
from .outcome import combined, negated
from .table import MatcherType

_MATCHERS = Field("matchers", "matchers", "the matchers that are combined")


def _not(values: dict):
    inner = values["matcher"].check

    def check(reading):
        outcome = inner(reading)
        if outcome.state == "pass" and not reading.explains:
            outcome = _explained(inner, reading)  # what held is the reason of the failure
        return negated(outcome)

    return check


def _explained(check, reading):
    reading.explains = True
    try:
        return check(reading)
    finally:
        reading.explains = False


def _combination(words: str, needed_of):
    def compile(values: dict):
        checks = [matcher.check for matcher in values["matchers"]]
        needed = needed_of(values)
        if needed > len(checks):
            raise CaseError(f"n is {needed}, and there are {len(checks)} matchers: name a number from 1 to {len(checks)}", path=("n",))
        text = words.format(n=needed, of=len(checks))
        return lambda reading: combined([check(reading) for check in checks], needed, text, reading.explains)

    return compile


TYPES = (
    MatcherType("not", None, "The matcher does not hold. What could not be looked at does not count as not holding.", (Field("matcher", "matcher", "the matcher that is negated"),), _not, ()),
    MatcherType("any_of", None, "At least one of the matchers holds.", (_MATCHERS,), _combination("none of {of} holds", lambda values: 1), ()),
    MatcherType("all_of", None, "Each of the matchers holds.", (_MATCHERS,), _combination("not all of {of} hold", lambda values: len(values["matchers"])), ()),
    MatcherType(
        "at_least",
        None,
        "At least n of the matchers hold.",
        (Field("n", "integer", "how many must hold", bounds=(1, LARGEST)), _MATCHERS),
        _combination("not {n} of {of} hold", lambda values: values["n"]),
        (),
    ),
)
