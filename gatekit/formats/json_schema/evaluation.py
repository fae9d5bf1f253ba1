"""A schema held to a value with all that can be said: what fails, where and why, and which parts of the value were looked at.

The tables (tables.py) only answer yes or no. This is the slow and full answer, for errors and for `unevaluatedProperties` and
`unevaluatedItems`, which need to know what the schemas beside them looked at.

Keywords report as coroutines: a keyword that holds another schema to a value yields that request and is sent the Outcome. So the stack
of Python does not grow with the value or the schema, and no depth of either can exhaust it.
"""
from __future__ import annotations

from ...ground.errors import CaseError, nearest, path_text
from ...ground.record import Record
from ...text.quoting import visible
from .tables import NO_TEXT, holds, kind_of

MAX_DEPTH = 1000
MAX_ERRORS = 1000
MAX_HINTS = 50  # a guess at what a name was meant to be takes long, and nobody reads more of them


class Violation(Record):
    """One way in which a value fails a schema.

    Args:
        path: where in the value: a tuple of property names and indexes, empty for the value itself.
        schema_path: the keyword that fails: a tuple of the keywords, names and indexes on the way to it, references followed.
        message: a sentence that says what must be. It never cuts a text of the value short, so that secrets in it can be recognised.
    """

    __slots__ = ("path", "schema_path", "message")
    path: tuple
    schema_path: tuple
    message: str

    def __init__(self, path: tuple, schema_path: tuple, message: str) -> None:
        self._set(path, schema_path, message)

    def __str__(self) -> str:
        return f"{visible(path_text(self.path))}: {self.message}" if self.path else self.message


_FAILED = Violation((), (), "")


class Outcome:
    """What came of holding one schema to one value: its violations by identity, in order, and the names or indexes looked at.

    An outcome that is asked for twice is the same object, so that each of its violations is noted once.
    """

    __slots__ = ("_errors", "seen")

    def __init__(self) -> None:
        self._errors: dict = {}
        self.seen: set = set()

    @property
    def errors(self) -> list:
        return list(self._errors.values())

    @property
    def count(self) -> int:
        """How many violations there are."""
        return len(self._errors)

    def note(self, error: Violation) -> None:
        self._errors[id(error)] = error


class Run:
    """What all applications of one evaluation share.

    Args:
        memory: that of the tables, see tables.py.
        quick: schemas whose looks do not matter are asked through their tables first.
        quiet: only whether there are violations matters.
    """

    __slots__ = ("memory", "quick", "quiet", "done", "hints")

    def __init__(self, memory: dict, quick: bool, quiet: bool) -> None:
        self.memory = memory
        self.quick = quick
        self.quiet = quiet
        self.done: dict = {}
        self.hints = MAX_HINTS


class Application:
    """One schema held to one value: what a keyword is given to report on.

    `tracking` says that somebody needs to know what is looked at; `blind` that a schema held to the same value failed, so that what it
    would have looked at is not known.
    """

    __slots__ = ("run", "node", "instance", "path", "schema_path", "tracking", "blind", "outcome")

    def __init__(self, run: Run, node, instance, path: tuple, schema_path: tuple, tracking: bool) -> None:
        self.run = run
        self.node = node
        self.instance = instance
        self.path = path
        self.schema_path = schema_path
        self.tracking = tracking or node.tracking
        self.blind = False
        self.outcome = Outcome()

    def report(self):
        """The coroutine that fills the outcome."""
        if len(self.path) > MAX_DEPTH:
            raise CaseError(f"the value nests deeper than {MAX_DEPTH} levels: flatten it")
        if isinstance(self.instance, dict) and not all(isinstance(name, str) for name in self.instance):
            raise CaseError(NO_TEXT)
        for keyword in self.node.keywords:
            yield from keyword.report(self)
            if self.full:
                return

    def fail(self, keyword: tuple, sentence, path: tuple = ()) -> None:
        """Notes a violation. `sentence` is a function, as nobody may want to hear it."""
        if self.run.quiet:
            self.outcome.note(_FAILED)
        else:
            self.outcome.note(Violation(self.path + path, self.schema_path + keyword, sentence()))

    @property
    def kind(self) -> type:
        """The kind of the value, see tables.py."""
        return kind_of(type(self.instance))

    @property
    def full(self) -> bool:
        """Whether no more violations are wanted."""
        return self.outcome.count >= (1 if self.run.quiet else MAX_ERRORS)

    def saw(self, key) -> None:
        """Notes that a part of the value was looked at."""
        if self.tracking:
            self.outcome.seen.add(key)

    def hint(self, word: str, known) -> str | None:
        """The known word that one was probably meant to be."""
        if len(word) > 64 or not self.run.hints:
            return None
        self.run.hints -= 1
        return nearest(word, [each for _, each in zip(range(100), known)])

    def must(self, node, steps: tuple):
        """The value itself must hold by another schema, whose looks are this one's."""
        run = self.run
        if run.quick and not self.tracking and holds(node.table, self.instance, run.memory):
            return
        outcome = yield Application(run, node, self.instance, self.path, self.schema_path + steps, self.tracking)
        self.take(outcome)

    def take(self, outcome: Outcome) -> None:
        """Makes an outcome of the same value this one's own."""
        self.outcome.seen |= outcome.seen
        if outcome.count:
            self.blind = True
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Makes the violations of a part of the value this one's own."""
        for error in outcome.errors:
            if self.full:
                return
            self.outcome.note(error)

    def ask(self, node, steps: tuple):
        """The outcome of holding another schema to the value itself."""
        return (yield Application(self.run, node, self.instance, self.path, self.schema_path + steps, self.tracking))

    def passes(self, node, child) -> bool:
        """Whether a part of the value is known to hold by a schema without holding it to it here."""
        return self.run.quick and holds(node.table, child, self.run.memory)

    def must_child(self, node, child, key: tuple, steps: tuple):
        """A part of the value must hold by a schema, which it is not known to."""
        run = self.run
        if run.quick and run.quiet:
            self.outcome.note(_FAILED)
            return
        outcome = yield Application(run, node, child, self.path + key, self.schema_path + steps, False)
        self.add(outcome)

    def child_holds(self, node, child, key: tuple, steps: tuple):
        """Whether a part of the value holds by a schema."""
        run = self.run
        if run.quick:
            return holds(node.table, child, run.memory)
        outcome = yield Application(run, node, child, self.path + key, self.schema_path + steps, False)
        return not outcome.count


def accepts(node, instance, memory: dict) -> bool:
    """Whether a value holds by a node's schema: by its table, and where the stack has no room for that, by the full answer.

    Raises CaseError as `evaluate` does.
    """
    try:
        return holds(node.table, instance, memory)
    except RecursionError:
        return not evaluate(node, instance, {}, quick=False, quiet=True).count


def evaluate(node, instance, memory: dict, quick: bool = True, quiet: bool = False) -> Outcome:
    """The outcome of holding a node's schema to a value.

    Raises:
        CaseError: the value nests deeper than MAX_DEPTH, or is no JSON value.
    """
    run = Run(memory, quick, quiet)
    application = Application(run, node, instance, (), (), False)
    stack = [(application, application.report())]
    answer = None
    while stack:
        application, coroutine = stack[-1]
        try:
            request = coroutine.send(answer)
        except StopIteration:
            stack.pop()
            answer = application.outcome
            run.done[_key(application)] = answer
            continue
        answer = run.done.get(_key(request))
        if answer is None:
            stack.append((request, request.report()))
    return answer


def _key(application: Application) -> tuple:
    return application.node.number, application.path, id(application.instance), application.tracking
