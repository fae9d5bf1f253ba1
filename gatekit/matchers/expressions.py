"""Regular expressions. They read the text as it is; their flags stand in the pattern, and a match may be anywhere in the text."""
from __future__ import annotations

from ..text.quoting import quote
from ..text.views import EXACT
from .bans import Contexts
from .fields import Field
from .outcome import failed, held
from .table import LOOK, MatcherType


def _regex(values: dict):
    pattern = values["value"]
    missing = failed(f"pattern not found: {quote(pattern.pattern)}", pattern.pattern)
    found = f"pattern found: {quote(pattern.pattern)}"

    def check(reading):
        return held(reading, reason=found) if pattern.search(reading.answer) else missing

    return check


def _not_regex(values: dict):
    pattern = values["value"]
    contexts = Contexts(values["unless"], EXACT)
    absent = f"pattern absent: {quote(pattern.pattern)}"

    def check(reading):
        view = reading.view(EXACT, True)
        for offset, text in view.segments():
            for found in pattern.finditer(text):
                if not contexts.allow(text, found.span()):
                    place = (view, offset + found.start(), offset + found.end())
                    return failed(f"forbidden pattern found: {quote(pattern.pattern)}", None, found.group(), place)
        return held(reading, reason=absent)

    return check


TYPES = (
    MatcherType("regex", 2, "The pattern is found somewhere in the answer.", (Field("value", "pattern", "the pattern"),), _regex),
    MatcherType(
        "not_regex", 2, "The pattern is found nowhere in the output.", (Field("value", "pattern", "the pattern"),), _not_regex, LOOK + ("unless",)
    ),
)
