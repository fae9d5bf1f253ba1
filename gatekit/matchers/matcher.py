"""One matcher, compiled: a type, its fields, and the check that they make."""
from __future__ import annotations

from ..data.reading import Reading, is_blank
from ..ground.canonical import MAX_DEPTH, canonical
from ..ground.errors import CaseError
from ..text.quoting import quote
from .catalogue import type_named
from .fields import Field, quote_json, refuse_unknown
from .outcome import HELD, Outcome, at_all, blind, placed
from .table import MatcherType

# So deep may matchers stand in each other: far deeper than anyone reads, and far from the limit of any stack.
MAX_INSIDE = 60

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..formats.field_path import FieldPath

class Matcher:
    """One deterministic check of a sample.

    `type` is the name of a type (the README has the table; `python -m gatekit --explain TYPE` prints one), the keyword arguments are that
    type's fields; a matcher inside a combinator is a Matcher or a mapping. Raises CaseError for a type or field that does not exist and for
    a value that cannot be meant; its `path` says where.

    `check` is the compiled check; `quick` is the same for an output without reasoning, and only tells whether the rule holds.

    A matcher does not change, two with equal fields are equal, and it can be pickled.
    """

    __slots__ = ("type", "fields", "name", "tier", "vetoes", "check", "quick", "inner")

    type: str
    fields: dict
    name: str | None
    tier: int
    vetoes: bool

    def __init__(self, type: str, /, **fields: object) -> None:
        row = type_named(type)
        if row.in_rubrics:
            raise CaseError(f"{quote(type)} is a field of a rubric: as a matcher it is {_IN_RUBRICS[type]}", path=("type",))
        self._compile(row, fields)

    @classmethod
    def from_dict(cls, mapping: object) -> Matcher:
        """A matcher from its mapping: `{"type": "contains", "value": "14 days"}`. Raises CaseError as the class does."""
        if isinstance(mapping, Matcher):
            return mapping
        if not isinstance(mapping, dict):
            raise CaseError('a matcher is a mapping with a "type"')
        if "type" not in mapping:
            raise CaseError('a matcher has no "type": name one, as {"type": "contains", "value": "14 days"}')
        row = type_named(mapping["type"])
        for key in mapping:
            if not isinstance(key, str):
                raise CaseError(f"the name of a field is text: write {quote_json(key)}", path=(key,))
        return cls(row.name, **{key: value for key, value in mapping.items() if key != "type"})

    @classmethod
    def invariant(cls, given: object) -> Matcher:
        """An invariant from its mapping, or from its name alone where it has no fields: `no_booking_unasked`. Raises CaseError as the class does."""
        made = cls.from_dict({"type": given} if isinstance(given, str) else given)
        if not type_named(made.type).invariant:
            raise CaseError(f"{quote(made.type)} is no invariant but a matcher: write it under \"matchers\"", path=("type",))
        return made

    @classmethod
    def of_rubric(cls, type: str, **fields: object) -> Matcher:
        """A matcher of a type that a rubric spells by a field of its own."""
        matcher = object.__new__(cls)
        matcher._compile(type_named(type), fields)
        return matcher

    def _compile(self, row: MatcherType, fields: dict) -> None:
        known = row.known
        refuse_unknown(fields, known, f"a rule of type {quote(row.name)}")
        for name, field in known.items():
            if field.required and name not in fields:
                raise CaseError(f"a rule of type {quote(row.name)} needs {quote(name)}: {field.about}", path=())
        if not row.tier:
            _refuse_deep(fields)
        values = {name: field.default for name, field in known.items()}
        fields = {name: _plain(value) for name, value in fields.items()}
        for name, value in fields.items():
            values[name] = _read(known[name], value)
        inner = () if row.tier else values.get("matchers") or (values["matcher"],)
        vetoes = row.vetoes if values["veto"] is None else values["veto"]
        check = row.compile(values)
        quick = check
        if "target" in row.common:
            check = _looking(check, values["target"], values["field"] if "field" in row.common else None, "unless" in row.common)
        if vetoes:
            check = _vetoing(check)
        for name, value in (
            ("type", row.name),
            ("fields", fields),
            ("name", values["name"]),
            ("tier", row.tier or max(matcher.tier for matcher in inner)),
            ("vetoes", vetoes),
            ("check", check),
            ("quick", quick if values.get("target", "output") == "output" and ("field" not in row.common or values["field"] is None) else check),
            ("inner", inner),
        ):
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict:
        """The mapping that the matcher is read from."""
        return {"type": self.type, **self.fields}

    def every(self):
        """Yield this matcher and all that stand inside it."""
        yield self
        for matcher in self.inner:
            yield from matcher.every()

    def __setattr__(self, name, value):
        raise AttributeError("a Matcher does not change: make a new one")

    __delattr__ = __setattr__

    def __eq__(self, other):
        return self.type == other.type and canonical(self.fields) == canonical(other.fields) if isinstance(other, Matcher) else NotImplemented

    def __hash__(self):
        return hash((self.type, canonical(self.fields)))

    def __repr__(self):
        inside = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"Matcher({self.type!r}{inside})"

    def __reduce__(self):
        return _rebuild, (self.type, self.fields, type_named(self.type).function)


