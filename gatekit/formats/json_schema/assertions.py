"""Keywords that look at the value alone: its type, its worth, its size.

Each is compiled to the entries that it adds to the tables of its schema, type by type, and to a sentence for a value that fails. Numbers
compare exactly: an integer with an integer as Python does it, and whatever a float cannot hold through fractions of integers.
"""
from __future__ import annotations

from ...ground.canonical import canonical, json_kind
from ...ground.errors import CaseError, nearest
from ...ground.exact import LiteralFloat, exact
from ...text.patterns import matches_empty
from ...text.quoting import as_written, quote
from .ecma_patterns import ecma_pattern
from .formats import FORMATS
from .tables import KINDS, NULL, NUMBERS, kind_of

_SAFE = 2 ** 53  # below it each integer is a float, and the order of floats is that of the decimals that they print as

TYPES = {
    "string": ((str,), "a text"),
    "integer": (NUMBERS, "an integer"),
    "number": (NUMBERS, "a number"),
    "boolean": ((bool,), "true or false"),
    "null": ((NULL,), "null"),
    "object": ((dict,), "an object"),
    "array": ((list,), "an array"),
}
# What other languages and drafts call them.
_OTHER_NAMES = {
    "str": "string", "text": "string", "int": "integer", "float": "number", "double": "number", "decimal": "number", "bool": "boolean",
    "none": "null", "nil": "null", "dict": "object", "map": "object", "list": "array", "tuple": "array",
}


class Assertion:
    """A keyword that looks at the value alone.

    Args:
        name: the keyword.
        entries: those that it adds to a table, for the kinds that it looks at.
        sentence: from a value that fails to what must be.
    """

    __slots__ = ("name", "entries", "sentence")
    opaque = True
    looked_at = ()

    def __init__(self, name: str, entries: dict, sentence) -> None:
        self.name = name
        self.entries = entries
        self.sentence = sentence

    def entry(self, kind: type):
        return self.entries.get(kind, True)

    def report(self, at):
        entry = self.entry(kind_of(type(at.instance)))
        if entry is False or entry is not True and not entry(at.instance, at.run.memory):
            at.fail((self.name,), lambda: self.sentence(at.instance))
        return ()


def shown(value) -> str:
    """A value of a schema in a sentence, or a number of an instance: short where it is long."""
    spelt = quote(value) if isinstance(value, str) else canonical(value)
    return spelt if len(spelt) <= 80 else f"{spelt[:77]}..."


def type_(context):
    names = context.schema["type"]
    listed = names if isinstance(names, list) else [names]
    if not listed:
        context.refuse(("type",), "'type' lists no type, so that nothing holds: name one")
    for place, name in enumerate(listed):
        steps = ("type", place) if isinstance(names, list) else ("type",)
        if not isinstance(name, str):
            context.refuse(steps, f"a type is a text, not {json_kind(name)}: write one of {', '.join(TYPES)}")
        if name not in TYPES:
            near = _OTHER_NAMES.get(name.lower()) or nearest(name, TYPES)
            hint = f"did you mean {quote(near)}?" if near else f"write one of {', '.join(TYPES)}, or leave 'type' out for any"
            context.refuse(steps, f"there is no type {quote(name)}: {hint}")
        if name in listed[:place]:
            context.refuse(steps, f"the type {quote(name)} stands twice: leave one out")
    entries = dict.fromkeys(KINDS, False)
    for name in listed:
        entries.update(dict.fromkeys(TYPES[name][0], True))
    if "integer" in listed and "number" not in listed:
        entries[float] = lambda value, memory: value.is_integer()
        entries[LiteralFloat] = lambda value, memory: exact(value).is_integer()
    wanted = " or ".join(TYPES[name][1] for name in listed)
    return Assertion("type", entries, lambda value: f"must be {wanted}, not {_called(value)}")


def _called(value) -> str:
    return shown(value) if kind_of(type(value)) in NUMBERS else json_kind(value)


# One of certain values

def enum(context):
    values = context.schema["enum"]
    if not isinstance(values, list):
        context.refuse(("enum",), f"'enum' is a list of values, not {json_kind(values)}")
    listed = [shown(value) for value in values[:12]] + (["..."] if len(values) > 12 else [])
    return _one_of("enum", values, f"must be {'one of ' if len(values) > 1 else ''}{', '.join(listed) or 'one of no values'}")


def const(context):
    value = context.schema["const"]
    return _one_of("const", [value], f"must be {shown(value)}")


