"""Where a path of keys and indexes stands in a JSON text: for errors and findings that point at the offending field."""
from __future__ import annotations

import re

from .json_lexis import line_and_column, unescape

_TOKEN = r'(?s)"((?:[^"\\]|\\.)*)"|[{}\[\],]'
_BLANK = r"[ \t\r\n]*"


def place_of(text: str, path: tuple) -> tuple:
    """The line and column, counted from 1, of the deepest part of a path that stands in a JSON text: a key, or the start of an item."""
    return line_and_column(text, offset_of(text, path))


def places_of(text: str, paths: list) -> list:
    """As `place_of`, for many paths at once."""
    return [place_of(text, path) for path in paths]


def offset_of(text: str, path: tuple) -> int:
    """The offset of the deepest part of a path that stands in a JSON text: a key, or the start of an item.

    The text was read before, so its tokens can be trusted. One pass, no recursion.
    """
    position: list = []  # for each open object its current key, for each open list its current index
    best, depth, expects_key = 0, 0, False
    for token in re.finditer(_TOKEN, text):
        mark, at = token.group(), token.start()
        if mark == "{":
            position.append(None)
            expects_key = True
            continue
        if mark in ("}", "]"):
            position.pop()
            expects_key = False
            continue
        if mark == "[":
            position.append(0)
        elif mark == "," and position and isinstance(position[-1], int):
            position[-1] += 1
        elif mark == ",":
            expects_key = True
            continue
        elif expects_key:
            position[-1] = unescape(token.group(1))
            expects_key = False
        else:
            continue
        if len(position) > depth and tuple(position) == path[: len(position)]:
            best, depth = at if mark[0] == '"' else re.compile(_BLANK).match(text, token.end()).end(), len(position)
            if depth == len(path):
                break
    return best
