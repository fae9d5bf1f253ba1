"""A report: the verdicts of one run, by case, and what follows from them.

It holds the ids and statuses of all samples, and the evidence that was kept of those that did not pass (tally.py).
"""
from __future__ import annotations

from ..ground.errors import GateFailed, GatekitError
from ..ground.exact import Exact
from ..ground.record import Record
from ..text.quoting import visible
from .rates import EXIT_CODES, BatchSummary, Thresholds, worst
from .verdict import FAILING, STATUSES, Verdict

# Where the rules stand that did not hold is told of so many cases, and of so many rules of each: more than a report points at.
CASES_PLACED = 100
RULES_PLACED = 20
COUNTED = STATUSES + ("deprecated", "excluded")
_TOLD = 20  # samples, cases and errors, where a test fails


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
        """The rules whose lines a report tells: those that did not hold, failures first, in the order in which the samples show them.

        They are no more than `RULES_PLACED`. (So parts of a run that were judged apart tell, together, the lines that the whole would have told.)
        """
        met = [finding for verdict in self.verdicts for finding in verdict.findings if finding.outcome != "pass"]
        ranked = [finding.rule for finding in met if finding.outcome == "fail"] + [finding.rule for finding in met]
        return list(dict.fromkeys(ranked))[:RULES_PLACED]

    @property
    def failures_by_rule(self) -> dict[str, int]:
        """In how many of the samples whose verdicts were kept, and that gate, each rule failed: the most frequent first."""
        counts: dict = {}
        for verdict in self.verdicts:
            if verdict.status == "check_failed" and verdict.sample not in self.excluded:
                for rule in dict.fromkeys(finding.rule for finding in verdict.findings if finding.outcome == "fail"):
                    counts[rule] = counts.get(rule, 0) + 1
        return dict(sorted(counts.items(), key=lambda one: -one[1]))

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
    """Why a run ended before all was judged: as many samples failed as `max_failures`.

    `judged` counts what gates; of `cases_not_judged` there was no sample yet.
    """

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
        return sorted(found, key=by_subject)

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


def by_subject(subject: tuple) -> tuple:
    """What a model and a prompt version are sorted by."""
    return subject[0] or "", subject[1] or ""


def _by_status(case: CaseReport) -> dict:
    if case.deprecated is not None:
        return {"deprecated": case.deprecated}
    return {**{name: getattr(case.summary, name) for name in STATUSES}, "excluded": len(case.excluded)}


def with_lines(cases: list, lines_of) -> list:
    """Cases with the lines of their broken rules: `lines_of`, a function of the place of a case and of names of rules, gives them by name.

    It gives those that it knows, and is asked about the first `CASES_PLACED` of those of which not every sample passed.
    """
    made: list = []
    asked = 0
    for place, case in enumerate(cases):
        is_asked = asked < CASES_PLACED and any(status != "passed" for status in case.statuses.values())
        asked += is_asked
        lines = lines_of(place, case.broken_rules) if is_asked else {}
        made.append(case if lines == case.lines else case.placed(lines))
    return made
