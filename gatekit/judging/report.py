"""A report: the verdicts of one run, by case, and what follows from them.

Of a sample that passed, a report keeps its id. Of those that did not, the evidence is kept of the first `EVIDENCE` samples a case, in the order of their ids,
and what was said in the conversations of the first `TRANSCRIPTS`; the ids and statuses of all are kept, and how much evidence was left out is told. So a
report of any size stays within reach, and does not depend on the order that samples come in.

Of several attempts at one sample the first counts, the one of the lowest number, in whatever order they come. The retries are judged and listed: they do
not count, but for a rule with a veto, which fails the gate wherever it fails.

A sample whose `case_verdict` is `rejected` (it runs a job again that a person rejected) is judged and shown, and excluded from all that gates.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import Sample
from ..ground.errors import CaseError, GateFailed, GatekitError
from ..ground.exact import Exact
from ..ground.record import Record
from ..text.quoting import quote, visible
from .judge import Judge
from .rates import EXIT_CODES, BatchSummary, Thresholds, worst
from .verdict import STATUSES, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

EVIDENCE = 1000
TRANSCRIPTS = 50
SUBJECTS = 100
# Where the rules stand that did not hold is told of so many cases, and of so many rules of each: more than a report points at.
CASES_PLACED = 100
RULES_PLACED = 20
COUNTED = STATUSES + ("deprecated", "excluded")
_TOLD = 20  # samples, cases and errors, where a test fails
# The statuses that count against the agent.
FAILING = ("check_failed", "error", "diverged")


class CaseReport(Record):
    """What came of one case: its summary, the status of each sample by id, and the verdicts that are kept as evidence.

    `left_out` counts the samples that did not pass and whose verdict was not kept. `deprecated` counts samples of a deprecated case. `retries` are the
    attempts that do not count: by sample, the status of each by its number. `excluded` are the ids of samples that do not gate. `planned` is how many
    samples there would have been, where a batch stopped before since nothing could change its outcome. `lines` are those of the case's file in which the rules
    stand that did not hold, as far as they are known, by the name of the rule. `unfinished` says that the run was stopped, so that nobody knows what else would
    have come: one failure is enough then.
    """

    __slots__ = (
        "id", "file", "level", "summary", "statuses", "verdicts", "left_out", "deprecated", "description", "tags", "owner", "subjects", "retries", "excluded",
        "planned", "lines", "unfinished",
    )  # fmt: skip
    id: str
    file: str | None
    level: int | None
    summary: BatchSummary | None
    statuses: dict[str, str]
    verdicts: tuple[Verdict, ...]
    left_out: int
    deprecated: int | None
    description: str | None
    tags: tuple[str, ...]
    owner: str | None
    subjects: tuple[tuple[str | None, str | None], ...]
    retries: dict[str, dict[int, str]]
    excluded: frozenset[str]
    planned: int | None
    lines: dict[str, int]
    unfinished: bool

    def __init__(
        self,
        id: str,
        file: str | None,
        level: int | None,
        summary: BatchSummary | None,
        statuses: dict[str, str],
        verdicts: tuple[Verdict, ...] | list[Verdict],
        left_out: int = 0,
        deprecated: int | None = None,
        description: str | None = None,
        tags: tuple[str, ...] = (),
        owner: str | None = None,
        subjects: tuple = (),
        retries: dict[str, dict[int, str]] | None = None,
        excluded: frozenset | tuple = (),
        planned: int | None = None,
        lines: dict[str, int] | None = None,
        unfinished: bool = False,
    ) -> None:
        about = (description, tuple(tags), owner, tuple(subjects), retries or {}, frozenset(excluded), planned, lines or {}, unfinished)
        self._set(id, file, level, summary, statuses, tuple(verdicts), left_out, deprecated, *about)

    @property
    def broken_rules(self) -> list[str]:
        """The rules whose lines a report tells: those that did not hold, failures first, in the order in which the samples show them, and no more than `RULES_PLACED`.

        (So parts of a run that were judged apart tell, together, the lines that the whole would have told.)
        """
        met = [finding for verdict in self.verdicts for finding in verdict.findings if finding.outcome != "pass"]
        ranked = [finding.rule for finding in met if finding.outcome == "fail"] + [finding.rule for finding in met]
        return list(dict.fromkeys(ranked))[:RULES_PLACED]

    def placed(self, lines: dict[str, int]) -> CaseReport:
        """The report with the lines of rules that did not hold."""
        return CaseReport(*(lines if name == "lines" else getattr(self, name) for name in self.__slots__))

    @property
    def outcome(self) -> str:
        """`pass`, `fail`, `inconclusive` or `diverged`; `deprecated` for a case that does not gate."""
        return "deprecated" if self.deprecated is not None else "fail" if self._fails_unfinished else self.summary.outcome

    @property
    def reason(self) -> str:
        """Why it did not pass, in words; empty where it did, and where it does not gate."""
        if self.deprecated is not None:
            return ""
        return "the run was stopped, and a sample had failed" if self._fails_unfinished and self.summary.outcome != "fail" else self.summary.reason

    @property
    def evidence(self) -> str | None:
        """What a batch shows of its failure rate; None where it is none, or was stopped at its failures: its size was no choice then."""
        return self.summary.evidence if self.summary is not None and self.summary.is_batch and not self.unfinished else None

    @property
    def _fails_unfinished(self) -> bool:
        return self.unfinished and any(getattr(self.summary, status) for status in FAILING)


class Stopped(Record):
    """Why a run ended before all was judged: as many samples failed as `max_failures`. `judged` counts what gates; of `cases_not_judged` there was no sample yet."""

    __slots__ = ("max_failures", "failures", "judged", "cases_not_judged")
    max_failures: int
    failures: int
    judged: int
    cases_not_judged: tuple[str, ...]

    def __init__(self, max_failures: int, failures: int, judged: int, cases_not_judged: tuple[str, ...] = ()) -> None:
        self._set(max_failures, failures, judged, tuple(cases_not_judged))

    @property
    def reason(self) -> str:
        """It in words."""
        told = f"after {self.judged} sample{'s' * (self.judged != 1)}, since {self.failures} failed"
        return f"{told}: what comes after, if anything, was not judged, and counts and rates are of the judged part only"


class Report(Record):
    """The verdicts of a run: `counts`, `levels`, `outcome`, `exit_code`, the `cases`, the `errors` that were met, the `overrides` and `reviews` used. True where it passed.

    `shard` is `(number, of)` where it is the report on one part of a run, else None. `files` are the ways to files of the set from where the program was
    started, by the names that they have in the report, as far as the two differ. `stopped` is a Stopped where the run was ended by its failures, else None.
    """

    __slots__ = ("cases", "errors", "overrides", "reviews", "shard", "files", "stopped")
    cases: tuple[CaseReport, ...]
    errors: tuple[GatekitError, ...]
    overrides: tuple[str, ...]
    reviews: tuple[str, ...]
    shard: tuple[int, int] | None
    files: dict[str, str]
    stopped: Stopped | None

    def __init__(
        self,
        cases: tuple[CaseReport, ...],
        errors: tuple[GatekitError, ...] = (),
        overrides: tuple[str, ...] = (),
        reviews: tuple[str, ...] = (),
        shard: tuple[int, int] | None = None,
        files: dict[str, str] | None = None,
        stopped: Stopped | None = None,
    ) -> None:
        self._set(tuple(cases), tuple(errors), tuple(overrides), tuple(reviews), shard, files or {}, stopped)

    def with_errors(self, errors: list[GatekitError]) -> Report:
        """The report with more errors."""
        return self._with(errors=(*self.errors, *errors))

    def of_shard(self, number: int, of: int) -> Report:
        """The report as one on part `number` of `of`."""
        return self._with(shard=(number, of))

    def _with(self, **changed: object) -> Report:
        return Report(**{**{name: getattr(self, name) for name in self.__slots__}, **changed})

    @property
    def outcome(self) -> str:
        """The worst outcome of the cases, `error` where something could not be read, `inconclusive` where nothing was judged."""
        outcomes = [case.outcome for case in self.cases if case.deprecated is None] + ["fail"] * (self.stopped is not None)
        return worst(outcomes + ["error"] * bool(self.errors))

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 inconclusive, 3 diverged, 4 error."""
        return EXIT_CODES[self.outcome]

    @property
    def counts(self) -> dict[str, int]:
        """How many samples there were, and how many of each status; and how many retries, where there were any."""
        counts = {"samples": 0, **dict.fromkeys(COUNTED, 0)}
        for case in self.cases:
            for name, count in _by_status(case).items():
                counts[name] += count
                counts["samples"] += count
        retries = sum(len(attempts) for case in self.cases for attempts in case.retries.values())
        return {**counts, "retries": retries} if retries else counts

    @property
    def levels(self) -> dict[str, dict[str, int]]:
        """By the level of their case, how many samples had which status."""
        return self._by(lambda case: [str(case.level)])

    @property
    def tags(self) -> dict[str, dict[str, int]]:
        """By tag, how many samples of the cases with it had which status."""
        return self._by(lambda case: case.tags)

    @property
    def subjects(self) -> list[tuple[str | None, str | None]]:
        """Which models and prompt versions were judged, as recorded: `(model, prompt_version)`, each None where it was not."""
        found = {subject for case in self.cases for subject in case.subjects}
        return sorted(found, key=_by_name)

    @property
    def owners(self) -> dict[str, dict[str, int]]:
        """By the owner of their case, how many samples had which status."""
        return self._by(lambda case: [case.owner] if case.owner else [])

    def _by(self, names_of) -> dict[str, dict[str, int]]:
        groups: dict = {}
        for case in self.cases:
            for name in names_of(case) if case.deprecated is None else ():
                group = groups.setdefault(name, dict.fromkeys(("passed", "check_failed"), 0))
                for status, count in _by_status(case).items():
                    if count or status in group:
                        group[status] = group.get(status, 0) + count
        return {name: groups[name] for name in sorted(groups)}

    @property
    def rate(self) -> Exact | None:
        """The failure rate over all samples judged, an exact fraction; None where none was."""
        return self.summary.rate

    @property
    def summary(self) -> BatchSummary:
        """The counts over all cases, held to the thresholds of the only case where there is one."""
        gating = [case for case in self.cases if case.deprecated is None]
        counts = self.counts
        thresholds = gating[0].summary.thresholds if len(gating) == 1 else Thresholds()
        vetoed = any(case.summary.vetoed for case in gating)
        return BatchSummary(*(counts[name] for name in BatchSummary.__slots__[:7]), thresholds, vetoed)

    def __bool__(self) -> bool:
        return self.outcome == "pass"

    def require(self) -> None:
        """For tests: raise GateFailed, an AssertionError that tells what did not pass, unless the outcome is `pass`."""
        __tracebackhide__ = True  # pytest ends its traceback in the line of the test
        if not self:
            raise GateFailed(_failure_text(self))

    def __repr__(self):
        return f"Report({_headline(self)})"

    def __str__(self) -> str:
        lines = []
        for case in self.cases:
            lines += [str(verdict) for verdict in case.verdicts if not verdict.passed]
            if case.summary is not None:
                told = _summary_lines(case)
                lines += [f"{visible(case.id)}: {line}" for line in told] if len(self.cases) > 1 else told
        lines += [f"stopped:        {self.stopped.reason}"] if self.stopped is not None else []
        return "\n".join(lines + [f"error: {visible(str(error))}" for error in self.errors])


