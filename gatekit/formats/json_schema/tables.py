"""What a schema comes to: a table from the Python type of a value to what is left to check of such a value.

An entry of a table is True (nothing is left, every such value holds), False (no such value holds), or a function of the value and the
memory of the run that says whether it holds. So `{"type": "string"}` is a table with True at `str` and False elsewhere, and to validate
by it costs one look-up and no call. Keywords that hold several schemas to the same value (`allOf`, `anyOf`, `$ref`, ...) combine the
entries of their schemas type by type when the tables are made: an alternative that cannot hold for a text is not there for texts.

The memory of a run is a dictionary from (number of a node, identity of a value) to what was found. Nodes through which one value can be
reached in many ways use it, so that neither a schema nor a value can make a run exponential.
"""
from __future__ import annotations

from ...ground.errors import CaseError
from ...ground.exact import LiteralFloat

NULL = type(None)
NO_TEXT = "a key of an object is not a text: put it in quotes"
KINDS = (dict, list, str, int, float, LiteralFloat, bool, NULL)
NUMBERS = (int, float, LiteralFloat)
_BASES = ((bool, bool), (LiteralFloat, LiteralFloat), (int, int), (float, float), (str, str), (dict, dict), (list, list), (tuple, list))


def kind_of(python_type: type) -> type:
    """The one of KINDS that values of a Python type are: a tuple is an array. Raises CaseError where they are no JSON values."""
    if python_type is NULL:
        return NULL
    for base, kind in _BASES:
        if issubclass(python_type, base):
            return kind
    raise CaseError(f"a Python {python_type.__name__} is not a JSON value: use None, bool, int, float, str, list or dict")


class Table(dict):
    """From the type of a value to True, False or a function. Types derived from those of JSON are added when first met."""

    __slots__ = ()

    def __missing__(self, python_type):
        entry = self[python_type] = self[kind_of(python_type)]
        return entry


def holds(table: Table, value, memory: dict) -> bool:
    """Whether a value holds by a table."""
    entry = table[type(value)]
    return entry is True or entry is not False and entry(value, memory)


def every(entries: list):
    """The entry that holds where all of these hold."""
    left = []
    for entry in entries:
        if entry is False:
            return False
        if entry is not True:
            left.append(entry)
    if not left:
        return True
    if len(left) == 1:
        return left[0]
    if len(left) == 2:
        first, second = left
        return lambda value, memory: first(value, memory) and second(value, memory)

    def check(value, memory):
        for entry in left:
            if not entry(value, memory):
                return False
        return True

    return check


def some(entries: list):
    """The entry that holds where at least one of these holds."""
    left = []
    for entry in entries:
        if entry is True:
            return True
        if entry is not False:
            left.append(entry)
    if len(left) < 2:
        return left[0] if left else False

    def check(value, memory):
        for entry in left:
            if entry(value, memory):
                return True
        return False

    return check


def negated(entry):
    """The entry that holds where this one does not."""
    if entry is True or entry is False:
        return not entry
    return lambda value, memory: not entry(value, memory)


def one(entries: list):
    """The entry that holds where exactly one of these holds."""
    certain = sum(entry is True for entry in entries)
    if certain > 1:
        return False
    left = [entry for entry in entries if entry is not True and entry is not False]
    if certain:
        return negated(some(left))
    if len(left) < 2:
        return left[0] if left else False

    def check(value, memory):
        found = False
        for entry in left:
            if entry(value, memory):
                if found:
                    return False
                found = True
        return found

    return check


def choice(condition, then, otherwise):
    """The entry that is `then` where the condition holds, else `otherwise`."""
    if condition is True or condition is False:
        return then if condition else otherwise
    if then is True and otherwise is True:
        return True

    def check(value, memory):
        entry = then if condition(value, memory) else otherwise
        return entry is True or entry is not False and entry(value, memory)

    return check


def remembered(entry, number: int):
    """The entry of the node of that number, asked at most once a run about one value."""
    if entry is True or entry is False:
        return entry

    def check(value, memory):
        key = number, id(value)
        known = memory.get(key)
        if known is None:
            known = memory[key] = entry(value, memory)
        return known

    return check
