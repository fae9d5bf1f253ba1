"""Which keywords there are: three drafts of JSON Schema, and the dialects that a schema's own meta-schema makes of them.

Sources: draft-handrews-json-schema-01 and -validation-01 (draft-07), draft-handrews-json-schema-02 and -validation-02 (2019-09),
draft-bhutton-json-schema-01 and -validation-01 (2020-12), at json-schema.org.
"""
from __future__ import annotations

from ...ground.record import Record

DRAFT_07, DRAFT_2019, DRAFT_2020 = "draft-07", "2019-09", "2020-12"
_ALL = (DRAFT_07, DRAFT_2019, DRAFT_2020)
_SINCE_2019 = (DRAFT_2019, DRAFT_2020)
_UNTIL_2019 = (DRAFT_07, DRAFT_2019)

# The shape of a keyword's value: where schemas stand in it.
NONE, SCHEMA, LIST, MEMBERS = "no schema", "a schema", "a list of schemas", "an object of schemas"
SCHEMA_OR_LIST, SCHEMAS_OR_NAMES = "a schema or a list of schemas", "an object of schemas and lists of names"

# keyword: (vocabulary, drafts, shape)
_KEYWORDS = {
    "$schema": ("core", _ALL, NONE),
    "$id": ("core", _ALL, NONE),
    "$ref": ("core", _ALL, NONE),
    "$comment": ("core", _ALL, NONE),
    "$anchor": ("core", _SINCE_2019, NONE),
    "$vocabulary": ("core", _SINCE_2019, NONE),
    "$defs": ("core", _SINCE_2019, MEMBERS),
    "$recursiveRef": ("core", (DRAFT_2019,), NONE),
    "$recursiveAnchor": ("core", (DRAFT_2019,), NONE),
    "$dynamicRef": ("core", (DRAFT_2020,), NONE),
    "$dynamicAnchor": ("core", (DRAFT_2020,), NONE),
    "definitions": ("core", _ALL, MEMBERS),
    "allOf": ("applicator", _ALL, LIST),
    "anyOf": ("applicator", _ALL, LIST),
    "oneOf": ("applicator", _ALL, LIST),
    "not": ("applicator", _ALL, SCHEMA),
    "if": ("applicator", _ALL, SCHEMA),
    "then": ("applicator", _ALL, SCHEMA),
    "else": ("applicator", _ALL, SCHEMA),
    "properties": ("applicator", _ALL, MEMBERS),
    "patternProperties": ("applicator", _ALL, MEMBERS),
    "additionalProperties": ("applicator", _ALL, SCHEMA),
    "propertyNames": ("applicator", _ALL, SCHEMA),
    "dependencies": ("applicator", _ALL, SCHEMAS_OR_NAMES),
    "dependentSchemas": ("applicator", _SINCE_2019, MEMBERS),
    "items": ("applicator", _UNTIL_2019, SCHEMA_OR_LIST),
    "additionalItems": ("applicator", _UNTIL_2019, SCHEMA),
    "prefixItems": ("applicator", (DRAFT_2020,), LIST),
    "contains": ("applicator", _ALL, SCHEMA),
    "unevaluatedItems": ("unevaluated", _SINCE_2019, SCHEMA),
    "unevaluatedProperties": ("unevaluated", _SINCE_2019, SCHEMA),
    "type": ("validation", _ALL, NONE),
    "enum": ("validation", _ALL, NONE),
    "const": ("validation", _ALL, NONE),
    "multipleOf": ("validation", _ALL, NONE),
    "maximum": ("validation", _ALL, NONE),
    "exclusiveMaximum": ("validation", _ALL, NONE),
    "minimum": ("validation", _ALL, NONE),
    "exclusiveMinimum": ("validation", _ALL, NONE),
    "maxLength": ("validation", _ALL, NONE),
    "minLength": ("validation", _ALL, NONE),
    "pattern": ("validation", _ALL, NONE),
    "maxItems": ("validation", _ALL, NONE),
    "minItems": ("validation", _ALL, NONE),
    "uniqueItems": ("validation", _ALL, NONE),
    "maxContains": ("validation", _SINCE_2019, NONE),
    "minContains": ("validation", _SINCE_2019, NONE),
    "maxProperties": ("validation", _ALL, NONE),
    "minProperties": ("validation", _ALL, NONE),
    "required": ("validation", _ALL, NONE),
    "dependentRequired": ("validation", _SINCE_2019, NONE),
    "format": ("format", _ALL, NONE),
    "contentEncoding": ("content", _ALL, NONE),
    "contentMediaType": ("content", _ALL, NONE),
    "contentSchema": ("content", _SINCE_2019, SCHEMA),
    "title": ("meta-data", _ALL, NONE),
    "description": ("meta-data", _ALL, NONE),
    "default": ("meta-data", _ALL, NONE),
    "examples": ("meta-data", _ALL, NONE),
    "readOnly": ("meta-data", _ALL, NONE),
    "writeOnly": ("meta-data", _ALL, NONE),
    "deprecated": ("meta-data", _SINCE_2019, NONE),
}
# Rows that differ in one draft.
_OF_2020 = {"items": ("applicator", (DRAFT_2020,), SCHEMA)}

