"""Spans of a text: `(start, end, ...)`, in offsets. What is found in a text overlaps, is looked up, and is replaced."""
from __future__ import annotations

from ..formats.json_lexis import escape_edits
from .views import original, way_through


def merged(found: list, rank=None) -> list:
    """Spans in order, those that overlap made one, so that no end of one is left behind another. The first names the whole; by a rank, the one of the least."""
    made: list = []
    least = None
    for one in sorted(found, key=lambda span: (span[0], -span[1])):
        start, end, secret, kind = one
        own = rank and rank(one)
        if made and start < made[-1][1]:
            last = made[-1]
            if rank and own < least:
                least, last = own, (*last[:2], secret, kind)
            made[-1] = (last[0], max(end, last[1]), *last[2:])
        else:
            made.append(one)
            least = own
    return made


def covered(spans: list, start: int, end: int) -> bool:
    """Whether one of some spans, in order and without overlap, holds another."""
    place = first_after(spans, start)
    return place < len(spans) and spans[place][0] <= start and end <= spans[place][1]


def first_after(spans: list, at: int) -> int:
    """The place of the first of some spans, in order and without overlap, that ends behind an offset."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= at:
            low = middle + 1
        else:
            high = middle
    return low


def replaced(text: str, spans: list, first: int = 0, last: int | None = None) -> str:
    """The text, or a stretch of it, with a label in the place of each `(start, end, label)`, in order and without overlap, that lies in it whole."""
    last = len(text) if last is None else last
    pieces, at = [], first
    for start, end, label in spans:
        if start >= first and end <= last:
            pieces += (text[at:start], label)
            at = end
    pieces.append(text[at:last])
    return "".join(pieces)


def in_original(view, start: int, end: int, text: str, ways: dict) -> tuple:
    """Where in the text a span of its view stands; of a string whose spelling cannot be followed all of it. `ways` keeps the ways back through escapes."""
    part, at, to = view.place(start, end)
    if part.literal:
        return part.start + at, part.start + to
    outer, offset = part.outer or (part.text, 0)
    key = part.start, part.end, outer
    if key not in ways:
        edits = escape_edits(text[part.start : part.end], outer)
        ways[key] = None if edits is None else way_through(edits)
    way = ways[key]
    if way is None:
        return part.start, part.end
    return part.start + original(way, offset + at, False), part.start + original(way, offset + to, True)
