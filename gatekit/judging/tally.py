"""Counts the samples of a case as they come, and keeps the evidence that a report shows.

Of a sample that passed its id is kept. Of those that did not, the evidence is kept of the first `EVIDENCE` samples a case, in the order of their ids,
and what was said in the conversations of the first `TRANSCRIPTS`; the ids and statuses of all are kept, and how much evidence was left out is told. So a
report of any size stays within reach, and does not depend on the order that samples come in.

Of several attempts at one sample the first counts, the one of the lowest number, in whatever order they come. The retries are judged and listed: they do
not count, but for a rule with a veto, which fails the gate wherever it fails.

A sample whose `case_verdict` is `rejected` (it runs a job again that a person rejected) is judged and shown, and excluded from all that gates.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import Sample
from ..ground.errors import CaseError
from ..text.quoting import quote
from .judge import Judge
from .rates import BatchSummary, Thresholds
from .report import CaseReport, Report, by_subject
from .verdict import FAILING, STATUSES, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

EVIDENCE = 1000
TRANSCRIPTS = 50
SUBJECTS = 100


def first_told(verdicts: list) -> list:
    """Verdicts in the order of their ids, with the conversations of the first `TRANSCRIPTS` that tell one."""
    kept, told = [], 0
    for verdict in verdicts:
        told += bool(verdict.transcript)
        kept.append(verdict if told <= TRANSCRIPTS or not verdict.transcript else verdict.telling(()))
    return kept


def there_twice(sample: Sample) -> CaseError:
    """The error of a sample whose id and attempt were met before."""
    mend = 'each sample of a case has an id of its own, and a retry of it another "attempt"'
    return CaseError(f"the sample {quote(sample.fields['sample'])} is there twice: {mend}", path=("sample",))


class Tally:
    """Counts the samples of one case as they come, and keeps the evidence.

    With `alone` the secrets of each sample are numbered by themselves: so a sample's evidence is the same whichever others are judged beside it, and parts
    of a batch that were judged apart can be put together.
    """

    __slots__ = (
        "judge", "thresholds", "redaction", "verbose", "decide", "alone", "statuses", "excluded", "retries",
        "_verdicts", "_last", "_told", "_last_told", "_faults", "_counts", "_left_out", "_vetoed", "_subjects", "_attempts", "_late",
    )  # fmt: skip

    def __init__(self, judge: Judge, thresholds: Thresholds, redaction: Redaction, verbose: bool = False, decide=None, alone: bool = False) -> None:
        self.judge = judge
        self.thresholds = thresholds
        self.redaction = redaction
        self.verbose = verbose
        self.decide = decide
        self.alone = alone
        self.statuses: dict = {}
        self.excluded: set = set()
        self.retries: dict = {}
        self._verdicts: list = []  # (id, verdict)
        self._last: str | None = None  # beyond this id no evidence is kept any more
        self._told = 0  # how many conversations are
        self._last_told: str | None = None  # from this id on no conversation is told any more
        self._faults: dict = {}  # those of retries
        self._counts = dict.fromkeys(STATUSES, 0)
        self._left_out = 0
        self._vetoed = False
        self._subjects: set = set()
        self._attempts: dict = {}  # which attempt of a sample counts, where it is not 1
        self._late = 0  # how many of those count against the agent

    def add(self, sample: Sample, judge: Judge | None = None) -> None:
        """Judge a sample and count it. `judge` is that of this sample, where it was made from something else than others.

        Raises CaseError for an id whose attempt was counted before.
        """
        if not self.admit(sample, judge):
            raise there_twice(sample)

    def admit(self, sample: Sample, judge: Judge | None = None) -> bool:
        """Judge a sample and count it; gives False, and does nothing, where that attempt was counted or listed before. `judge` is as for `add`."""
        judge = judge or self.judge
        fields = sample.fields
        name = fields.get("sample")
        if name is None:
            number = len(self.statuses) + 1
            while str(number) in self.statuses:
                number += 1
            name = str(number)
        excluded = fields.get("case_verdict") == "rejected"
        if name in self.statuses:
            attempt, counted = fields.get("attempt", 1), self._attempts.get(name, 1)
            if attempt == counted or attempt in self.retries.get(name, ()):
                return False
            if attempt > counted:
                self._weigh_retry(name, sample, excluded, judge)
                return True
            self._take_back(name, counted)
        is_late = "attempt" in fields and fields["attempt"] != 1
        if is_late:
            self._attempts[name] = fields["attempt"]
        if not self.verbose and not excluded and fields.get("label") != "rejected" and judge.holds(sample):
            status = "passed"
        else:
            status = self._weigh(name, sample, excluded, judge)
        self.statuses[name] = status
        if excluded:
            self.excluded.add(name)
        else:
            self._counts[status] += 1
            self._late += is_late and status in FAILING
        if ("model" in fields or "prompt_version" in fields) and len(self._subjects) < SUBJECTS:
            self._subjects.add((fields.get("model"), fields.get("prompt_version")))
        return True

    def take(self, name: str, verdict: Verdict) -> None:
        """Count a verdict that was worked out elsewhere: the one on a whole run of a workflow, say."""
        self.statuses[name] = verdict.status
        self._counts[verdict.status] += 1
        self._vetoed = self._vetoed or verdict.vetoed
        if self._last is not None and name > self._last:
            self._left_out += not verdict.passed
        elif self.verbose or not verdict.passed:
            self._keep(name, verdict)

    def _keep(self, name: str, verdict: Verdict) -> None:
        self._verdicts.append((name, verdict))
        self._told += bool(verdict.transcript)
        if self._told >= 2 * TRANSCRIPTS:
            self._trim_transcripts()
        if len(self._verdicts) >= (EVIDENCE if self._last is None else 2 * EVIDENCE):
            self._trim()

    def _take_back(self, name: str, counted: int) -> None:
        """List the attempt that was counted as a retry: an earlier one takes its place."""
        status = self.statuses[name]
        if name in self.excluded:
            self.excluded.remove(name)
        else:
            self._counts[status] -= 1
            self._late -= status in FAILING  # the first attempt is never taken back
        self._attempts.pop(name, None)
        self.retries.setdefault(name, {})[counted] = status
        kept = [pair for pair in self._verdicts if pair[0] != name]
        self._left_out -= len(kept) == len(self._verdicts) and status != "passed"
        self._verdicts = kept

    def _weigh_retry(self, name: str, sample: Sample, excluded: bool, judge: Judge) -> None:
        status = "passed"
        if not judge.holds(sample):
            verdict = self._verdict(sample, False, judge)
            status = verdict.status
            self._vetoed = self._vetoed or verdict.vetoed and not excluded
            for fault in verdict.faults:
                self._faults.setdefault(str(fault), fault)
        self.retries.setdefault(name, {})[sample.fields["attempt"]] = status

    def _verdict(self, sample: Sample, verbose: bool, judge: Judge, tells: bool = False) -> Verdict:
        return judge.verdict(sample, self.redaction.afresh() if self.alone else self.redaction, verbose, self.decide, tells)

    def _weigh(self, name: str, sample: Sample, excluded: bool, judge: Judge) -> str:
        if self._last is not None and name > self._last:
            status, vetoed = judge.weigh(sample, self.decide)
            self._left_out += status != "passed"
        else:
            verdict = self._verdict(sample, self.verbose, judge, self._last_told is None or name < self._last_told)
            status, vetoed = verdict.status, verdict.vetoed
            if not verdict.passed or sample.label == "rejected" or self.verbose or excluded:
                self._keep(name, verdict)
        self._vetoed = self._vetoed or vetoed and not excluded
        return status

    def _trim(self) -> list:
        """What is kept of the evidence, in the order of the ids."""
        self._verdicts.sort(key=lambda pair: pair[0])
        self._left_out += sum(not verdict.passed for _, verdict in self._verdicts[EVIDENCE:])
        del self._verdicts[EVIDENCE:]
        if len(self._verdicts) == EVIDENCE:
            self._last = self._verdicts[-1][0]
        return self._verdicts

    def _trim_transcripts(self) -> None:
        self._verdicts.sort(key=lambda pair: pair[0])
        self._verdicts = list(zip([name for name, _ in self._verdicts], first_told([verdict for _, verdict in self._verdicts])))
        told = [name for name, verdict in self._verdicts if verdict.transcript]
        self._told, self._last_told = len(told), told[-1]

    @property
    def faults(self) -> dict:
        """The errors of rules that could not be judged, each once, by what they say."""
        found: dict = {}
        for _, verdict in self._trim():
            for fault in verdict.faults:
                found.setdefault(str(fault), fault)
        return {**found, **{words: fault for words, fault in self._faults.items() if words not in found}}

    @property
    def counted(self) -> tuple:
        """How many samples there are so far that gate, and how many of them passed."""
        return sum(self._counts.values()), self._counts["passed"]

    @property
    def failed(self) -> int:
        """How many samples count against the agent so far."""
        return sum(self._counts[status] for status in FAILING)

    @property
    def failed_for_good(self) -> int:
        """How many of them stay, whatever comes: no earlier attempt can take the place of a first one."""
        return self.failed - self._late

    def summary(self) -> BatchSummary:
        """What has been counted so far."""
        return BatchSummary(*(self._counts[name] for name in BatchSummary.__slots__[:7]), self.thresholds, self._vetoed)

    def report(self, id: str, file: str | None = None, level: int | None = None, **about: object) -> CaseReport:
        """The case's part of a report; `about` are the description, tags and owner of a case, fit to be shown."""
        shown = self.redaction.ids(self.statuses)
        statuses = {shown.get(name, name): status for name, status in self.statuses.items()} if shown else self.statuses
        retries = {shown.get(name, name): dict(sorted(self.retries[name].items())) for name in sorted(self.retries)}
        verdicts = first_told([verdict.named(shown.get(name, name)) for name, verdict in self._trim()])
        excluded = [shown.get(name, name) for name in self.excluded]
        id, file = self.redaction.id(id), file and self.redaction.id(file)
        shown_text = self.redaction.text
        subjects = {tuple(name and shown_text(name) for name in subject) for subject in self._subjects}
        level = self.judge.level if level is None else level
        about = {"subjects": tuple(sorted(subjects, key=by_subject)), "retries": retries, "excluded": excluded, **about}
        return CaseReport(id, file, level, self.summary(), statuses, verdicts, self._left_out, **about)


