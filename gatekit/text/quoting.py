"""Text made fit to be shown: on a terminal, in a log, inside a sentence.

What is shown may come from a hostile model. So control characters, characters that steer layout (bidirectional overrides among them) or show nothing,
lone surrogates and noncharacters become visible escapes. So do marks that would lie over what stands before the text, or be piled up over the lines above it.
And the ways in which a line of a build log becomes a command of the build service are broken by an escape: `::name` at its start, whatever white space
stands before it; `##[`, `##vso[` and the like anywhere; and the heads of groups at its start (`--- `, `+++ `, `~~~ `).
"""
from __future__ import annotations

import re

from ..ground.errors import GatekitError
from .characters import category, format_characters, unseen_characters

_BLANK = " \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"  # white space that is shown as it is: a build service may trim it from the start of a line
_SUSPECT = (
    f"\\A[{_BLANK}]*(?:::|:\\Z)"  # behind a text that is a colon another one may come
    "|\\A(?:---|\\+\\+\\+|~~~|\\^\\^\\^)(?= )"
    "|[\x00-\x1f\x7f-\x9f]|[^\x00-\x7e\xa0-\xff]|\xad|##(?=[A-Za-z]{0,40}\\[)"
)
_HEADS = ("-", "+", "~", "^")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "##": "#\\x23"}
MOST_MARKS = 8  # over one letter: no script has as many
_PILES = f"\\A[^\x00-\u02ff]|[^\x00-\u02ff]{{{MOST_MARKS + 1},}}"  # all marks stand beyond U+02FF


def acts(character: str) -> bool:
    """Whether a character outside ASCII would act or show nothing, in the place of being read."""
    point = ord(character)
    return (
        point < 0xA0
        or 0xD800 <= point < 0xE000  # surrogates
        or 0xFDD0 <= point <= 0xFDEF  # noncharacters
        or point & 0xFFFE == 0xFFFE
        or point in (0x2028, 0x2029)  # separators of lines and paragraphs
        or character in format_characters
        or character in unseen_characters
    )


def _spelt(character: str) -> str:
    point = ord(character)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _escape(match) -> str:
    piece = match.group()
    if piece in _NAMED:
        return _NAMED[piece]
    if piece[-1] == ":":
        return piece[:-1] + _spelt(":")
    if len(piece) > 1:
        return _spelt(piece[0]) + piece[1:]
    return _spelt(piece) if piece < "\x80" or acts(piece) else piece


def _unpile(match) -> str:
    """A stretch with at most so many marks over one letter; at the start of the text there is none to lie over."""
    pieces, marks = [], 0 if match.start() else MOST_MARKS
    for character in match.group():
        marks = marks + 1 if category(character) in ("Mn", "Me") else 0
        pieces.append(_spelt(character) if marks > MOST_MARKS else character)
    return "".join(pieces)


def visible(text: str) -> str:
    """The text on one line, with everything escaped that would act instead of being read."""
    if text.isascii():
        if text.isprintable() and ":" not in text and "#" not in text and text[:1] not in _HEADS:
            return text
        return re.sub(_SUSPECT, _escape, text)
    return re.sub(_PILES, _unpile, re.sub(_SUSPECT, _escape, text))


GatekitError.shown = staticmethod(visible)


def as_written(source: str) -> str:
    """What a user wrote for a machine to read (a pattern, an escape) in quotes: its backslashes are not doubled, so that it can be found and pasted."""
    return f"'{visible(source)}'"


def quote(text: str) -> str:
    """The text in quotes as Python would write it, `'14 days'`, the same on every Python: escapes are those of `visible`."""
    text = visible(text.replace("\\", "\\\\"))
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + text.replace(mark, "\\" + mark) + mark
