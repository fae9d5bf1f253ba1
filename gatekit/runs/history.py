"""What a job log tells of earlier runs: each job's first attempt is made a scenario again, with what it saw then, and what a person decided.

A log (by convention `NAME.jobs.jsonl`) is an export of transitions, one JSON object a line, in any order. Each has a `job` (its id), the time `at` (golden/dates.py)
and an `event`; all but the first kind have a `step`, its name in the job's workflow:

    {"job": "J1", "at": "...", "event": "inputs", "value": {...}}                         what the job is given, a mapping; it may come again, changed
    {"job": "J1", "at": "...", "event": "claimed", "step": "draft"}                       a worker begins an attempt; with `needs`, the steps whose outputs it
                                                                                          is given (else all), and `requirements`, texts
    {"job": "J1", "at": "...", "event": "output", "step": "research", "value": ...}       an attempt gave this
    {"job": "J1", "at": "...", "event": "failed", "step": "draft"}                        an attempt gave nothing
    {"job": "J1", "at": "...", "event": "decided", "step": "draft", "decision": "rejected", "by": "ada", "reason": "..."}
                                                                                          with "automatic": true it is no person's, and counts for nothing

The first attempt is the one of the earliest claim. It saw the job's inputs and the outputs of other steps as of that moment, the latest of each: what came
later it could not know, and what came at the same instant it is taken to have known. Where two values stand at one instant, the later line is the later one.
A step is given one mapping: the inputs, and under the name of each other step what that gave.

Other keys of a line are passed over, unless they look like a known one that was misspelt. A line that cannot be meant is an error, and so is a job that cannot
be rebuilt; the rest is used.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import LABELS
from ..formats.strict_json import object_of_line
from ..golden.dates import instant
from ..ground.canonical import json_copy, json_kind
from ..ground.errors import CaseError, GatekitError, nearest
from ..ground.files import read_lines, spelt
from ..ground.record import Record
from ..text.quoting import quote
from .ledger import ERRORS_TOLD
from .scenario import Scenario
from .template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

ENDING = ".jobs.jsonl"
EVENTS = ("inputs", "claimed", "output", "failed", "decided")
# Key: the type that it has, and its name in a message. None: any JSON value.
_KEYS = {
    "job": (str, "text"),
    "at": (str, "a time"),
    "event": (str, f"one of {', '.join(EVENTS)}"),
    "step": (str, "text"),
    "value": (None, "a JSON value"),
    "needs": (list, "a list of names of steps"),
    "requirements": ((str, list), "text or a list of texts"),
    "decision": (str, " or ".join(LABELS)),
    "by": (str, "text"),
    "reason": (str, "text"),
    "automatic": (bool, "true or false"),
}
_NEEDED = {"inputs": ("value",), "claimed": ("step",), "output": ("step", "value"), "failed": ("step",), "decided": ("step", "decision")}
_WRITTEN = "write it as 2026-03-01T10:15:00Z or 2026-03-01T11:15:00.250+01:00"
_LONG = 4  # a key this long, and near a known one, is that one misspelt


class Transition(Record):
    """One line of a job log: the instant in nanoseconds, the place in the log, and the mapping."""

    __slots__ = ("at", "place", "fields", "file", "line")
    at: int
    place: int
    fields: dict
    file: str | None
    line: int | None

    def __init__(self, at: int, place: int, fields: dict, file: str | None = None, line: int | None = None) -> None:
        self._set(at, place, fields, file, line)

    @classmethod
    def read(cls, mapping: object, place: int, file: str | None = None, line: int | None = None) -> Transition:
        """A transition from its mapping. Raises CaseError."""
        if not isinstance(mapping, dict):
            raise CaseError(f"a transition is a mapping, not {json_kind(mapping)}")
        for key, value in mapping.items():
            if key in _KEYS:
                kind, words = _KEYS[key]
                if kind is not None and value is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is not bool):
                    mend = f": {_WRITTEN}" if key == "at" else ""
                    raise CaseError(f"{quote(key)} of a transition is {words}, not {json_kind(value)}{mend}", path=(key,))
            elif len(key) >= _LONG and nearest(key, [known for known in _KEYS if known not in mapping]):
                near = nearest(key, [known for known in _KEYS if known not in mapping])
                raise CaseError(f"a transition has no {quote(key)}: did you mean {quote(near)}?", path=(key,))
        event = mapping.get("event")
        if event not in EVENTS:
            near = nearest(event, EVENTS) if isinstance(event, str) else None
            raise CaseError(f"the event of a transition is one of {', '.join(EVENTS)}" + (f": did you mean {near}?" if near else ""), path=("event",))
        for key in ("job", "at", *_NEEDED[event]):
            if key not in mapping or key != "value" and not mapping[key]:
                raise CaseError(f"a transition {quote(event)} has {_KEYS[key][1]} as {quote(key)}: add it", path=(key,) if key in mapping else ())
        if event == "inputs" and not isinstance(mapping["value"], dict):
            raise CaseError('the "value" of inputs is a mapping, by name', path=("value",))
        if event == "decided":
            _check_decision(mapping)
        if not all(isinstance(name, str) and name for name in mapping.get("needs") or ()):
            raise CaseError("needs is a list of names of steps", path=("needs",))
        at = instant(mapping["at"])
        if at is None:
            raise CaseError(f"{quote(mapping['at'][:40])} is no time with an offset: {_WRITTEN}", path=("at",))
        return cls(at, place, mapping, file, line)


def _check_decision(mapping: dict) -> None:
    decision = mapping["decision"]
    if decision not in LABELS:
        near = nearest(decision, LABELS)
        raise CaseError(f"a decision is {' or '.join(LABELS)}" + (f": did you mean {near}?" if near else ""), path=("decision",))
    if not mapping.get("by") and not mapping.get("automatic"):
        raise CaseError('a decision says who made it: add "by", or "automatic": true where it was no person', path=("by",) if "by" in mapping else ())


class Job(Record):
    """One job of a log: its id, and its transitions in the order of time."""

    __slots__ = ("id", "transitions")
    id: str
    transitions: tuple[Transition, ...]

    def __init__(self, id: str, transitions: Iterable[Transition]) -> None:
        self._set(id, tuple(sorted(transitions, key=lambda one: (one.at, one.place))))

    @classmethod
    def from_transitions(cls, given: Iterable[Mapping[str, object]]) -> Job:
        """The job of some transitions, as mappings. Raises CaseError, with the place of the one that cannot be meant, and where they are of several jobs."""
        read = []
        for place, mapping in enumerate(given):
            try:
                read.append(Transition.read(json_copy(mapping), place))
            except CaseError as error:
                raise error.located(path=(place,)) from None
        ids = sorted({transition.fields["job"] for transition in read})
        if len(ids) != 1:
            raise CaseError("the transitions are of one job" + (f", and not of {', '.join(map(quote, ids[:5]))}" if ids else ": give at least one"))
        return cls(ids[0], read)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that were claimed, in the order of their first claims."""
        return tuple(dict.fromkeys(one.fields["step"] for one in self.transitions if one.fields["event"] == "claimed"))

    def decision(self, step: str) -> Transition | None:
        """The first decision of a person on a step, None where there was none."""
        for one in self.transitions:
            if one.fields["event"] == "decided" and one.fields["step"] == step and not one.fields.get("automatic"):
                return one
        return None

    def decided_steps(self) -> list:
        """The steps that a person decided on."""
        names = dict.fromkeys(one.fields["step"] for one in self.transitions if one.fields["event"] == "decided")
        return [step for step in names if self.decision(step) is not None]

    def first_claim(self, step: str) -> Transition:
        """The earliest claim of a step. Raises CaseError where it was never claimed."""
        for one in self.transitions:
            if one.fields["event"] == "claimed" and one.fields["step"] == step:
                return one
        near = nearest(step, self.steps)
        raise CaseError(f"the step {quote(step)} of the job {quote(self.id)} was never claimed" + (f": did you mean {quote(near)}?" if near else ""))

    def seen_by_first_attempt(self, step: str) -> dict:
        """What the first attempt at a step was given. Raises CaseError where it was never claimed, or where an input has the name of a step."""
        claim = self.first_claim(step)
        needs = claim.fields.get("needs")
        inputs: dict = {}
        outputs: dict = {}
        for one in self.transitions:  # in the order of time: the last one stands
            if claim.at < one.at:
                break
            event, name = one.fields["event"], one.fields.get("step")
            if event == "inputs":
                inputs = one.fields["value"]
            elif event == "output" and name != step and (needs is None or name in needs):
                outputs[name] = one.fields["value"]
        for name in outputs:
            if name in inputs:
                raise CaseError(f"the job {quote(self.id)} has an input and a step of one name, {quote(name)}: rename one in the export")
        for name in needs or ():
            if name not in outputs:
                raise CaseError(f"the step {quote(step)} of the job {quote(self.id)} was claimed before {quote(name)}, which it needs, gave anything")
        return json_copy({**inputs, **outputs})

    def __repr__(self):
        return f"Job({quote(self.id)}, {len(self.transitions)} transitions)"


