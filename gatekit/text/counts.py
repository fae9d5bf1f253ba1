"""How many words, sentences, lines and so on a text has: counted as a person who reads it would, by fixed definitions.

`COUNTED` holds the definitions in the words in which they are shown to users. Blocks are those of blocks.py, sentences those of
sentences.py. Letters, digits and marks are those of Unicode 13.0 (characters.py), so that each Python counts alike. Every count is linear
in the text.
"""
from __future__ import annotations

import re
import unicodedata

from ..ground.errors import CaseError, nearest
from .characters import category, pinned, spaceless_scripts, white_space

_DASHES = "\u2014\u2015\u2026"  # between words even where no space is: em dash, horizontal bar, ellipsis
_CLUSTERED = 256  # characters composed at once: `unicodedata.normalize` is quadratic in the length of a run of marks


class _Reduced(dict):
    """For `str.translate`: a character as far as words go. A letter or digit, what divides words, a letter that is a word, or nothing."""

    def __missing__(self, point: int):
        character = chr(point)
        if character in white_space or character in _DASHES:
            reduced = " "
        elif category(character)[0] not in "LN":
            reduced = None
        elif character in spaceless_scripts:
            reduced = "w "
        else:
            reduced = "a"
        self[point] = reduced
        return reduced


_reduced = _Reduced()


def _words(text: str) -> int:
    text = (" " + text).translate(_reduced)
    return text.count(" a") + text.count("w")


def _sentences(text: str) -> int:
    from .blocks import blocks  # imported by those who count: the table of what can be counted is read by every run
    from .sentences import sentences

    plain, total = re.compile("[0-9A-Za-z]"), 0
    for kind, start, end in blocks(text):
        if kind in ("text", "item"):
            for begin, stop in sentences(text, start, end):
                total += plain.search(text, begin, stop) is not None or _is_worded(text[begin:stop])
    return total


def _is_worded(text: str) -> bool:
    return any(category(character)[0] in "LN" for character in text)


def _lines(text: str) -> int:
    return sum(1 for _ in re.finditer(r"\S[^\r\n]*", text))


def _paragraphs(text: str) -> int:
    from .blocks import blocks

    count, inside = 0, False
    for kind, _, _ in blocks(text):
        begun = kind in ("text", "item")
        count += begun and not inside
        inside = begun
    return count


def _of_kind(wanted: str):
    def counted(text: str) -> int:
        from .blocks import blocks

        return sum(kind == wanted for kind, _, _ in blocks(text))

    return counted


def _characters(text: str) -> int:
    text = text.replace("\r\n", "\n").rstrip("\r\n")
    if text.isascii():
        return len(text)
    text = pinned(text)
    if unicodedata.is_normalized("NFC", text):
        return len(text)
    count, at = 0, 0
    while at < len(text):
        end = at + _CLUSTERED
        while end < min(len(text), at + 2 * _CLUSTERED) and _joins(text[end]):
            end += 1
        count += len(unicodedata.normalize("NFC", text[at:end]))
        at = end
    return count


def _joins(character: str) -> bool:
    """Whether composition may join a character to the one before it: marks, and the vowels and finals of Hangul."""
    return category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


# What can be counted: the function, and the definition in one line.
COUNTED = {
    "words": (_words, "runs between white space (or long dashes) that hold a letter or digit; in scripts without spaces, each letter"),
    "sentences": (_sentences, "what ends with . ! ? or their like, or with its paragraph or list item; none in headings, tables, code"),
    "lines": (_lines, "lines that hold more than white space, code included"),
    "paragraphs": (_paragraphs, "blocks of text or list items divided by blank lines, headings, tables, rules or code"),
    "bullets": (_of_kind("item"), "list items at any depth, with a bullet or a number, outside code"),
    "headings": (_of_kind("heading"), "headings with # or underlined with = or -, outside code"),
    "code_blocks": (_of_kind("code"), "blocks fenced by ``` or ~~~, closed or not; code in a line is none"),
    "characters": (_characters, "code points in composed form (NFC); a line end counts as one, those at the end of the text as none"),
}


def count(text: str, of: str) -> int:
    """How many there are in a text of one of the things in `COUNTED`. Raises CaseError where there is no such thing."""
    if of not in COUNTED:
        guess = nearest(of, COUNTED)
        meant = f"write '{guess}'" if guess else f"write one of {', '.join(COUNTED)}"
        raise CaseError(f"there is no count of that name; {meant}")
    return COUNTED[of][0](text)
