"""Runs a scenario once: its agent is given what the scenario says, and what comes of it becomes a sample and its verdict.

What an agent does is never the caller's problem:

    it raises                                  `error`; SystemExit too
    it raises a class, or says a pattern,      `transient`: the provider failed, and the run does not count
    that the scenario declares transient
    it raises a group of exceptions            `transient` where each of them is; else `error`
    it gives nothing, or what is no output     `error`
    it gives an output                         judged by the checks of the scenario and of its template

Ctrl-C ends the run, and so does the cancelling of the task that awaits it. There is no clock here: a time limit is the caller's, and a TimeoutError that
an agent raises is an `error` unless the scenario declares it transient.
"""
from __future__ import annotations

import re

from ..data.reading import is_blank
from ..data.sample import Sample
from ..ground.canonical import canonical
from ..ground.errors import CaseError, GatekitError
from ..ground.record import Record
from ..judging.verdict import Verdict
from ..matchers.custom import said
from ..replay.playing import Run
from ..replay.recorder import Recorder
from ..replay.recording import trajectory_of
from ..replay.scrubbing import AsItIs
from ..text.characters import pinned
from ..text.quoting import quote
from .scenario import Scenario
from .step import STAMPED, Step, log_of

_LONGEST_ERROR = 10000
_LONGEST_WORD = 1000  # at its end; keys are shorter
_MOST_RAISED = 100
# Statuses that excuse an agent: who runs it says so.
_RUNNERS_OWN = ("transient", "diverged")
_ASYNCHRONOUS = "the agent is asynchronous: await run_scenario_async(scenario), or run it by `python -m gatekit batch`"


class ScenarioRun(Record):
    """One run of a scenario. `sample` is what came of it, `verdict` what its checks say, `log` what was asked of the model and the tools, in order.

    Each entry of the log is a mapping: `kind` is `prompt` (`prompt`, `response`), `model` (`request`, `response`) or `tool` (`name`, `arguments`, `result`);
    in the place of an answer stands `failed` where it raised, `stream` where it came in pieces. Nothing is taken out of it: who shows it hides secrets.
    """

    __slots__ = ("sample", "verdict", "log")
    sample: Sample
    verdict: Verdict
    log: tuple[dict, ...]

    def __init__(self, sample: Sample, verdict: Verdict, log: tuple = ()) -> None:
        self._set(sample, verdict, tuple(log))

    @property
    def status(self) -> str:
        """The verdict's status: `passed`, `check_failed`, `error`, `transient`, ..."""
        return self.verdict.status

    @property
    def passed(self) -> bool:
        """Whether every check held."""
        return self.verdict.passed

    def __bool__(self) -> bool:
        return self.verdict.passed

    def __str__(self) -> str:
        return str(self.verdict)


def run_scenario(scenario: Scenario, feedback: object = None, sample: str = "1", attempt: int | None = None) -> ScenarioRun:
    """Run a scenario once.

    Args:
        scenario: the Scenario; it has checks.
        feedback: what a person said of an earlier attempt, a text or several: it is added to the scenario's own.
        sample: the id of the run.
        attempt: the number of the attempt where it is not the first.
    Returns:
        A ScenarioRun. Whatever the agent does, it is told there.
    Raises:
        CaseError: the scenario has no checks, or its agent is asynchronous; what is given to its agent it cannot take.
    """
    steps = run_steps(scenario, feedback, sample, attempt)
    try:
        waiting = next(steps)
    except StopIteration as end:
        return end.value
    if hasattr(waiting, "close"):
        waiting.close()
    steps.close()
    raise CaseError(_ASYNCHRONOUS)


async def run_scenario_async(scenario: Scenario, feedback: object = None, sample: str = "1", attempt: int | None = None) -> ScenarioRun:
    """As `run_scenario`, for agents that are asynchronous, or not."""
    steps = run_steps(scenario, feedback, sample, attempt)
    go_on, given = steps.send, None
    while True:
        try:
            waiting = go_on(given)
        except StopIteration as end:
            return end.value
        try:
            given = await waiting
        except (Exception, SystemExit) as error:
            go_on, given = steps.throw, error
        except BaseException:  # the task is cancelled, or the program ends: that is not the agent
            steps.close()
            raise
        else:
            go_on = steps.send


def run_steps(scenario: Scenario, feedback: object = None, sample: str = "1", attempt: int | None = None):
    """The run as a generator, for whoever has an event loop: it yields what is to be awaited, wants to be sent what that gives or thrown what it
    raises, and returns the ScenarioRun."""
    if not isinstance(scenario, Scenario):
        raise CaseError(f"what is run is a Scenario, not a {type(scenario).__name__}")
    judging = scenario.judging
    said_before = (*scenario.feedback, *_feedback(feedback))
    recorder = Recorder(scenario.client, scenario.tools, method=scenario.method, connect=scenario.connect, scrubber=AsItIs())
    if scenario.is_step:
        step = Step(scenario, recorder, said_before, sample, attempt or 1)
        made = yield from _step_sample(scenario, step, recorder)
        log = step.log()
    else:
        made = yield from _conversation_sample(scenario, recorder, said_before)
        log = tuple(log_of(recorder))
    made = stamped(made, scenario, sample, said_before, attempt)
    verdict = judging.clean_pass(made) if judging.holds(made) else judging.verdict(made)
    return ScenarioRun(made, verdict, log)


