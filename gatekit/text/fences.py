"""Fenced blocks of a Markdown text, as models write them.

The rules are CommonMark's (section 4.5): a line that begins with three or more backticks or tildes opens a block; a line of at least as
many of the same, alone, closes it. Models are less exact, so these count too: a fence at any indentation or behind a list mark; content
that begins as JSON on the opening line; and a fence right behind a JSON value, on its line. No fence inside a JSON string is taken for
one of them: a string holds no line break, and a value is read to its end first.
"""
from __future__ import annotations

import re

from ..ground.record import Record

BLANKS = " \t\r\n\f\v\xa0\ufeff"
_LINE = (
    r"(?m)^[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})"
    r"[ \t]*(?:\{?\.?(?P<tag>[A-Za-z][A-Za-z0-9_+./-]*)\}?)?[ \t]*(?P<rest>[^\n]*)"
)


class Block(Record):
    """One fenced block.

    Args:
        tag: the first word behind the opening fence, in small letters, or an empty text.
        opened: the offset of the opening fence.
        start, end: the offsets of the content, blanks at its ends trimmed.
        closed: whether a closing fence was found; else the content goes on to the end of the text.
    """

    __slots__ = ("tag", "opened", "start", "end", "closed")

    def __init__(self, tag: str, opened: int, start: int, end: int, closed: bool) -> None:
        self._set(tag, opened, start, end, closed)


def fenced_blocks(text: str, value_end):
    """The fenced blocks of a text, in order, one at a time.

    Args:
        value_end: `(start, stop) -> end`, the end of the JSON value that begins at `start` and ends by `stop`, or None.
    """
    opening, done = None, 0
    for line, limit in _lines(text):
        if line.start() < done:
            continue
        if opening is None:
            start = _content_start(line)
            if start is None:
                continue
            opening = line
            end, done = _json_content(text, line, start, limit, value_end)
            if not done:
                continue
        elif line["fence"].startswith(opening["fence"]) and not line["tag"] and not line["rest"].strip(BLANKS):
            end = line.start()
        else:
            continue
        yield _block(text, opening, start, end, True)
        opening = None
    if opening is not None:
        yield _block(text, opening, start, len(text), False)


def _lines(text: str):
    """Each line that begins with a fence, and where the next such line begins (or the text ends)."""
    line = None
    for following in re.finditer(_LINE, text) if "```" in text or "~~~" in text else ():
        if line is not None:
            yield line, following.start()
        line = following
    if line is not None:
        yield line, len(text)


def _content_start(line) -> int | None:
    """Where the content of the block begins that a line opens; None where the line opens none."""
    rest = line["rest"]
    if rest[:1] in ("{", "["):
        return line.start("rest")
    return None if line["fence"][0] == "`" and "`" in rest else line.end()  # a code span


def _json_content(text: str, line, start: int, limit: int, value_end) -> tuple:
    """(end of the value, end of the fence) where a block is one JSON value with a fence right behind it; else (0, 0)."""
    blank = re.compile(r"[ \t\r\n]*")
    begin = blank.match(text, start).end()
    end = value_end(begin, limit) if text[begin:begin + 1] in ("{", "[") else None
    behind = blank.match(text, end).end() if end is not None else 0
    return (end, behind + len(line["fence"])) if end is not None and text.startswith(line["fence"], behind) else (0, 0)


def _block(text: str, line, start: int, end: int, closed: bool) -> Block:
    content = text[start:end].rstrip(BLANKS)
    end = start + len(content)
    return Block((line["tag"] or "").lower(), line.start("fence"), end - len(content.lstrip(BLANKS)), end, closed)
