"""What judging a sample gives: findings, and the verdict that follows from them.

The status of a sample is the first that applies:

    transient      the provider failed: the sample never counts
    error          the agent crashed or returned nothing: it counts against it
    diverged       a replay left the recording
    check_failed   a rule failed
    inconclusive   no rule failed, and some could not tell
    review         only a person's decision is missing
    passed
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical
from ..ground.errors import GateFailed, GatekitError
from ..ground.record import Record
from ..text.quoting import quote, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..data.curtain import Where
    from ..data.transcript import Line
    from .difference import Difference

STATUSES = ("passed", "check_failed", "error", "transient", "diverged", "inconclusive", "review")
# Those that count against the agent.
FAILING = ("check_failed", "error", "diverged")
# What one sample by itself comes to; all others are inconclusive.
_ALONE = {"passed": "pass", "check_failed": "fail", "error": "fail", "diverged": "diverged"}


class Finding(Record):
    """One rule's answer on one sample, fit to be shown: secrets are hidden in every string.

    `outcome` is `pass`, `fail`, `unknown` or `review`; `rule` names the rule in its case (`must_include[1]`), `type` and `tier` its matcher.
    `where` is the place of what was found (a Where), or None. `review_required` marks what a person should look at: a failure of tier 4, and tier 5.
    `difference` says how expected and actual differ (a Difference), where the rule holds the one against the other; `turns` on which turns of a
    conversation that shows, from 0.
    """

    __slots__ = ("outcome", "reason", "rule", "type", "tier", "expected", "actual", "where", "review_required", "veto", "difference", "turns")
    outcome: str
    reason: str
    rule: str
    type: str
    tier: int
    expected: object
    actual: object
    where: Where | None
    review_required: bool
    veto: bool
    difference: Difference | None
    turns: tuple[int, ...]

    def __init__(
        self,
        outcome: str,
        reason: str,
        rule: str,
        type: str,
        tier: int,
        expected: object = None,
        actual: object = None,
        where: Where | None = None,
        review_required: bool = False,
        veto: bool = False,
        difference: Difference | None = None,
        turns: tuple[int, ...] = (),
    ) -> None:
        self._set(outcome, reason, rule, type, tier, expected, actual, where, review_required, veto, difference, tuple(turns))


class Verdict(Record):
    """All findings of one sample, and its status. True where it passed; printed, it gives the reasons.

    `reasoning` says what was done with reasoning that stood in the output, None where there was none. `faults` are the errors
    of rules that could not be judged. `model` and `prompt_version` are those recorded with the sample. `output_sha256` is given where a person may decide:
    the digest of the output that an override or a review names. `transcript` is the conversation (Lines of data/transcript.py), where it was asked for;
    `answer` what the agent answered, cut where it is long, of a sample that is none and that did not pass or a person rejected.
    """

    __slots__ = (
        "status", "findings", "case", "sample", "reasoning", "faults", "label", "note", "model", "prompt_version", "output_sha256", "transcript", "answer",
    )  # fmt: skip
    status: str
    findings: tuple[Finding, ...]
    case: str | None
    sample: str | None
    reasoning: str | None
    faults: tuple[GatekitError, ...]
    label: str | None
    note: str | None
    model: str | None
    prompt_version: str | None
    output_sha256: str | None
    transcript: tuple[Line, ...]
    answer: str | None

    def __init__(
        self,
        status: str,
        findings: tuple[Finding, ...] = (),
        case: str | None = None,
        sample: str | None = None,
        reasoning: str | None = None,
        faults: tuple[GatekitError, ...] = (),
        label: str | None = None,
        note: str | None = None,
        model: str | None = None,
        prompt_version: str | None = None,
        output_sha256: str | None = None,
        transcript: tuple[Line, ...] = (),
        answer: str | None = None,
    ) -> None:
        if status not in STATUSES:
            raise ValueError(f"a status is one of {', '.join(STATUSES)}")
        about = (label, note, model, prompt_version, output_sha256, tuple(transcript), answer)
        self._set(status, tuple(findings), case, sample, reasoning, tuple(faults), *about)

    def named(self, sample: str) -> Verdict:
        """The verdict under another id of its sample."""
        return self if sample == self.sample else self._with("sample", sample)

    def of_case(self, case: str) -> Verdict:
        """The verdict with the id of its case, where the sample did not say it."""
        return self if self.case else self._with("case", case)

    def telling(self, transcript: tuple[Line, ...]) -> Verdict:
        """The verdict with another transcript."""
        return self._with("transcript", transcript)

    def _with(self, changed: str, value: object) -> Verdict:
        return Verdict(*(value if name == changed else getattr(self, name) for name in self.__slots__))

    @property
    def passed(self) -> bool:
        """Whether every rule held."""
        return self.status == "passed"

    @property
    def vetoed(self) -> bool:
        """Whether a rule failed that no failure rate allows."""
        return any(finding.veto and finding.outcome == "fail" for finding in self.findings)

    @property
    def blamed(self) -> list[Finding]:
        """The findings that keep it from passing, in the order in which they are told: what failed, what could not be told, what a person decides."""
        return sorted((finding for finding in self.findings if finding.outcome != "pass"), key=lambda finding: _BLAMED.index(finding.outcome))

    def __bool__(self) -> bool:
        return self.passed

    @property
    def id(self) -> str:
        """The case and the sample, as far as they are known, as the name of a test: `refund-summary/run1`."""
        return "/".join(visible(part) for part in (self.case, self.sample) if part)

    def __str__(self) -> str:
        return verdict_text(self)

    def __repr__(self):
        return f"Verdict({verdict_line(self)})"

    def require(self) -> None:
        """For tests: raise GateFailed, an AssertionError with the reasons, unless the verdict is `passed`."""
        __tracebackhide__ = True  # pytest ends its traceback in the line of the test
        if not self.passed:
            raise GateFailed(str(self))


_BLAMED = ("fail", "unknown", "review")
_PATHS = 5  # of a difference, on a line each
_REASONS = 5  # of a verdict, on one line
_TURNS = 10
# What a person may do about a finding that is marked for one.
DECIDABLE = {"fail": " (a person may override it)", "review": " (needs a person's review)"}
# And in which file beside the cases the decision stands.
DECIDED_IN = {"fail": "overrides.jsonl", "review": "reviews.jsonl"}


def outcome_of(status: str) -> str:
    """What a sample of a status comes to by itself: `pass`, `fail`, `diverged` or `inconclusive`."""
    return _ALONE.get(status, "inconclusive")


def finding_lines(findings: list) -> list:
    """Findings as lines to read: the rule and the reason, then the sentence with the hit marked `>>so<<`. Rules with the same to say share a line."""
    groups: dict = {}
    for finding in findings:
        groups.setdefault((finding.reason, str(finding.where), finding.outcome, finding.difference, finding.turns), []).append(finding)
    lines = []
    for same in groups.values():
        finding, names = same[0], ", ".join(visible(finding.rule) for finding in same)
        lines.append(f"{names}: {visible(finding.reason)}" + (DECIDABLE.get(finding.outcome, "") if finding.review_required else ""))
        lines += [f"    {line}" for line in [*turn_lines(finding), *_evidence(finding)]]
    return lines


def turn_lines(finding: Finding) -> list:
    """One line or none: on which turns of a conversation a finding shows, where nothing else that is told of it names one."""
    said = f"{finding.reason} {finding.where.inside if finding.where else ''}"
    if not finding.turns or any(re.search(f"\\bturns? (?:[0-9]+, )*{turn}\\b", said) for turn in finding.turns):
        return []
    named = [str(turn) for turn in finding.turns[:_TURNS]] + [f"{len(finding.turns) - _TURNS} more"] * (len(finding.turns) > _TURNS)
    return [f"on turn {named[0]}" if len(named) == 1 else f"on turns {', '.join(named[:-1])} and {named[-1]}"]


def _evidence(finding: Finding) -> list:
    where = finding.where
    if where is not None:
        place = f"line {where.line}, column {where.column}" + (f", in {visible(where.inside)}" if where.inside else "")
        return [f"{place}: {visible(where.before.lstrip())}>>{visible(where.hit)}<<{visible(where.after.rstrip())}"]
    told = finding.difference.lines(_PATHS) if finding.difference is not None else []
    if finding.actual is None or finding.outcome != "fail":
        return told
    if told and (finding.difference.paths or finding.difference.has_common_words):
        return told
    shown = quote(finding.actual) if isinstance(finding.actual, str) else visible(canonical(finding.actual))
    return told if shown in finding.reason or visible(canonical(finding.actual)) in finding.reason else [*told, f"got: {shown}"]


def verdict_text(verdict: Verdict) -> str:
    """A verdict as text to read: its status, and each finding that is not a pass."""
    name = " ".join(visible(part) for part in (verdict.case, verdict.sample) if part)
    lines = [f"{name}: {verdict.status}" if name else verdict.status]
    lines += ["  " + line for line in finding_lines(verdict.blamed)]
    return "\n".join(lines)


def verdict_line(verdict: Verdict) -> str:
    """A verdict on one line: what a test shows of it that only asks whether it passed."""
    reasons = list(dict.fromkeys(visible(finding.reason) for finding in verdict.blamed))
    told = "; ".join(reasons[:_REASONS]) + (f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else "")
    return ": ".join(part for part in (verdict.id, verdict.status, told) if part)
