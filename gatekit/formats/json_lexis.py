"""The words of JSON without its grammar: brackets, string literals and their escapes, in any text, however broken.

What is whole is read by the strict reader. These functions serve where nothing may be taken for granted: to see how deep a text nests
before anything recurses into it, where a broken stretch ends, and what the string literals of a broken or truncated document say (a
leaked key must not hide behind a duplicate key or a missing bracket).

The theory: JSON has backslashes in strings only, and a quote is escaped if and only if an odd run of backslashes stands before it. So
replacing `\\\\`, then `\\"`, by two other characters leaves exactly the quotes that delimit, at the same offsets (`masked`). All that
follows is searching for single characters, in time linear in the text.
"""
from __future__ import annotations

import json
import re

_ROUNDS = 3  # a string may hold JSON as text, whose strings may hold JSON as text, ...
_ESCAPE = r"(?s)\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))"
_WORD = r'"[^"]*"?|[][{}]'
_NO_BRACKETS = bytes(point for point in range(256) if point not in b"[]{}")
_USUAL_DEPTH = 12
_NAMED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_read_lenient = json.JSONDecoder(strict=False).decode


class Fault(Exception):
    """What is wrong at an offset of a text. It stays inside the package: readers turn it into a FormatError or a reason.

    It is `cut` where the text merely ends too early, and `readable` where a lax parser would have made a value of it (a key that stands
    twice, NaN, 1e999, too deep): such a text does hold a value, of sorts.
    """

    def __init__(self, offset: int, message: str, path: tuple = (), *, cut: bool = False, readable: bool = False) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.path = path
        self.cut = cut
        self.readable = readable


def line_and_column(text: str, offset: int) -> tuple:
    """The place of an offset, both counted from 1 in characters. Lines end at LF only."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def masked(text: str) -> str:
    """The text with each escaped backslash and quote replaced by two spaces: every `"` that is left begins or ends a string."""
    return text.replace("\\\\", "  ").replace('\\"', "  ") if "\\" in text else text


def nests_within(text: str, levels: int) -> bool:
    """Whether no bracket outside of strings stands deeper than so many levels in a JSON document, broken or not."""
    if text.count("{") + text.count("[") <= levels:
        return True
    outside = "".join(masked(text).split('"')[::2])  # of strings
    outline = outside.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS)
    inner = outline
    for taken in range(_USUAL_DEPTH):  # the innermost pairs go, level by level: it settles all but odd documents quickly
        if inner.count(b"{") + inner.count(b"[") <= levels - taken:
            return True
        inner = inner.replace(b"[]", b"").replace(b"{}", b"")
    depth = 0
    for bracket in outline:
        depth += 1 if bracket in b"{[" else -1
        if depth > levels:
            return False
    return True


def stretch_end(mask: str, start: int, stop: int, levels: int) -> int | None:
    """Where the stretch ends that opens with the bracket at `start` of a masked text: behind the bracket that brings the depth to zero.

    The kinds of the brackets need not agree: this is for broken text. None where it does not close before `stop`, or nests deeper than
    so many levels.
    """
    depth = 0
    for word in re.compile(_WORD).finditer(mask, start, stop):
        bracket = word.group()
        if bracket in "{[":
            depth += 1
            if depth > levels:
                return None
        elif bracket in "}]":
            depth -= 1
            if not depth:
                return word.end()
    return None


def unescape(literal: str) -> str:
    """What stands between the quotes of a string literal, decoded. An escape that JSON does not know is left as it is."""
    if "\\" not in literal:
        return literal
    try:
        return _read_lenient(f'"{literal}"')
    except ValueError:
        return re.sub(_ESCAPE, _decoded, literal)


def _decoded(escape) -> str:
    high, low, single, letter = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(single, 16)) if single else _NAMED.get(letter, escape.group())


def escape_edits(literal: str, decoded: str) -> list | None:
    """What to change in a string as it is spelt so that it reads as decoded: stages of edits `(start, end, new)`. None where that takes more than escapes."""
    stages: list = []
    for _ in range(_ROUNDS):
        if literal == decoded:
            return stages
        edits = [(*escape.span(), _decoded(escape)) for escape in re.finditer(_ESCAPE, literal)]
        stages.append(edits)
        literal = re.sub(_ESCAPE, _decoded, literal)
    return stages if literal == decoded else None


def string_places(text: str, start: int = 0, end: int | None = None) -> list:
    """The string literals, keys included, of a JSON-looking stretch that begins at `start`: (start, end, decoded) in order.

    The offsets are those of what stands between the quotes. The stretch may be broken or cut off: a last string that is not closed counts.
    """
    stretch = text[start:len(text) if end is None else end]
    places, position, plain = [], 0, "\\" not in stretch
    for index, piece in enumerate(masked(stretch).split('"')):
        stop = position + len(piece)
        if index % 2:
            places.append((start + position, start + stop, piece if plain else unescape(stretch[position:stop])))
        position = stop + 1
    return places


def escaped_places(text: str) -> list:
    """Every stretch of a text between two unescaped quotes (or an end) that holds a backslash: (start, end, decoded), for never-rules.

    A string literal without a backslash says what the text shows; one with a backslash is always one of these stretches, wherever it
    stands and whatever is broken around it. What decodes to text with backslashes again is decoded again, as a place of its own.
    """
    if "\\" not in text:
        return []
    places, position = [], 0
    for piece in masked(text).split('"'):
        stop = position + len(piece)
        decoded = text[position:stop]
        for _ in range(_ROUNDS):
            before, decoded = decoded, unescape(decoded) if "\\" in decoded else decoded
            if decoded == before:
                break
            places.append((position, stop, decoded))
        position = stop + 1
    return places
