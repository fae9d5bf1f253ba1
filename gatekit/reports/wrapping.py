"""Long lines broken for a terminal: between words, with the rest set in below them; nothing but white space at a break is lost.

A word longer than a line is broken where the line ends, and wide characters anywhere between them; an escape that is spelt out (`\\x1b`, `\\u202e`) and a mark
with its character stay in one piece. A colour is ended at the end of a line, and taken up again on the next. Two colons that come to stand at the start of a
line would make a command of a build service of it: the second is spelt out.
"""
from __future__ import annotations

import re

from ..text.columns import columns
from .painting import RESET

_COLOR = "\x1b\\[[0-9;]*m"
# What is never torn: a colour, an escape, a run of spaces, a character.
_PIECE = re.compile(rf"{_COLOR}|\\(?:x[0-9a-f]{{2}}|u[0-9a-f]{{4}}|U[0-9a-f]{{8}}|[^ \x1b])| +|.", re.S)
_HANG = 4


def wrapped(line: str, width: int, hang: int | None = None) -> list:
    """A line as lines of at most `width` columns. What is below the first is set in by `hang` columns, by default a little more than the line itself."""
    if columns(re.sub(_COLOR, "", line) if "\x1b" in line else line) <= width:
        return [line]
    if hang is None:
        hang = len(line) - len(line.lstrip(" ")) + _HANG
    made = _Lines(width, min(hang, width // 2))
    for word in _words(line):
        made.add(word)
    return made.lines()


def _words(line: str) -> list:
    """Words, runs of spaces and wide characters, each as a list of `(piece, columns)`. What takes no column stays at the word before it."""
    words: list = []
    kind = "blank"  # of what stands last: nothing is added to blanks, and to a wide character only what takes no column
    for match in _PIECE.finditer(line):
        piece = match.group()
        size = 0 if piece[0] == "\x1b" else columns(piece)
        now = "blank" if piece[0] == " " else "wide" if size == 2 and len(piece) == 1 else "word" if size else ""
        if now in ("blank", "wide") or kind == "blank" or kind == "wide" and size:
            words.append([])
        words[-1].append((piece, size))
        kind = now or ("word" if kind == "blank" else kind)
    return words


class _Lines:
    """Lines that are filled word by word."""

    __slots__ = ("_width", "_hang", "_done", "_line", "_used", "_blank", "_color")

    def __init__(self, width: int, hang: int) -> None:
        self._width = width
        self._hang = hang
        self._done: list = []
        self._line: list = []
        self._used = 0
        self._blank = ""  # spaces that are written before the next word, if it stands on the same line
        self._color = ""  # the colour that is open

    def add(self, word: list) -> None:
        """Add a word, or a run of spaces."""
        if word[0][0][0] == " ":
            self._blank = word[0][0] if self._line else word[0][0][: self._hang]
            return
        size = sum(size for _, size in word)
        before = self._used + len(self._blank)
        if self._line and before + size > self._width and (size <= self._width - self._hang or before >= self._width):
            self._break()
        self._line.append(self._blank)
        self._used += len(self._blank)
        self._blank = ""
        for piece, size in word:
            if piece == ":" and self._done and re.sub(_COLOR, "", "".join(self._line)).strip() == ":":
                piece, size = "\\x3a", 4
            if size and self._used + size > self._width:
                self._break()
            self._line.append(piece)
            self._used += size
            if piece[0] == "\x1b":
                self._color = "" if piece == RESET else piece

    def lines(self) -> list:
        """The lines, once all was added."""
        return ["".join(line) for line in (*self._done, self._line)]

    def _break(self) -> None:
        if self._color:
            self._line.append(RESET)
        self._done.append(self._line)
        self._line = [" " * self._hang, self._color]
        self._used = self._hang
        self._blank = ""
