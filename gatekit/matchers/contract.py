"""Tier 3, the contract of a JSON answer or of a whole text: what must stand in it, or all that it must be.

`json_subset` is the relation of expected to actual: every key of the expected value stands in the actual one with a value that is in
the same relation; keys that are not expected do not matter. Lists have the same length and are compared by position, or, with `unordered`, by a pairing
of all expected elements with different actual ones (found as a maximum matching, so that no greedy choice hides a pairing that exists).
"""
from __future__ import annotations

import unicodedata

from ..ground.canonical import canonical, digest, json_kind, same
from ..ground.errors import CaseError
from ..text.characters import pinned
from .fields import Field
from .outcome import AS_TEXT, Compared, Said, blind, failed, held
from .pairing import pairs_all
from .table import LOOK, MatcherType

_REMEMBERED = 100_000
_TOLD = 5  # ways in which a schema is not met; if there are more, they are a difference
_UNORDERED = Field("unordered", "boolean", "the order of lists does not matter", False)


def _json_check(difference_of, expected: object, compared: Compared):
    """A check of the answer's JSON by a function that gives the first difference as words, or None."""
    kind = {dict: "object", list: "array"}.get(type(expected), "any")

    def check(reading):
        found = reading.json(kind)
        if found.failed:
            return blind(found.reason, expected)
        difference = difference_of(found.value)
        return held(reading, reason="is as expected") if difference is None else failed(difference, expected, found.value, compared=compared)

    return check


def _json_subset(values: dict):
    expected, unordered = values["expected"], values["unordered"]
    if expected in ({}, []):
        raise CaseError("an empty value stands in everything: name what must be there", path=("expected",))
    return _json_check(lambda actual: subset_difference(expected, actual, unordered), expected, Compared("json", True, unordered))


def _json_equal(values: dict):
    return _json_check(equal_to(values["expected"], values["unordered"]), values["expected"], Compared("json", False, values["unordered"]))


def equal_to(expected: object, unordered: bool = False):
    """A function that tells where an actual value differs from the expected one, in words, or None; `unordered` passes over the order of lists."""
    if unordered:
        sought = Unordered(expected)
        return lambda actual: unordered_difference(sought, Unordered(actual))
    return lambda actual: equality_difference(expected, actual)