def counted(tallies: Iterable[Tally]) -> tuple:
    """How many samples several tallies count so far, and how many of them passed."""
    pairs = [tally.counted for tally in tallies]
    return sum(count for count, _ in pairs), sum(passed for _, passed in pairs)


def judge_all(judge: Judge, thresholds: Thresholds, samples: Iterable[object], id: str, file: str | None = None, alone: bool = False) -> Report:
    """The report on many outputs. A sample that cannot be read is an error of the report, and the others are still judged. `alone` is that of a Tally.

    Raises CaseError where one output is given in the place of many.
    """
    if isinstance(samples, (str, bytes, dict, Sample)):
        raise CaseError("judge takes many samples: give it a list, or use check for one")
    if not hasattr(samples, "__iter__"):
        raise CaseError(f"judge takes many samples, a list say, and not a {type(samples).__name__}")
    redaction = Redaction(judge.prefixes, judge.masks)
    tally = Tally(judge, thresholds, redaction, alone=alone)
    errors = []
    for place, output in enumerate(samples):
        try:
            tally.add(Sample.of(output))
        except CaseError as error:
            from ..data.given import fit  # few runs meet any

            errors.append(fit(error.located(path=("samples", place)), output, redaction))
    return Report((tally.report(id, file),), (*errors, *tally.faults.values()))
