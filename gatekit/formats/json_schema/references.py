"""Where schemas are: documents, the resources in them, their anchors, and what a reference means.

A document is a schema that was handed over whole. A resource is a schema that has a URI: the document, and each schema in it that has an
`$id`. Identifiers count only where a schema stands, never inside of `enum`, `const` or a keyword that does not exist. Nothing is ever
fetched: a document is the schema itself, one of the given resources, or a meta-schema that is built in.
"""
from __future__ import annotations

import re

from ...ground.canonical import MAX_DEPTH, json_kind
from ...ground.errors import CaseError, nearest
from ...text.quoting import quote
from .dialects import DEFAULT, DIALECTS, DRAFT_2019, LIST, MEMBERS, SCHEMA, SCHEMA_OR_LIST, SCHEMAS_OR_NAMES, Dialect, customised
from .uris import pointer, resolved, split_fragment


class Resource:
    """A schema that has a URI.

    `anchors` and `dynamic` map names to places (`dynamic` maps "" to the schema itself, where `$recursiveAnchor` is true); `embedded` maps
    the steps to a resource within this one to that resource; `document` is the URI of the document that it stands in, "" for the main one,
    and `steps` the way there.
    """

    __slots__ = ("uri", "schema", "dialect", "document", "steps", "anchors", "dynamic", "embedded", "number")

    def __init__(self, uri: str, schema, dialect: Dialect, document: str, steps: tuple, number: int) -> None:
        self.uri = uri
        self.schema = schema
        self.dialect = dialect
        self.document = document
        self.steps = steps
        self.number = number
        self.anchors: dict = {}
        self.dynamic: dict = {}
        self.embedded: dict = {}


class Place:
    """Where a schema stands: in which resource, and by which steps from it."""

    __slots__ = ("resource", "steps", "schema")

    def __init__(self, resource: Resource, steps: tuple, schema=None) -> None:
        self.resource = resource
        self.steps = steps
        self.schema = schema if steps else resource.schema

    @property
    def key(self) -> tuple:
        return self.resource.number, self.steps

    def below(self, steps: tuple) -> Place:
        """The place that many steps on. Raises KeyError where there is none."""
        resource, way, value = self.resource, self.steps, self.schema
        for step in steps:
            step, value = _step(value, step)
            way += (step,)
            inner = resource.embedded.get(way)
            if inner is not None:
                resource, way = inner, ()
        return Place(resource, way, value)

    def error(self, sentence: str, steps: tuple) -> CaseError:
        """The error for what stands below this place."""
        document = self.resource.document
        return CaseError(f"in {quote(document)}: {sentence}" if document else sentence, path=self.resource.steps + self.steps + steps)


