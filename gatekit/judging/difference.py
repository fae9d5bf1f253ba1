"""How what was expected and what came differ, for a finding whose rule holds the one against the other.

Prose is shown word by word, JSON by the path of each place. Both are worked out from texts that are fit to be shown: a secret is hidden in the whole text
before it is compared or cut. Long texts are cut around the first difference.
"""
from __future__ import annotations

from ..data.redaction import Curtain
from ..formats.json_difference import MISSING, MORE, ORDER, differences
from ..ground.canonical import canonical
from ..ground.record import Record
from ..text.quoting import visible
from ..text.sameness import only_difference
from ..text.word_diff import GAP, KEPT, spelt, word_steps

# How a type compares; of other types the expected value is no whole that the actual one should be.
_COMPARED = {"exact_text": "text", "normalized_text_equal": "text", "exact_json": "json", "json_equal": "json", "json_subset": "subset"}
_PATHS = 20  # places that are shown
_COUNTED = 1000  # and counted
_EDITS = 50
_WINDOW = 3000  # characters of each text that are compared
_BEFORE = 200  # of them before the first difference
_LONG = 80  # a text inside JSON from which on it is compared word by word


class Difference(Record):
    """How what was expected and what came differ, fit to be shown.

    `note` says where nothing but white space, case or the like differs, else it is None. `words` are the steps from the expected text to the actual one:
    `("=", kept)`, `("-", gone)`, `("+", new)` and `("~", "")` for words that are left out. `paths` are the places of JSON, each as a sentence that begins with
    its JSON Pointer.
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


def difference_of(matcher, expected: object, actual: object, curtain: Curtain) -> Difference | None:
    """The difference that the failure of a matcher is about, or None where it compares in another way."""
    way = _COMPARED.get(matcher.type)
    if way is None or expected is None or matcher.fields.get("unordered"):
        return None
    if way == "text":
        return _of_texts(expected, actual, curtain) if isinstance(actual, str) else None
    return Difference(paths=_paths(expected, actual, way == "subset", curtain))


def _of_texts(expected: str, actual: str, curtain: Curtain) -> Difference | None:
    old, new = curtain.hidden(expected), curtain.hidden(actual)
    if old == new:
        return None
    first = _common_start(old, new)
    note = only_difference(old, new)
    if note:
        line = old.count("\n", 0, first) + 1
        note += f", first at line {line}, column {first - old.rfind(chr(10), 0, first)}"
    return Difference(note, _steps(old, new, first, curtain))


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


def _paths(expected: object, actual: object, subset: bool, curtain: Curtain) -> tuple:
    told, count = [], 0
    for difference in differences(expected, actual, subset):
        count += 1
        if count <= _PATHS:
            told.append(_path_words(*difference, curtain))
        elif count > _COUNTED:
            break
    if count > _PATHS:
        told.append(f"and {'more than ' * (count > _COUNTED)}{min(count, _COUNTED) - _PATHS} more places")
    return tuple(told)


def _path_words(steps: tuple, kind: str, expected: object, actual: object, curtain: Curtain) -> str:
    place = _pointer(steps, curtain)
    if kind == ORDER:
        return f"{place}: the same elements, in another order"
    if kind == MISSING:
        return f"{place}: expected {_described(expected, curtain)}, and it is missing"
    if kind == MORE:
        return f"{place}: not expected: {_described(actual, curtain)}"
    if isinstance(expected, str) and isinstance(actual, str):
        difference = _of_texts(expected, actual, curtain)
        note = f" ({difference.note})" if difference is not None and difference.note else ""
        if difference is not None and difference.words and max(len(expected), len(actual)) > _LONG:
            return f"{place}: expected and got{note}: {spelt(difference.words)}"
        return f"{place}: expected {_described(expected, curtain)}, got {_described(actual, curtain)}{note}"
    return f"{place}: expected {_described(expected, curtain)}, got {_described(actual, curtain)}"


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
