"""A scenario: an agent, what it is given, and what holds for whatever it gives back. There are two kinds.

A conversation has `turns`, what a user says to the agent turn by turn:

    @gatekit.scenario
    def support_happy():
        return Scenario("support_happy", agent=make_agent, turns=["...", "..."], invariants=[...], client=ask_model, tools={"find_order": find_order})

`make_agent(client, tools)` makes the agent: it gives a function (or an object that is called) from the user's words to the reply's text. The agent asks its
model through `client` and calls tools through `tools`, a mapping from names to functions, and through nothing else. It is recorded once and replayed.

A step has `inputs`, a JSON value:

    @gatekit.scenario
    def grounded():
        return Scenario("synthesize.grounded", agent=synthesize, inputs={...}, template=SYNTHESIZE, checks=[...], max_failure_rate="1%")

`synthesize(step)` is called with a Step (step.py), and gives the output.

Both may be asynchronous, and both are run any number of times (running.py) and held to a failure rate.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..data.sample import LABELS
from ..ground.canonical import json_copy
from ..golden.settings import below, provider_pattern, thresholds
from ..ground.errors import CaseError, nearest
from ..invariants.results import read_invariants
from ..judging.judge import Judge
from ..judging.masking import as_given, read_masks
from ..judging.rates import Thresholds
from ..judging.report import Report
from ..judging.tally import judge_all
from ..judging.rubric import Rule
from ..text.quoting import quote
from .template import Template, check_rules, read_checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_REGISTERED: dict = {}  # name: the function that makes the scenario
# What an agent's own faults raise: no class that one of them belongs to is the provider's.
_AGENTS_OWN = (TypeError, KeyError, IndexError, AttributeError, NameError, ValueError, AssertionError, ZeroDivisionError, RecursionError, MemoryError)
_TEXTS = ("requirements", "feedback")


class Scenario:
    """An agent, what it is given, and what holds for whatever it gives back. It does not change and can be pickled, as far as its functions can.

    Args:
        name: its name, as reports print it, and what its samples name as their case.
        agent: for turns a function of `(client, tools)` that gives what answers the user, a function from text to text; for inputs a function of the Step.
            Each may be asynchronous.
        turns: what the user says, one text a turn; or
        inputs: what a step is given, a JSON value.
        requirements: what the step is asked to hold to, as texts; the agent reads them.
        template: the Template of the step's kind: its checks hold too.
        checks: rubrics, matchers, their mappings, names or registered functions of a team's own.
        invariants: what holds over the whole conversation: matchers of invariant types, their mappings, names, or functions with `@invariant`.
        client: what asks the model: a function, or an object whose `method` is named (dotted, `chat.completions.create`; or a list of such).
        connect: in the place of `client`: a function without arguments that makes it. A replay never calls it, so that it needs no key.
        tools: a mapping from names to functions: stubs, where a run shall depend on nothing else.
        max_failure_rate, max_transient, min_judged, confidence, rounding: what a batch is held to, as in a case's `gate`.
        transient: exception classes, and patterns as text, that mean the provider failed and not the agent.
        feedback: what a person said of an earlier attempt, as texts.
        reasoning, allow_empty: how the output is read, as in a case.
        masks, pii: what is hidden in all that is shown of its runs, as in a `gatekit.yaml`: patterns by name, and names of ready masks. What is kept (a
            recording, a ledger) holds it.
        case: the id of the golden case that a recorded conversation is a sample of.
        source_job_id, case_verdict: the job that the scenario was rebuilt from, and what a person decided there (history.py).
    Raises CaseError, with the argument as `path`, for what cannot be meant.
    """

    __slots__ = (
        "name", "agent", "turns", "invariants", "client", "connect", "method", "tools", "case", "inputs", "requirements", "template", "checks", "gate",
        "transient", "feedback", "reasoning", "allow_empty", "masks", "pii", "source_job_id", "case_verdict", "_judging", "_thresholds",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        agent: Callable[..., object],
        turns: Sequence[str] | None = None,
        *,
        inputs: object = None,
        requirements: str | Sequence[str] = (),
        template: Template | None = None,
        checks: Sequence[object] = (),
        invariants: Sequence[object] = (),
        client: object = None,
        connect: Callable[[], object] | None = None,
        method: str | Sequence[str] | None = None,
        tools: Mapping[str, Callable[..., object]] | None = None,
        max_failure_rate: object = None,
        max_transient: object = None,
        min_judged: int | None = None,
        confidence: object = None,
        rounding: bool | None = None,
        transient: Sequence[object] = (),
        feedback: str | Sequence[str] = (),
        reasoning: str | None = None,
        allow_empty: bool = False,
        masks: Mapping[str, str] | None = None,
        pii: Sequence[str] | None = None,
        case: str | None = None,
        source_job_id: str | None = None,
        case_verdict: str | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise CaseError("a scenario has a name: Scenario('support_happy', ...)", path=("name",))
        is_step = inputs is not None
        if is_step and turns is not None:
            raise CaseError("turns and inputs exclude each other: a conversation has turns, a step has inputs", path=("inputs",))
        if not callable(agent):
            raise CaseError(f"the agent of a scenario is a function of {'the step' if is_step else '(client, tools)'}", path=("agent",))
        if is_step:
            inputs = below("inputs", lambda: json_copy(inputs))
        else:
            _check_turns(turns)
        if isinstance(invariants, (str, dict)) or not isinstance(invariants, (list, tuple)):
            raise CaseError("the invariants of a scenario are a list", path=("invariants",))
        invariants = below("invariants", lambda: read_invariants(invariants))
        checks = below("checks", lambda: read_checks(checks))
        if template is not None and not isinstance(template, Template):
            raise CaseError("the template of a scenario is a Template(name, *checks)", path=("template",))
        _check_surroundings(client, connect, tools, case)
        said = {name: _texts(name, given) for name, given in zip(_TEXTS, (requirements, feedback))}
        transient = _provider_errors(transient)
        gate = dict(max_failure_rate=max_failure_rate, max_transient=max_transient, min_judged=min_judged, confidence=confidence, rounding=rounding)
        gate = {name: value for name, value in gate.items() if value is not None}
        _check_history(source_job_id, case_verdict)
        rules = (*(template.rules if template else ()), *check_rules(checks))
        rules += tuple(Rule(matcher.name or f"invariants[{place}]", matcher) for place, matcher in enumerate(invariants))
        patterns = tuple(one for one in transient if isinstance(one, str))
        hidden = read_masks(masks, pii)
        given = as_given(hidden)
        judging = Judge(rules, reasoning, allow_empty, transient=patterns, masks=hidden, given=inputs if is_step else list(turns)) if rules else None
        values = (
            name, agent, None if is_step else tuple(turns), invariants, client, connect, method, dict(tools or {}), case, inputs, said["requirements"],
            template, checks, gate, transient, said["feedback"], reasoning, allow_empty, given["masks"], given["pii"], source_job_id, case_verdict, judging,
            thresholds(gate),
        )  # fmt: skip
        for field, value in zip(self.__slots__, values):
            object.__setattr__(self, field, value)

    @property
    def is_step(self) -> bool:
        """Whether it is a step, which has inputs, and no conversation, which has turns."""
        return self.turns is None

    @property
    def judging(self) -> Judge:
        """The compiled rules: the template's, the checks and the invariants. Raises CaseError where there are none: every run would pass."""
        if self._judging is None:
            raise CaseError(f"the scenario {quote(self.name)} has no checks, so every run of it would pass: give it checks, invariants or a template")
        return self._judging

    @property
    def thresholds(self) -> Thresholds:
        """What a batch of runs is held to."""
        return self._thresholds

    def judge(self, samples: Iterable[object]) -> Report:
        """The report on many runs, held to the scenario's thresholds; each is what a ScenarioRun has as `sample`, from wherever it was made.

        Nothing depends on the order of the runs: the report is that of `batch`.
        """
        return judge_all(self.judging, self.thresholds, samples, self.name, alone=True)

    def changed(self, **fields: object) -> Scenario:
        """The scenario with some of its arguments changed: `scenario.changed(feedback=["..."])`. Raises CaseError as the class does."""
        return Scenario(**{**_arguments(self), **fields})

    def __setattr__(self, name, value):
        raise AttributeError("a Scenario does not change: make a new one")

    __delattr__ = __setattr__

    def __eq__(self, other):
        return _arguments(self) == _arguments(other) if isinstance(other, Scenario) else NotImplemented

    def __hash__(self):
        return hash(("Scenario", self.name))

    def __repr__(self):
        if self.is_step:
            return f"Scenario({quote(self.name)}, {len(self._judging.rules) if self._judging else 0} rules)"
        return f"Scenario({quote(self.name)}, {len(self.turns)} turns, {len(self.invariants)} invariants)"

    def __reduce__(self):
        return _rebuild, (_arguments(self),)


