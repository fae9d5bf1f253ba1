"""A path to a field of a JSON value: dotted, or a JSON Pointer. Read once; what it does not find, it can say.

Dotted:         order.items[0].sku      a name, an index from 0
                items[*].price          every element; of an empty array there is none, and that is nothing found
                ["a.b"].c   ['a.b'].c   a key with other characters in quotes: double ones with JSON's escapes, single ones with none
JSON Pointer:   /order/items/0/sku      RFC 6901: `~1` is a slash in a key, `~0` a tilde

A text that begins with a slash is a pointer. The empty path is refused: a rule without a field looks at the whole value.
A step either fits the value or it does not: a name is a key of an object, an index an element of an array; only a pointer's token may be
either, as RFC 6901 has it. Nothing is guessed: no negative index, no `$`, no search below.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical, json_kind
from ..ground.errors import CaseError, FormatError, nearest
from ..ground.record import Record
from ..text.quoting import quote, visible
from .strict_json import scan_value

_KEY, _INDEX, _EVERY, _TOKEN = "key", "index", "every", "token"
_NAME = r"[^.\[\]\"'*\s](?:[^.\[\]\"'*]*[^.\[\]\"'*\s])?"
_NUMBER = r"(?:0|[1-9][0-9]{0,17})"
_PLAIN = r"[^\W\d][\w-]*"
_is_plain = re.compile(_PLAIN, re.ASCII).fullmatch
_MAX_LISTED = 8
_MAX_COMPARED = 50
_MAX_SHOWN = 40


class Places(Record):
    """What a path leads to.

    Args:
        values: (path as text, value) of each place that was found, in order.
        reason: why a place is missing, or None where none is: it names the deepest place that exists.
        only_last_step: nothing was found, and what is missing is the path's last step alone: the container is there and of the right kind.
        paths: for each of the values the keys and indexes that lead to it.
    """

    __slots__ = ("values", "reason", "only_last_step", "paths")

    def __init__(self, values: tuple, reason: str | None = None, only_last_step: bool = False, paths: tuple = ()) -> None:
        self._set(values, reason, only_last_step, paths)

    @property
    def missing(self) -> bool:
        """Whether a place is missing that the path names; others of an `[*]` may have been found."""
        return self.reason is not None


class FieldPath(Record):
    """A path, read once.

    Args:
        spelt: a dotted path or a JSON Pointer.
    Raises:
        CaseError: it is neither; `column` says where.
    """

    __slots__ = ("spelt", "steps")

    def __init__(self, spelt: str) -> None:
        if not isinstance(spelt, str):
            raise CaseError("a field's path is a text, such as order.items[0].sku")
        self._set(spelt, _pointer(spelt) if spelt.startswith("/") else _dotted(spelt))

    def __reduce__(self):
        return FieldPath, (self.spelt,)

    def __repr__(self):
        return f"FieldPath({quote(self.spelt)})"

    @property
    def wants_object(self) -> bool:
        """Whether only an object can have this field."""
        kind, step = self.steps[0]
        return kind == _KEY or kind == _TOKEN and not re.fullmatch(_NUMBER, step)

    def places(self, document) -> list:
        """The places that the path names as far as they are there: each as its keys and indexes, with its value."""
        places = [((), document)]
        for kind, step in self.steps:
            reached: list = []
            for path, value in places:
                key = _index(step) if kind == _TOKEN and isinstance(value, list) else step
                if kind == _EVERY:
                    reached += [((*path, index), item) for index, item in enumerate(value if isinstance(value, list) else ())]
                elif isinstance(value, list) and isinstance(key, int) and key < len(value) or isinstance(value, dict) and kind != _INDEX and key in value:
                    reached.append(((*path, key), value[key]))
            places = reached
        return places

    def find(self, document) -> Places:
        """All places that the path names in a JSON value."""
        places, reasons, all_last = [("", (), document)], [], True
        last = len(self.steps) - 1
        for number, (kind, step) in enumerate(self.steps):
            reached: list = []
            for place, path, value in places:
                reason, fits = _take(place, path, value, kind, step, reached)
                if reason is not None:
                    reasons.append(reason)
                    all_last = all_last and fits and number == last
            places = reached
        values, paths = tuple([(place, value) for place, _, value in places]), tuple([path for _, path, _ in places])
        if not reasons:
            return Places(values, paths=paths)
        return Places(values, reasons[0], all_last and not places, paths)


def _take(place: str, path: tuple, value, kind: str, step, reached: list) -> tuple:
    """Take one step from a place; what it leads to goes to `reached`.

    Returns (why it cannot be taken or None, whether the value is at least of the kind that the step fits).
    """
    if kind == _TOKEN:
        kind, step = (_INDEX, _index(step)) if isinstance(value, list) else (_KEY, step)
    if kind == _KEY:
        if not isinstance(value, dict):
            return _wrong_kind(place, value, "an object", f"no field {_shown(step)} in it"), False
        if step not in value:
            return _no_key(place, value, step), True
        reached.append((spelt_below(place, step), (*path, step), value[step]))
        return None, True
    if not isinstance(value, list):
        return _wrong_kind(place, value, "an array", "no element in it"), False
    if kind == _EVERY:
        reached.extend((f"{place}[{index}]", (*path, index), item) for index, item in enumerate(value))
        return (None, True) if value else (f"{_at(place)} is an empty array: nothing is there to look at", False)
    if not isinstance(step, int):
        return f"{_at(place)} is an array: {_shown(step)} is no index of it", False
    if step >= len(value):
        return f"no [{step}] in {_at(place)}: " + (f"its last element is [{len(value) - 1}]" if value else "it is empty"), True
    reached.append((f"{place}[{step}]", (*path, step), value[step]))
    return None, True


def _index(token: str):
    """The index that a pointer's token is, or the token."""
    return int(token) if re.fullmatch(_NUMBER, token) else token


