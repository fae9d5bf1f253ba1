"""The keywords: which compiler reads which, in the order in which they are checked, the cheap ones first."""
from __future__ import annotations

from ...ground.canonical import json_kind
from . import assertions, in_place, parts
from .dialects import LIST, MEMBERS, SCHEMA_OR_LIST, SCHEMAS_OR_NAMES

# The keywords that one compiler reads together, and the compiler: from a Context to a keyword, a list of them, or None for none.
COMPILERS = (
    (("type",), assertions.type_),
    (("const",), assertions.const),
    (("enum",), assertions.enum),
    (("minimum",), assertions.minimum),
    (("exclusiveMinimum",), assertions.exclusive_minimum),
    (("maximum",), assertions.maximum),
    (("exclusiveMaximum",), assertions.exclusive_maximum),
    (("multipleOf",), assertions.multiple_of),
    (("minLength",), assertions.min_length),
    (("maxLength",), assertions.max_length),
    (("pattern",), assertions.pattern),
    (("format",), assertions.format_),
    (("minItems",), assertions.min_items),
    (("maxItems",), assertions.max_items),
    (("minProperties",), assertions.min_properties),
    (("maxProperties",), assertions.max_properties),
    (("required",), assertions.required),
    (("dependentRequired",), assertions.dependent_required),
    (("properties", "patternProperties", "additionalProperties"), parts.members),
    (("propertyNames",), parts.property_names),
    (("prefixItems", "items", "additionalItems"), parts.items),
    (("uniqueItems",), assertions.unique_items),
    (("contains", "minContains", "maxContains"), parts.contains),
    (("$ref",), in_place.reference("$ref")),
    (("$dynamicRef",), in_place.reference("$dynamicRef")),
    (("$recursiveRef",), in_place.reference("$recursiveRef")),
    (("allOf",), in_place.all_of),
    (("anyOf",), in_place.any_of),
    (("oneOf",), in_place.one_of),
    (("not",), in_place.not_),
    (("if", "then", "else"), in_place.conditional),
    (("dependentSchemas",), in_place.dependent_schemas),
    (("dependencies",), in_place.dependencies),
    (("unevaluatedItems",), parts.unevaluated("unevaluatedItems")),
    (("unevaluatedProperties",), parts.unevaluated("unevaluatedProperties")),
    (("$defs",), in_place.definitions("$defs")),
    (("definitions",), in_place.definitions("definitions")),
    (("contentSchema",), in_place.content_schema),
)
_BESIDE_A_LONE_REFERENCE = ("$ref", "$defs", "definitions")


def compile_keywords(context) -> None:
    """Gives a node its keywords."""
    schema, node, shapes = context.schema, context.node, context.dialect.shapes
    if schema is False:
        node.keywords.append(in_place.Never())
    if schema is True or schema is False:
        return
    if not isinstance(schema, dict):
        context.refuse((), f"a schema is an object, or true or false, not {json_kind(schema)}")
    lone = context.dialect.lone_references and "$ref" in schema
    present = [keyword for keyword in schema if keyword in shapes and (not lone or keyword in _BESIDE_A_LONE_REFERENCE)]
    for keyword in present:
        _check_shape(context, keyword, shapes[keyword], schema[keyword])
    for keywords, compiler in COMPILERS:
        if any(keyword in present for keyword in keywords):
            found = compiler(context)
            if isinstance(found, list):
                node.keywords.extend(found)
            elif found is not None:
                node.keywords.append(found)


def _check_shape(context, keyword: str, shape: str, value) -> None:
    if shape == LIST or shape == SCHEMA_OR_LIST and isinstance(value, list):
        if not isinstance(value, list) or not value and shape == LIST:
            context.refuse((keyword,), f"'{keyword}' is a list of one or more schemas: write them in [ ]")
    elif shape in (MEMBERS, SCHEMAS_OR_NAMES):
        if not isinstance(value, dict):
            context.refuse((keyword,), f"'{keyword}' is an object from names to schemas, not {json_kind(value)}")
    elif shape != "no schema" and keyword == "items" and isinstance(value, list):
        context.refuse((keyword,), "'items' is one schema in draft 2020-12: write 'prefixItems' for a list of them")