def _arguments(scenario: Scenario) -> dict:
    fields = {name: getattr(scenario, name) for name in Scenario.__slots__ if name[0] != "_" and name != "gate"}
    return {**fields, **scenario.gate}


def _rebuild(arguments: dict) -> Scenario:
    return Scenario(**arguments)


def _check_turns(turns: object) -> None:
    if isinstance(turns, str) or not isinstance(turns, (list, tuple)) or not turns:
        raise CaseError("the turns of a scenario are a list of what the user says, at least one (a step has inputs in their place)", path=("turns",))
    for place, turn in enumerate(turns):
        if not isinstance(turn, str) or not turn.strip():
            raise CaseError("a turn is what the user says, as text", path=("turns", place))


def _check_surroundings(client: object, connect: object, tools: object, case: object) -> None:
    if client is not None and connect is not None:
        raise CaseError("client and connect exclude each other: connect is called to make the client", path=("connect",))
    if connect is not None and not callable(connect):
        raise CaseError("connect is a function without arguments that makes the client", path=("connect",))
    if tools is not None and not isinstance(tools, dict):
        raise CaseError('tools are a mapping from names to functions: {"find_order": find_order}', path=("tools",))
    if case is not None and (not isinstance(case, str) or not case):
        raise CaseError("case is the id of a golden case", path=("case",))


