"""Asks a person, or a pipe, for one of a few words until there is one, or until nothing more will come.

A word is whole: what is only near is named and asked for again, so that no slip of a finger decides anything. What was typed is shown escaped and
without secrets, as all that comes from outside.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..data.redaction import Redaction
from ..ground.errors import nearest
from ..ground.record import Record
from ..text.quoting import quote
from .terminal import Unreadable, ask, write

LONGEST_SHOWN = 60
MOST = 100  # so many lines that are no answer: whoever writes them will not stop


class Word(Record):
    """A word that may be answered: what it does, and what stands behind it (empty: nothing may)."""

    __slots__ = ("word", "about", "argument")
    word: str
    about: str
    argument: str

    def __init__(self, word: str, about: str, argument: str = "") -> None:
        self._set(word, about, argument)


def asked(question: str, words: tuple) -> tuple:
    """The word that was answered, and what stood behind it; `quit` where nothing more will come. `help` lists the words."""
    known = {word.word: word for word in words}
    for _ in range(MOST):
        line = _line(f"{question}: ")
        if line is None:
            return "quit", None
        first, _, rest = line.strip().partition(" ")
        found = known.get(first.lower())
        if found is not None and (found.argument or is_blank(rest)):
            return found.word, None if is_blank(rest) else rest.strip()
        if first.lower() == "help":
            write("".join(f"  {word.word} {word.argument}".ljust(24) + f" {word.about}\n" for word in words))
        elif found is not None:
            write(f"{found.word} stands by itself: nothing is done\n")
        elif not is_blank(line):
            near = nearest(first, known)
            write(f"there is no {_shown(first)}" + (f": did you mean {near}?" if near else f": answer {_listed(known)}") + "\n")
    return _given_up()


def reason_asked() -> str | None:
    """A reason that says something; None where nothing more will come."""
    for _ in range(MOST):
        line = _line("the reason: ")
        if line is None or not is_blank(line):
            return line and line.strip()
        write("a rejection has a reason: it is the feedback of the next attempt\n")
    return _given_up()[1]


def _line(prompt: str) -> str | None:
    for _ in range(MOST):
        try:
            return ask(prompt)
        except Unreadable as error:
            write(f"{error}: it was passed over\n")
    return None


def _given_up() -> tuple:
    write(f"{MOST} lines were no answer: nothing more is read\n")
    return "quit", None


def _shown(typed: str) -> str:
    text = Redaction().text(typed)
    return quote(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def _listed(known) -> str:
    *others, last = (*known, "help")
    return f"{', '.join(others)} or {last}"
