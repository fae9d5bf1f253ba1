"""Keywords that hold other schemas to the parts of a value: the properties of an object, the items of an array.

As in in_place.py, `entry` is what a keyword adds to the table of its schema, and `report` its coroutine for the full answer.
"""
from __future__ import annotations

from ...ground.errors import CaseError
from ...text.quoting import quote
from .assertions import count, search_for
from .in_place import Applicator
from .tables import NO_TEXT


class Members(Applicator):
    """`properties`, `patternProperties` and `additionalProperties`.

    Args:
        known: from a name to its node.
        patterns: (source, search, node) each.
        rest: the node for all other properties, or None.
    """

    __slots__ = ("known", "patterns", "rest", "looked_at")
    opaque = False

    def __init__(self, known: dict, patterns: list, rest) -> None:
        self.known = known
        self.patterns = patterns
        self.rest = rest
        self.looked_at = [*known.values(), *(node for _, _, node in patterns), *([] if rest is None else [rest])]

    def entry(self, kind: type):
        if kind is not dict or not self.looked_at:
            return True
        known = {name: node.table for name, node in self.known.items()}
        rest = _ANYTHING if self.rest is None else self.rest.table
        if self.patterns:
            return _patterned_members(known, [(search, node.table) for _, search, node in self.patterns], rest)

        def check(value, memory):
            for name, item in value.items():
                entry = known.get(name, rest)[type(item)]
                if entry is not True and (entry is False or not entry(item, memory)):
                    return False
            return True

        return check

    def report(self, at):
        if not isinstance(at.instance, dict):
            return
        for name, item in at.instance.items():
            found = [(self.known[name], ("properties", name))] if name in self.known else []
            found += [(node, ("patternProperties", source)) for source, search, node in self.patterns if search(name) is not None]
            if not found and self.rest is not None:
                found = [(self.rest, ("additionalProperties",))]
            for node, steps in found:
                if node.schema is False:
                    at.fail(steps, lambda name=name: _unwanted(name, self.known, at), (name,))
                elif not at.passes(node, item):
                    yield from at.must_child(node, item, (name,), steps)
            if found:
                at.saw(name)
            if at.full:
                return


class _Anything(dict):
    """The table of a schema that is not there."""

    def __missing__(self, python_type):
        return True


_ANYTHING = _Anything()


def _patterned_members(known: dict, patterns: list, rest):
    def check(value, memory):
        for name, item in value.items():
            if not isinstance(name, str):
                raise CaseError(NO_TEXT)
            tables = [table for search, table in patterns if search(name) is not None]
            if name in known:
                tables.append(known[name])
            for table in tables or (rest,):
                entry = table[type(item)]
                if entry is not True and (entry is False or not entry(item, memory)):
                    return False
        return True

    return check


def _unwanted(name: str, known, at) -> str:
    near = at.hint(name, (each for each in known if each not in at.instance))
    return f"the property {quote(name)} is not allowed" + (f": did you mean {quote(near)}?" if near else "")


class PropertyNames(Applicator):
    """`propertyNames`."""

    __slots__ = ("node", "looked_at")
    opaque = False

    def __init__(self, node) -> None:
        self.node = node
        self.looked_at = [node]

    def entry(self, kind: type):
        if kind is not dict:
            return True
        table = self.node.table

        def check(value, memory):
            for name in value:
                entry = table[type(name)]
                if entry is not True and (entry is False or not entry(name, memory)):
                    return False
            return True

        return check

    def report(self, at):
        if isinstance(at.instance, dict):
            for name in at.instance:
                if not (yield from at.child_holds(self.node, name, (name,), ("propertyNames",))):
                    at.fail(("propertyNames",), lambda name=name: f"the name {quote(name)} does not hold by 'propertyNames'", (name,))


class Items(Applicator):
    """`prefixItems` and `items`; in older drafts `items` as a list and `additionalItems`.

    Args:
        first: the nodes of the first items, in order, and the keyword that lists them.
        rest: the node of all others, or None, and its keyword.
    """

    __slots__ = ("first", "first_keyword", "rest", "rest_keyword", "looked_at")
    opaque = False

    def __init__(self, first: list, first_keyword: str, rest, rest_keyword: str) -> None:
        self.first = first
        self.first_keyword = first_keyword
        self.rest = rest
        self.rest_keyword = rest_keyword
        self.looked_at = [*first, *([] if rest is None else [rest])]

    def entry(self, kind: type):
        if kind is not list or not self.looked_at:
            return True
        first = [node.table for node in self.first]
        rest = None if self.rest is None else self.rest.table
        if first:
            return _prefixed_items(first, rest)

        def check(value, memory):
            for item in value:
                entry = rest[type(item)]
                if entry is not True and (entry is False or not entry(item, memory)):
                    return False
            return True

        return check

    def report(self, at):
        if not isinstance(at.instance, (list, tuple)):
            return
        length = len(self.first)
        for index, item in enumerate(at.instance):
            if index < length:
                if not at.passes(self.first[index], item):
                    yield from at.must_child(self.first[index], item, (index,), (self.first_keyword, index))
            elif self.rest is None:
                return
            elif self.rest.schema is False:
                at.fail((self.rest_keyword,), lambda: f"at most {length} items are allowed, not {len(at.instance)}")
                return
            elif not at.passes(self.rest, item):
                yield from at.must_child(self.rest, item, (index,), (self.rest_keyword,))
            at.saw(index)
            if at.full:
                return


