"""Checks of the JSON in an answer: that it holds, and what stands in one field of it.

`json_field` judges every value that its path names; one that does not hold fails the rule. A path that leads nowhere is a rule that could not
look, whatever the operator, but for `exists`: false, which holds where the last step, and it alone, is missing.
"""
from __future__ import annotations

from ..ground.canonical import canonical, json_kind, same
from ..ground.errors import CaseError
from ..ground.exact import exact
from ..text.quoting import as_written, quote
from ..text.characters import pinned
from ..text.views import CAREFUL
from .amounts import COMPARISONS, MEANT
from .facts import first_place, phrases_of
from .fields import Field, pattern_that_says_something
from .outcome import AS_TEXT, Compared, blind, failed, held
from .table import MatcherType

_KINDS = ("object", "array", "string", "number", "integer", "boolean", "null")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_kind(value: object, kind: str) -> bool:
    """Whether a JSON value is of a kind as JSON Schema names it; 1.0 is an integer."""
    if kind == "number":
        return _is_number(value)
    if kind == "integer":
        return _is_number(value) and exact(value).is_integer()
    return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}[kind])


# Each operator: the expected value (and the tolerance) compiled into a test of one actual value. A test answers True, False, or the words
# for why it could not look.


def _equality(values: dict):
    expected, tolerance = values["value"], values["tolerance"]
    wanted = values["op"] == "eq"
    if tolerance is None:
        return lambda actual: same(actual, expected) == wanted
    if not _is_number(expected):
        raise CaseError(f"tolerance goes with a number, not with {json_kind(expected)}", path=("tolerance",))
    middle = exact(expected)
    return lambda actual: (abs(exact(actual) - middle) <= tolerance) == wanted if _is_number(actual) else "is no number"


def _order(values: dict):
    relation = COMPARISONS[values["op"]][0]
    if not _is_number(values["value"]):
        raise CaseError(f"{values['op']} compares numbers, and the value is {json_kind(values['value'])}", path=("value",))
    bound = exact(values["value"])
    return lambda actual: relation(exact(actual), bound) if _is_number(actual) else "is no number"


def _membership(values: dict):
    choices = values["value"]
    wanted = values["op"] == "in"
    if not isinstance(choices, list) or not choices:
        raise CaseError(f"{values['op']} takes a list of values that is not empty", path=("value",))
    return lambda actual: any(same(actual, choice) for choice in choices) == wanted


def _containment(values: dict):
    expected = values["value"]
    fact = tuple(expected) if isinstance(expected, list) and expected and all(isinstance(item, str) for item in expected) else (expected,)
    phrases = phrases_of(fact, CAREFUL) if all(isinstance(item, str) for item in fact) else ()

    def test(actual, reading):
        if isinstance(actual, list):
            return any(same(item, choice) for item in actual for choice in fact)
        if isinstance(actual, str):
            return bool(first_place(phrases, reading.at(actual).view(CAREFUL).text)) if phrases else "is text, and the value that it should contain is none"
        return f"is {json_kind(actual)}, and neither text nor a list"

    test.reads = True
    return test


def _match(values: dict):
    if not isinstance(values["value"], str):
        raise CaseError("matches takes a regular expression as text", path=("value",))
    try:
        pattern = pattern_that_says_something(values["value"])
    except CaseError as error:
        raise error.located(path=("value",)) from None
    return lambda actual: pattern.search(pinned(actual)) is not None if isinstance(actual, str) else f"is {json_kind(actual)}, and no text"


def _type(values: dict):
    kinds = values["value"] if isinstance(values["value"], list) else [values["value"]]
    for kind in kinds:
        if kind not in _KINDS:
            raise CaseError(f"a type is one of {', '.join(_KINDS)}, not {quote(kind) if isinstance(kind, str) else json_kind(kind)}", path=("value",))
    if not kinds:
        raise CaseError("an empty list of types: no value is of one of them", path=("value",))
    return lambda actual: any(is_kind(actual, kind) for kind in kinds)


def _length(values: dict):
    bounds = values["value"] if isinstance(values["value"], dict) else {"min": values["value"], "max": values["value"]}
    whole = all(isinstance(bound, int) and not isinstance(bound, bool) and bound >= 0 for bound in bounds.values())
    if not bounds or not set(bounds) <= {"min", "max"} or not whole or bounds.get("min", 0) > bounds.get("max", bounds.get("min", 0)):
        raise CaseError('length takes a whole number, or {"min": ..., "max": ...} with min not above max', path=("value",))
    if bounds == {"min": 0}:
        raise CaseError("every length is at least 0, so this would decide nothing", path=("value",))

    def test(actual):
        if not isinstance(actual, (str, list, dict)):
            return f"is {json_kind(actual)}, which has no length"
        return bounds.get("min", 0) <= len(actual) and ("max" not in bounds or len(actual) <= bounds["max"])

    return test


def _existence(values: dict):
    if values["value"] is not None and not isinstance(values["value"], bool):
        raise CaseError("exists takes true or false", path=("value",))
    wanted = values["value"] is not False
    return lambda actual: wanted


