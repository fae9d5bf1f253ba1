"""Schemas compiled: a graph of nodes, one for each schema and each set of dynamic anchors under which it is reached.

What `$dynamicRef` and `$recursiveRef` refer to depends on the way by which a schema was reached. Of that way only this matters: for each
name of a dynamic anchor, the outermost resource that declares it. So a schema is compiled once for each such scope in which it is
reached, and every reference is resolved before the first value is seen.

A schema that comes back to itself without moving into the value would never end: such a circle is refused. What is left has an order
in which each node's table can be made out of tables that are made already.
"""
from __future__ import annotations

from ...ground.errors import CaseError
from .dialects import Dialect
from .evaluation import evaluate
from .keywords import compile_keywords
from .references import Library, Place, Resource
from .tables import KINDS, Table, every, remembered

MAX_NODES = 100_000


class Node:
    """A schema in a scope.

    `in_place` are the nodes that are held to the same value; `children` those that are held to its parts. `tracking` says that it needs to
    know what is looked at.
    """

    __slots__ = ("number", "place", "scope", "keywords", "in_place", "children", "table", "target", "tracking", "refers", "parents")

    def __init__(self, number: int, place: Place, scope: dict) -> None:
        self.number = number
        self.place = place
        self.scope = scope
        self.keywords: list = []
        self.in_place: list = []
        self.children: list = []
        self.table = Table()
        self.target = self.tracking = self.refers = False
        self.parents: list = []

    @property
    def schema(self):
        return self.place.schema

    def fill(self) -> None:
        """Makes the table, after those of the nodes in place."""
        for kind in KINDS:
            if self.tracking and kind in (dict, list):
                entry = self._evaluated
            else:
                entry = every([keyword.entry(kind) for keyword in self.keywords])
            self.table[kind] = remembered(entry, self.number) if self.tracking or self.target and self.refers else entry

    def _evaluated(self, value, memory: dict) -> bool:
        return not evaluate(self, value, memory, quiet=True).count


class Compiler:
    """Makes the nodes of a document, and of what it refers to.

    Args:
        library: the documents.
        assert_format: whether `format` is an assertion.
        watch: a function that is shown each schema before it is compiled, with its place; for what a strict reading refuses.
    """

    def __init__(self, library: Library, assert_format: bool, watch) -> None:
        self.library = library
        self.assert_format = assert_format
        self._watch = watch
        self._nodes: dict = {}
        self._open: list = []

    def compile(self, resource: Resource) -> tuple:
        """The node of a resource, and all nodes, those that are held to the same value before those that hold them to it."""
        root = self.node(Place(resource, ()), {})
        while self._open:
            node = self._open.pop()
            self._watch(node.place)
            compile_keywords(Context(self, node))
        nodes = _ordered(list(self._nodes.values()))
        for node in nodes:
            node.fill()
        return root, nodes

    def node(self, place: Place, scope: dict) -> Node:
        """The node of a schema that is reached in a scope."""
        entered = place.resource.dynamic
        if entered and any(name not in scope for name in entered):
            scope = {**entered, **scope}
        key = place.key, frozenset((name, found.key) for name, found in scope.items())
        node = self._nodes.get(key)
        if node is None:
            if len(self._nodes) == MAX_NODES:
                raise CaseError(f"the schema has more than {MAX_NODES} parts: split it")
            node = self._nodes[key] = Node(len(self._nodes), place, scope)
            self._open.append(node)
        return node


class Context:
    """What the compiler of a keyword is given: the schema that it stands in, and ways to the schemas that it names."""

    __slots__ = ("node", "schema", "dialect", "resource", "_compiler")

    def __init__(self, compiler: Compiler, node: Node) -> None:
        self._compiler = compiler
        self.node = node
        self.schema = node.schema
        self.resource = node.place.resource
        self.dialect: Dialect = node.place.resource.dialect

    @property
    def asserts_format(self) -> bool:
        return self._compiler.assert_format or self.dialect.asserts_format

    def refuse(self, steps: tuple, sentence: str) -> None:
        """Raises the CaseError for what stands below this schema."""
        raise self.node.place.error(sentence, steps)

    def sub(self, steps: tuple, in_place: bool = False) -> Node:
        """The node of the schema below this one."""
        node = self._compiler.node(self.node.place.below(steps), self.node.scope)
        node.parents.append(self.node)
        if node.refers:
            _refer(self.node)
        (self.node.in_place if in_place else self.node.children).append(node)
        return node

    def declare(self, steps: tuple) -> None:
        """Compiles the schema below this one, which is not held to anything here."""
        self._compiler.node(self.node.place.below(steps), self.node.scope)

    def referred(self, keyword: str) -> Node:
        """The node that a reference names: `$ref`, `$dynamicRef` or `$recursiveRef`."""
        reference = self.schema[keyword]
        if not isinstance(reference, str):
            self.refuse((keyword,), f"'{keyword}' is a reference as text: write a URI such as \"#/$defs/name\"")
        if keyword == "$recursiveRef" and reference != "#":
            self.refuse((keyword,), "'$recursiveRef' is always \"#\": write that, or use '$ref'")
        place, name = self._compiler.library.resolve(self.resource, reference, self.node.place.error, keyword)
        if keyword == "$recursiveRef":
            name = ""
        if keyword != "$ref" and name in place.resource.dynamic:
            place = self.node.scope.get(name, place)
        node = self._compiler.node(place, self.node.scope)
        node.target = True
        _refer(self.node)
        self.node.in_place.append(node)
        return node


def _refer(node: Node) -> None:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not node.refers:
            node.refers = True
            waiting.extend(node.parents)


def _ordered(nodes: list) -> list:
    """The nodes in an order in which those that are held to the same value come first. Raises CaseError where there is none."""
    order: list = []
    state: dict = {}  # by number: False while it is open, True when it is in order
    for start in nodes:
        stack = [(start, iter(start.in_place))] if start.number not in state else []
        state.setdefault(start.number, False)
        while stack:
            node, left = stack[-1]
            following = next(left, None)
            if following is None:
                stack.pop()
                state[node.number] = True
                order.append(node)
            elif following.number not in state:
                state[following.number] = False
                stack.append((following, iter(following.in_place)))
            elif not state[following.number]:
                raise node.place.error("the schema comes back to itself without moving into the value, and would never end: "
                                       "let the circle pass through properties or items", ())
    return order
