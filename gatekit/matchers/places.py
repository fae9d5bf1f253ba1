"""The single values of a JSON value by their places, as words and as stretches of the output that a report shows."""
from __future__ import annotations

import re

from ..formats.field_path import spelt_below
from ..text.views import EXACT

_EXTENT = r'(?s)(?:"(?:[^"\\]|\\.)*"\s*:\s*)?(?:"(?:[^"\\]|\\.)*"|[^\s,\[\]{}"]+)?'


def spelt(path: tuple) -> str:
    """A path of keys and indexes as a field of a rule spells it: `items[0].price`."""
    words = ""
    for step in path:
        words = spelt_below(words, step)
    return words


def inside(value: object, path: tuple = ()):
    """Yield `(path, value)` of a JSON value and of all values inside it, each before what is inside it, in the order in which they stand."""
    waiting = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        yield path, value
        if isinstance(value, dict):
            waiting += [((*path, key), item) for key, item in reversed(value.items())]
        elif isinstance(value, (list, tuple)):
            waiting += [((*path, index), value[index]) for index in reversed(range(len(value)))]


def place_in(reading, found, path: tuple) -> tuple | None:
    """Where a value of the JSON that was found in a reading stands, as a place of an outcome; None where the answer is not the text as it stands."""
    from ..formats.json_places import offset_of

    view = reading.view(EXACT)
    offset, text = next(view.segments())
    if text != reading.answer:
        return None
    start = found.start + offset_of(text[found.start : found.end], path)
    end = re.compile(_EXTENT).match(text, start, found.end).end()
    return view, offset + start, offset + max(end, min(start + 1, found.end))
