"""How what was expected and what came differ, for a finding whose rule holds the one against the other.

Prose is shown word by word, JSON by the path of each place. Both are worked out from texts that are fit to be shown: a secret is hidden in the whole text
before it is compared or cut. Long texts are cut around the first difference.
"""
from __future__ import annotations

from ..data.curtain import Curtain
from ..ground.alignment import common
from ..ground.canonical import canonical
from ..ground.errors import nearest
from ..ground.record import Record
from ..matchers.outcome import Compared, Outcome
from ..text.near_miss import nearest_place
from ..text.quoting import quote, visible
from ..text.sameness import character_words, only_difference
from ..text.word_diff import GAP, KEPT, spelt, word_steps
from .json_difference import MISSING, MORE, ORDER, UNLIKE, differences

_PATHS = 20  # places that are shown
_COUNTED = 1000  # and counted
_EDITS = 50
_WINDOW = 3000  # characters of each text that are compared
_BEFORE = 200  # of them before the first difference
_LONG = 80  # a text inside JSON from which on it is compared word by word
_MOST_CHOICES = 100  # texts of which the nearest is looked for
_CHOICE = 1000  # characters of each of them that are compared
_MOST_FACTS = 5  # of which the nearest place is told
_MOST_MOVES = 3  # that are named
_MOST_KEYS = 20  # among which the nearest one is looked for


class Difference(Record):
    """How what was expected and what came differ, fit to be shown.

    `note` says where nothing but white space, case or the like differs, or what comes nearest; else it is None. `words` are the steps from the expected text
    to the actual one: `("=", kept)`, `("-", gone)`, `("+", new)` and `("~", "")` for words that are left out. `paths` are the places of JSON, each as a
    sentence that begins with its JSON Pointer.
    """

    __slots__ = ("note", "words", "paths")
    note: str | None
    words: tuple
    paths: tuple[str, ...]

    def __init__(self, note: str | None = None, words: tuple = (), paths: tuple = ()) -> None:
        self._set(note, tuple(map(tuple, words)), tuple(paths))

    @property
    def has_common_words(self) -> bool:
        """Whether the texts have words in common near where they differ: of texts without any, the steps say no more than the texts do."""
        return any(kind == KEPT for kind, _ in self.words)

    def lines(self, most: int = _PATHS) -> list:
        """It as lines to read, of at most so many paths; nothing of two texts without a word in common."""
        told = [visible(self.note)] if self.note else []
        if self.has_common_words:
            told.append(f"expected and got: {visible(spelt(self.words))}")
        told += map(visible, self.paths[:most])
        return told + [f"and {len(self.paths) - most} more places"] * (len(self.paths) > most)


def difference_of(outcome: Outcome, curtain: Curtain) -> Difference | None:
    """The difference that a failure is about, or None where the rule compares in another way, and where it failed on several things at once."""
    compared, expected, actual = outcome.compared, outcome.expected, outcome.actual
    if compared is None or compared.way == "text" and not isinstance(actual, str):
        return None
    if compared.way == "text":
        return _of_texts(expected, actual, curtain)
    if compared.way == "one of":
        return _of_nearest(expected, actual, curtain)
    if compared.way == "fact":
        return _of_facts(compared, curtain)
    return Difference(paths=_bounded(_said(compared, expected, actual, curtain)))


def _of_texts(expected: str, actual: str, curtain: Curtain) -> Difference | None:
    old, new = curtain.hidden(expected), curtain.hidden(actual)
    if old == new:
        return None
    note = only_difference(old, new)
    first = _common_start(old, new)
    if note:
        place = _common_start(expected, actual)  # in the text as it is, where a secret is as long as it is
        line = expected.count("\n", 0, place) + 1
        sides = " and got ".join(character_words(text, first) for text in (old, new))
        note += f", first at line {line}, column {place - expected.rfind(chr(10), 0, place)}: expected {sides}"
    return Difference(note, _steps(old, new, first, curtain))


def _of_nearest(choices: list, actual: str, curtain: Curtain) -> Difference | None:
    """The difference from the expected text that has most words in common with the actual one, if any has one."""
    best, most = None, 0
    words = [word.lower() for word in actual[:_CHOICE].split()]
    for choice in choices[:_MOST_CHOICES]:
        others = [word.lower() for word in choice[:_CHOICE].split()]
        pairs = common(words, others, _EDITS)
        likeness = 2000 * len(pairs or ()) // (len(words) + len(others) or 1) + (only_difference(choice, actual) is not None)
        if likeness > most:
            best, most = choice, likeness
    if best is None:
        return None
    difference = _of_texts(best, actual, curtain)
    if difference is None or len(choices) == 1:
        return difference
    note = f"the nearest is {quote(curtain.text(best, _LONG))}" + (f": {difference.note}" if difference.note else "")
    return Difference(note, difference.words)


