"""A workflow: steps that build on each other, each with an agent and checks, and some with a person who approves what they gave.

    intel = Workflow("intel", steps=[
        WorkflowStep("synthesize", synthesize, template=SYNTHESIZE, approval=True),
        WorkflowStep("draft_offer", draft_offer, needs=["synthesize"], checks=[...], approval=True),
    ], max_failure_rate="1%")

A step's agent is that of a step's Scenario. What it is given are the inputs of the run, and under the name of each step that it needs what that step gave.
What was rejected is done again, with all the reasons so far as feedback. An output whose checks failed reaches the operator too, with what failed; an
approval lets the run go on, and no pass comes of it; what waits for a person's decision alone (`human_review`) is settled by a person's approval. A
step that asks for no approval hands on only what passed.
"""
from __future__ import annotations

from ..golden.settings import below, thresholds
from ..ground.canonical import json_copy, json_kind
from ..ground.errors import CaseError, nearest
from ..ground.record import Record
from ..judging.masking import as_given, read_masks
from ..judging.rates import Thresholds
from ..text.quoting import quote
from .scenario import Scenario

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .template import Template

MAX_REJECTIONS = 3
_LARGEST = 1000


class WorkflowStep(Record):
    """One step of a workflow.

    Args:
        name: its name in the workflow.
        agent: a function of the Step that gives the output; it may be asynchronous.
        needs: the names of the steps whose outputs it is given.
        approval: whether a person decides on its output before it is handed on.
        max_rejections: how often it may be rejected and done again (3 by default).
        template, checks, requirements, client, connect, method, tools, transient, reasoning, allow_empty: as of a Scenario.
    Raises CaseError, with the argument as `path`, for what cannot be meant, and for a step without checks.
    """

    __slots__ = ("name", "needs", "approval", "max_rejections", "scenario")
    name: str
    needs: tuple[str, ...]
    approval: bool
    max_rejections: int
    scenario: Scenario

    def __init__(
        self,
        name: str,
        agent: Callable[..., object],
        *,
        needs: Sequence[str] = (),
        approval: bool = False,
        max_rejections: int = MAX_REJECTIONS,
        template: Template | None = None,
        checks: Sequence[object] = (),
        requirements: str | Sequence[str] = (),
        client: object = None,
        connect: Callable[[], object] | None = None,
        method: str | Sequence[str] | None = None,
        tools: Mapping[str, Callable[..., object]] | None = None,
        transient: Sequence[object] = (),
        reasoning: str | None = None,
        allow_empty: bool = False,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise CaseError('a step has a name: WorkflowStep("synthesize", agent)', path=("name",))
        if isinstance(needs, str) or not isinstance(needs, (list, tuple)) or not all(isinstance(need, str) for need in needs):
            raise CaseError('needs are a list of names of steps: needs=["synthesize"]', path=("needs",))
        if len(set(needs)) < len(needs):
            raise CaseError("needs names a step twice: leave one out", path=("needs",))
        if not isinstance(approval, bool):
            raise CaseError("approval is true or false", path=("approval",))
        if not isinstance(max_rejections, int) or isinstance(max_rejections, bool) or not 0 <= max_rejections <= _LARGEST:
            raise CaseError(f"max_rejections is a whole number from 0 to {_LARGEST}", path=("max_rejections",))
        scenario = Scenario(
            name, agent, inputs={}, template=template, checks=checks, requirements=requirements, client=client, connect=connect, method=method, tools=tools,
            transient=transient, reasoning=reasoning, allow_empty=allow_empty,
        )  # fmt: skip
        rules = scenario.judging.rules  # a step without checks would hand on whatever it gave
        if not approval and any(rule.matcher.type == "human_review" for rule in rules):
            raise CaseError("a person decides on its output (human_review), and it asks for no approval: give it approval=True", path=("approval",))
        self._set(name, tuple(needs), approval, max_rejections, scenario)

    def __reduce__(self):
        return _step, (self._values(),)


class Workflow(Record):
    """Steps in their order, and what a batch of whole runs is held to.

    Args:
        name: its name. The samples of its steps name `NAME.STEP` as their case.
        steps: WorkflowSteps, each after those that it needs.
        inputs: what a run is given where no fixture says so: a mapping, whose keys are no steps' names.
        max_failure_rate, max_transient, min_judged, confidence, rounding: what a batch of runs is held to, as in a case's `gate`.
        masks, pii: what is hidden in all that is shown of its steps, as of a Scenario.
    Raises CaseError, with the argument as `path`, for what cannot be meant. A workflow does not change and can be pickled, as far as its agents can.
    """

    __slots__ = ("name", "steps", "inputs", "gate", "masks", "pii", "_thresholds")
    name: str
    steps: tuple[WorkflowStep, ...]
    inputs: dict | None
    gate: dict
    masks: dict | None
    pii: list | None

    def __init__(
        self,
        name: str,
        steps: Sequence[WorkflowStep],
        *,
        inputs: Mapping[str, object] | None = None,
        max_failure_rate: object = None,
        max_transient: object = None,
        min_judged: int | None = None,
        confidence: object = None,
        rounding: bool | None = None,
        masks: Mapping[str, str] | None = None,
        pii: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise CaseError('a workflow has a name: Workflow("intel", steps=[...])', path=("name",))
        if not isinstance(steps, (list, tuple)) or not steps:
            raise CaseError("the steps of a workflow are a list of WorkflowSteps, at least one", path=("steps",))
        known: list = []
        for place, step in enumerate(steps):
            below("steps", lambda: below(place, lambda: _check_step(step, known)))
            known.append(step.name)
        gate = dict(max_failure_rate=max_failure_rate, max_transient=max_transient, min_judged=min_judged, confidence=confidence, rounding=rounding)
        gate = {name: value for name, value in gate.items() if value is not None}
        hidden = as_given(read_masks(masks, pii))
        self._set(name, tuple(steps), inputs, gate, hidden["masks"], hidden["pii"], thresholds(gate))
        if inputs is not None:
            object.__setattr__(self, "inputs", below("inputs", lambda: self.read_inputs(inputs)))

    @property
    def thresholds(self) -> Thresholds:
        """What a batch of runs is held to."""
        return self._thresholds

    def step(self, name: str) -> WorkflowStep:
        """The step of a name. Raises CaseError where there is none."""
        for step in self.steps:
            if step.name == name:
                return step
        names = [step.name for step in self.steps]
        near = nearest(name, names)
        mend = f"did you mean {quote(near)}?" if near else f"it has {', '.join(names)}"
        raise CaseError(f"the workflow {quote(self.name)} has no step {quote(name)}: {mend}")

    def read_inputs(self, inputs: object) -> dict:
        """A copy of what a run is given. Raises CaseError for what is no mapping, and for a key that is the name of a step."""
        if not isinstance(inputs, dict):
            raise CaseError(f"the inputs of a workflow are a mapping, not {json_kind(inputs)}")
        if not inputs:
            raise CaseError("the inputs of a workflow are empty: give its steps something to work with")
        inputs = json_copy(inputs)
        for step in self.steps:
            if step.name in inputs:
                raise CaseError(f"{quote(step.name)} is a step, whose output stands under that name: call the input otherwise", path=(step.name,))
        return inputs

    def case(self, step: str) -> str:
        """What the samples of a step name as their case."""
        return f"{self.name}.{step}"

    def scenario(self, step: str, inputs: dict, outputs: dict, feedback: tuple = ()) -> Scenario:
        """What a step is in one run: a Scenario with the run's inputs and the outputs, by name, of the steps that it needs."""
        found = self.step(step)
        given = {**inputs, **{need: outputs[need] for need in found.needs}}
        return found.scenario.changed(name=self.case(step), inputs=given, feedback=feedback, masks=self.masks, pii=self.pii)

    def __hash__(self):
        return hash(("Workflow", self.name))

    def __repr__(self):
        return f"Workflow({quote(self.name)}, {len(self.steps)} steps)"

    def __reduce__(self):
        return _workflow, (self.name, self.steps, self.inputs, {**self.gate, "masks": self.masks, "pii": self.pii})


def _check_step(step: object, known: list) -> None:
    if not isinstance(step, WorkflowStep):
        raise CaseError(f"a step of a workflow is a WorkflowStep, not a {type(step).__name__}")
    if step.name in known:
        raise CaseError(f"two steps are called {quote(step.name)}: give each a name of its own", path=("name",))
    for place, need in enumerate(step.needs):
        if need not in known:
            near = nearest(need, known)
            words = f": did you mean {quote(near)}?" if near else ": a step needs steps that stand before it"
            raise CaseError(f"the step {quote(step.name)} needs {quote(need)}, and no step before it is called so" + words, path=("needs", place))


def _step(values: tuple) -> WorkflowStep:
    step = object.__new__(WorkflowStep)
    step._set(*values)
    return step


def _workflow(name: str, steps: tuple, inputs: dict | None, settings: dict) -> Workflow:
    return Workflow(name, steps, inputs=inputs, **settings)
