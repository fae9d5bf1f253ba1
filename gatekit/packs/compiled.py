"""Patterns that are compiled when a text first asks for them: compiling all of the packs at import would cost more than a small run."""
from __future__ import annotations

import re

_patterns: dict = {}


def compiled(source: str):
    """The compiled pattern of a source, compiled once."""
    pattern = _patterns.get(source)
    if pattern is None:
        pattern = _patterns[source] = re.compile(source)
    return pattern


class Hint:
    """A pattern that is looked for in every text: `stands_in(text)` is truthy where it stands."""

    def __init__(self, source: str) -> None:
        self._source = source

    def stands_in(self, text: str):
        # Replaced by the compiled pattern's own method on first use.
        self.stands_in = compiled(self._source).search
        return self.stands_in(text)