def stamped(made: Sample, scenario: Scenario, sample: str, feedback: tuple = (), attempt: int | None = None) -> Sample:
    """A sample with what its runner knows of it; what an agent said of that counts for nothing."""
    known = {"case": scenario.name, "sample": sample, "attempt": attempt, "feedback": list(feedback) or None}
    known.update(source_job_id=scenario.source_job_id, case_verdict=scenario.case_verdict)
    fields = {name: value for name, value in made.fields.items() if name not in STAMPED}
    fields.setdefault("output", None)
    return Sample.from_dict({**{name: value for name, value in known.items() if value is not None}, **fields})


def failure(scenario: Scenario, error: BaseException) -> Sample:
    """The sample of an agent that raised."""
    raised = _raised(error)
    transient = _is_transient(scenario, error) or all(_is_transient(scenario, one) for one in raised)
    words = "; ".join([said(error), *(said(one) for one in raised if one is not error)])
    return Sample(status="transient" if transient else "error", error=_cut(words))


def _cut(words: str) -> str:
    """What was raised, of a length that is kept: cut between two words, so that no half of a key stands at its end, where nobody would know it for one."""
    return words if len(words) <= _LONGEST_ERROR else words[: words.rfind(" ", _LONGEST_ERROR - _LONGEST_WORD, _LONGEST_ERROR) + 1 or _LONGEST_ERROR]


def _is_transient(scenario: Scenario, error: BaseException) -> bool:
    readable = pinned(said(error))
    return any(re.search(one, readable) if isinstance(one, str) else isinstance(error, one) for one in scenario.transient)


def _raised(error: BaseException) -> list:
    """What was raised: the exception, or those of a group (of tasks that were run at once, say); of very many, the groups that are left unopened."""
    found: list = []
    waiting = [error]
    for _ in range(_MOST_RAISED):  # one may hold itself
        if not waiting:
            break
        one = waiting.pop(0)
        try:
            inside = getattr(one, "exceptions", None)
        except Exception:  # a foreign class: whatever it does is not the caller's problem
            inside = None
        if inside and isinstance(inside, tuple) and all(isinstance(each, BaseException) for each in inside):
            waiting = [*inside, *waiting]
        else:
            found.append(one)
    return found + waiting


def _feedback(given: object) -> tuple:
    texts = () if given is None else (given,) if isinstance(given, str) else given
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) and not is_blank(text) for text in texts):
        raise CaseError("feedback is a text that says something, or a list of such", path=("feedback",))
    return tuple(texts)


def _step_sample(scenario: Scenario, step: Step, recorder: Recorder):
    try:
        output = scenario.agent(step)
        if hasattr(output, "__await__"):
            output = yield output
        if step.finished is not None:
            if output is not None and output is not step.finished:
                raise CaseError("the agent finished the step, and returned something else as well: do one of them")
            output = step.finished
        if recorder.fault is not None:
            raise recorder.fault
        made = Sample.of(output)
        if made.status in _RUNNERS_OWN:
            raise CaseError(f"an agent does not say of itself that it is {made.status}: let it raise, and let the scenario say what is transient")
        return _with_calls(made, scenario, recorder)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit too: an agent does not end the run
        return failure(scenario, error)


def _with_calls(made: Sample, scenario: Scenario, recorder: Recorder) -> Sample:
    """The sample with the usage of its model calls and with its tool calls as messages, where the agent did not give these itself."""
    fields = dict(made.fields)
    if recorder.usage:
        fields.setdefault("usage", recorder.usage)
    if recorder.tool_calls and "output" in fields and "messages" not in fields:
        inputs = scenario.inputs
        asked = inputs if isinstance(inputs, str) else canonical(inputs)
        fields["messages"] = trajectory_of([[asked, made.text]], [{**call, "turn": 0} for call in recorder.tool_calls])
    fields.setdefault("output", None)
    return Sample.from_dict(fields)


def _conversation_sample(scenario: Scenario, recorder: Recorder, feedback: tuple):
    run = Run(recorder)
    yield from run.steps(_told(scenario, feedback), list(scenario.turns))
    error = recorder.fault or run.crash
    if error is not None:
        return failure(scenario, error)
    try:
        return Sample(messages=trajectory_of(recorder.turns, recorder.tool_calls), usage=recorder.usage or None)
    except GatekitError as fault:
        return failure(scenario, fault)


def _told(scenario: Scenario, feedback: tuple):
    """The agent of a conversation; with feedback it is made by `agent(client, tools, feedback=[...])`."""
    if not feedback:
        return scenario.agent
    if not _takes(scenario.agent, "feedback"):
        raise CaseError(f"the agent of {quote(scenario.name)} takes no feedback: give its function a parameter of that name", path=("feedback",))
    return lambda client, tools: scenario.agent(client, tools, feedback=list(feedback))


def _takes(function: object, name: str) -> bool:
    """Whether a function, or a class, has a parameter of that name, or takes any."""
    function = getattr(function, "__wrapped__", function)
    if isinstance(function, type):
        function = function.__init__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        code = getattr(getattr(type(function), "__call__", None), "__code__", None)
    return code is None or bool(code.co_flags & 0x08) or name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