class Library:
    """All documents, read as far as they are referred to.

    Args:
        schema: the main document.
        resources: other documents by URI.
    """

    def __init__(self, schema, resources: dict) -> None:
        self.used: dict = {}  # of the given documents, those that were read
        self._documents = {split_fragment(uri)[0]: document for uri, document in resources.items()}
        self._resources: dict = {}
        self._count = 0
        self._dialects = dict(DIALECTS)
        self.main = self._read("", copied(schema), DEFAULT)

    # Reading documents

    def _read(self, uri: str, document, dialect: Dialect) -> Resource:
        """Notes the resources and anchors of a document."""
        root = self._resource(uri, document, dialect, uri, ())
        self._resources.setdefault(uri, root)
        waiting = [(document, root, (), ())]  # the schema, its resource, the steps from that, and those from the document
        claimed: dict = {}
        while waiting:
            schema, resource, steps, way = waiting.pop()
            if not isinstance(schema, dict):
                continue
            place = Place(resource, steps, schema)
            if not (resource.dialect.lone_references and "$ref" in schema):
                resource = self._identified(schema, place, way, claimed)
                place = place if resource is place.resource else Place(resource, ())
                self._anchored(schema, place)
            for inner in reversed(_subschemas(schema, resource.dialect)):
                waiting.append((_at(schema, inner), resource, place.steps + inner, way + inner))
        return root

    def _resource(self, uri: str, schema, dialect: Dialect, document: str, steps: tuple) -> Resource:
        self._count += 1
        if isinstance(schema, dict) and "$schema" in schema:
            dialect = self._dialect(schema["$schema"], steps)
        return Resource(uri, schema, dialect, document, steps, self._count)

    def _identified(self, schema: dict, place: Place, way: tuple, claimed: dict) -> Resource:
        """The resource that a schema begins by its `$id`, else the one that it stands in."""
        resource = place.resource
        identifier = schema.get("$id")
        if identifier is None or resource.dialect.lone_references and isinstance(identifier, str) and identifier[:1] == "#":
            return resource
        if not isinstance(identifier, str):
            raise place.error("'$id' is a URI as text: write one such as \"https://example.com/name.json\"", ("$id",))
        name, fragment = split_fragment(resolved(resource.uri, identifier))
        if fragment and not resource.dialect.lone_references:
            raise place.error(f"'$id' {quote(identifier)} has a fragment: write '$anchor' for a name within a schema", ("$id",))
        if fragment and name == resource.uri:
            return resource
        if name in claimed:
            raise place.error(f"the '$id' {quote(name)} stands twice: give each schema its own", ("$id",))
        claimed[name] = None
        if not way:
            resource.uri = name
        else:
            inner = self._resource(name, schema, resource.dialect, resource.document, way)
            resource.embedded[place.steps] = inner
            resource = inner
        self._resources.setdefault(name, resource)
        return resource

    def _anchored(self, schema: dict, place: Place) -> None:
        """Notes the anchors of a schema."""
        resource = place.resource
        shapes = resource.dialect.shapes
        names = [(keyword, schema[keyword]) for keyword in ("$anchor", "$dynamicAnchor") if keyword in schema and keyword in shapes]
        identifier = schema.get("$id")
        if resource.dialect.lone_references and isinstance(identifier, str) and "#" in identifier and split_fragment(identifier)[1]:
            names.append(("$id", split_fragment(identifier)[1]))
        for keyword, name in names:
            if not isinstance(name, str) or not name or "/" in name or "#" in name:
                raise place.error(f"'{keyword}' is a name: write letters, digits, '-', '_' and '.'", (keyword,))
            if name in resource.anchors and resource.anchors[name].steps != place.steps:
                raise place.error(f"the anchor {quote(name)} stands twice: give each schema its own", (keyword,))
            resource.anchors[name] = place
            if keyword == "$dynamicAnchor":
                resource.dynamic[name] = place
        if not place.steps and schema.get("$recursiveAnchor") is True and resource.dialect.draft == DRAFT_2019:
            resource.dynamic[""] = place

    def _dialect(self, uri, steps: tuple) -> Dialect:
        """The dialect that `$schema` names."""
        if not isinstance(uri, str):
            raise CaseError("'$schema' is the URI of a draft, as text", path=steps + ("$schema",))
        name = split_fragment(uri)[0]
        found = self._dialects.get(name)
        if found is None:
            self._dialects[name] = DEFAULT  # in case that it names itself
            found = self._dialects[name] = self._custom_dialect(name, steps + ("$schema",))
        return found

    def _custom_dialect(self, name: str, path: tuple) -> Dialect:
        metaschema = self._documents.get(name)
        if not isinstance(metaschema, dict):
            known = ", ".join(uri for uri in DIALECTS if not uri.startswith("https://json-schema.org/draft-07"))
            mend = f"write one of {known}, or hand its meta-schema over in 'resources'"
            raise CaseError(f"'$schema' {quote(name)} is not known: {mend}", path=path)
        self.used[name] = copied(metaschema)
        base = DEFAULT
        if "$schema" in metaschema:
            base = self._dialect(metaschema["$schema"], ())
        vocabulary = metaschema.get("$vocabulary")
        if not isinstance(vocabulary, dict):
            return base
        dialect, unknown = customised(base, vocabulary)
        if unknown is not None:
            wrong = f"'$schema' {quote(name)} requires the vocabulary {quote(unknown)}, which is not known"
            raise CaseError(f"{wrong}: leave it out", path=path)
        return dialect

    # Resolving references

    def resolve(self, resource: Resource, reference: str, error, keyword: str) -> tuple:
        """What a reference within a resource means: (its place, the anchor's name or None).

        `error` makes the error from a sentence and steps.
        """
        name, fragment = split_fragment(resolved(resource.uri, reference))
        target = self._found(name, resource)
        if target is None:
            near = nearest(name, [*self._resources, *self._documents])
            hint = f"did you mean {quote(near)}?" if near else "hand the document over in 'resources'; nothing is fetched"
            raise error(f"'{keyword}' {quote(reference)} refers to {quote(name)}, which is not here: {hint}", (keyword,))
        if fragment and fragment[0] != "/":
            if fragment not in target.anchors:
                near = nearest(fragment, target.anchors)
                hint = f"did you mean {quote('#' + near)}?" if near else "declare it with '$anchor', or write a path such as '#/$defs/name'"
                raise error(f"'{keyword}' {quote(reference)} refers to an anchor that is not there: {hint}", (keyword,))
            return target.anchors[fragment], fragment
        try:
            return Place(target, ()).below(pointer(fragment)), None
        except KeyError as missing:
            step, known = missing.args
            near = nearest(step, known)
            hint = f"did you mean {quote(near)}?" if near else "correct the path"
            raise error(f"'{keyword}' {quote(reference)} refers to nothing: there is no {quote(step)}; {hint}", (keyword,)) from None

    def _found(self, name: str, resource: Resource) -> Resource | None:
        found = self._resources.get(name)
        if found is None and name in self._documents:
            found = self._take(name)
        if found is None:
            from .metaschemas import metaschema

            document = metaschema(name)
            if document is not None:
                return self._read(name, document, DEFAULT)
            for uri, document in self._documents.items():  # it may be known by its own `$id` only
                own = document.get("$id") if isinstance(document, dict) else None
                if isinstance(own, str) and split_fragment(resolved(uri, own))[0] == name and uri not in self.used:
                    self._take(uri)
                    break
            found = self._resources.get(name)
        return found

    def _take(self, name: str) -> Resource:
        document = self.used[name] = copied(self._documents[name])
        return self._read(name, document, self.main.dialect)