class JobLog:
    """The jobs of a log by id, in the order in which they stand there, and the errors that were met."""

    __slots__ = ("jobs", "errors")
    jobs: dict[str, Job]
    errors: list[GatekitError]

    def __init__(self, jobs: dict, errors: list) -> None:
        self.jobs = jobs
        self.errors = errors

    def job(self, id: str) -> Job:
        """The job of an id. Raises CaseError naming the nearest one."""
        if id not in self.jobs:
            near = nearest(id, self.jobs)
            raise CaseError(f"the log has no job {quote(id)}" + (f": did you mean {quote(near)}?" if near else ""))
        return self.jobs[id]


def read_jobs(path: str) -> JobLog:
    """The jobs of a log. A line that cannot be read is an error with file and line, and the others are used; so it is where the file cannot be read."""
    name = spelt(path)
    jobs: dict = {}
    errors: list = []
    redaction = Redaction()
    more = 0
    try:
        for number, line in read_lines(path, name):
            try:
                mapping = object_of_line(line, number)
                if mapping is not None:
                    one = Transition.read(mapping, number, name, number)
                    jobs.setdefault(one.fields["job"], []).append(one)
            except GatekitError as error:
                more += len(errors) >= ERRORS_TOLD
                if len(errors) < ERRORS_TOLD:
                    errors.append(redaction.error_of_line(error, line, name, number))
    except GatekitError as error:
        errors.append(error)
    if more:
        errors.append(GatekitError(f"and {more} more errors in this file", file=name))
    return JobLog({id: Job(id, transitions) for id, transitions in jobs.items()}, errors)


