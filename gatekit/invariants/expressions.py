r"""The patterns of invariants: regular expressions that are sought in words as they are read (trace.py), whatever their case.

They are of the portable part of Python's syntax (text/patterns.py), with `(?-i:...)` where case matters. A pattern is read as a text would be: a curly
apostrophe in it is a plain one. What no text holds once it is read (a line feed, a character that shows nothing) is refused with the mend.
"""
from __future__ import annotations

import re
import unicodedata

from ..ground.canonical import json_kind
from ..ground.errors import CaseError
from ..matchers.fields import pattern_that_says_something
from ..text.quoting import as_written, quote
from .trace import SPOKEN

# An escape by number, any other escape, the start of a set with the "]" that stands in it as itself, any other character.
_TOKENS = r"(?s)\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})|\\(.)|\[\^?\]?|(.)"


# A pattern that finds the same in the lower-case form of an ASCII text, without regard to case, as it finds in the text: no letters but small ones, no
# escapes but those of classes and signs, sets of single characters and of ranges of letters or digits, and no group that sets flags.
_QUICK = r"(?:[^A-Z\\\[(\x80-\U0010ffff]|\\[bdswDSW.$^?*+(){}|/\-]|\((?:\?(?::|=|!|<=|<!))?(?!\?)|\[\^?(?:[a-z]-[a-z]|[0-9]-[0-9]|[a-z0-9 .,:;'\"!?#$%])+\])*"


class Spoken:
    """A pattern, compiled. `source` is what was written, `search` and `finditer` are those of the pattern.

    `quick`, where there is one, is the search in an ASCII text that was made lower case: several times as fast, as it need not mind the case.
    """

    __slots__ = ("source", "search", "finditer", "quick")

    def __init__(self, source: str) -> None:
        """Raises CaseError for a pattern that is not portable, or that is found in every text or in none."""
        pattern_that_says_something(source)
        if unicodedata.normalize("NFC", source) != source:
            raise CaseError(f"the pattern {as_written(source)} holds a letter and its accent as two characters, and texts are read with one: write it as one")
        read = _as_texts_are_read(source)
        pattern = pattern_that_says_something(read, re.I)
        self.source, self.search, self.finditer = source, pattern.search, pattern.finditer
        small = re.sub(r"(?s)\\.|[A-Z]+", lambda piece: piece.group() if piece.group()[0] == "\\" else piece.group().lower(), read)
        self.quick = re.compile(small).search if re.fullmatch(_QUICK, small) else None


def read_pattern(value: object, name: str) -> Spoken:
    """The pattern that a field holds. Raises CaseError for what is none."""
    if not isinstance(value, str) or not value:
        why = ": an empty one is found in every text" if value == "" else f", not {json_kind(value)}"
        raise CaseError(f"{quote(name)} is a regular expression as text{why}")
    return Spoken(value)


def _as_texts_are_read(source: str) -> str:
    pieces, in_set = [], False
    for token in re.finditer(_TOKENS, source):
        pieces.append(token.group() if in_set and token.group()[0] == "[" else _as_read(token, source, in_set))
        in_set = token.group() != "]" and (in_set or token.group()[0] == "[")
    return "".join(pieces)


def _as_read(token, source: str, in_set: bool) -> str:
    by_number = token.group(1) or token.group(2)
    character = chr(int(by_number, 16)) if by_number else token.group(3) or token.group(4)
    if token.group(3) and character in "tnrfv" and not in_set:
        raise CaseError(f"the pattern {as_written(source)} holds \\{character}, and in what it reads every run of white space is one space: write a space or \\s")
    if character is None or character < "\x80":
        return token.group()
    if SPOKEN.drops(character):
        raise CaseError(f"the pattern {as_written(source)} holds a character that shows nothing (U+{ord(character):04X}): texts are read without it, leave it out")
    read = SPOKEN.read_as(character)
    if read == character:
        return token.group()
    if len(read) > 1:
        raise CaseError(f"the pattern {as_written(source)} holds {quote(character)}, which texts are read as {quote(read)}: write that")
    return re.escape(read)
