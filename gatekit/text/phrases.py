"""Phrases: one needle, read at the level of the view in which it is sought.

A phrase that holds numbers or units is sought in each spelling of them that says the same:

    spelling of a whole number of four digits and more    4183      4,183     4 183      (never with points)
    a unit sign and the digit beside it                    60%       60 %      $100       $ 100
    a digit beside kana or Han                             14\u65e5      14 \u65e5

Nothing is converted: `1.50` is not `1.5`, and `1,234` and `1.234` are never taken for each other.
"""
from __future__ import annotations

import re

from ..ground.errors import CaseError
from ..ground.record import Record
from .characters import category, spaceless_scripts
from .edges import left_edge, right_edge
from .quoting import quote
from .views import CAREFUL, EXACT, WIDE, Level, Part, fold

_NUMBER = r"(?<![0-9A-Za-z.,'_])(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?: [0-9]{3})+|[1-9][0-9]{3,})(?![0-9A-Za-z'_]|,[0-9]{3}(?![0-9]))"
_CURRENCY = "$\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u0e3f\u17db\u20a0-\u20bf\ufdfc"
_UNITS = "%\u2030\u2031\u00b0\u2103\u2109"
_CJK = "\u3041-\u30ff\u3400-\u9fff"
_UNIT_AFTER = f"(?<=[0-9]) ?(?=[{_UNITS}{_CURRENCY}{_CJK}])"
_UNIT_BEFORE = f"(?<=[{_CURRENCY}{_CJK}]) ?(?=[0-9])"
_MARKUP_ALONE = set("*_~`\\ ")


def is_word(character: str) -> bool:
    """Whether a character is part of a word: a letter, a digit or a mark."""
    return character.isalnum() if character < "\x80" else category(character)[0] in "LNM"


class Phrase(Record):
    """A needle, folded once. `find` gives the first place where it stands with its edges free."""

    __slots__ = ("spelt", "level", "_spellings", "_left", "_right", "_find")

    def __init__(self, spelt: str, level: Level = CAREFUL) -> None:
        """Raises CaseError for a needle of which nothing is left to seek once it is read at that level."""
        targets: list = []
        needle = fold(Part(spelt, 0, len(spelt)), level, None, targets, True)
        if targets:
            raise CaseError(f"{quote(spelt)} is a Markdown link: name its text and its target as two phrases")
        seen = needle if level is EXACT else fold(Part(spelt, 0, len(spelt)), WIDE, None, [], True)
        if not set(seen) - (_MARKUP_ALONE if level is not EXACT else set()):
            raise CaseError(
                f"{quote(spelt)} is empty once it is read as a reader would (white space, invisible characters and markup are passed over):"
                " it says nothing; name a phrase, or use a pattern (`regex`, `not_regex`)"
            )
        spellings = _spellings(needle) if level is not EXACT else (needle,)
        left = is_word(needle[0]) or needle[0] in "-.," and needle[1:2].isdigit()
        right = is_word(needle[-1]) or needle[-1] in ".," and needle[-2:-1].isdigit()
        finders = [_finder(spelling, left, right) for spelling in spellings]
        self._set(spelt, level, spellings, left, right, finders[0] if len(finders) == 1 else _first_of(finders))

    @property
    def spellings(self) -> tuple:
        """Each way in which the needle is sought, the needle as it is read first."""
        return self._spellings

    @property
    def find(self):
        """A function of a text, and of an offset (0 by default): the span of the first occurrence from there on, or None.

        It is made once; who seeks a phrase in many texts keeps it.
        """
        return self._find

    def starts(self, text: str) -> tuple | None:
        """The span of an occurrence at the very start, or None."""
        for needle in self._spellings:
            if text.startswith(needle) and (not self._right or right_edge(text, len(needle))):
                return 0, len(needle)
        return None

    def ends(self, text: str, end: int) -> tuple | None:
        """The span of an occurrence that ends at an offset, or None."""
        for needle in self._spellings:
            start = end - len(needle)
            if start >= 0 and text.startswith(needle, start) and (not self._left or left_edge(text, start)):
                return start, end
        return None


def _finder(needle: str, left: bool, right: bool):
    """A function that finds a needle; `left` and `right` say whether its ends need a free edge."""
    size = len(needle)
    free_left, free_right = _free_beside(needle[0]), _free_beside(needle[-1])

    def find(text: str, at: int = 0) -> tuple | None:
        start = text.find(needle, at)
        while start >= 0:
            end = start + size
            # Most edges are a space or the like beside a letter: that is seen here, and all else where edges are decided.
            if (not left or text[start - 1 : start] in free_left or left_edge(text, start)) and (
                not right or text[end : end + 1] in free_right or right_edge(text, end)
            ):
                return start, end
            start = text.find(needle, start + 1)
        return None

    return find


def _first_of(finders: list):
    """A function that gives the first of what several finders find."""

    def find(text: str, at: int = 0) -> tuple | None:
        return min((span for span in (finder(text, at) for finder in finders) if span), default=None)

    return find


def _free_beside(character: str) -> str:
    """Characters that are always an edge beside this one. (The empty slice at either end of a text is in every string.)"""
    return " \n.,:;!?()\"" if character.isalpha() else "\n:;!?(\""


def _spellings(needle: str) -> tuple:
    """The needle, and its other spellings: at most seven in all, the needle itself first."""
    spellings = [needle]
    digits = sum(map(str.isdigit, needle))
    if digits >= 4:
        spellings += [re.sub(_NUMBER, lambda number: _grouped(number.group(), separator), needle) for separator in ("", ",", " ")]
    if digits and any(character in _UNITS or _is_currency(character) or character in spaceless_scripts for character in needle):
        spellings += [re.sub(_UNIT_BEFORE, space, re.sub(_UNIT_AFTER, space, spelling)) for spelling in spellings for space in ("", " ")]
    return tuple(dict.fromkeys(spellings))


def _grouped(number: str, separator: str) -> str:
    digits = number.replace(",", "").replace(" ", "")
    head = len(digits) % 3 or 3
    return separator.join([digits[:head]] + [digits[place : place + 3] for place in range(head, len(digits), 3)])


def _is_currency(character: str) -> bool:
    return character == "$" or character >= "\x80" and category(character) == "Sc"