def _steps(old: str, new: str, first: int, curtain: Curtain) -> tuple:
    """The words of two texts around their first difference."""
    start = 0
    if max(len(old), len(new)) > _WINDOW:
        start = max(0, first - _BEFORE)
        start = max(start, old.find(" ", start, first) + 1)
    steps = word_steps(*(curtain.stretch(text, start, start + _WINDOW) for text in (old, new)), _EDITS)
    is_cut = max(len(old), len(new)) > start + _WINDOW
    return ((GAP, ""),) * bool(steps and start and steps[0][0] != GAP) + steps + ((GAP, ""),) * bool(steps and is_cut and steps[-1][0] != GAP)


def _common_start(old: str, new: str) -> int:
    """How many characters two texts have in common from the start."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _of_facts(compared: Compared, curtain: Curtain) -> Difference | None:
    """What comes nearest to facts that are missing, where something does."""
    notes = []
    for words, phrases in compared.said[:_MOST_FACTS]:
        span = nearest_place([spelling for phrase in phrases for spelling in phrase.spellings], compared.view.text)
        if span is not None:
            where = curtain.where(compared.view, *span)
            nearest_to = "the nearest" + (f" to {curtain.text(words)}" if len(compared.said) > 1 else "")
            notes.append(f"{nearest_to} is {quote(where.hit)}, line {where.line}, column {where.column}" + (f", in {where.inside}" if where.inside else ""))
    return Difference("; ".join(notes)) if notes else None


def _bounded(said) -> tuple:
    """So many of the places as are shown, and how many more there are."""
    told, count = [], 0
    for say in said:
        count += 1
        if count <= _PATHS:
            told.append(say())
        elif count > _COUNTED:
            break
    if count > _PATHS:
        told.append(f"and {'more than ' * (count > _COUNTED)}{min(count, _COUNTED) - _PATHS} more places")
    return tuple(told)


def _said(compared: Compared, expected: object, actual: object, curtain: Curtain, before: str = ""):
    """Yield for each place at which two values differ a function that says it: only so many are shown."""
    if compared.way == "json":
        for found in differences(expected, actual, compared.subset, compared.unordered, compared.root):
            yield lambda found=found: before + _path_words(*found, curtain)
    for one in compared.said:
        words = curtain.text(before + one.before)
        if one.words:
            yield lambda one=one, words=words: words + ("" if one.steps is None else f"{_pointer(one.steps, curtain)}: ") + curtain.text(one.words)
        for side in one.sides:
            yield from _said(*side, curtain, words)


def _path_words(steps: tuple, kind: str, expected: object, actual: object, there: tuple, curtain: Curtain) -> str:
    place = _pointer(steps, curtain)
    got = "got" if there == steps or kind != UNLIKE else f"and at {_pointer(there, curtain)} got"
    if kind == ORDER:
        return f"{place}: {_order_words(steps, there, expected, actual, curtain)}"
    if kind == MISSING:
        near = nearest(steps[-1], actual[:_MOST_KEYS]) if actual else None
        hint = f"; the nearest key is {_pointer((*there[:-1], near), curtain)}" if near else ""
        return f"{place}: expected {_described(expected, curtain)}, and it is missing{hint}"
    if kind == MORE:
        return f"{place}: not expected: {_described(actual, curtain)}"
    if isinstance(expected, str) and isinstance(actual, str):
        difference = _of_texts(expected, actual, curtain)
        note = f" ({difference.note})" if difference is not None and difference.note else ""
        if difference is not None and difference.words and max(len(expected), len(actual)) > _LONG:
            return f"{place}: expected {'and got' if got == 'got' else got}{note}: {spelt(difference.words)}"
        return f"{place}: expected {_described(expected, curtain)}, {got} {_described(actual, curtain)}{note}"
    return f"{place}: expected {_described(expected, curtain)}, {got} {_described(actual, curtain)}"


def _order_words(steps: tuple, there: tuple, is_all: bool, moves: list, curtain: Curtain) -> str:
    words = "the same elements, in another order" if is_all else "some elements stand in another order"
    moved = (f"{_pointer((*steps, at), curtain)} stands at {_pointer((*there, other), curtain)}" for at, other in moves[:_MOST_MOVES])
    return words + (f": {', '.join(moved)}" if 0 < len(moves) <= _MOST_MOVES else "")


def _pointer(steps: tuple, curtain: Curtain) -> str:
    """A JSON Pointer (RFC 6901); of the whole, words."""
    spellings = (curtain.text(step, _LONG) if isinstance(step, str) else str(step) for step in steps)
    return "".join("/" + spelling.replace("~", "~0").replace("/", "~1") for spelling in spellings) or "the value"


def _described(value: object, curtain: Curtain) -> str:
    """A value and its type as JSON Schema names it: `2 (integer)`."""
    shown = curtain.value(value, 2 * _LONG)
    return f"{canonical(shown)} ({_kind(value)})" if value is not None else "null"


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number" if "." in canonical(value) or "e-" in canonical(value) else "integer"
    return {str: "string", dict: "object"}.get(type(value), "array")