def _summary_lines(case: CaseReport) -> list[str]:
    lines = case.summary.lines()
    if case.outcome != case.summary.outcome:
        lines[-1] = f"{'gate:':<15} {case.outcome.upper()} ({case.reason})"
    return lines + ([f"evidence:       {case.evidence}"] if case.evidence else [])


def _headline(report: Report) -> str:
    """What came of a report, and why, on one line."""
    summary, gating = report.summary, [case for case in report.cases if case.deprecated is None]
    words = f"{report.outcome}: {summary.passed} of {summary.samples} samples passed"
    if report.errors:
        return f"{words}: {len(report.errors)} error{'s' * (len(report.errors) > 1)}: {visible(str(report.errors[0]))}"
    if len(gating) == 1:
        return words + (f": {gating[0].reason}" if gating[0].reason else "")
    failed = [case for case in gating if case.outcome != "pass"]
    return f"{words}, {len(failed)} of {len(gating)} cases did not" if failed else words


def _failure_text(report: Report) -> str:
    """What did not pass, for a person who sees a test fail; of a large run the first of it, and how much more there is."""
    cases = [case for case in report.cases if case.outcome not in ("pass", "deprecated")]
    broken = [verdict for case in cases for verdict in case.verdicts if not verdict.passed and verdict.sample not in case.excluded]
    told = [f"{visible(case.id)}: {case.outcome}: {case.reason}" for case in cases] if len(report.cases) > 1 else []
    texts = _first(told, 0, "case") + _first([str(verdict) for verdict in broken[:_TOLD]], len(broken[_TOLD:]) + sum(case.left_out for case in cases), "sample")
    texts += _first([f"error: {visible(str(error))}" for error in report.errors], 0, "error")
    return "\n".join([_headline(report), *("  " + line for text in texts for line in text.split("\n"))])