def subset_difference(expected: object, actual: object, unordered: bool = False, place: str = "") -> str | None:
    """Where an expected value does not stand in an actual one, in words; None where it does."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected):
            inner = f"{place}.{key}" if place else key
            if key not in actual:
                return f"{inner} is missing"
            difference = subset_difference(expected[key], actual[key], unordered, inner)
            if difference:
                return difference
        return None
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return f"{place or 'the list'} has {len(actual)} elements, not {len(expected)}"
        if unordered:
            stand = _all_stand_in(Unordered(expected).inside, Unordered(actual).inside, {})
            return None if stand else f"{place or 'the list'} does not hold all that is expected, in any order"
        for index, (one, other) in enumerate(zip(expected, actual)):
            difference = subset_difference(one, other, unordered, f"{place}[{index}]")
            if difference:
                return difference
        return None
    return None if same(expected, actual) else _unequal(place, expected, actual)


def stands_in(one: Unordered, other: Unordered, known: dict) -> bool:
    """Whether an expected value stands in an actual one, the order of lists apart; `known` remembers the answers on lists."""
    if one.mark == other.mark:
        return True
    left, right = one.inside, other.inside
    if isinstance(left, dict) and isinstance(right, dict):
        return all(key in right and stands_in(item, right[key], known) for key, item in left.items())
    if not isinstance(left, list) or not isinstance(right, list) or len(left) != len(right):
        return False
    pair = (one.mark, other.mark)
    if pair not in known:
        stand = _all_stand_in(left, right, known)
        if len(known) >= _REMEMBERED:
            known.clear()
        known[pair] = stand
    return known[pair]


def _all_stand_in(left: list, right: list, known: dict) -> bool:
    """Whether each element of an expected list stands in one of its own of an actual list of the same length.

    What is the same is paired first, which takes nothing from the others: if e stands in a, and a is the same as an expected one that stands in b, then e
    stands in b. So only what is left over is compared each with each.
    """
    missing, more = _left_over(left, right), _left_over(right, left)
    if len(missing) == 1:
        return stands_in(missing[0], more[0], known)
    if any(item.inside is None for item in missing):
        return False  # what is neither a list nor an object stands only in what is the same
    return pairs_all(missing, more, lambda one, other: stands_in(one, other, known), _Holders(more).of)


class _Holders:
    """Finds the few elements of a list in which another value may stand: those that hold each of its single values, below the same keys."""

    __slots__ = ("_all", "_by_value")

    def __init__(self, elements: list) -> None:
        self._all = range(len(elements))
        self._by_value: dict = {}
        for at, element in enumerate(elements):
            for value in _single_values(element):
                self._by_value.setdefault(value, set()).add(at)

    def of(self, one: Unordered) -> list | range:
        """Where the value may stand, as indexes in their order."""
        holders = sorted((self._by_value.get(value, frozenset()) for value in _single_values(one)), key=len)
        return sorted(frozenset.intersection(*map(frozenset, holders[:1]), *holders[1:])) if holders else self._all


def _single_values(one: Unordered) -> list:
    """The values in an object that are neither lists nor objects, each as the keys that lead to it and its mark."""
    found, waiting = [], [((), one)]
    while waiting:
        keys, one = waiting.pop()
        if isinstance(one.inside, dict):
            waiting += [((keys, key), item) for key, item in one.inside.items()]
        elif one.inside is None:
            found.append((keys, one.mark))
    return found


def equality_difference(expected: object, actual: object, place: str = "") -> str | None:
    """Where two JSON values differ, in words; None where they are the same."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted({*expected, *actual}):
            inner = f"{place}.{key}" if place else key
            if key not in actual or key not in expected:
                return f"{inner} is {'missing' if key not in actual else 'not expected'}"
            difference = equality_difference(expected[key], actual[key], inner)
            if difference:
                return difference
        return None
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, (one, other) in enumerate(zip(expected, actual)):
            difference = equality_difference(one, other, f"{place}[{index}]")
            if difference:
                return difference
        return None
    return None if same(expected, actual) else _unequal(place, expected, actual)


def _unequal(place: str, expected: object, actual: object) -> str:
    where = f"{place}: " if place else ""
    if isinstance(expected, list) and isinstance(actual, list):
        return f"{where}the list has {len(actual)} elements, not {len(expected)}"
    return f"{where}expected {_described(expected)}, got {_described(actual)}"


def _described(value: object) -> str:
    return json_kind(value) if isinstance(value, (dict, list)) else f"{canonical(value)} ({json_kind(value)})" if value is not None else "null"


class Unordered:
    """A JSON value with a mark that two values share if and only if they are the same once the order of lists does not matter.

    The mark of a list or an object is the digest of the sorted marks inside it, so that marking a value takes time in its size and not in its depth.
    """

    __slots__ = ("value", "mark", "inside")

    def __init__(self, value: object) -> None:
        self.value = value
        self.inside: object = None
        if isinstance(value, dict):
            self.inside = {key: Unordered(item) for key, item in value.items()}
            self.mark = digest("{" + ",".join(f"{canonical(key)}:{self.inside[key].mark}" for key in sorted(value)) + "}")
        elif isinstance(value, (list, tuple)):
            self.inside = [Unordered(item) for item in value]
            self.mark = digest("[" + ",".join(sorted(item.mark for item in self.inside)) + "]")
        else:
            self.mark = canonical(value)  # no digest is spelt as a JSON value without quotes is


def unordered_difference(expected: Unordered, actual: Unordered, place: str = "") -> str | None:
    """Where two JSON values differ, the order of lists apart, in words; None where they are the same."""
    if expected.mark == actual.mark:
        return None
    left, right = expected.inside, actual.inside
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right}):
            inner = f"{place}.{key}" if place else key
            if key not in right or key not in left:
                return f"{inner} is {'missing' if key not in right else 'not expected'}"
            difference = unordered_difference(left[key], right[key], inner)
            if difference:
                return difference
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        missing, more = _left_over(left, right), _left_over(right, left)
        if len(missing) == 1:
            return unordered_difference(missing[0], more[0], f"{place}[{left.index(missing[0])}]")
        return f"{place or 'the list'} does not hold {len(missing)} of the {len(left)} elements that are expected, in any order"
    return _unequal(place, expected.value, actual.value)


