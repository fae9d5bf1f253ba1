"""One run of a workflow, from the first step to the submission: what is answered and decided is recorded as it comes, and a run goes on from what was recorded.

An operator, a person as well as a script, decides by `approve`, `reject`, `retry` and `submit`; there is no other way. What is recorded are lines of a ledger:

    a sample    of the case `WORKFLOW.STEP`, called as the run, with its attempt and the feedback that it was given
    a decision  of who operates: `begun`, then those that are made (decisions.py)

A run that goes on is worked out again from these lines alone, in the order that the steps and the numbers give, whoever wrote them where.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..data.redaction import Redaction
from ..data.sample import Sample
from ..ground.canonical import digest
from ..ground.errors import CaseError, GatekitError
from ..ground.record import Record
from ..judging.masking import read_masks
from ..judging.verdict import Finding, Verdict
from ..text.quoting import quote
from .decisions import check_decision
from .progress import Progress
from .running import run_scenario
from .scenario import Scenario
from .workflow import Workflow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# What makes a sample's verdict the run's: the first of these that one of its steps has.
_WORST_FIRST = ("transient", "error", "diverged", "check_failed", "inconclusive", "review", "passed")
_OVER = ("waiting", "ready")  # a step in such a state has no answer that counts


class Answer(Record):
    """What a step gave in one attempt: its sample, the verdict of its checks, and the log of its prompts and responses (None where it was not run just now)."""

    __slots__ = ("step", "attempt", "sample", "verdict", "log")
    step: str
    attempt: int
    sample: Sample
    verdict: Verdict
    log: object

    def __init__(self, step: str, attempt: int, sample: Sample, verdict: Verdict, log: object = None) -> None:
        self._set(step, attempt, sample, verdict, log)


class WorkflowRun:
    """A workflow under way.

    Args:
        workflow: the Workflow.
        inputs: what the run is given; by default the workflow's own.
        run: its id, by which its samples and decisions are called.
        operator: who decides from now on.
        record: a function that is given each line as a mapping, once it is certain; a ledger's, say.
        past: the lines of this run that were recorded before.
        scripted: whether a script decides in the place of a person: its approvals let the run go on, and settle nothing that a person decides (tier 5).
        perform: what runs a step, by default `run_scenario`; it is called with the Scenario, and `sample` and `attempt`.
        redaction: what hides secrets in the verdicts; one for a whole report.
        verbose: whether verdicts explain what held, too.
    Raises CaseError for inputs or an operator that cannot be meant, and for a past that is not one of this workflow and these inputs.
    """

    def __init__(
        self,
        workflow: Workflow,
        inputs: dict | None = None,
        run: str = "1",
        *,
        operator: str,
        record: Callable[[dict], object] | None = None,
        past: Iterable[dict] = (),
        scripted: bool = False,
        perform: Callable[..., object] | None = None,
        redaction: Redaction | None = None,
        verbose: bool = False,
    ) -> None:
        if inputs is None and workflow.inputs is None:
            raise CaseError(f"the workflow {quote(workflow.name)} has no inputs of its own: give it a fixture, or inputs", path=("inputs",))
        for name, value in (("run", run), ("operator", operator)):
            if not isinstance(value, str) or is_blank(value):
                raise CaseError(f"{name} is a name, as text", path=(name,))
        self.workflow = workflow
        self.inputs = workflow.inputs if inputs is None else workflow.read_inputs(inputs)
        self.run = run
        self.operator = operator
        self._scripted = scripted
        self.answers: dict = {step.name: [] for step in workflow.steps}
        self.decisions: list = []
        self.progress = Progress(workflow.steps)
        self.redaction = redaction or redaction_of(workflow)
        self._verbose = verbose
        self._record = record or (lambda line: None)
        self._perform = perform or run_scenario
        self._resume(list(past))

    # --- where it stands

    @property
    def state(self) -> str:
        """`running`, `deciding`, `reviewing`, `stopped`, `ended` or `submitted` (see progress.py)."""
        return self.progress.state

    @property
    def step(self) -> str | None:
        """The step that the run is at, None where all are accepted."""
        return self.progress.step

    @property
    def answer(self) -> Answer | None:
        """The last answer of the step that the run is at; None before its first."""
        answers = self.answers[self.step] if self.step else ()
        return answers[-1] if answers else None

    @property
    def verdict(self) -> Verdict:
        """What the run comes to: the findings of the last answer of each step, those with a veto of all answers, and whether it was submitted at all.

        What waits for a person's decision alone is settled by the approval of a person.
        """
        findings, statuses, faults = [], [], []
        for name, state in self.progress.states.items():
            for answer in self.answers[name]:
                counts = answer is self.answers[name][-1] and state not in _OVER
                reviewer = self._reviewer(answer) if counts and state == "accepted" else None
                told = [_settled(finding, reviewer) for finding in answer.verdict.findings if counts or finding.veto and finding.outcome == "fail"]
                findings += [_of_step(answer, finding, "" if counts else f"attempt {answer.attempt}: ") for finding in told]
                statuses += ["passed" if reviewer and answer.verdict.status == "review" else answer.verdict.status] if counts else ["check_failed"] * bool(told)
                faults += answer.verdict.faults if counts else ()
        ending = self._ending()
        if ending is not None:
            findings.append(ending)
            statuses.append("check_failed" if ending.outcome == "fail" else "inconclusive")
        status = next(status for status in _WORST_FIRST if status in statuses)
        return Verdict(status, tuple(findings), self.redaction.id(self.workflow.name), self.redaction.id(self.run), None, tuple(faults))

    def _reviewer(self, answer: Answer) -> str | None:
        """The person who approved an answer, as shown; None where nobody did, or a script."""
        for line in reversed(self.decisions):
            if line["decision"] == "approved" and (line["step"], line["attempt"]) == (answer.step, answer.attempt):
                return None if line.get("scripted") else self.redaction.text(line["operator"])
        return None

    def _ending(self) -> Finding | None:
        """What is to be said of a run that was not submitted, beyond its steps."""
        shown, at = self.redaction.text, self.step
        if self.state == "submitted":
            return None
        if self.state == "ended":
            reasons = self.progress.feedback(at)
            words = f"the output of {quote(at)} was rejected {len(reasons)} time{'s' * (len(reasons) > 1)}, the last time because: {reasons[-1]}"
            return Finding("fail", shown(words), "workflow", "workflow", 5)
        words = f"it is {self.state} at {quote(at)}" if at else "all steps are accepted"
        return Finding("unknown", shown(f"the run was not submitted: {words}"), "workflow", "workflow", 5)

    # --- what moves it on

    def advance(self) -> Answer:
        """Run the agent of the step that the run is at. Raises CaseError where the run is not `running`."""
        if self.state != "running":
            raise CaseError(f"the run is {self.state}: there is no agent to be run")
        if not self.decisions:
            self._decide("begun", inputs=digest(self.inputs))
        name = self.step
        scenario = self._scenario(name)
        ran = self._perform(scenario, sample=self.run, attempt=self.progress.attempt(name) + 1)
        self._record(ran.sample.fields)
        return self._take(name, ran.sample, scenario, ran.log)

    def approve(self) -> None:
        """The output that waits is handed on. Raises CaseError where none waits."""
        self._decide("approved", self.step, **{"scripted": True} if self._scripted else {})

    def reject(self, reason: str, step: str | None = None) -> None:
        """The output that waits is done again, with the reason as feedback; where all steps are accepted, that of a step.

        Raises CaseError where none waits, and for a reason that says nothing.
        """
        if not isinstance(reason, str) or is_blank(reason):
            raise CaseError("a rejection has a reason: it is the feedback of the next attempt", path=("reason",))
        self._decide("rejected", self.step if step is None else step, reason=reason)

    def retry(self) -> None:
        """A step that could not hand on anything (a crash, an outage, checks that failed) is run again. Raises CaseError where there is none."""
        self._decide("retried", self.step)

    def submit(self) -> None:
        """All steps are accepted, and the run is handed in. Raises CaseError where they are not."""
        self._decide("submitted")

    # --- what was recorded

    def _scenario(self, step: str) -> Scenario:
        outputs = {name: self.answers[name][-1].sample.answer for name in self.workflow.step(step).needs}
        return self.workflow.scenario(step, self.inputs, outputs, self.progress.feedback(step))

    def _take(self, step: str, sample: Sample, scenario: Scenario, log: object = None) -> Answer:
        judging = scenario.judging
        plainly = not self._verbose and judging.holds(sample)
        verdict = judging.clean_pass(sample) if plainly else judging.verdict(sample, self.redaction, self._verbose)
        answer = Answer(step, self.progress.attempt(step) + 1, sample, verdict, log)
        self.progress.answered(verdict.status)
        self.answers[step].append(answer)
        return answer

    def _decide(self, decision: str, step: str | None = None, **about: object) -> None:
        line: dict = {"decision": decision, "workflow": self.workflow.name, "run": self.run, "number": len(self.decisions), "operator": self.operator}
        if decision != "begun":
            self.progress.refuse(decision, step)
        if step is not None:
            line.update(step=step, attempt=self.progress.attempt(step))
            if decision in ("approved", "rejected"):
                line["output_sha256"] = _output_sha256(self.answers[step][-1])
        line.update(about)
        self._record(line)
        self._apply(line)

    def _apply(self, line: dict) -> None:
        if line["decision"] != "begun":
            self.progress.decided(line["decision"], line.get("step"), line.get("reason"))
        self.decisions.append(line)

    def _resume(self, past: list) -> None:
        """Work the run out again from its lines. Raises GatekitError where they are not those of such a run."""
        decided, answered = self._by_place(past)
        if 0 in decided:
            if decided[0]["inputs"] != digest(self.inputs):
                raise GatekitError(f"the run {quote(self.run)} was begun with other inputs: give it those, or begin another run")
            self.decisions.append(decided.pop(0))
        while self.decisions:
            if self.state == "running":
                line = answered.pop((self.workflow.case(self.step), self.progress.attempt(self.step) + 1), None)
            else:
                line = decided.pop(len(self.decisions), None)
            if line is None:
                break
            (self._take_past if self.state == "running" else self._apply_past)(line)
        if decided or answered:
            rest = f"decision {min(decided)}" if decided else "attempt {1} of {0}".format(*next(iter(answered)))
            mend = "a line before it is missing, or the workflow is another by now"
            raise GatekitError(f"{rest} of the run {quote(self.run)} is recorded, and the run never came to it: {mend}")

    def _by_place(self, past: list) -> tuple:
        """The decisions by their number, and the answers by case and attempt."""
        decided: dict = {}
        answered: dict = {}
        for line in past:
            if "decision" in line:
                check_decision(line)
                kind, key, what = decided, line["number"], f"decision {line['number']}"
            else:
                kind, key = answered, (line.get("case"), line.get("attempt"))
                what = f"attempt {key[1]} of {key[0]}"
            if kind.setdefault(key, line) is not line:
                raise GatekitError(f"{what} of the run {quote(self.run)} is recorded twice")
        return decided, answered

    def _take_past(self, line: dict) -> None:
        sample = Sample.from_dict(line)
        if list(self.progress.feedback(self.step)) != (sample.feedback or []):
            words = "was given other feedback than was decided before it"
            raise GatekitError(f"attempt {sample.attempt} of {quote(self.step)} in the run {quote(self.run)} {words}")
        self._take(self.step, sample, self._scenario(self.step))

    def _apply_past(self, line: dict) -> None:
        where = f"decision {line['number']} of the run {quote(self.run)}"
        try:
            self._apply(line)
        except CaseError as error:
            raise GatekitError(f"{where} cannot have been made: {error.message}") from None
        step = line.get("step")
        if line.get("output_sha256") not in (None, _output_sha256(self.answers[step][-1]) if step else None):
            mend = "its line was changed since: put it back, or begin another run"
            raise GatekitError(f"{where} is about another output of {quote(step)} than is recorded: {mend}")
        if step is not None and line["attempt"] != self.progress.attempt(step):
            raise GatekitError(f"{where} is about attempt {line['attempt']} of {quote(step)}, and its last was {self.progress.attempt(step)}")


def _output_sha256(answer: Answer) -> str:
    """What is decided about: the digest of an output, as in decisions on a golden case."""
    return digest(answer.sample.judged).partition(":")[2]


def redaction_of(workflow: Workflow) -> Redaction:
    """What hides secrets in whatever is shown of a workflow's runs."""
    prefixes = [prefix for step in workflow.steps for prefix in step.scenario.judging.prefixes]
    return Redaction(tuple(dict.fromkeys(prefixes)), read_masks(workflow.masks, workflow.pii))


def _settled(finding: Finding, reviewer: str | None) -> Finding:
    """A finding as it stands once a person approved the output."""
    if reviewer is None or finding.outcome != "review":
        return finding
    changed = {"outcome": "pass", "reason": f"approved by {reviewer}: {finding.reason}", "review_required": False}
    return Finding(*(changed.get(name, getattr(finding, name)) for name in Finding.__slots__))


def _of_step(answer: Answer, finding: Finding, said_first: str) -> Finding:
    """A finding under the name of its step."""
    changed = {"rule": f"{answer.step}.{finding.rule}", "reason": said_first + finding.reason}
    return Finding(*(changed.get(name, getattr(finding, name)) for name in Finding.__slots__))
