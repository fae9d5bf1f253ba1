"""JSON Schema: drafts 2020-12, 2019-09 and 07, complete.

A schema is read once (references.py), compiled to a graph of nodes with a table each (nodes.py, tables.py, keywords.py), and then holds
values. Nothing is fetched: what a schema refers to stands in it, in `resources`, or is a meta-schema of the drafts.
"""
from __future__ import annotations

from ...ground.canonical import canonical
from ...ground.errors import CaseError
from ...ground.record import Record
from .evaluation import Violation, accepts, evaluate
from .nodes import Compiler
from .references import Library
from .strictness import check_schema, constrains, warnings

__all__ = ["JsonSchema", "Violation"]
_FORMAT_MODES = ("annotate", "assert")
_NO_ROOM = "no room is left on the stack: call from a place that is less deep"
_NOTHING = ("the schema constrains nothing, so that every value holds: write what must hold, such as 'type' and 'required' "
            "('format' alone is a note, unless it is asserted)")


class JsonSchema(Record):
    """A JSON Schema, compiled once. It never changes, and can be pickled.

    Args:
        schema: the schema, as a JSON value: an object, or true or false. Its `$schema` says the draft, 2020-12 where it is not there.
        resources: other documents that it may refer to, from their URIs to schemas. As an attribute: those of them that were needed.
        format: `annotate`, where `format` is a note as the standard has it, or `assert`, where a text must hold by its format.
        strict: refuse what the standard passes over in silence: keywords and formats that do not exist, what checks nothing.
    Raises:
        CaseError: the schema cannot be meant as it stands; `path` says where in its document.
    """

    __slots__ = ("schema", "resources", "format", "strict", "_warnings", "_root")
    schema: object
    resources: dict
    format: str
    strict: bool

    def __init__(self, schema, resources: dict | None = None, format: str = "annotate", strict: bool = True) -> None:
        if format not in _FORMAT_MODES:
            raise CaseError("the 'format' of a JSON Schema is \"annotate\" or \"assert\": write one of them")
        if resources is not None and not (isinstance(resources, dict) and all(isinstance(uri, str) for uri in resources)):
            raise CaseError("the 'resources' of a JSON Schema are a mapping from URIs to schemas")
        try:
            library = Library(schema, resources or {})
            root, nodes = Compiler(library, format == "assert", check_schema if strict else _anything).compile(library.main)
            if strict and not constrains(root):
                raise CaseError(_NOTHING)
            loose = warnings(nodes) if strict else ()
        except RecursionError:
            raise CaseError(_NO_ROOM) from None
        self._set(library.main.schema, library.used, format, bool(strict), loose, root)

    @property
    def warnings(self) -> tuple:
        """Sentences about schemas that let more hold than it looks like: objects of which nothing is required, kinds of values of which nothing is said.

        None unless `strict`.
        """
        return self._warnings

    def is_valid(self, instance) -> bool:
        """Whether a JSON value holds by the schema.

        Raises:
            CaseError: it is no JSON value, or nests too deep.
        """
        try:
            return accepts(self._root, instance, {})
        except RecursionError:
            raise CaseError(_NO_ROOM) from None

    def errors(self, instance) -> list:
        """What fails in a JSON value: a list of Violation, empty where it holds; the first 1,000 of them.

        Raises:
            CaseError: it is no JSON value, or nests too deep.
        """
        if self.is_valid(instance):
            return []
        try:
            return evaluate(self._root, instance, {}).errors
        except RecursionError:
            pass
        try:
            return evaluate(self._root, instance, {}, quick=False).errors
        except RecursionError:
            raise CaseError(_NO_ROOM) from None

    def __eq__(self, other):
        return self._identity() == other._identity() if type(self) is type(other) else NotImplemented

    def __hash__(self):
        return hash(self._identity())

    def _identity(self) -> tuple:
        return canonical(self.schema), canonical(self.resources), self.format, self.strict

    def __reduce__(self):
        return JsonSchema, (self.schema, self.resources, self.format, self.strict)


def _anything(place) -> None:
    """What a reading by the letter of the standard refuses in a schema."""
