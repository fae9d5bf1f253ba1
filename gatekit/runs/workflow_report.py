"""What many runs of a workflow come to: a report of one case, in which each run is a sample, and how the first attempts of each step went."""
from __future__ import annotations

from ..data.redaction import Redaction
from ..judging.report import Report, Stopped
from ..judging.tally import Tally
from ..judging.verdict import STATUSES
from .workflow import Workflow
from .workflow_run import WorkflowRun


class WorkflowTally:
    """Counts whole runs as they come. The gate is on them; attempts of steps are listed."""

    __slots__ = ("_workflow", "_tally", "_first", "_attempts", "_rejected", "_most_failures")

    def __init__(self, workflow: Workflow, thresholds, redaction: Redaction, verbose: bool = False, most_failures: int | None = None) -> None:
        """`most_failures` is how many runs may fail before no other is to be made; None: all of them."""
        names = [step.name for step in workflow.steps]
        self._workflow = workflow
        self._most_failures = most_failures
        self._tally = Tally(None, thresholds, redaction, verbose)
        self._first: dict = {name: dict.fromkeys(STATUSES, 0) for name in names}
        self._attempts = dict.fromkeys(names, 0)
        self._rejected = dict.fromkeys(names, 0)

    def add(self, run: WorkflowRun) -> None:
        """Count a run."""
        self._tally.take(run.run, run.verdict)
        for name, answers in run.answers.items():
            if answers:
                self._first[name][answers[0].verdict.status] += 1
            self._attempts[name] += len(answers)
            self._rejected[name] += len(run.progress.feedback(name))

    def counted(self) -> tuple:
        """How many runs there are so far, and how many of them passed."""
        return self._tally.counted

    @property
    def is_at_its_end(self) -> bool:
        """Whether as many runs failed as were given as the most."""
        return self._most_failures is not None and self._tally.failed >= self._most_failures

    def report(self) -> Report:
        """The report so far."""
        stopped = Stopped(self._most_failures, self._tally.failed, self._tally.counted[0]) if self.is_at_its_end else None
        level = max(step.scenario.judging.level for step in self._workflow.steps)
        case = self._tally.report(self._workflow.name, level=level, unfinished=self.is_at_its_end)
        return Report((case,), tuple(self._tally.faults.values()), stopped=stopped)

    def lines(self) -> list:
        """How the steps went, a line each: their first attempts by status, and what came after them."""
        lines = []
        for name, counts in self._first.items():
            first = ", ".join(f"{count} {status}" for status, count in counts.items() if count) or "none"
            rejected, again = self._rejected[name], self._attempts[name] - sum(counts.values())
            lines.append(f"{name}: first attempts {first}; {rejected} rejection{'s' * (rejected != 1)}, {again} more attempt{'s' * (again != 1)}")
        return lines
