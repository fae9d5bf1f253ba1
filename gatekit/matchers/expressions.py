"""Regular expressions. A match may be anywhere in the text, and flags stand in the pattern.

They read the text as it is, unless `normalize` names a view: then they read that, without regard to case.
"""
from __future__ import annotations

import re

from ..text.characters import pinned
from ..text.quoting import as_written
from ..text.views import EXACT, level_named
from .bans import Contexts
from .fields import Field
from .outcome import failed, held
from .table import LOOK, MatcherType


def _pattern_and_level(values: dict) -> tuple:
    pattern, level = values["value"], level_named(values["normalize"] or "exact")
    return (pattern if level is EXACT else re.compile(pattern.pattern, re.I)), level, as_written(pattern.pattern)


def _regex(values: dict):
    pattern, level, words = _pattern_and_level(values)
    missing = failed(f"pattern not found: {words}", pattern.pattern)
    found = f"pattern found: {words}"

    def check(reading):
        text = reading.answer
        if level is not EXACT:
            view = reading.view(level)
            text = view.text[: view.main]
        return held(reading, reason=found) if pattern.search(pinned(text)) else missing

    return check


def _not_regex(values: dict):
    pattern, level, words = _pattern_and_level(values)
    contexts = Contexts(values["unless"], level)
    absent = f"pattern absent: {words}"

    def check(reading):
        view = reading.view(level, True)
        for offset, text in view.segments():
            for found in pattern.finditer(pinned(text)):
                if not contexts.allow(text, found.span()):
                    place = (view, offset + found.start(), offset + found.end())
                    return failed(f"forbidden pattern found: {words}", None, text[found.start() : found.end()], place)
        return held(reading, reason=absent)

    return check


_COMMON = LOOK + ("normalize",)

TYPES = (
    MatcherType("regex", 2, "The pattern is found somewhere in the answer.", (Field("value", "pattern", "the pattern"),), _regex, _COMMON),
    MatcherType(
        "not_regex", 2, "The pattern is found nowhere in the output.", (Field("value", "pattern", "the pattern"),), _not_regex, _COMMON + ("unless",)
    ),
)