def _wrong_kind(place: str, value, wanted: str, so: str) -> str:
    mend = f"; write {place}[0] or {place}[*] for its elements" if isinstance(value, list) else ""
    return f"{_at(place)} is {json_kind(value)}, not {wanted}: {so}{mend}"


def _no_key(place: str, members: dict, key: str) -> str:
    keys = [other for other, _ in zip(members, range(_MAX_COMPARED))]
    listed = ", ".join(map(_shown_bare, keys[:_MAX_LISTED])) + (", ..." if len(members) > _MAX_LISTED else "")
    near = nearest(key, keys)
    guess = f"; did you mean {_shown(near)}?" if near is not None else ""
    # The key stands in a rule: it is not cut, since nothing knows what secret a part of it is.
    return f"no field {quote(key)} in {_at(place)}; it " + (f"has: {listed}{guess}" if keys else "is empty")


def _at(place: str) -> str:
    return place or "the JSON value"


def spelt_below(place: str, key: str | int) -> str:
    """The place of a key or an element below a place, as a path spells it."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    if not _is_plain(key):
        return f"{place}[{visible(canonical(_cut(key)))}]"
    return f"{place}.{key}" if place else key


def _cut(key: str) -> str:
    return key if len(key) <= _MAX_SHOWN else key[:_MAX_SHOWN] + "..."


def _shown(key: str) -> str:
    return quote(_cut(key))


def _shown_bare(key: str) -> str:
    return key if len(key) <= _MAX_SHOWN and _is_plain(key) else _shown(key)


def _pointer(spelt: str) -> tuple:
    bad = re.search("~(?![01])", spelt)
    if bad:
        raise _refused(spelt, bad.start(), "a tilde in a pointer is ~0 (a tilde) or ~1 (a slash)")
    return tuple((_TOKEN, token.replace("~1", "/").replace("~0", "~")) for token in spelt[1:].split("/"))


def _dotted(spelt: str) -> tuple:
    if not spelt.strip():
        raise _refused(spelt, 0, "the path is empty: name a field, or leave the path out to look at the whole value")
    if spelt.startswith("#"):
        raise _refused(spelt, 0, "a pointer is written without its #: begin with the slash")
    steps: list = []
    position = 0
    while position < len(spelt):
        bracket = spelt[position] == "["
        if not bracket and steps:
            if spelt[position] != ".":
                raise _refused(spelt, position, "a dot or a bracket follows a bracket")
            position += 1
        if bracket:
            step, position = _bracket(spelt, position)
        else:
            step, position = _name(spelt, position)
        steps.append(step)
    return tuple(steps)


def _name(spelt: str, position: int) -> tuple:
    found = re.compile(_NAME).match(spelt, position)
    if not found:
        character = spelt[position:position + 1]
        if character == "*":
            raise _refused(spelt, position, "every element is written [*]")
        if character in "\"'" and character:
            raise _refused(spelt, position, 'a key in quotes stands in brackets: ["a.b"]')
        raise _refused(spelt, position, "a name is missing here: drop the dot, or write the name")
    if found.group() == "$" and not position:
        raise _refused(spelt, position, "a path begins with a name, without $")
    if found.end() < len(spelt) and spelt[found.end()] not in ".[":
        raise _refused(spelt, found.end(), 'a key with such a character stands in brackets and quotes: ["a.b"]')
    return (_KEY, found.group()), found.end()


def _bracket(spelt: str, position: int) -> tuple:
    inside = re.compile(rf"\[(?:({_NUMBER})|(\*)|'([^']*)')\]").match(spelt, position)
    if inside:
        number, every, key = inside.groups()
        step = (_INDEX, int(number)) if number else (_EVERY, None) if every else (_KEY, key)
        return step, inside.end()
    if spelt[position + 1:position + 2] == '"':
        try:
            key, end = scan_value(spelt, position + 1)
        except FormatError as error:
            raise _refused(spelt, error.column - 1 if error.line == 1 else position + 1, error.message) from None
        if spelt[end:end + 1] == "]":
            return (_KEY, key), end + 1
        raise _refused(spelt, end, "a bracket is missing: close the key with ]")
    if re.compile(r"\[\s*-").match(spelt, position):
        raise _refused(spelt, position + 1, "an index counts from the front, from 0: a negative one would guess at a length")
    raise _refused(spelt, position + 1, 'an index such as [0], [*] or a key in quotes such as ["a.b"] stands in brackets')


def _refused(spelt: str, position: int, message: str) -> CaseError:
    return CaseError(f"the path {_shown(spelt)} does not hold at column {position + 1}: {message}", line=1, column=position + 1)
