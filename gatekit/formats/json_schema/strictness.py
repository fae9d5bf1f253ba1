"""What a strict reading refuses and warns of, so that a schema cannot silently check less than its author meant.

Refused: keywords that do not exist (the nearest one is named), or not in the schema's draft; formats that do not exist; a schema that
constrains nothing, or nothing beside its `type`. Warned of: objects of which nothing is required and to which everything is allowed, so that `{}` holds;
schemas that constrain values of some kinds and let all others hold; a keyword that checks nothing beside the `type` while others do.
"""
from __future__ import annotations

from ...ground.errors import nearest
from ...text.quoting import quote
from .dialects import KEYWORDS, drafts_of
from .evaluation import accepts
from .formats import FORMATS
from .tables import KINDS

# Words that say nothing about a value: what generators and editors put into schemas.
_ANNOTATIONS = ("example", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$vocabulary")
# Keywords of other drafts and of descriptions of interfaces, and the mend.
_MENDS = {
    "id": "write '$id'",
    "nullable": "let 'type' list \"null\": [\"string\", \"null\"]",
    "discriminator": "write 'oneOf' with a 'const' for each alternative",
    "optional": "list what must stand in 'required'",
    "divisibleBy": "write 'multipleOf'",
    "extends": "write 'allOf'",
    "disallow": "write 'not'",
    "values": "write 'enum'",
    "regex": "write 'pattern'",
    "strict": "it belongs beside the schema; write 'additionalProperties': false inside of it",
}
# What a keyword of one draft is called in others.
_NAMES_IN_DRAFTS = {
    "$recursiveRef": "write '$dynamicRef'",
    "$recursiveAnchor": "write '$dynamicAnchor'",
    "additionalItems": "write 'items' beside 'prefixItems'",
    "prefixItems": "write 'items' as a list",
    "dependentRequired": "write 'dependencies'",
    "dependentSchemas": "write 'dependencies'",
    "$anchor": "write '$id' with a fragment",
}

_LOOSE = ("of {} nothing is required and everything is allowed, so that an empty one holds: list 'required' properties, "
          "or write 'additionalProperties': false")
# Keywords that say nothing unless one of others stands beside them.
_IDLE_WITHOUT = {
    "if": ("then", "else"),
    "then": ("if",),
    "else": ("if",),
    "minContains": ("contains",),
    "maxContains": ("contains",),
    "additionalItems": ("items",),
}
_NUMBERS = ("number", "integer")
# Types: the keywords that look at values of these types alone.
_LOOK_AT = {
    ("string",): ("minLength", "maxLength", "pattern"),
    _NUMBERS: ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
    ("array",): ("items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"),
    ("object",): ("properties", "patternProperties", "additionalProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas", "dependencies",
                  "minProperties", "maxProperties", "unevaluatedProperties"),
}  # fmt: skip
_TYPES_OF = {keyword: types for types, keywords in _LOOK_AT.items() for keyword in keywords}
_FOR_ANY_TYPE = ("enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "$ref", "$dynamicRef", "$recursiveRef")
_NAMES = ((dict, "objects"), (list, "arrays"), (str, "texts"), (int, "numbers"))
_UNTYPED = "{} constrains {} alone, and every other value holds: write 'type' beside what it says"
_IDLE = "{} has {}, which checks nothing beside its 'type'"


def check_schema(place) -> None:
    """Raises the CaseError for what a strict reading refuses in one schema."""
    schema, dialect = place.schema, place.resource.dialect
    if not isinstance(schema, dict):
        return
    for keyword in schema:
        if keyword not in dialect.shapes and keyword not in _ANNOTATIONS and not keyword.startswith("x-"):
            if not (keyword == "$defs" and dialect.lone_references):  # only references reach it, and they do
                raise place.error(_unknown(keyword, dialect), (keyword,))
    if dialect.lone_references and "$ref" in schema:
        for keyword in schema:
            if not _may_stand_beside_a_reference(keyword):
                wrong = f"in draft-07 nothing beside '$ref' is read, so {quote(keyword)} checks nothing"
                raise place.error(f"{wrong}: put the '$ref' into 'allOf'", (keyword,))
    if schema.get("enum") == []:
        raise place.error("'enum' is empty, so that nothing holds: list the values that do", ("enum",))
    for keyword, needed in _IDLE_WITHOUT.items():
        if keyword in schema and keyword in dialect.shapes and not any(each in schema for each in needed):
            wanted = " or ".join(quote(each) for each in needed)
            raise place.error(f"{quote(keyword)} checks nothing without {wanted}: add that, or leave it out", (keyword,))
    idle = _idle(schema, dialect)
    if idle and not any(keyword in schema for keyword in _FOR_ANY_TYPE) and all(keyword in idle for keyword in schema if keyword in _TYPES_OF):
        wrong = f"beside this 'type' {' and '.join(map(quote, idle))} {'check' if len(idle) > 1 else 'checks'} nothing, and nothing else is checked"
        raise place.error(f"{wrong}: write the type that it is for, or leave it out", (idle[0],))
    name = schema.get("format")
    if isinstance(name, str) and name not in FORMATS and "format" in dialect.shapes:
        near = nearest(name, FORMATS)
        hint = f"did you mean {quote(near)}?" if near else f"write one of {', '.join(FORMATS)}, or leave it out"
        raise place.error(f"there is no format {quote(name)}: {hint}", ("format",))


def _may_stand_beside_a_reference(keyword: str) -> bool:
    annotations = ("$ref", "$schema", "$comment", "$defs", "definitions", "title", "description", "default", *_ANNOTATIONS)
    return keyword in annotations or keyword.startswith("x-")


def _unknown(keyword: str, dialect) -> str:
    drafts = drafts_of(keyword)
    if dialect.draft in drafts:
        return f"the vocabularies of this schema's '$schema' have no {quote(keyword)}: leave it out, or write the standard '$schema'"
    if drafts:
        mend = _NAMES_IN_DRAFTS.get(keyword, "leave it out")
        wrong = f"the keyword {quote(keyword)} is of draft {' and '.join(drafts)}, and this schema is of {dialect.draft}"
        return f"{wrong}: {mend}, or change '$schema'"
    near = nearest(keyword, [each for each in KEYWORDS if each in dialect.shapes])
    if keyword in _MENDS:
        hint = _MENDS[keyword]
    else:
        hint = f"did you mean {quote(near)}?" if near else "a property stands inside 'properties', a note of your own begins with 'x-'"
    return f"there is no keyword {quote(keyword)}: {hint}"


def constrains(root) -> bool:
    """Whether a node constrains anything; one that only comes back to itself does not."""
    seen, waiting = {root.number}, [root]
    while waiting:
        node = waiting.pop()
        if all(node.table[kind] is True for kind in KINDS):
            continue
        for keyword in node.keywords:
            if keyword.opaque and any(keyword.entry(kind) is not True for kind in KINDS):
                return True
            for inner in keyword.looked_at:
                if inner.number not in seen:
                    seen.add(inner.number)
                    waiting.append(inner)
    return False


def _idle(schema: dict, dialect) -> list:
    """The keywords that look at no value of the types that the schema allows."""
    listed = schema.get("type")
    listed = [listed] if isinstance(listed, str) else listed
    if not isinstance(listed, list) or not listed or "type" not in dialect.shapes:
        return []
    return [keyword for keyword in schema if keyword in _TYPES_OF and keyword in dialect.shapes and not any(name in listed for name in _TYPES_OF[keyword])]


def warnings(nodes: list) -> tuple:
    """A sentence for each schema of the main document that lets more hold than it looks like, in the order of the document."""
    held = {0, *(child.number for node in nodes for child in node.children)}
    found: dict = {}
    for node in nodes:
        if not node.place.resource.document and isinstance(node.schema, dict):
            where = "/".join(str(step) for step in node.place.resource.steps + node.place.steps)
            said = list(_warnings(node, node.number in held, where))
            if said:
                found.setdefault(where, (node.number, said))
    return tuple(sentence for _, said in sorted(found.values(), key=lambda pair: pair[0]) for sentence in said)


def _warnings(node, is_held: bool, where: str):
    if is_held and _is_about_objects(node):
        memory: dict = {}
        if accepts(node, _EMPTY, memory) and accepts(node, _OTHER, memory):
            yield _LOOSE.format(f"the object at {quote(where)}" if where else "the object")
    subject = f"the schema at {quote(where)}" if where else "the schema"
    entries = [node.table[kind] for kind in KINDS]
    certain = [entry for entry in entries if entry is True]
    if is_held and certain and len(certain) < len(entries) and not any(entry is False for entry in entries):
        yield _UNTYPED.format(subject, " and ".join(name for kind, name in _NAMES if node.table[kind] is not True) or "some values")
    idle = _idle(node.schema, node.place.resource.dialect)
    if idle:
        yield _IDLE.format(subject, " and ".join(map(quote, idle)))


_EMPTY: dict = {}
_OTHER: dict = {"\x00": None}


def _is_about_objects(node) -> bool:
    return node.table[dict] is not False and node.table[str] is False or "properties" in node.schema
