"""Tier 3, the contract of a JSON answer or of a whole text: what must stand in it, or all that it must be.

`json_subset` is the relation of expected to actual: every key of the expected value stands in the actual one with a value that is in
the same relation; keys that are not expected do not matter. Lists have the same length and are compared by position, or, with `unordered`, by a pairing
of all expected elements with different actual ones (found as a maximum matching, so that no greedy choice hides a pairing that exists).
"""
from __future__ import annotations

import unicodedata

from ..ground.canonical import canonical, json_kind, same
from ..ground.errors import CaseError
from ..text.characters import pinned
from .fields import Field
from .outcome import blind, failed, held
from .pairing import pairs_all
from .table import LOOK, MatcherType

_UNORDERED = Field("unordered", "boolean", "the order of lists does not matter", False)


def _json_check(difference_of, expected: object):
    """A check of the answer's JSON by a function that gives the first difference as words, or None."""
    kind = {dict: "object", list: "array"}.get(type(expected), "any")

    def check(reading):
        found = reading.json(kind)
        if found.failed:
            return blind(found.reason, expected)
        difference = difference_of(found.value)
        return held(reading, reason="is as expected") if difference is None else failed(difference, expected, found.value)

    return check


def _json_subset(values: dict):
    expected, unordered = values["expected"], values["unordered"]
    if expected in ({}, []):
        raise CaseError("an empty value stands in everything: name what must be there", path=("expected",))
    return _json_check(lambda actual: subset_difference(expected, actual, unordered), expected)


def _json_equal(values: dict):
    return _json_check(equal_to(values["expected"], values["unordered"]), values["expected"])


def equal_to(expected: object, unordered: bool = False):
    """A function that tells where an actual value differs from the expected one, in words, or None; `unordered` passes over the order of lists."""
    sought = _sorted_lists(expected) if unordered else expected
    return lambda actual: equality_difference(sought, _sorted_lists(actual) if unordered else actual)


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
            return None if pairs_all(expected, actual, _stands_in) else f"{place or 'the list'} does not hold all that is expected, in any order"
        for index, (one, other) in enumerate(zip(expected, actual)):
            difference = subset_difference(one, other, unordered, f"{place}[{index}]")
            if difference:
                return difference
        return None
    return None if same(expected, actual) else _unequal(place, expected, actual)


def _stands_in(one: object, other: object) -> bool:
    return subset_difference(one, other, True) is None


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


def _sorted_lists(value: object) -> object:
    """The value with every list in one order, so that equality does not see the order."""
    if isinstance(value, dict):
        return {key: _sorted_lists(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((_sorted_lists(item) for item in value), key=canonical)
    return value


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
        return failed("is not the same text (case and white space apart)", values["expected"], reading.answer)

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
        more = f"; and {len(errors) - 5} more" if len(errors) > 5 else ""
        return failed("does not meet the schema: " + "; ".join(str(error) for error in errors[:5]) + more, None, found.value)

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