def _one_of(name: str, values: list, sentence: str) -> Assertion:
    """Values that are the same JSON value have the same canonical spelling; texts and integers are compared as they are."""
    spellings: dict = {}
    for value in values:
        kind = kind_of(type(value))
        spellings.setdefault(float if kind in NUMBERS else kind, set()).add(canonical(value))
    entries = dict.fromkeys(KINDS, False)
    for kind, spelt in spellings.items():
        known = frozenset(spelt)
        for each in NUMBERS if kind is float else (kind,):
            entries[each] = lambda value, memory, known=known: canonical(value) in known
    if bool in spellings:
        entries[bool] = True if len(spellings[bool]) == 2 else _is_true if "true" in spellings[bool] else _is_false
    if NULL in spellings:
        entries[NULL] = True
    if str in spellings:
        texts = frozenset(value for value in values if isinstance(value, str))
        entries[str] = lambda value, memory: value in texts
    if float in spellings:
        fractions = [exact(value) for value in values if kind_of(type(value)) in NUMBERS]
        integers = frozenset(fraction.numerator for fraction in fractions if fraction.is_integer())
        entries[int] = (lambda value, memory: value in integers) if integers else False
    return Assertion(name, entries, lambda value: sentence)


def _is_true(value, memory) -> bool:
    return value


def _is_false(value, memory) -> bool:
    return not value


# Numbers

def _limit(name: str, words: str, compared_with):
    """The compiler of a keyword that compares. `compared_with` makes the comparison with a limit, for numbers and for fractions."""

    def compile_limit(context):
        limit = _number(context, name)
        compare_fraction = compared_with(exact(limit))

        def slow(value, memory):
            return compare_fraction(exact(value), memory)

        if isinstance(limit, LiteralFloat) or not (isinstance(limit, int) or -_SAFE < limit < _SAFE):
            entries = dict.fromkeys(NUMBERS, slow)
        else:
            compare = compared_with(limit)
            entries = {int: compare, float: _within(compare, slow), LiteralFloat: slow}
            if isinstance(limit, float):
                entries[int] = entries[float]
        return Assertion(name, entries, lambda value: f"must be {words} {shown(limit)}, not {shown(value)}")

    return compile_limit


def _within(compare, slow):
    return lambda value, memory: compare(value, memory) if -_SAFE < value < _SAFE else slow(value, memory)


minimum = _limit("minimum", "at least", lambda limit: lambda value, memory: value >= limit)
maximum = _limit("maximum", "at most", lambda limit: lambda value, memory: value <= limit)
exclusive_minimum = _limit("exclusiveMinimum", "more than", lambda limit: lambda value, memory: value > limit)
exclusive_maximum = _limit("exclusiveMaximum", "less than", lambda limit: lambda value, memory: value < limit)


def multiple_of(context):
    step = _number(context, "multipleOf")
    fraction = exact(step)
    if fraction.numerator <= 0:
        context.refuse(("multipleOf",), "'multipleOf' is more than 0: leave it out, or write a step such as 0.01")

    def slow(value, memory):
        return exact(value).is_multiple_of(fraction)

    entries = dict.fromkeys(NUMBERS, slow)
    if fraction.is_integer():
        whole = fraction.numerator
        entries[int] = True if whole == 1 else lambda value, memory: not value % whole
    return Assertion("multipleOf", entries, lambda value: f"must be a multiple of {shown(step)}, not {shown(value)}")


