"""From the lines of a YAML scalar to its text: folding, chomping and escapes (sections 5.7, 6.5, 7.3 and 8.1 of YAML 1.2.2).

Folding, the same for plain and quoted scalars: white space around a line break goes, a single break becomes a space, and of several in a
row the first goes and the others stay. In a folded block scalar the lines that begin with white space keep the breaks around them.
"""
from __future__ import annotations

import re

_WHITE = " \t"
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", " ": " ",
    '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_ESCAPE = (
    r"(?s)\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"  # a pair of surrogates, as JSON spells what is above U+FFFF
    r"|(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4}))"
    r"|(.?))"
)


class EscapeFault(ValueError):
    """An escape that YAML does not know; its text is the escape."""


def unescaped(text: str) -> str:
    """The text of a double-quoted scalar that was folded. Raises EscapeFault."""
    return re.sub(_ESCAPE, _decoded, text)


def first_bad_escape(text: str) -> int:
    """Where the first escape stands in a double-quoted scalar as it was written that YAML does not know."""
    for found in re.finditer(_ESCAPE, text):
        letter = found.group(6)
        if letter is not None and letter not in _ESCAPES and letter != "\n":
            return found.start()
    return 0


def _decoded(found) -> str:
    high, low, *points, letter = found.groups()
    if letter is not None:
        if letter not in _ESCAPES:
            raise EscapeFault(found.group())
        return _ESCAPES[letter]
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(points[0] or points[1] or points[2], 16))


def folded(lines: list, escapes: bool) -> str:
    """The lines of a quoted scalar folded to one text; with `escapes` (double quotes) a backslash can keep white space, or hide a break."""
    pieces, breaks, hidden, last = [], 0, False, len(lines) - 1  # `hidden`: a backslash stands before the last break
    for number, line in enumerate(lines):
        if number:
            line = line.lstrip(_WHITE)
            if not line and number < last:
                breaks += 1
                continue
            pieces.append("\n" * breaks or ("" if hidden else " "))
            breaks, hidden = 0, False
        if number < last:
            line, hidden = _trimmed(line) if escapes else (line.rstrip(_WHITE), False)
        pieces.append(line)
    return "".join(pieces)


def _trimmed(line: str) -> tuple:
    """A line that others follow, without the white space at its end, and whether a backslash hides its break."""
    kept = line.rstrip(_WHITE)
    if (len(kept) - len(kept.rstrip("\\"))) % 2:
        return (line[:len(kept) + 1], False) if len(kept) < len(line) else (kept[:-1], True)
    return kept, False


def block_text(lines: list, fold: bool, chomping: str) -> str:
    """The text of a block scalar.

    Args:
        lines: without their indentation; empty ones are empty.
        fold: whether it is a folded (`>`) one, or a literal (`|`) one.
        chomping: what becomes of the breaks at its end: `-` none is kept, `+` all are, and the empty text: one is.
    """
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    trailing = len(lines) - end
    if not end:
        return "\n" * trailing if chomping == "+" else ""
    body = _folded_block(lines[:end]) if fold else "\n".join(lines[:end])
    if chomping == "-":
        return body
    return body + "\n" * (1 + trailing if chomping == "+" else 1)


def _folded_block(lines: list) -> str:
    pieces, breaks, kept = [], 0, True  # `kept`: the next break stays
    for line in lines:
        if not line:
            breaks += 1
            continue
        indented = line[0] in _WHITE
        if pieces:
            pieces.append("\n" * (breaks + 1) if indented or kept else "\n" * breaks or " ")
        else:
            pieces.append("\n" * breaks)
        pieces.append(line)
        breaks, kept = 0, indented
    return "".join(pieces)
