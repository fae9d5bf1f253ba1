"""The errors of the package, and the guess at what a misspelt word was meant to be.

Every error derives from `GatekitError` and says what is wrong and how to mend it. What is known of the place is kept in attributes,
so that a program need not take a message apart:

    message   what is wrong, and the mend
    file      the file's name as it was given, or None
    line      counted from 1, or None
    column    counted from 1 in characters, or None
    path      where in the document: a tuple of keys and indexes, empty for the document itself

An error can be pickled, and `located` gives a copy that knows more of its place: what reads a value knows the path,
what reads the file knows the file.
"""
from __future__ import annotations


class GatekitError(Exception):
    """Anything that gatekit refuses or cannot do. Printed, nothing in it acts: a key or a file's name may come from anywhere."""

    shown = staticmethod(str)  # how a line is made fit to be shown: text/quoting.py, a floor above, puts its `visible` here

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None, column: int | None = None, path: tuple = ()) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.path = tuple(path)

    def located(self, *, file: str | None = None, line: int | None = None, column: int | None = None, path: tuple = ()) -> GatekitError:
        """A copy with the places filled in that this error does not know yet; `path` is put in front of its own."""
        return type(self)(
            self.message,
            file=self.file if self.file is not None else file,
            line=self.line if self.line is not None else line,
            column=self.column if self.line is not None else column,
            path=tuple(path) + self.path,
        )

    def __reduce__(self):
        return _rebuild, (type(self), self.message, {"file": self.file, "line": self.line, "column": self.column, "path": self.path})

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        inside = path_text(self.path)
        words = ": ".join(part for part in (place if self.file is not None else "", inside) if part)
        lines = (f"{self.shown(words)}: {self.message}" if words and self.message else words or self.message).split("\n")
        return "\n".join(map(self.shown, lines))


def _rebuild(kind, message, place):
    return kind(message, **place)


class FormatError(GatekitError, ValueError):
    """A text is not what its format asks for: JSON that does not hold, bytes that are not UTF-8."""


class CaseError(GatekitError, ValueError):
    """A case, a rule, a sample or a gate setting that cannot be meant as it stands."""


class GateFailed(GatekitError, AssertionError):
    """An output did not pass, where a test required it to."""


# A test that goes red shows where an error's class stands: by the name that a user imports it from, and that stays where modules move.
for _public in (GatekitError, CaseError, GateFailed):
    _public.__module__ = __name__.rpartition(".ground.")[0]


def path_text(path: tuple) -> str:
    """A path as a reader writes it: `matchers[0].value`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def by_line(errors) -> list:
    """Errors in the order of their files and lines; those of no file come first, those of no line at the head of their file."""
    return sorted(errors, key=lambda error: (error.file or "", error.line or 0, error.column or 0))


def nearest(word: str, known) -> str | None:
    """The known word that a misspelt one was probably meant to be, or None where none is near.

    Near is a Damerau-Levenshtein distance (restricted: no substring is edited twice) of at most a third of the longer word's length.
    Ties go to the first of `known`.
    """
    best, best_distance = None, 65
    low = word.lower()[:64]
    for candidate in known:
        most = min(max(len(word), len(candidate)) // 3, best_distance - 1)
        distance = _distance(low, candidate.lower()[:64], most)
        if distance <= most:
            best, best_distance = candidate, distance
    return best


def meant(word: str, table: dict) -> str | None:
    """What a word is that others write, by a table of their spellings (several, set apart by spaces): their capitals, spaces and hyphens do not matter."""
    word = "_".join(word.lower().replace("-", " ").split())
    return next((here for spellings, here in table.items() if word in spellings.split()), None)


def _distance(left: str, right: str, most: int) -> int:
    """The distance of two words; of those that are further from each other than `most`, any number above that."""
    if abs(len(left) - len(right)) > most:
        return most + 1
    before, previous = [most], list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(previous) > most:  # all further rows come from these two
            return most + 1
        before, previous = previous, row
    return previous[-1]
