"""Text made fit to be shown: on a terminal, in a log, inside a sentence.

What is shown may come from a hostile model. So control characters, characters that steer layout (bidirectional overrides among them)
lone surrogates and noncharacters become visible escapes, and the two ways in which a line of a build log becomes a command of the build service
(`::name` at its start; `##[`, `##vso[` and the like anywhere) are broken by an escape.
"""
from __future__ import annotations

import re

from .characters import format_characters, unseen_characters

_SUSPECT = "[\x00-\x1f\x7f-\x9f]|[^\x00-\x7e\xa0-\xff]|\xad|##(?=[A-Za-z]{0,40}\\[)|\\A *::"
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "##": "#\\x23"}


def is_no_text(point: int) -> bool:
    """Whether a code point is none that a text is written with: a surrogate, a noncharacter, a separator of lines or paragraphs."""
    return 0xD800 <= point < 0xE000 or 0xFDD0 <= point <= 0xFDEF or point & 0xFFFE == 0xFFFE or point in (0x2028, 0x2029)


def _escape(match) -> str:
    piece = match.group()
    if piece in _NAMED:
        return _NAMED[piece]
    if piece[-1] == ":":
        return piece[:-1] + "\\x3a"
    point = ord(piece)
    if point < 0x100:
        return f"\\x{point:02x}"
    if is_no_text(point) or piece in format_characters or piece in unseen_characters:
        return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    return piece


def visible(text: str) -> str:
    """The text on one line, with everything escaped that would act instead of being read."""
    return text if text.isascii() and text.isprintable() and ":" not in text and "#" not in text else re.sub(_SUSPECT, _escape, text)


def quote(text: str) -> str:
    """The text in quotes as Python would write it, `'14 days'`, the same on every Python: escapes are those of `visible`."""
    text = visible(text.replace("\\", "\\\\"))
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + text.replace(mark, "\\" + mark) + mark