def _first(texts: list, more: int, noun: str) -> list:
    """The first of some texts, and a line on how many there are beside them: those that are cut here, and `more`."""
    more += len(texts[_TOLD:])
    return texts[:_TOLD] + ([f"and {more} more {noun}{'s' * (more > 1)}"] if more else [])


def _by_name(subject: tuple) -> tuple:
    return subject[0] or "", subject[1] or ""


def _by_status(case: CaseReport) -> dict:
    if case.deprecated is not None:
        return {"deprecated": case.deprecated}
    return {**{name: getattr(case.summary, name) for name in STATUSES}, "excluded": len(case.excluded)}


def with_lines(cases: list, lines_of) -> list:
    """Cases with the lines of their broken rules: `lines_of`, a function of the place of a case and of names of rules, gives them by name, as far as it knows them.

    It is asked about the first `CASES_PLACED` of those of which not every sample passed.
    """
    made: list = []
    asked = 0
    for place, case in enumerate(cases):
        is_asked = asked < CASES_PLACED and any(status != "passed" for status in case.statuses.values())
        asked += is_asked
        lines = lines_of(place, case.broken_rules) if is_asked else {}
        made.append(case if lines == case.lines else case.placed(lines))
    return made


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
        return judge.verdict(sample, None if self.alone else self.redaction, verbose, self.decide, tells)

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
        about = {"subjects": tuple(sorted(subjects, key=_by_name)), "retries": retries, "excluded": excluded, **about}
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
