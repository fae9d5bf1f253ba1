"""Keywords that hold other schemas to the value itself: `allOf`, `anyOf`, `$ref`, `if` and their like.

`entry` gives what a keyword adds to the table of its schema, from the tables of the schemas in place. `report` is its coroutine for the
full answer (evaluation.py): what it yields are applications of other schemas.

`opaque` says that a keyword constrains something whatever its schemas say; where not, it constrains if one of `looked_at` does.
"""
from __future__ import annotations

from .assertions import DependentNames, names
from .tables import choice, every, negated, one, some


class Applicator:
    """What its kind of keyword does where it does not say otherwise."""

    __slots__ = ()
    opaque = True
    looked_at = ()

    def entry(self, kind: type):
        return True

    def report(self, at):
        return ()


class Never(Applicator):
    """The schema `false`."""

    __slots__ = ()

    def entry(self, kind: type):
        return False

    def report(self, at):
        at.fail((), lambda: "nothing is allowed here")
        return ()


class All(Applicator):
    """Every one of these schemas must hold: `allOf`, `$ref`, and in a way `dependentSchemas`.

    `branches` are (steps, node); with a `trigger` they count where that property stands.
    """

    __slots__ = ("branches", "trigger", "looked_at")
    opaque = False

    def __init__(self, branches: list, trigger: str | None = None) -> None:
        self.branches = branches
        self.trigger = trigger
        self.looked_at = [node for _, node in branches]

    def entry(self, kind: type):
        if self.trigger is None:
            return every([node.table[kind] for _, node in self.branches])
        if kind is not dict:
            return True
        trigger = self.trigger
        return choice(lambda value, memory: trigger in value, every([node.table[kind] for _, node in self.branches]), True)

    def report(self, at):
        if self.trigger is not None and not (isinstance(at.instance, dict) and self.trigger in at.instance):
            return
        for steps, node in self.branches:
            yield from at.must(node, steps)


class Any(Applicator):
    """`anyOf`, and with `alone`, `oneOf`."""

    __slots__ = ("name", "nodes", "alone")

    def __init__(self, name: str, nodes: list, alone: bool) -> None:
        self.name = name
        self.nodes = nodes
        self.alone = alone

    def entry(self, kind: type):
        return (one if self.alone else some)([node.table[kind] for node in self.nodes])

    def report(self, at):
        if not at.tracking and at.run.quick:
            entry = self.entry(at.kind)
            if entry is True or entry is not False and entry(at.instance, at.run.memory):
                return
            if at.run.quiet:
                at.fail((self.name,), None)
                return
        outcomes = []
        for index, node in enumerate(self.nodes):
            outcomes.append((yield from at.ask(node, (self.name, index))))
        holding = [index for index, outcome in enumerate(outcomes) if not outcome.count]
        for index in holding:
            at.take(outcomes[index])
        if not holding:
            at.blind = True
            at.fail((self.name,), lambda: self._none(at, outcomes))
        elif self.alone and len(holding) > 1:
            at.fail((self.name,), lambda: f"must hold for exactly one schema of '{self.name}', and holds for {_numbers(holding)}")

    def _none(self, at, outcomes: list) -> str:
        """The nearest alternative is the one that fails deepest inside the value, then the one with the fewest violations."""
        def distance(index):
            errors = outcomes[index].errors
            return sum(len(error.path) == len(at.path) for error in errors), len(errors), index

        if len(outcomes) == 1:
            nearest_one, beginning = 0, "must hold for the schema"
        else:
            nearest_one, beginning = min(range(len(outcomes)), key=distance), f"must hold for one of the {len(outcomes)} schemas"
        error = outcomes[nearest_one].errors[0]
        inside = type(error)(error.path[len(at.path):], (), error.message)
        return f"{beginning} of '{self.name}', and holds for none; nearest is {nearest_one}: {inside}"


def _numbers(numbers: list) -> str:
    return ", ".join(str(number) for number in numbers[:-1]) + f" and {numbers[-1]}"


class Not(Applicator):
    """`not`. What it looks at counts for nobody."""

    __slots__ = ("node",)

    def __init__(self, node) -> None:
        self.node = node

    def entry(self, kind: type):
        return negated(self.node.table[kind])

    def report(self, at):
        outcome = yield from at.ask(self.node, ("not",))
        if not outcome.count:
            at.fail(("not",), lambda: "must not be what the schema of 'not' describes")


class Conditional(Applicator):
    """`if`, `then`, `else`; the latter two may be None."""

    __slots__ = ("condition", "then", "otherwise", "looked_at")
    opaque = False

    def __init__(self, condition, then, otherwise) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
        self.looked_at = [node for node in (then, otherwise) if node is not None]

    def entry(self, kind: type):
        then, otherwise = (True if node is None else node.table[kind] for node in (self.then, self.otherwise))
        return choice(self.condition.table[kind], then, otherwise)

    def report(self, at):
        outcome = yield from at.ask(self.condition, ("if",))
        if outcome.count:
            if self.otherwise is not None:
                yield from at.must(self.otherwise, ("else",))
            return
        at.take(outcome)
        if self.then is not None:
            yield from at.must(self.then, ("then",))


# The compilers

def reference(keyword: str):
    return lambda context: All([((keyword,), context.referred(keyword))])


def all_of(context):
    return All([(("allOf", index), context.sub(("allOf", index), True)) for index in range(len(context.schema["allOf"]))])


def any_of(context):
    return Any("anyOf", [context.sub(("anyOf", index), True) for index in range(len(context.schema["anyOf"]))], False)


def one_of(context):
    return Any("oneOf", [context.sub(("oneOf", index), True) for index in range(len(context.schema["oneOf"]))], True)


def not_(context):
    return Not(context.sub(("not",), True))


def conditional(context):
    """Without `if`, `then` and `else` say nothing."""
    if "if" not in context.schema:
        for keyword in ("then", "else"):
            if keyword in context.schema:
                context.declare((keyword,))
        return None
    then, otherwise = (context.sub((keyword,), True) if keyword in context.schema else None for keyword in ("then", "else"))
    return Conditional(context.sub(("if",), True), then, otherwise)


def dependent_schemas(context):
    steps = [("dependentSchemas", name) for name in context.schema["dependentSchemas"]]
    return [All([(each, context.sub(each, True))], each[1]) for each in steps]


def dependencies(context):
    found = []
    for name, value in context.schema["dependencies"].items():
        steps = ("dependencies", name)
        if isinstance(value, list):
            found.append(DependentNames(steps, name, names(context, steps, value)))
        else:
            found.append(All([(steps, context.sub(steps, True))], name))
    return found


def definitions(keyword: str):
    def compile_definitions(context):
        for name in context.schema[keyword]:
            context.declare((keyword, name))

    return compile_definitions


def content_schema(context):
    context.declare(("contentSchema",))