OPERATORS = {
    "eq": _equality,
    "ne": _equality,
    "gt": _order,
    "gte": _order,
    "lt": _order,
    "lte": _order,
    "in": _membership,
    "not_in": _membership,
    "contains": _containment,
    "matches": _match,
    "exists": _existence,
    "type": _type,
    "length": _length,
}
_WORDS = {"eq": "is not", "ne": "is", "gt": "is not more than", "gte": "is less than", "lt": "is not less than", "lte": "is more than",
          "in": "is not one of", "not_in": "is one of", "contains": "does not contain", "matches": "does not match", "exists": "exists",
          "type": "is not of the type", "length": "is not of the length"}  # fmt: skip
_BANS = {"ne": ", and must not be", "not_in": ", and must not be", "exists": ", and must not"}  # what was found is what the rule bans
# How others write the operators, and what they are here: those that compare, and the rest.
_MEANT = {
    **MEANT,
    "one_of any_of among is_in": "in",
    "nin not_one_of none_of not_among": "not_in",
    "has include includes contain": "contains",
    "match regex regexp pattern =~ ~ ~= like": "matches",
    "exist present is_present is_set defined has_key": "exists",
    "not_exists not_exist absent missing is_absent not_present undefined": 'exists, with "value": false',
    "not_contains not_contain excludes": 'contains, inside a matcher {"type": "not", "matcher": ...}',
    "not_matches not_match not_regex !~": 'matches, inside a matcher {"type": "not", "matcher": ...}',
    "is_type isinstance instance_of is_a typeof kind": "type",
    "len size count": "length",
}
_MISSING = object()


def _json_field(values: dict):
    operator, path = values["op"], values["field"]
    if values["value"] is _MISSING and operator != "exists":
        raise CaseError(f'{operator} compares with a "value": name it', path=("value",))
    if values["tolerance"] is not None and operator not in ("eq", "ne"):
        raise CaseError(f"tolerance goes with eq and ne, not with {operator}", path=("tolerance",))
    values = {**values, "value": None if values["value"] is _MISSING else values["value"]}
    expected = values["value"]
    test = OPERATORS[operator](values)
    holds = f"{path.spelt} exists" if operator == "exists" else f"{path.spelt} {operator} {_spelt(operator, expected)}"
    may_be_missing = operator == "exists" and expected is False

    def check(reading):
        document = reading.json("object" if path.wants_object else "any")
        if document.failed:
            return blind(document.reason, expected)
        found = path.find(document.value)
        if found.missing:
            if operator == "exists" and found.only_last_step:
                return held(reading, reason=found.reason) if may_be_missing else failed(found.reason, True)
            return blind(found.reason, expected)
        for (place, actual), steps in zip(found.values, found.paths):
            answer = test(actual, reading) if operator == "contains" else test(actual)
            if answer is not True:
                return _refused(place, steps, actual, operator, expected, answer)
        return held(reading, reason=holds)

    return check


def _spelt(operator: str, expected: object) -> str:
    return as_written(expected) if operator == "matches" else canonical(expected)


def _refused(place: str, steps: tuple, actual: object, operator: str, expected: object, answer: object):
    if isinstance(answer, str):
        return blind(f"{place} {answer}", expected, actual)
    shown = "" if operator == "exists" else f" {_spelt(operator, expected)}"
    words = f"{place} {_WORDS[operator]}{shown}{_BANS.get(operator, '')}" + (f": {canonical(actual)}" if operator not in ("ne", "exists") else "")
    return failed(words, expected, actual, compared=_compared(expected, actual, steps) if operator == "eq" else None)


def _compared(expected: object, actual: object, steps: tuple) -> Compared | None:
    """How a field is held against a value: of numbers and the like the reason says all."""
    if isinstance(expected, str) and isinstance(actual, str):
        return AS_TEXT
    return Compared("json", root=steps) if isinstance(expected, (dict, list)) and isinstance(actual, type(expected)) else None


def _is_json(values: dict):
    kind, whole = values["kind"], values["whole"]

    def check(reading):
        found = reading.json(kind)
        if found.failed:
            return failed(found.reason, "JSON")
        if kind != "any" and not is_kind(found.value, kind):
            return failed(f"the JSON is {json_kind(found.value)}, not an {kind}", kind)
        if whole and reading.answer.strip() != reading.answer[found.start : found.end]:
            return failed("the answer holds something beside the JSON", "nothing but JSON", reading.answer)
        return held(reading, reason="is JSON")

    return check


TYPES = (
    MatcherType(
        "json_field",
        2,
        "A field of the JSON in the answer compares as expected. Numbers compare exactly; 1 is 1.0, true is not 1, and \"1\" is not 1.",
        (
            Field("field", "path", "the field: order.items[0].sku, items[*].price, or a JSON Pointer"),
            Field("op", "choice", "how it compares", choices=tuple(OPERATORS), meant=_MEANT),
            Field("value", "json", "what it is compared with (for exists: true, the default, or false)", _MISSING),
            Field("tolerance", "number", "with eq and ne: how far a number may be away", None),
        ),
        _json_field,
        ("target",),
    ),
    MatcherType(
        "is_json",
        2,
        "The answer holds JSON that is valid and is the only one: the whole answer, its only fenced block, or its only object or array.",
        (
            Field("kind", "choice", "what it must be", "any", ("any", "object", "array")),
            Field("whole", "boolean", "the answer must be nothing but the JSON", False),
        ),
        _is_json,
        ("target",),
    ),
)
