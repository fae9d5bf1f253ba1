"""The JSON Schema of a case file, made from the tables that validate it: for completion and checks in an editor."""
from __future__ import annotations

from ..judging.rubric import FIELDS as RUBRIC_FIELDS
from ..judging.rubric import PACKS
from ..matchers.catalogue import all_types
from ..matchers.expected_calls import MODES
from ..matchers.fields import TOOL_TARGET, Field
from ..matchers.table import TARGETS
from .case import FIELDS
from .settings import GATE_FIELDS

_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}
_FACT = {"anyOf": [_TEXT, _TEXTS]}
_FACTS = {"type": "array", "items": _FACT, "minItems": 1}
_RATE = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": r"^\s*-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?\s*%?\s*$"}]}
_EVENT = {"type": "object", "minProperties": 1}

_CALL = {"type": "object", "properties": {"name": _TEXT, "args": {"type": ["object", "array", "string"]}}, "required": ["name"], "additionalProperties": False}
_ARGUMENTS = {"enum": list(MODES)}

# Kind of a matcher's field (matchers/fields.py): its schema. A choice lists its words, and a JSON value is not constrained.
_KINDS = {
    "text": _TEXT,
    "fact": _FACT,
    "facts": _FACTS,
    "texts": _TEXTS,
    "text or texts": _FACT,
    "pattern": _TEXT,
    "path": _TEXT,
    "calls": {"type": "array", "items": {"anyOf": [_CALL, {"type": "array", "items": _CALL, "minItems": 1}]}, "minItems": 1},
    "call arguments": {
        "anyOf": [
            _ARGUMENTS,
            {
                "type": "object",
                "additionalProperties": {"anyOf": [_ARGUMENTS, _TEXTS, {"type": "object", "additionalProperties": _ARGUMENTS, "minProperties": 1}]},
                "minProperties": 1,
            },
        ]
    },
    "integer": {"type": "integer", "minimum": 0},
    "number": {"type": "number", "minimum": 0},
    "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    "digest": {"type": "string", "pattern": "^([Ss][Hh][Aa]256:)?[0-9a-fA-F]{64}$"},
    "vector": {"type": "array", "items": {"type": "number"}, "minItems": 1},
    "boolean": {"type": "boolean"},
    "json": {},
    "target": {"anyOf": [{"enum": [name for name in TARGETS if "NAME" not in name]}, {"type": "string", "pattern": f"^{TOOL_TARGET}$"}]},
    "words": _TEXT,
    "event": _EVENT,
    "scope": {"type": "object", "properties": {"after": _EVENT, "before": _EVENT}, "additionalProperties": False, "minProperties": 1},
    "tools": _FACT,
    "event or tools": {"anyOf": [_FACT, _EVENT]},
    "matcher": {"$ref": "#/$defs/matcher"},
    "matchers": {"type": "array", "items": {"$ref": "#/$defs/matcher"}, "minItems": 1},
}
_RUBRIC = {
    "must_include": _FACTS,
    "must_exclude": _FACTS,
    "forbidden_prefix": _TEXTS,
    "packs": {"type": "array", "items": {"enum": list(PACKS)}, "minItems": 1},
}
_CONFIDENCE = {"anyOf": [{"type": "number", "minimum": 0.5, "exclusiveMaximum": 1}, {"type": "string", "pattern": "^[0-9.]+%?$"}, {"type": "null"}]}
_GATE = {
    "min_judged": {"type": "integer", "minimum": 1},
    "rounding": {"type": "boolean"},
    "max_failure_rate": _RATE,
    "max_transient": _RATE,
    "confidence": _CONFIDENCE,
}
# A case has rules of its own or by its template, or is deprecated. (One that lives on what its folder shares alone reads its rules elsewhere: say so by a template.)
_BOUNDS = {"integer": ("minimum", "maximum"), "facts": ("minItems", "maxItems")}
_TYPES = {str: "string", bool: "boolean", int: "integer", list: "array", dict: "object"}


def case_schema() -> dict:
    """The schema of a case, as a JSON value (draft 2020-12)."""
    types = [row for row in all_types() if not row.in_rubrics]
    invariants = [{"$ref": f"#/$defs/{row.name}"} for row in types if row.invariant]
    special = {
        "id": _TEXT,
        "level": {"type": "integer", "minimum": 1, "maximum": 5},
        "tags": _TEXTS,
        "rubric": _object({name: _RUBRIC[name] for name in RUBRIC_FIELDS}, minProperties=1),
        "matchers": _KINDS["matchers"],
        "invariants": {"type": "array", "items": {"anyOf": [_TEXT, *invariants]}, "minItems": 1},
        "gate": _object({name: _GATE[name] for name in GATE_FIELDS}),
        "samples": {"type": "array", "items": {"type": ["string", "object"]}},
        "reasoning": {"enum": ["keep", "strip"]},
    }
    properties = {name: special.get(name, {"type": _TYPES[kind]} if kind else {}) for name, (kind, _) in FIELDS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a case of gatekit",
        **_object(properties, required=["id"]),
        "$defs": {
            "matcher": {"type": "object", "required": ["type"], "oneOf": [{"$ref": f"#/$defs/{row.name}"} for row in types]},
            **{row.name: _matcher(row) for row in types},
        },
    }


def _object(properties: dict, **more: object) -> dict:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def _matcher(row) -> dict:
    fields = row.known
    properties = {"type": {"const": row.name}, **{name: _field(field) for name, field in fields.items()}}
    required = ["type", *(name for name, field in fields.items() if field.required)]
    return {"title": row.name, "description": row.about, **_object(properties, required=required)}


def _field(field: Field) -> dict:
    schema = _KINDS[field.kind] if field.kind in _KINDS else {"enum": list(field.choices)}
    if field.bounds:
        schema = {**schema, **dict(zip(_BOUNDS[field.kind], field.bounds))}
    return {"description": field.about, **schema}
