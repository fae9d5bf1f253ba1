"""Forbidden prefixes: what begins a key.

A prefix has a left edge and no right one, whatever its case: `sk-` is found in `sk-live-...` and not in `task-based`. It is also found fused
to what precedes it, where what follows looks like a key (`apikeysk-live-...`).
"""
from __future__ import annotations

import re

from ..ground.errors import CaseError
from ..ground.record import Record
from .edges import left_edge
from .phrases import Phrase, is_word
from .quoting import quote
from .views import WIDE

_BODY = r"[A-Za-z0-9_\-]{0,64}"
_TOKEN = r"\S*"
_AROUND = "\"'`)]}>.,;:!?=/"


class Prefix(Record):
    """A prefix that no token may begin with. Raises CaseError for one that is empty once it is read."""

    __slots__ = ("spelt", "_needle", "_edged")

    def __init__(self, spelt: str) -> None:
        needle = Phrase(spelt, WIDE).spellings[0]
        if len(needle) < 2:
            raise CaseError(f"the prefix {quote(spelt)} is too short: it would be found in almost every text; name at least two characters")
        self._set(spelt, needle, is_word(needle[0]))

    def places(self, text: str):
        """Yield the span of the prefix wherever a token of the wide view begins with it."""
        start = text.find(self._needle)
        while start >= 0:
            end = start + len(self._needle)
            if not self._edged or left_edge(text, start) or _goes_on_as_a_key(text, end):
                yield start, end
            start = text.find(self._needle, start + 1)

    def tokens(self, text: str):
        """Yield the span of each token that begins with the prefix and goes on: to the next white space, without what closes around it."""
        reached = 0
        for start, end in self.places(text):
            if start < reached:
                continue
            if self.spelt[-1:].isspace() and text[end : end + 1] == " ":
                end += 1
            token = reached = end + len(re.compile(_TOKEN).match(text, end).group().rstrip(_AROUND))
            if token > end:
                yield start, token


def _goes_on_as_a_key(text: str, end: int) -> bool:
    from ..packs.secret_shapes import looks_like_key  # only a prefix inside a word asks, and few are

    return looks_like_key(re.compile(_BODY).match(text, end).group())