# Vocabularies by URI, as the keywords above are grouped: 2019-09 has `unevaluated*` among the applicators.
_VOCABULARIES = {}
for _name in ("core", "applicator", "validation", "meta-data", "format", "content"):
    _VOCABULARIES["https://json-schema.org/draft/2019-09/vocab/" + _name] = (_name,) if _name != "applicator" else (_name, "unevaluated")
for _name in ("core", "applicator", "unevaluated", "validation", "meta-data", "content"):
    _VOCABULARIES["https://json-schema.org/draft/2020-12/vocab/" + _name] = (_name,)
for _name in ("format-annotation", "format-assertion"):
    _VOCABULARIES["https://json-schema.org/draft/2020-12/vocab/" + _name] = ("format",)
_ASSERTS_FORMAT = "https://json-schema.org/draft/2020-12/vocab/format-assertion"
_MAY_ASSERT_FORMAT = "https://json-schema.org/draft/2019-09/vocab/format"

KEYWORDS = tuple(_KEYWORDS)


class Dialect(Record):
    """The keywords that a schema is written in.

    Args:
        draft: one of DRAFT_07, DRAFT_2019, DRAFT_2020.
        vocabularies: those whose keywords are read, or None for all.
        asserts_format: whether its meta-schema makes `format` an assertion.
    """

    __slots__ = ("draft", "vocabularies", "asserts_format", "_shapes")

    def __init__(self, draft: str, vocabularies: frozenset | None = None, asserts_format: bool = False) -> None:
        rows = {**_KEYWORDS, **_OF_2020} if draft == DRAFT_2020 else _KEYWORDS
        shapes = {
            keyword: shape
            for keyword, (vocabulary, drafts, shape) in rows.items()
            if draft in drafts and (vocabularies is None or vocabulary == "core" or vocabulary in vocabularies)
        }
        self._set(draft, vocabularies, asserts_format, shapes)

    @property
    def shapes(self) -> dict:
        """The keywords, each with the shape of its value."""
        return self._shapes

    @property
    def lone_references(self) -> bool:
        """Whether a `$ref` makes everything beside it be ignored."""
        return self.draft == DRAFT_07


_STANDARD = {
    "http://json-schema.org/draft-07/schema": DRAFT_07,
    "https://json-schema.org/draft-07/schema": DRAFT_07,
    "https://json-schema.org/draft/2019-09/schema": DRAFT_2019,
    "https://json-schema.org/draft/2020-12/schema": DRAFT_2020,
}
DIALECTS = {uri: Dialect(draft) for uri, draft in _STANDARD.items()}
DEFAULT = DIALECTS["https://json-schema.org/draft/2020-12/schema"]


def drafts_of(keyword: str) -> tuple:
    """The drafts that know a keyword; none of them for a word that is no keyword."""
    return _KEYWORDS[keyword][1] if keyword in _KEYWORDS else ()


def customised(base: Dialect, vocabulary: dict) -> tuple:
    """The dialect of a meta-schema with a `$vocabulary`, and the URI of a vocabulary that it requires and that is not known, or None."""
    names, asserts_format = set(), False
    for uri, required in vocabulary.items():
        if uri in _VOCABULARIES:
            names.update(_VOCABULARIES[uri])
            asserts_format = asserts_format or uri == _ASSERTS_FORMAT or uri == _MAY_ASSERT_FORMAT and required is True
        elif required:
            return base, uri
    return Dialect(base.draft, frozenset(names), asserts_format), None
