"""The only ways for words into the page of HTML, and how much of them.

    text      what acts on a reader or a log is an escape that can be seen (text/quoting.py), and `& < > " '` are entities; so no words leave their element or
              attribute, of which each is quoted
    size      a name is cut, and a list ends where its room does: what is left out is counted by whoever asked
"""
from __future__ import annotations

from ..text.quoting import visible

NAME = 300  # characters of a name that are shown
REASON = 2000  # and of a reason in a list
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_CLASSES = {"inconclusive": "unknown", "error": "fail"}


def text(words: str, limit: int | None = None) -> str:
    """Words as the text of an element, at most `limit` characters of them. They may have several lines."""
    if limit is not None:
        words = _cut(words, limit)
    return "\n".join(map(visible, words.split("\n"))).translate(_ENTITIES) if "\n" in words else visible(words).translate(_ENTITIES)


def name(words: str | None) -> str:
    """A name as the text of an element: on one line, and cut."""
    return visible(_cut(words or "", NAME)).translate(_ENTITIES)


def _cut(words: str, limit: int) -> str:
    return words if len(words) <= limit else f"{words[:limit]}... ({len(words)} characters)"


def attribute(*values: str) -> str:
    """Words as the value of an attribute in quotes; of several, a line each."""
    return "&#10;".join(visible(value).translate(_ENTITIES) for value in values)


def block(words: str) -> str:
    """Words with their line ends. (A line feed right behind the tag is none of the text.)"""
    return f"<pre>\n{text(words)}</pre>"


def badge(outcome: str, words: str = "") -> str:
    """An outcome or a status in its colour, with its name: a colour alone says nothing."""
    return f'<span class="status {attribute(tone(outcome))}">{text(words or outcome)}</span>'


def tone(outcome: str) -> str:
    """The class of an outcome, which has its colour."""
    return _CLASSES.get(outcome, outcome)


def size(lines: list) -> int:
    """The bytes of lines in UTF-8, with their ends."""
    return sum(len(line) + 1 if line.isascii() else len(line.encode("utf-8", "backslashreplace")) + 1 for line in lines)


def fitting(lines, most: int, room: int) -> list:
    """The first of some lines: at most so many, and so many bytes."""
    kept: list = []
    for line in lines:
        room -= size([line])
        if room < 0 or len(kept) == most:
            break
        kept.append(line)
    return kept