_IN_RUBRICS = {"must_include": "'contains'", "must_exclude": "'not_contains'"}


def _rebuild(type: str, fields: dict, function: object) -> Matcher:
    matcher = object.__new__(Matcher)
    matcher._compile(type_named(type), fields)
    return matcher


def _read(field: Field, value: object) -> object:
    try:
        if field.kind == "matcher":
            return Matcher.from_dict(value)
        if field.kind == "matchers":
            return _read_all(value)
        return field.read(value)
    except CaseError as error:
        raise error.located(path=(field.name,)) from None


def _read_all(value: object) -> tuple:
    if not isinstance(value, (list, tuple)) or not value:
        raise CaseError("a combinator takes a list of matchers that is not empty")
    matchers = []
    for place, item in enumerate(value):
        try:
            matchers.append(Matcher.from_dict(item))
        except CaseError as error:
            raise error.located(path=(place,)) from None
    return tuple(matchers)


def _refuse_deep(fields: dict) -> None:
    """Refuse matchers that stand in each other too deep, before any of them is read."""
    inside, depth = [fields], 0
    while inside:
        if depth > MAX_INSIDE:
            raise CaseError(f"matchers stand in each other more than {MAX_INSIDE} deep")
        inside, depth = [each for outer in inside for each in _fields_inside(outer)], depth + 1


def _fields_inside(fields: dict) -> list:
    """The fields of the matchers that stand in a combinator's, as far as they look like any."""
    many = fields.get("matchers")
    listed = [fields.get("matcher"), *(many if isinstance(many, (list, tuple)) else ())]
    return [each.fields if isinstance(each, Matcher) else each for each in listed if isinstance(each, (Matcher, dict))]


def _plain(value: object, depth: int = 0) -> object:
    """A field's value as plain data of the matcher's own: matchers inside as their mappings."""
    if depth > 2 * MAX_INSIDE + MAX_DEPTH:
        raise CaseError(f"the value nests deeper than {MAX_DEPTH} levels: flatten it")
    if isinstance(value, Matcher):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item, depth + 1) for key, item in value.items()}
    return value


def _vetoing(check):
    def judge(reading: Reading) -> Outcome:
        outcome = check(reading)
        if outcome.state == "fail" and not outcome.vetoes:
            told = (outcome.reason, outcome.expected, outcome.actual, outcome.place, outcome.blind)
            return Outcome("fail", *told, vetoes=True, turns=outcome.turns, compared=outcome.compared)
        return outcome

    return judge


def _looking(check, target: str, path: FieldPath | None, never: bool):
    """The check at what `target` and `field` name. Where that is missing, or there is nothing to read, the rule could not look."""

    def judge(reading: Reading) -> Outcome:
        if path is not None:
            return _each(check, reading, path)
        if reading.reasoning_spans and not reading.allow_empty and is_blank(reading.text if never and reading.reasoning != "strip" else reading.answer):
            return blind("there is no answer beside the reasoning")
        return check(reading)

    if target == "output":
        return judge
    from .targets import looking_at

    return looking_at(target, judge)


def texts_looked_at(matcher: Matcher, reading: Reading) -> list:
    """The texts that a matcher is asked about in a reading: the answer, or what its `target` and `field` name."""
    from ..formats.field_path import FieldPath

    texts: list = []

    def note(inner: Reading) -> Outcome:
        texts.append(inner.answer)
        return HELD

    path = matcher.fields.get("field")
    _looking(note, matcher.fields.get("target", "output"), None if path is None else FieldPath(path), False)(reading)
    return texts


def _each(check, reading: Reading, path: FieldPath) -> Outcome:
    document = reading.json("object" if path.wants_object else "any")
    if document.failed:
        return blind(document.reason)
    found = path.find(document.value)
    if found.missing:
        return blind(found.reason)
    outcomes = []
    for place, value in found.values:
        if is_blank(value) and not reading.allow_empty:
            outcomes.append(blind(f"{place} is {'null' if value is None else 'empty'}: there is nothing to read"))
        else:
            outcomes.append(placed(place, check(reading.at(value))))
    return at_all(outcomes, "places")