def copied(value, levels: int = MAX_DEPTH - 1):
    """A JSON value's copy, which nobody else can change. Raises CaseError where it is none or nests too deep."""
    if isinstance(value, dict):
        if levels and all(isinstance(key, str) for key in value):
            return {key: copied(item, levels - 1) for key, item in value.items()}
    elif isinstance(value, (list, tuple)):
        if levels:
            return [copied(item, levels - 1) for item in value]
    elif value is None or isinstance(value, (str, int, float)):
        return value
    else:
        raise CaseError(f"{json_kind(value)} stands in the schema, and is not a JSON value: use None, bool, int, float, str, list or dict")
    raise CaseError(f"the schema nests deeper than {MAX_DEPTH - 1} levels, or a key in it is no text: write it flatter, with '$defs'")


def _subschemas(schema: dict, dialect: Dialect) -> list:
    """The steps to each schema that stands directly in a schema."""
    found = []
    for keyword, shape in dialect.shapes.items():
        value = schema.get(keyword)
        if isinstance(value, list) and shape in (LIST, SCHEMA_OR_LIST):
            found.extend((keyword, index) for index in range(len(value)))
        elif isinstance(value, dict):
            if shape in (SCHEMA, SCHEMA_OR_LIST):
                found.append((keyword,))
            elif shape in (MEMBERS, SCHEMAS_OR_NAMES):
                found.extend((keyword, name) for name in value)
    return found


def _at(value, steps: tuple):
    for step in steps:
        value = value[step]
    return value


def _step(value, step) -> tuple:
    """One step into a JSON value: (the key or index, what is there). In a pointer an index is text.

    Raises KeyError with the step and the steps that there are.
    """
    if isinstance(value, dict) and step in value:
        return step, value[step]
    if isinstance(value, list):
        index = int(step) if isinstance(step, str) and re.fullmatch("0|[1-9][0-9]{0,8}", step) else step
        if isinstance(index, int) and index < len(value):
            return index, value[index]
    raise KeyError(str(step), list(value) if isinstance(value, dict) else [])