def _left_over(some: list, others: list) -> list:
    """The elements of one list that are left once each of another has taken one that is the same."""
    counts: dict = {}
    for item in others:
        counts[item.mark] = counts.get(item.mark, 0) + 1
    left = []
    for item in some:
        if counts.get(item.mark):
            counts[item.mark] -= 1
        else:
            left.append(item)
    return left


def normalized(text: str) -> str:
    """A text for `normalized_text_equal`, by a fixed rule: form C, lower case, runs of white space (line ends among them) as one space, ends trimmed."""
    known = pinned(text)
    if known is not text:
        # What a newer Unicode knows must not be lower-cased by a newer Python: it stays as it is.
        return " ".join("".join(piece if fresh else _composed_and_lowered(piece) for piece, fresh in _pieces(text, known)).split())
    return " ".join(_composed_and_lowered(text).split())


def _composed_and_lowered(text: str) -> str:
    """A text of known characters in form C and lower case."""
    return unicodedata.normalize("NFC", text).lower()


def _pieces(text: str, known: str):
    """Yield the stretches of a text, and whether each is of characters that are unknown."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (known[at] == "\uffff") != (known[start] == "\uffff"):
            yield text[start:at], known[start] == "\uffff"
            start = at


def _normalized_text_equal(values: dict):
    expected = normalized(values["expected"])
    if not expected:
        raise CaseError("the expected text is empty once it is normalized", path=("expected",))

    def check(reading):
        if normalized(reading.answer) == expected:
            return held(reading, reason="is the text")
        return failed("is not the same text (case and white space apart)", values["expected"], reading.answer, compared=AS_TEXT)

    return check


def _json_schema(values: dict):
    from ..formats.json_schema import JsonSchema

    try:
        schema = JsonSchema(values["schema"], format=values["format"])
    except CaseError as error:
        raise error.located(path=("schema",)) from None
    kinds = values["schema"].get("type") if isinstance(values["schema"], dict) else None
    kind = kinds if kinds in ("object", "array") else "any"

    def check(reading):
        found = reading.json(kind)
        if found.failed:
            return blind(found.reason, values["schema"])
        errors = schema.errors(found.value)
        if not errors:
            return held(reading, reason="meets the schema")
        words, more = "does not meet the schema: " + "; ".join(map(str, errors[:_TOLD])), len(errors) - _TOLD
        if more <= 0:
            return failed(words, None, found.value)
        all_said = tuple(Said(words=error.message, steps=error.path) for error in errors)
        return failed(f"{words}; and {more} more", None, found.value, compared=Compared("said", said=all_said))

    return check


TYPES = (
    MatcherType(
        "json_subset",
        3,
        "The expected value stands in the JSON of the answer: keys that are not expected do not matter, lists have the same length.",
        (Field("expected", "json", "the value that must stand there"), _UNORDERED),
        _json_subset,
    ),
    MatcherType("json_equal", 3, "The JSON of the answer is the expected value.", (Field("expected", "json", "the value"), _UNORDERED), _json_equal),
    MatcherType(
        "json_schema",
        3,
        "The JSON of the answer meets a JSON Schema: draft 2020-12, or 2019-09 or 07 by its $schema. What the schema misspells is refused.",
        (
            Field("schema", "json", "the schema"),
            Field("format", "choice", "whether `format` is checked", "annotate", {"annotate": "it is not: it describes", "assert": "it is, for the formats that are known"}),
        ),
        _json_schema,
    ),
    MatcherType(
        "normalized_text_equal",
        3,
        "The answer is the text, whatever its case, white space and line ends.",
        (Field("expected", "text", "the text"),),
        _normalized_text_equal,
        LOOK,
    ),
)
