"""Tier 1: the answer letter for letter, or the same JSON value."""
from __future__ import annotations

from ..ground.canonical import canonical
from .fields import Field
from .outcome import AS_TEXT, Compared, blind, failed, held
from .table import MatcherType

_AS_JSON = Compared("json")


def _exact_text(values: dict):
    expected = values["value"]

    def check(reading):
        return held(reading, reason="is the text") if reading.answer == expected else failed("is not the exact text", expected, reading.answer, compared=AS_TEXT)

    return check


def _exact_json(values: dict):
    expected = canonical(values["value"])

    def check(reading):
        found = reading.json()
        if found.failed:
            return blind(found.reason, values["value"])
        if canonical(found.value) == expected:
            return held(reading, reason="is the value")
        return failed("is not the same JSON value", values["value"], found.value, compared=_AS_JSON)

    return check


TYPES = (
    MatcherType("exact_text", 1, "The answer is the text, letter for letter.", (Field("value", "text", "the text"),), _exact_text),
    MatcherType(
        "exact_json", 1, "The JSON of the answer is the value: keys in any order, 1 equal to 1.0.", (Field("value", "json", "the value"),), _exact_json
    ),
)