def _check_history(job: object, verdict: object) -> None:
    if job is not None and (not isinstance(job, str) or not job):
        raise CaseError("source_job_id is the id of a job, as text", path=("source_job_id",))
    if verdict is not None and verdict not in LABELS:
        raise CaseError(f"case_verdict is one of {', '.join(LABELS)}", path=("case_verdict",))

def _texts(name: str, given: object) -> tuple:
    """Texts that say something; one alone may stand by itself."""
    texts = (given,) if isinstance(given, str) else given
    if not isinstance(texts, (list, tuple)):
        raise CaseError(f"{name} is a text or a list of texts", path=(name,))
    for place, text in enumerate(texts):
        if not isinstance(text, str) or is_blank(text):
            raise CaseError(f"{name} is a list of texts that say something", path=(name, place))
    return tuple(texts)


def _provider_errors(given: object) -> tuple:
    """Exception classes and patterns that mean the provider. One that an agent's own fault would be excused by is refused."""
    if isinstance(given, (str, type)) or not isinstance(given, (list, tuple)):
        raise CaseError("transient is a list of exception classes and patterns", path=("transient",))
    for place, one in enumerate(given):
        if isinstance(one, str):
            below("transient", lambda: below(place, lambda: provider_pattern(one)))
        elif not isinstance(one, type) or not issubclass(one, BaseException):
            raise CaseError("what is transient is an exception class, or a pattern as text", path=("transient", place))
        elif issubclass(one, (KeyboardInterrupt, GeneratorExit, SystemExit)) or any(issubclass(own, one) for own in _AGENTS_OWN):
            raise CaseError(f"{one.__name__} is raised by an agent's own faults too: name the provider's class", path=("transient", place))
    return tuple(given)


def scenario(given):
    """Register a function that makes a Scenario, under its own name or another: `@scenario`, `@scenario("name")`. The function is called when it is wanted."""
    if isinstance(given, str):
        if not given.strip():
            raise CaseError('a scenario is registered under a name: @scenario("support_happy")')
        return lambda function: _register(given, function)
    return _register(getattr(given, "__name__", ""), given)


def _register(name: str, function):
    if not callable(function) or not name:
        raise CaseError("@scenario stands on a function that gives a Scenario")
    known = _REGISTERED.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__):
        raise CaseError(f"there is a scenario {quote(name)} already: give this one another name")
    _REGISTERED[name] = function
    return function


def scenario_in(module, name: str) -> Scenario:
    """The scenario of a name in a module: an attribute that is one, or a function that gives one (by its own name or the registered one). Raises CaseError."""
    found = getattr(module, name, None)
    if found is None:
        registered = _REGISTERED.get(name)
        found = registered if registered is not None and registered.__module__ == module.__name__ else None
    if found is None:
        known = [key for key, function in _REGISTERED.items() if function.__module__ == module.__name__]
        known += [key for key, value in vars(module).items() if isinstance(value, Scenario)]
        near = nearest(name, known)
        raise CaseError(f"the module {quote(module.__name__)} has no scenario {quote(name)}" + (f": did you mean {near}?" if near else ""))
    if not isinstance(found, Scenario) and callable(found):
        found = found()
    if not isinstance(found, Scenario):
        raise CaseError(f"{quote(name)} of the module {quote(module.__name__)} gives a {type(found).__name__}, and no Scenario")
    return found
