"""A batch: scenarios that are run many times, and held to a failure rate.

The gate reads the ledger and not the process: what counts is what stands there, whoever wrote it and when. So a batch that was killed goes on where it
was, and runs nothing twice; and the report is the same whether it ran in one go, in many, or in shards.

Runs have the ids run-0001, run-0002, ...; those of a job's scenario JOB/run-0001. An id does not depend on how many runs there are.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..formats.strict_json import read_json
from ..ground.errors import CaseError
from ..judging.curtailing import settled
from ..judging.report import Report, Stopped
from ..judging.tally import Tally, counted
from ..judging.verdict import STATUSES
from ..text.quoting import quote
from .ledger import ledger_line, read_samples
from .running import run_steps
from .scenario import Scenario
from .shards import Shard

MOST_RUNS = 10**9


class Batch:
    """Scenarios, how often each is run, and where the runs are kept.

    Args:
        scenarios: at least one. Those of one name are one case of the report: they differ in what they are given, and in nothing that judges it.
        count: how often each is run.
        ledgers: what holds the runs: Ledgers, or one Memory.
        shard: the part that is run and judged here; None: all.
        feedback: what a person said of earlier attempts, for every run; None, where nothing is run: whatever it was.
        verbose: keep the evidence of what passed too.
        held_to: thresholds in the place of the scenarios' own, by name, as texts of a command line are: `{"max_failure_rate": "1%"}`.
        most_failures: no other run is made once so many of those that gate failed, and the report says so; None: they may all fail.
    Raises CaseError for what cannot be meant.
    """

    def __init__(
        self,
        scenarios,
        count: int,
        ledgers,
        shard: Shard | None = None,
        feedback: tuple | None = (),
        verbose: bool = False,
        held_to: dict | None = None,
        most_failures: int | None = None,
    ) -> None:
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_RUNS:
            raise CaseError(f"a batch makes a number of runs from 1 to {MOST_RUNS}")
        if not scenarios:
            raise CaseError("there is nothing to run: give the batch a scenario")
        self.scenarios = [one.changed(**held_to) if held_to else one for one in scenarios]
        self.count = count
        self.ledgers = list(ledgers)
        self.shard = shard
        self.feedback = tuple(feedback or ())
        self.verbose = verbose
        self.most_failures = most_failures
        self.errors: list = []
        self.stopped = False  # whether it stopped since no other run could change the outcome
        self._cases: dict = {}
        for scenario in self.scenarios:
            known = self._cases.setdefault(scenario.name, scenario)
            if (known.judging.given_to(None), known.thresholds) != (scenario.judging.given_to(None), scenario.thresholds):
                raise CaseError(f"two scenarios are called {quote(scenario.name)} and have other checks or thresholds: give each a name of its own")
        # What each scenario's agent is told of earlier attempts: runs that were told something else are none of this batch.
        self._told = {(one.name, one.source_job_id): [*one.feedback, *self.feedback] for one in self.scenarios}
        if len(self._told) != len(self.scenarios):
            raise CaseError("two scenarios of one name would give their runs the same ids: give each a name of its own")
        if feedback is None:
            self._told = {}
        # Scenarios of one name share their rules, and not what their agents were given.
        self._judges = {(one.name, one.source_job_id): one.judging for one in self.scenarios}
        self._tallies: dict = {}
        self._unfit: set = set()  # runs that stand there and are none of this batch: no other may be made under their ids

    # --- what is there

    def read(self, progress=None) -> None:
        """Judge all that the ledgers hold of this batch, or of its shard. `progress` is a function that is called after each run."""
        self._unfit = set()
        self._tallies = {name: self._tally(scenario) for name, scenario in self._cases.items()}
        take = self._taker()

        def take_and_tell(sample) -> bool:
            taken = take(sample)
            progress()
            return taken

        self.errors = read_samples(self.ledgers, take if progress is None else take_and_tell, self._cases)

    def _tally(self, scenario: Scenario) -> Tally:
        judging = scenario.judging
        return Tally(judging, scenario.thresholds, Redaction(judging.prefixes, judging.masks), self.verbose, alone=True)

    def _taker(self):
        """What takes in one run of a ledger: it gives False where that attempt was taken before."""
        admits, told_of, shard = {name: tally.admit for name, tally in self._tallies.items()}, self._told, self.shard
        nobody_was_told, unfit = not any(told_of.values()), self._unfit
        judge_of = self._judge

        def take(sample) -> bool:
            fields = sample.fields
            case = fields["case"]
            if shard is not None and not shard.takes(case, fields["sample"]):
                return True
            if "feedback" in fields or not nobody_was_told:
                told = told_of.get((case, fields.get("source_job_id")))
                if told is not None and told != _listed(fields.get("feedback")):
                    unfit.add((case, fields["sample"]))
                    words = "the run was made with other feedback than this batch gives: keep its runs in a ledger of its own"
                    raise CaseError(words, path=("feedback",))
            return admits[case](sample, judge_of(sample))

        return take

    def _judge(self, sample):
        """The judge of a run: that of the job it was made from. What a job that is none of this batch was given, nobody knows."""
        fields = sample.fields
        known = self._judges.get((fields["case"], fields.get("source_job_id")))
        return known or self._cases[fields["case"]].judging.given_to(None)

    @property
    def notes(self) -> list:
        """What is to be said of the ledgers, besides errors: lines that were not finished."""
        return [note for ledger in self.ledgers for note in ledger.notes]

    @property
    def made(self) -> int:
        """How many of the planned runs are there."""
        return sum(self._is_there(scenario, run) for scenario, run in self.planned())

    # --- what is to be done

    def planned(self):
        """Yield `(scenario, id)` of every run of the batch or of its shard: the first run of each scenario, then the second of each."""
        for number in range(1, self.count + 1):
            for scenario in self.scenarios:
                run = run_id(scenario, number)
                if self.shard is None or self.shard.takes(scenario.name, run):
                    yield scenario, run

    def counted(self) -> tuple:
        """How many runs there are so far that gate, and how many of them passed."""
        return counted(self._tallies.values())

    @property
    def failed(self) -> int:
        """How many runs count against their agents so far."""
        return sum(tally.failed for tally in self._tallies.values())

    @property
    def is_at_its_end(self) -> bool:
        """Whether as many runs failed as were given as the most."""
        return self.most_failures is not None and self.failed >= self.most_failures

    def _is_there(self, scenario: Scenario, run: str) -> bool:
        return run in self._tallies[scenario.name].statuses or (scenario.name, run) in self._unfit

    def missing(self) -> int:
        """How many of the planned runs are not there."""
        return sum(not self._is_there(scenario, run) for scenario, run in self.planned())

    def steps(self, keep, curtail: bool = True, progress=None):
        """Make the runs that are missing. A generator: it yields whatever is to be awaited, and wants to be sent what that gives, or thrown what it raises.

        Args:
            keep: a function that keeps a Sample in the ledger.
            curtail: stop where no other run can change the outcome. (A shard never stops so: it does not know of the others.)
            progress: a function that is called after every run.
        """
        curtail = curtail and self.shard is None
        left = dict.fromkeys(self._cases, 0)  # of each case the runs to come that gate
        for scenario, run in self.planned():
            left[scenario.name] += scenario.case_verdict != "rejected" and not self._is_there(scenario, run)
        for scenario, run in self.planned():
            if self._is_there(scenario, run):
                continue
            if self.is_at_its_end:
                return
            if curtail and any(left.values()) and all(self._is_settled(name, count) for name, count in left.items()):
                self.stopped = True
                return
            made = yield from run_steps(scenario, self.feedback, run)
            keep(made.sample)
            self._tallies[scenario.name].add(made.sample, scenario.judging)
            left[scenario.name] -= scenario.case_verdict != "rejected"
            if progress is not None:
                progress()

    def _is_settled(self, name: str, remaining: int) -> bool:
        """Whether the outcome of a case stays, whatever the runs that are left come to."""
        if not remaining:
            return True
        summary = self._tallies[name].summary()
        # What a run says of itself is never `diverged`, and `transient` only where its scenario says what that is.
        excused = {"diverged"} if self._cases[name].transient else {"diverged", "transient"}
        counts = {status: getattr(summary, status) for status in STATUSES}
        return settled(counts, remaining, summary.thresholds, summary.vetoed, [status for status in STATUSES if status not in excused]) is not None

    # --- what came of it

    def report(self) -> Report:
        """The report on all that was read or run, cases in the order of their ids."""
        cases, faults, not_judged = [], [], []
        is_at_its_end = self.is_at_its_end
        for name in sorted(self._tallies):
            tally = self._tallies[name]
            if is_at_its_end and not tally.statuses:
                not_judged.append(tally.redaction.id(name))
                continue
            planned = self.count * sum(one.name == name for one in self.scenarios)
            cases.append(tally.report(name, planned=planned if self.stopped and len(tally.statuses) < planned else None, unfinished=is_at_its_end))
            faults += tally.faults.values()
        shown = Redaction((), tuple(dict.fromkeys(mask for scenario in self.scenarios for mask in scenario.judging.masks))).error
        stopped = Stopped(self.most_failures, self.failed, self.counted()[0], tuple(not_judged)) if is_at_its_end else None
        return Report(tuple(cases), tuple(map(shown, [*self.errors, *faults])), stopped=stopped)


def run_id(scenario: Scenario, number: int) -> str:
    """The id of a run of a scenario, by its number from 1."""
    own = f"run-{number:04d}"
    return own if scenario.source_job_id is None else f"{scenario.source_job_id}/{own}"


def _listed(feedback: object) -> list:
    return [] if feedback is None else [feedback] if isinstance(feedback, str) else list(feedback)


class Memory:
    """In the place of a ledger, where none is to be kept: it holds the lines of one process."""

    def __init__(self) -> None:
        self.errors: list = []
        self.notes: list = []
        self._lines: list = []

    def add(self, sample) -> None:
        """Keep a sample."""
        self._lines.append(ledger_line(sample.fields))

    def entries(self):
        """Yield `(mapping, None, None)` of each line."""
        for line in self._lines:
            yield read_json(line.decode("utf-8")), None, None

    def close(self) -> None:
        """Nothing is to be closed."""
