"""What in a text comes nearest to a phrase that does not stand in it: `14-day` for `14 days`, `refunds` for `refund`, `30 days` for `14 days`.

Both are read in one view. Word by word each is the same, another form of the same (they begin alike), or another number beside a word that is the same;
or the words are the same once what stands between them is left out (`wifi`, `Wi-Fi`). It is shown to a reader and decides nothing.
"""
from __future__ import annotations

import re

from .characters import pinned

_WORD = r"[0-9]+(?:[.,][0-9]+)+|[^\W_]+"
_MOST = 20_000  # characters of a text that are looked at
_MOST_SPELLINGS = 200
_MOST_STARTS = 5_000  # places at which something near may begin that are looked at for all of them
_LONGEST = 12  # words of a phrase
_STRETCH = 400  # characters that are held against it
_SHORTEST = 3  # letters that two forms of a word have in common at least
_FORM, _NUMBER = 1, 3  # what a word costs that is another form, or another number


def nearest_place(spellings, text: str) -> tuple | None:
    """The span of what comes nearest to one of the spellings in a text, or None where nothing comes near."""
    text = pinned(text[:_MOST])
    best, left = None, _MOST_STARTS
    for spelling in spellings[:_MOST_SPELLINGS]:
        sought = re.findall(_WORD, spelling)
        if not 0 < len(sought) <= _LONGEST:
            continue
        for start in re.finditer(_beginning(sought), text):
            left -= 1
            if left < 0:
                break
            found = _compared(sought, text, start.start())
            if found is not None and (best is None or found < best):
                best = found
    return None if best is None else (_with_sign(text, best[1]), best[2])


def _with_sign(text: str, start: int) -> int:
    """Where what begins at a place begins with its sign, if it is a number that has one: a number with another sign is another number."""
    before, sign = text[max(0, start - 2) : max(0, start - 1)], text[max(0, start - 1) : start]
    is_between = before.isalnum() or before in (")", "]", "-", "\u2212")  # `7-14`, `A-14`
    return start - (sign in ("-", "\u2212") and text[start].isdigit() and not is_between)


def _beginning(sought: list) -> str:
    """A pattern of where something near may begin: as the first word does, with another number, or with the first piece of what is written together."""
    first, squeezed = sought[0], "".join(sought)
    starts = [re.escape(first[:_SHORTEST]), *(re.escape(squeezed[:length]) + "(?![^\\W_])" for length in range(1, min(len(squeezed), _LONGEST)))]
    return f"(?<![0-9][.,])(?<![^\\W_])(?:{'|'.join(starts + ['[0-9]'] * _is_number(first))})"


def _compared(sought: list, text: str, start: int) -> tuple | None:
    """What begins at a place, as its cost and its span; None where it does not come near. No line feed stands in it: that divides the parts of a view."""
    words: list = []
    joined, squeezed = "", "".join(sought)
    for at in re.compile(_WORD).finditer(text, start, start + _STRETCH):
        if words and "\n" in text[words[-1][1] : at.start()]:
            break
        words.append(at.span())
        joined += at.group()
        if joined == squeezed:
            return 0, start, at.end()
        if len(words) > len(sought) and not squeezed.startswith(joined):
            break
    found = [text[begin:end] for begin, end in words[: len(sought)]]
    cost = _cost(sought, found)
    return None if cost is None else (cost, start, words[len(sought) - 1][1])


def _cost(sought: list, found: list) -> int | None:
    """How far some words are from those that are sought, or None where one of them is another word."""
    if len(found) < len(sought):
        return None
    total = 0
    for one, other in zip(sought, found):
        if one == other:
            continue
        if _is_number(one) and _is_number(other):
            total += _NUMBER
        elif _is_form(one, other):
            total += _FORM
        else:
            return None
    # Of numbers alone any other would come near.
    return None if total >= _NUMBER and all(map(_is_number, sought)) else total


def _is_number(word: str) -> bool:
    return word[0].isdigit() and word[-1].isdigit()


def _is_form(one: str, other: str) -> bool:
    """Whether two words begin alike and differ in an ending: `day` and `days`, `refund` and `refunded`."""
    short, long = sorted((one, other), key=len)
    same = next((at for at, (left, right) in enumerate(zip(short, long)) if left != right), len(short))
    return same >= _SHORTEST and len(long) - same <= 3 and len(short) - same <= 2 and 3 * same >= len(long) and not any(map(str.isdigit, one[same:] + other[same:]))