def scenario_from_job(
    job: Job | Iterable[Mapping[str, object]],
    agent: Callable[..., object],
    *,
    step: str | None = None,
    template: Template | None = None,
    **options: object,
) -> Scenario:
    """The scenario of a job's first attempt: its inputs as of the first claim, and what a person decided first.

    Args:
        job: a Job (`read_jobs(path).job(id)`), or the job's transitions as mappings.
        agent: a function of the Step.
        step: the step that is meant, where the job has several.
        template: its checks are the scenario's.
        options: the other arguments of a Scenario: checks, tools, max_failure_rate, ...
    Returns:
        A Scenario called by the step, with the job's id as `source_job_id`, the first decision as `case_verdict`, and the reason of a rejection as feedback.
    Raises:
        CaseError: the job cannot be rebuilt.
    """
    if not isinstance(job, Job):
        job = Job.from_transitions(job)
    if step is None:
        if len(job.steps) != 1:
            words = f"has the steps {', '.join(map(quote, job.steps))}: name one" if job.steps else "was never claimed, so that nobody knows what it saw"
            raise CaseError(f"the job {quote(job.id)} {words}", path=("step",))
        step = job.steps[0]
    claim = job.first_claim(step)
    decided = job.decision(step)
    verdict = decided.fields["decision"] if decided else None
    reason = (decided.fields.get("reason") or "").strip() if decided else ""
    told = {"requirements": claim.fields["requirements"]} if claim.fields.get("requirements") else {}
    if verdict == "rejected" and reason:
        told["feedback"] = (reason,)
    inputs = job.seen_by_first_attempt(step)
    return Scenario(step, agent, inputs=inputs, template=template, source_job_id=job.id, case_verdict=verdict, **{**options, **told})


class Corpus(Record):
    """The scenarios of a job log, newest first, and the errors that were met on the way. Iterating gives the scenarios."""

    __slots__ = ("scenarios", "errors")
    scenarios: tuple[Scenario, ...]
    errors: tuple[GatekitError, ...]

    def __init__(self, scenarios: tuple[Scenario, ...], errors: tuple[GatekitError, ...] = ()) -> None:
        self._set(tuple(scenarios), tuple(errors))

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self.scenarios)

    def __len__(self) -> int:
        return len(self.scenarios)


def replay_corpus(path: str, agent: object, *, step: str | None = None, template: object = None, **options: object) -> Corpus:
    """The scenarios of all jobs of a log that a person decided on, the newest first decision first.

    Args:
        path: the log.
        agent: a function of the Step, or a mapping from the names of steps to such.
        step: only this step; by default all that a person decided on.
        template: the Template whose checks hold, or a mapping from the names of steps to such.
        options: the other arguments of each Scenario.
    Returns:
        A Corpus. A job that cannot be rebuilt is an error of it, and the others are used.
    """
    log = read_jobs(path)
    errors = list(log.errors)
    found: list = []
    for job in log.jobs.values():
        for name in job.decided_steps():
            if step is not None and name != step:
                continue
            decided = job.decision(name)
            try:
                made = scenario_from_job(job, _of_step(agent, name, "agent"), step=name, template=_of_step(template, name, "template"), **options)
            except CaseError as error:
                errors.append(error.located(file=decided.file, line=decided.line))
            else:
                found.append((decided, made))
    if step is not None and not found:
        known = sorted({name for job in log.jobs.values() for name in job.decided_steps()})
        near = nearest(step, known)
        mend = f": did you mean {quote(near)}?" if near else f": there are {', '.join(map(quote, known))}" if known else ""
        errors.append(GatekitError(f"nobody decided on a step {quote(step)}" + mend, file=spelt(path)))
    found.sort(key=lambda pair: (-pair[0].at, pair[1].source_job_id, pair[1].name))
    return Corpus(tuple(made for _, made in found), tuple(errors))


def _of_step(given: object, step: str, what: str) -> object:
    if not isinstance(given, dict):
        return given
    if step not in given:
        near = nearest(step, given)
        raise CaseError(f"there is no {what} for the step {quote(step)}" + (f": did you mean {quote(near)}?" if near else ""), path=(what,))
    return given[step]
