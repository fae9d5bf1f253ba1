"""Where one run of a workflow stands: a table of what leads from one state of a step to the next, and one of what an operator may decide when.

It is pure: no agent is run here, nobody is asked, and nothing is written. What was answered and decided is told, in its order, and the state follows.

    a step is    when
    waiting      a step that it needs is not accepted
    ready        its agent is to be run
    proposed     its output waits for the operator, whatever its checks say of it
    accepted     its output is handed to the steps that need it
    held         it asks for no approval, and its checks did not pass: its output is handed to nobody
    crashed      its agent failed
    outage       its provider failed
    exhausted    it was rejected once more often than it may be

    a run is     when
    running      a step is ready
    deciding     a step is proposed
    reviewing    all steps are accepted: the operator submits the run, or sends a step back
    stopped      a step can be retried at most
    ended        a step is exhausted
    submitted    the operator handed it in
"""
from __future__ import annotations

from ..ground.errors import CaseError, nearest
from ..text.quoting import quote

_NEXT = {
    ("waiting", "reached"): "ready",
    ("ready", "proposed"): "proposed",
    ("ready", "passed"): "accepted",
    ("ready", "held"): "held",
    ("ready", "crashed"): "crashed",
    ("ready", "outage"): "outage",
    ("proposed", "approved"): "accepted",
    ("proposed", "rejected"): "ready",
    ("proposed", "exhausted"): "exhausted",
    ("accepted", "rejected"): "ready",
    ("accepted", "exhausted"): "exhausted",
    ("accepted", "undone"): "waiting",
    ("held", "retried"): "ready",
    ("crashed", "retried"): "ready",
    ("outage", "retried"): "ready",
}
# The state of a run, by that of its first step that is not accepted.
_RUN = {
    "ready": "running",
    "proposed": "deciding",
    "held": "stopped",
    "crashed": "stopped",
    "outage": "stopped",
    "exhausted": "ended",
}
# What an operator may decide, by the state of the run.
DECISIONS = {
    "running": (),
    "deciding": ("approved", "rejected"),
    "reviewing": ("rejected", "submitted"),
    "stopped": ("retried",),
    "ended": (),
    "submitted": (),
}
# What it waits for where nobody can decide anything.
_WAITING = {"running": "waits for its agent", "ended": "is over", "submitted": "is over"}
# What an agent's run is to its step, by the status of its sample: of a step that asks for approval, and of one that does not.
_ANSWERS = {"error": ("crashed", "crashed"), "transient": ("outage", "outage"), "passed": ("proposed", "passed")}
_NOT_PASSED = ("proposed", "held")


class Progress:
    """The states of the steps of one run. `steps` have `name`, `needs`, `approval` and `max_rejections`, and each stands after those that it needs."""

    __slots__ = ("_steps", "_states", "_attempts", "_feedback", "_is_submitted")

    def __init__(self, steps: tuple) -> None:
        self._steps = {step.name: step for step in steps}
        self._states = {step.name: "waiting" for step in steps}
        self._attempts = dict.fromkeys(self._steps, 0)
        self._feedback: dict = {step.name: () for step in steps}
        self._is_submitted = False
        self._reach()

    @property
    def state(self) -> str:
        """The state of the run."""
        if self._is_submitted:
            return "submitted"
        return "reviewing" if self.step is None else _RUN[self._states[self.step]]

    @property
    def step(self) -> str | None:
        """The step that the run is at: the first that is not accepted, None where all are."""
        return next((name for name, state in self._states.items() if state != "accepted"), None)

    @property
    def states(self) -> dict:
        """The state of each step, by its name, in their order."""
        return dict(self._states)

    def attempt(self, step: str) -> int:
        """The number of a step's last attempt, counted from 1; 0 before the first."""
        return self._attempts[step]

    def feedback(self, step: str) -> tuple:
        """The reasons for which a step was rejected so far, in their order."""
        return self._feedback[step]

    def answered(self, status: str) -> None:
        """The agent of the step that the run is at came to its end; `status` is that of its sample."""
        step = self.step
        asks, does_not_ask = _ANSWERS.get(status, _NOT_PASSED)
        self._move(step, asks if self._steps[step].approval else does_not_ask)
        self._attempts[step] += 1
        self._reach()

    def decided(self, decision: str, step: str | None = None, reason: str | None = None) -> None:
        """The operator decided. `step` is the one that is rejected, by default the one that the run is at.

        Raises CaseError for what cannot be decided in this state; nothing is changed then.
        """
        self.refuse(decision, step)
        step = step or self.step
        if decision == "submitted":
            self._is_submitted = True
            return
        if decision == "rejected":
            is_last = len(self._feedback[step]) >= self._steps[step].max_rejections
            self._move(step, "exhausted" if is_last else "rejected")
            self._feedback[step] += (reason,)
            self._undo(step)
        else:
            self._move(step, decision)
        self._reach()

    def refuse(self, decision: str, step: str | None = None) -> None:
        """Raise CaseError, in words, for what the operator cannot decide now."""
        if step is not None and step not in self._steps:
            near = nearest(step, self._steps)
            mend = f"did you mean {quote(near)}?" if near else f"it has {', '.join(self._steps)}"
            raise CaseError(f"the workflow has no step {quote(step)}: {mend}")
        state = self.state
        if decision not in DECISIONS[state]:
            where = f"the run is {state}" + (f" at {quote(self.step)}" if self.step else "")
            raise CaseError(f"it cannot be {decision} now: {where}, and {_WAITING.get(state) or 'waits to be ' + ' or '.join(DECISIONS[state])}")
        if state != "reviewing" and step not in (None, self.step):
            raise CaseError(f"the run is at {quote(self.step)}, so that {quote(step)} cannot be {decision} now")
        if state == "reviewing" and decision == "rejected" and step is None:
            raise CaseError(f"all steps are accepted: name the one that is rejected, of {', '.join(self._steps)}")

    def _move(self, step: str, event: str) -> None:
        self._states[step] = _NEXT[self._states[step], event]

    def _reach(self) -> None:
        """Steps whose needs are all accepted are ready."""
        for name, step in self._steps.items():
            if self._states[name] == "waiting" and all(self._states[need] == "accepted" for need in step.needs):
                self._move(name, "reached")

    def _undo(self, rejected: str) -> None:
        """What was accepted on the ground of a step that is rejected waits for it again; so does what was ready."""
        undone = {rejected}
        for name, step in self._steps.items():
            if undone & set(step.needs):
                undone.add(name)
                if self._states[name] == "accepted":
                    self._move(name, "undone")
