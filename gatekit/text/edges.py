"""Where a phrase may begin and end: token edges that know scripts and numbers.

A phrase's end that is a letter or digit must not touch what would make it part of something longer:

    what stands there                       the phrase may end here
    a letter or digit                       no, unless the letter on either side is of a script written without spaces
    a combining mark                        no: it belongs to the letter before it
    `_`, `'` and everything else            yes
    beside a digit: the rest of a number    no

The rest of a number is a decimal part (`14.5`, `14,5`, `.14`, `EUR,14`), another group of thousands (`1,014`, `1 014`, `1'014`, `1_014`),
more of a dotted sequence (`1.14.2`) or a sign (`-14`). A chain of commas that cannot be one number (`1,2,3`) is a list. A dash is a hyphen, a
point the end of a sentence, and a comma one of a list only behind a letter (of a script with spaces), a digit or what closes a bracket. A phrase
that itself begins or ends with a mark of a number beside a digit (`-5`, `.5`, `$14.`) must not touch more of one either.
What is decided lies within a bounded distance of the edge, so that an edge costs the same in any text.
"""
from __future__ import annotations

import re

from .characters import category, spaceless_scripts

_CHAIN = r"[0-9,]{1,64}"
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}|[0-9]+,[0-9]+"
_GROUPS_HERE = r"[0-9]{3}(?: [0-9]{3}){0,20}(?![0-9]| [0-9])"
_SPACE_GROUPS = r"(?: [0-9]{3}(?![0-9])){1,20}(?! [0-9])"


def left_edge(text: str, start: int) -> bool:
    """Whether a phrase may begin at an offset, given that it begins with a letter, a digit or the mark of a number."""
    if start == 0:
        return True
    before, first = text[start - 1], text[start]
    if first in "-.,":
        return not _joins_words(before)
    if before < "\x80":
        if before.isalnum():
            return first in spaceless_scripts
        return before not in ".,-'_ " or not "0" <= first <= "9" or not _number_began(text, start)
    kind = category(before)[0]
    return kind not in "LMN" or first in spaceless_scripts or kind != "N" and before in spaceless_scripts


def right_edge(text: str, end: int) -> bool:
    """Whether a phrase may end at an offset, given that it ends with a letter, a digit or the mark of a number."""
    if end >= len(text):
        return True
    last, after = text[end - 1], text[end]
    if last in ".,":
        return not "0" <= after <= "9"
    if after < "\x80":
        if after.isalnum():
            return last in spaceless_scripts
        return after not in ".,'_ " or not "0" <= last <= "9" or not _number_goes_on(text, end)
    kind = category(after)[0]
    if kind == "M":
        return False
    return kind not in "LN" or last in spaceless_scripts or kind == "L" and after in spaceless_scripts


def _joins_words(before: str) -> bool:
    """Whether a dash, point or comma behind this character belongs to words or a list: a letter (of a script with spaces), a digit, a closing bracket."""
    if before < "\x80":
        return before.isalnum() or before in ")]}" and before != ""
    return category(before)[0] in "LNM" and before not in spaceless_scripts


def _number_began(text: str, start: int) -> bool:
    """Whether the number that begins at an offset is the rest of a longer one."""
    mark, before = text[start - 1], text[start - 2 : start - 1]
    after_digit = "0" <= before <= "9"
    if mark == "-":
        return not _joins_words(before)
    if mark == ".":
        return after_digit or before != "." and not _joins_words(before)
    if mark == ",":
        return not _is_list(text, start) if after_digit else not (_joins_words(before) or before in "\"'" and before != "")
    if mark == " ":
        if not after_digit or not re.compile(_GROUPS_HERE).match(text, start):
            return False
    elif not after_digit or not _three_digits(text, start):
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
    return re.compile("[0-9]{3}(?![0-9])").match(text, start) is not None


def _is_list(text: str, at: int) -> bool:
    """Whether the chain of digits and commas around an offset is a list and no number: `1,2,3`, but not `14,15` nor `1,234,567`."""
    head = at
    while head > at - 64 and head > 0 and (text[head - 1] == "," or "0" <= text[head - 1] <= "9"):
        head -= 1
    chain = re.compile(_CHAIN).match(text, head).group().strip(",")
    return re.fullmatch(_GROUPED, chain) is None
