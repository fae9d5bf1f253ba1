r"""The blocks of a text that may be Markdown: paragraphs, list items, headings, code.

Language models write Markdown, so the blocks are those of CommonMark 0.31, read line by line, where a reader of the bare text sees the
same. What differs is what models and their readers do otherwise:

    block     what it is
    code      a fence of at least three ` or ~ and all to the fence that closes it, or to the end; at any indent, in a list or quote too.
              Code by indent alone is not told from a deeper list, and is text
    heading   1 to 6 `#` and a space (ATX); a paragraph of one line with a line of only `=` or only `-` below it (setext)
    rule      a line of at least three `-`, `*` or `_`, and of little more than 40 where there are spaces between them
    table     a line that begins with `|`
    item      a line that begins with a mark of a list, at any depth, and what continues it: `-`, `*`, `+`, an en dash, a round or square
              bullet, a number of up to three digits with `.` or `)` or in round brackets (all with a space after them), or with U+3001
    text      the lines of a paragraph
    blank     lines of white space only

The `>` of a quote is skipped as if it were white space. Lines end with LF, CRLF or CR. Each character is looked at
a bounded number of times.
"""
from __future__ import annotations

import re

# The kinds of a line, in the order in which they are tried, after the white space and `>` before it. (`re` keeps what it has compiled.)
_LINE = r"""(?x)
    (?P<fence> (?:`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,}) )
  | (?P<heading> \#{1,6}(?=[ \t\r\n]|\Z) )
  | (?P<underline> (?:=+|-+)[ \t]*(?=[\r\n]|\Z) )
  | (?P<rule> (?:-[ \t]*-[ \t]*-[- \t]{0,40}|\*[ \t]*\*[ \t]*\*[* \t]{0,40}|_[ \t]*_[ \t]*_[_ \t]{0,40})(?=[\r\n]|\Z) )
  | (?P<table> \| )
  | (?P<item> (?:[-*+\u2013\u00b7]|[0-9]{1,3}[.)]|\([0-9]{1,3}\))(?=[ \t\u00a0\u3000]+[^\s])
            | [\u2022\u2023\u25e6\u25aa\u25cf\u25cb\u30fb](?=[ \t\u00a0\u3000]*[^\s]) | [0-9]{1,3}\u3001 )
"""
_BLANK = r"[\s>]*(?:[\r\n]|\Z)"
_MARGIN = r"[ \t\u00a0\u3000>]*"
_REST = r"[^\r\n]*"
_END = r"\r\n?|\n|\Z"
_FENCE = r"[\r\n][ \t>]*(`{3,}|~{3,})[ \t]*(?=[\r\n]|\Z)"


def blocks(text: str, low: int = 0, high: int | None = None):
    """The blocks between two offsets, in order: yields (kind, start, end), from the first character that shows to the end of its last line.
    An item begins after its mark.

    Where `low` is not the start of a line, what is left of that line counts as text, as the mark that it may begin with is not seen.
    """
    high = len(text) if high is None else high
    line, blank, margin, rest, line_end = (re.compile(pattern) for pattern in (_LINE, _BLANK, _MARGIN, _REST, _END))
    begun: tuple = ()  # the paragraph or item that the next line may continue
    at, end, inside, lone = low, -1, 0 < low < high and text[low - 1] not in "\r\n", False
    while at < high:
        empty = None if inside else blank.match(text, at, high)
        if empty:
            if begun:
                yield begun
            begun = ()
            yield "blank", at, empty.end()
            at = empty.end()
            continue
        start = margin.match(text, at, high).end()
        kind = None if inside else line.match(text, start, high)
        name, inside = kind.lastgroup if kind else "text", False
        if end < start:  # else a second block of the same line
            end = rest.match(text, start, high).end()
        if name == "underline":
            if lone and begun and begun[0] == "text":
                yield "heading", begun[1], end
                begun, at = (), line_end.match(text, end, high).end()
                continue
            name = "rule" if text.startswith("---", start) else "text"
        if name == "text" and begun:
            begun, lone = (begun[0], begun[1], end), False
        elif begun:
            yield begun
            begun = ()
        if name == "item":
            content = margin.match(text, kind.end(), high).end()
            begun = ("item", content, end)
            if _opens_another(line.match(text, content, high)):
                begun, at = ("item", content, content), content
                continue
        elif name == "text" and not begun:
            begun, lone = ("text", start, end), True
        if name == "fence":
            end = _code_end(text, kind.group(), end, high)
            yield "code", start, end
        elif name in ("heading", "rule", "table"):
            yield name, start, end
        at = line_end.match(text, end, high).end()
    if begun:
        yield begun


def _opens_another(kind) -> bool:
    """Whether what stands behind the mark of a list item is itself a block: a heading, code, another item."""
    return kind is not None and kind.lastgroup in ("fence", "heading", "item")


def _code_end(text: str, fence: str, end: int, high: int) -> int:
    """Where the code ends that was opened by a fence on the line that ends at `end`."""
    for closing in re.compile(_FENCE).finditer(text, end, high):
        found = closing.group(1)
        if found[0] == fence[0] and len(found) >= len(fence):
            return closing.end()
    return high