def _prefixed_items(first: list, rest):
    length = len(first)

    def check(value, memory):
        for index, item in enumerate(value):
            if index < length:
                table = first[index]
            elif rest is None:
                return True
            else:
                table = rest
            entry = table[type(item)]
            if entry is not True and (entry is False or not entry(item, memory)):
                return False
        return True

    return check


class Contains(Applicator):
    """`contains`, `minContains`, `maxContains`. Since 2020-12 the items that it describes are looked at."""

    __slots__ = ("node", "least", "most", "looks")

    def __init__(self, node, least: int, most: int | None, looks: bool) -> None:
        self.node = node
        self.least = least
        self.most = most
        self.looks = looks

    def entry(self, kind: type):
        if kind is not list or not self.least and self.most is None:
            return True
        table, least, most = self.node.table, self.least, self.most

        def check(value, memory):
            found = 0
            for item in value:
                entry = table[type(item)]
                if entry is True or entry is not False and entry(item, memory):
                    found += 1
                    if most is None and found >= least:
                        return True
                    if most is not None and found > most:
                        return False
            return found >= least

        return check

    def report(self, at):
        if not isinstance(at.instance, (list, tuple)):
            return
        found = 0
        for index, item in enumerate(at.instance):
            if (yield from at.child_holds(self.node, item, (index,), ("contains",))):
                found += 1
                if self.looks:
                    at.saw(index)
        if found < self.least:
            keyword = "contains" if self.least == 1 else "minContains"
            at.fail((keyword,), lambda: f"must have at least {self.least} of the items that 'contains' describes, not {found}")
        elif self.most is not None and found > self.most:
            at.fail(("maxContains",), lambda: f"must have at most {self.most} of the items that 'contains' describes, not {found}")


class Unevaluated(Applicator):
    """`unevaluatedProperties` and `unevaluatedItems`, after all other keywords. They make the schema's tables ask for the full answer."""

    __slots__ = ("name", "node", "looked_at")
    opaque = False

    def __init__(self, name: str, node) -> None:
        self.name = name
        self.node = node
        self.looked_at = [node]

    def report(self, at):
        if at.blind:
            return  # what is left over is not known before the rest holds
        items = self.name == "unevaluatedItems"
        if not isinstance(at.instance, (list, tuple) if items else dict):
            return
        seen = at.outcome.seen
        for key, item in enumerate(at.instance) if items else at.instance.items():
            if key in seen:
                continue
            if self.node.schema is False:
                at.fail((self.name,), lambda key=key: "this item is not allowed" if items else _unwanted(key, (), at), (key,))
            elif not at.passes(self.node, item):
                yield from at.must_child(self.node, item, (key,), (self.name,))
            at.saw(key)
            if at.full:
                return


# The compilers

def members(context):
    schema = context.schema
    known = {name: context.sub(("properties", name)) for name in schema.get("properties", ())}
    patterns = []
    for source in schema.get("patternProperties", ()):
        steps = ("patternProperties", source)
        patterns.append((source, search_for(context, steps, source), context.sub(steps)))
    rest = context.sub(("additionalProperties",)) if "additionalProperties" in schema else None
    return Members(known, patterns, rest)


def property_names(context):
    return PropertyNames(context.sub(("propertyNames",)))


def items(context):
    schema, dialect = context.schema, context.dialect
    if "prefixItems" in dialect.shapes or not isinstance(schema.get("items"), list):
        listed, rest = "prefixItems", "items"
        if "additionalItems" in schema and "additionalItems" in dialect.shapes:
            context.declare(("additionalItems",))  # it says nothing without a list
        if listed not in dialect.shapes:
            listed = ""
    else:
        listed, rest = "items", "additionalItems"
    first = [context.sub((listed, index)) for index in range(len(schema.get(listed, ())))]
    return Items(first, listed, context.sub((rest,)) if rest in schema else None, rest)


def contains(context):
    schema, shapes = context.schema, context.dialect.shapes
    least = count(context, "minContains") if "minContains" in schema and "minContains" in shapes else 1
    most = count(context, "maxContains") if "maxContains" in schema and "maxContains" in shapes else None
    if "contains" not in schema:
        return None
    return Contains(context.sub(("contains",)), least, most, "prefixItems" in shapes)


def unevaluated(keyword: str):
    def compile_unevaluated(context):
        context.node.tracking = True
        return Unevaluated(keyword, context.sub((keyword,)))

    return compile_unevaluated
