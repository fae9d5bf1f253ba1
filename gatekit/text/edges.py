"""Where a phrase may begin and end: token edges that know scripts and numbers.

A phrase's end that is a letter or digit must not touch what would make it part of something longer:

    what stands there                       the phrase may end here
    a letter or digit                       no, unless the letter on either side is of a script written without spaces
    a combining mark                        no: it belongs to the letter before it
    `_`, `'` and everything else            yes
    beside a digit: the rest of a number    no

The rest of a number is a decimal part (`14.5`, `14,5`, `.14`, `EUR,14`), another group of thousands (`1,014`, `1 014`, `1'014`, `1_014`),
more of a dotted sequence (`1.14.2`) or a sign (`-14`). A chain of commas that cannot be one number (`1,2,3`) is a list.
What is decided lies within a bounded distance of the edge, so that an edge costs the same in any text.
"""
from __future__ import annotations

import re

from .characters import category, spaceless_scripts

_CHAIN = r"[0-9,]{1,64}"
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}|[0-9]+,[0-9]+"
_SPACE_GROUPS = r"(?: [0-9]{3}(?![0-9])){1,20}(?! [0-9])"
_BEFORE_A_BARE_FRACTION = " \n+-(=<>~[{:;"


def left_edge(text: str, start: int) -> bool:
    """Whether a phrase may begin at an offset, given that its first character is a letter or digit."""
    if start == 0:
        return True
    before, first = text[start - 1], text[start]
    if before < "\x80":
        if before.isalnum():
            return first in spaceless_scripts
        return before not in ".,-'_ " or not "0" <= first <= "9" or not _number_began(text, start)
    kind = category(before)[0]
    return kind not in "LMN" or first in spaceless_scripts or kind != "N" and before in spaceless_scripts


def right_edge(text: str, end: int) -> bool:
    """Whether a phrase may end at an offset, given that its last character is a letter or digit."""
    if end >= len(text):
        return True
    last, after = text[end - 1], text[end]
    if after < "\x80":
        if after.isalnum():
            return last in spaceless_scripts
        return after not in ".,'_ " or not "0" <= last <= "9" or not _number_goes_on(text, end)
    kind = category(after)[0]
    if kind == "M":
        return False
    return kind not in "LN" or last in spaceless_scripts or kind == "L" and after in spaceless_scripts


def _number_began(text: str, start: int) -> bool:
    """Whether the number that begins at an offset is the rest of a longer one."""
    mark = text[start - 1]
    before = text[start - 2 : start - 1]
    after_digit = "0" <= before <= "9"
    if mark == "-":
        return not before or before in " \n([{=:;<>,~" or category(before) == "Sc"
    if mark == "." or mark == ",":
        if not after_digit:
            return not before or before in _BEFORE_A_BARE_FRACTION or category(before) == "Sc"
        return mark == "." or not _is_list(text, start)
    if not after_digit or not _three_digits(text, start):
        return False
    head = start - 2
    while head > start - 6 and head > 0 and "0" <= text[head - 1] <= "9":
        head -= 1
    return start - 1 - head <= 3 and (head == 0 or not (text[head - 1].isalnum() or text[head - 1] in ".,"))


def _number_goes_on(text: str, end: int) -> bool:
    """Whether the number that ends at an offset is only the beginning of a longer one."""
    mark = text[end]
    if not "0" <= text[end + 1 : end + 2] <= "9":
        return False
    if mark == ".":
        return True
    if mark == ",":
        return not _is_list(text, end)
    head = end - 1
    while head > end - 5 and head > 0 and "0" <= text[head - 1] <= "9":
        head -= 1
    if end - head > 3 or head and text[head - 1].isalnum():
        return False
    if mark == " ":
        return re.compile(_SPACE_GROUPS).match(text, end) is not None
    return _three_digits(text, end + 1)


def _three_digits(text: str, start: int) -> bool:
    run = text[start : start + 4]
    return run[:3].isdigit() and run.isascii() and len(run) >= 3 and not run[3:].isdigit()


def _is_list(text: str, at: int) -> bool:
    """Whether the chain of digits and commas around an offset is a list and no number: `1,2,3`, but not `14,15` nor `1,234,567`."""
    head = at
    while head > at - 64 and head > 0 and (text[head - 1] == "," or "0" <= text[head - 1] <= "9"):
        head -= 1
    chain = re.compile(_CHAIN).match(text, head).group().strip(",")
    return re.fullmatch(_GROUPED, chain) is None