def _number(context, name: str):
    value = context.schema[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        mend = "; in drafts since 06 the limit itself stands here" if isinstance(value, bool) else ""
        context.refuse((name,), f"'{name}' is a number, not {json_kind(value)}{mend}")
    try:
        exact(value)
    except CaseError as error:
        context.refuse((name,), error.message)
    return value


# Sizes

def _size(name: str, kind: type, counted: str, least: bool):
    """The compiler of a keyword that counts."""

    def compile_size(context):
        limit = count(context, name)
        if least:
            entries = {kind: limit == 0 or (lambda value, memory: len(value) >= limit)}
        else:
            entries = {kind: lambda value, memory: len(value) <= limit}
        words = "at least" if least else "at most"
        return Assertion(name, entries, lambda value: f"must have {words} {limit} {counted}, not {len(value)}")

    return compile_size


def count(context, name: str) -> int:
    """The value of a keyword that is a count: an integer of 0 or more."""
    value = context.schema[name]
    whole = value
    if isinstance(value, float) and not isinstance(value, LiteralFloat) and value.is_integer():
        whole = int(value)
    if isinstance(whole, bool) or not isinstance(whole, int) or whole < 0:
        context.refuse((name,), f"'{name}' is a count: write an integer of 0 or more")
    return whole


max_length = _size("maxLength", str, "characters", False)
min_length = _size("minLength", str, "characters", True)
max_items = _size("maxItems", list, "items", False)
min_items = _size("minItems", list, "items", True)
max_properties = _size("maxProperties", dict, "properties", False)
min_properties = _size("minProperties", dict, "properties", True)


# Texts

def search_for(context, steps: tuple, source):
    """The search of a pattern that stands in a schema."""
    if not isinstance(source, str):
        context.refuse(steps, f"a pattern is a text, not {json_kind(source)}")
    try:
        return ecma_pattern(source).search
    except CaseError as error:
        raise context.refuse(steps, error.message) from None


def pattern(context):
    source = context.schema["pattern"]
    search = search_for(context, ("pattern",), source)
    entries = {} if _is_found_everywhere(source) else {str: lambda value, memory: search(value) is not None}
    return Assertion("pattern", entries, lambda value: f"must match the pattern {as_written(source)}")


def _is_found_everywhere(source: str) -> bool:
    """Whether a pattern is plainly found in every text, as `` and `.*` are."""
    try:
        return not source or matches_empty(ecma_pattern(source))
    except CaseError:
        return False  # a pattern that is read here and not there: what it finds is not known beforehand


def format_(context):
    name = context.schema["format"]
    if not isinstance(name, str):
        context.refuse(("format",), f"'format' is a name, not {json_kind(name)}: write one such as \"date-time\"")
    known = FORMATS.get(name)
    if known is None or not context.asserts_format:
        return None
    check, words = known
    return Assertion("format", {str: lambda value, memory: check(value)}, lambda value: f"must be {words}")


# Arrays and objects

def unique_items(context):
    value = context.schema["uniqueItems"]
    if not isinstance(value, bool):
        context.refuse(("uniqueItems",), f"'uniqueItems' is true or false, not {json_kind(value)}")
    return Assertion("uniqueItems", {list: lambda value, memory: _twice(value) is None}, _same_items) if value else None


def _twice(items) -> tuple | None:
    """The indexes of two items that are the same JSON value, or None."""
    kinds = {type(item) for item in items}
    plain = len(kinds) == 1 and (str in kinds or int in kinds)
    if plain and len(set(items)) == len(items):
        return None
    first: dict = {}
    for index, item in enumerate(items):
        known = first.setdefault(item if plain else canonical(item), index)
        if known != index:
            return known, index
    return None


def _same_items(items) -> str:
    first, second = _twice(items)
    return f"must hold no item twice: the items {first} and {second} are the same"


def required(context):
    wanted = names(context, ("required",), context.schema["required"])
    return Required(wanted) if wanted else None


class Required(Assertion):
    """`required`: one violation for each name that is missing."""

    __slots__ = ("names",)

    def __init__(self, wanted: list) -> None:
        self.names = tuple(wanted)
        super().__init__("required", {dict: _all_in(self.names)}, None)

    def report(self, at):
        if isinstance(at.instance, dict):
            for name in self.names:
                if name not in at.instance:
                    at.fail(("required",), lambda name=name: _missing(name, at))
        return ()


def _missing(name: str, at) -> str:
    """A property that is there and that the schema does not know may be the missing one misspelt."""
    declared = at.node.schema.get("properties", {})
    near = at.hint(name, (key for key in at.instance if key not in declared and len(key) <= 64))
    return f"the property {quote(name)} is missing" + (f": is it what stands as {quote(near)}?" if near else "")


def _all_in(wanted: tuple):
    if len(wanted) == 1:
        (name,) = wanted
        return lambda value, memory: name in value

    def check(value, memory):
        for name in wanted:
            if name not in value:
                return False
        return True

    return check


def names(context, steps: tuple, value) -> list:
    """The value of a keyword that lists names of properties."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        mend = ": write it beside 'properties', not inside a property" if isinstance(value, bool) else ""
        context.refuse(steps, f"'{steps[0]}' is a list of names of properties{mend}")
    if len(set(value)) != len(value):
        context.refuse(steps, f"'{steps[0]}' names a property twice: leave one out")
    return value


def dependent_required(context):
    value = context.schema["dependentRequired"]
    if not isinstance(value, dict):
        context.refuse(("dependentRequired",), f"'dependentRequired' is an object of lists of names, not {json_kind(value)}")
    steps = [("dependentRequired", name) for name in value]
    return [DependentNames(each, each[1], names(context, each, value[each[1]])) for each in steps]


class DependentNames(Assertion):
    """With one property, others must stand too."""

    __slots__ = ("steps", "trigger", "names")

    def __init__(self, steps: tuple, trigger: str, wanted: list) -> None:
        self.steps = steps
        self.trigger = trigger
        self.names = tuple(wanted)
        others = tuple(name for name in wanted if name != trigger)
        present = _all_in(others)
        super().__init__(steps[0], {dict: lambda value, memory: trigger not in value or present(value, memory)} if others else {}, None)

    def report(self, at):
        if isinstance(at.instance, dict) and self.trigger in at.instance:
            for name in self.names:
                if name not in at.instance:
                    at.fail(self.steps, lambda name=name: f"where {quote(self.trigger)} stands, the property {quote(name)} must stand too")
        return ()
