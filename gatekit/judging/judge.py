"""Judging one sample: rules are checked in their order, outcomes become findings, findings a status.

A sample that passes costs little: a check that holds gives one shared outcome, and the findings of a clean pass are made once for the gate.
What a report needs beyond that (the place, the sentence, the redaction) is worked out only for samples that do not pass.
"""
from __future__ import annotations

import re

from ..data.reading import REASONING, Reading, is_blank
from ..data.redaction import Redaction
from ..data.sample import Sample
from ..ground.canonical import digest
from ..ground.errors import CaseError, GatekitError
from ..ground.record import Record
from ..matchers.outcome import HELD, Outcome
from ..matchers.recorded import is_cut_short
from ..text.characters import pinned
from ..text.quoting import quote
from .verdict import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..data.curtain import Curtain

# What names a sample in a verdict, and how long a name is that could hold a secret.
_NAMED = ("case", "sample", "note", "model", "prompt_version")
_LONG = 8
_NO_ROOM = "no room is left on the stack to judge by this rule: call from a place that is less deep"


class Judge(Record):
    """Rules, and how the output is read: `reasoning` is None, `keep` or `strip`; `allow_empty` lets an empty output be judged.

    `transient` are patterns: an error that one of them is found in is the provider's, and the sample does not count. `masks` are those of a project,
    for what is shown (masking.py). `given` is what the agent was given, None where that is not known.
    """

    __slots__ = ("rules", "reasoning", "allow_empty", "transient", "masks", "given", "_held", "_checks", "_quick", "_provider", "_ambiguous")
    rules: tuple
    reasoning: str | None
    allow_empty: bool
    transient: tuple
    masks: tuple
    given: object

    def __init__(
        self, rules: tuple, reasoning: str | None = None, allow_empty: bool = False, transient: tuple = (), masks: tuple = (), given: object = None
    ) -> None:
        if reasoning is not None and reasoning not in REASONING:
            raise CaseError(f"reasoning is one of {', '.join(REASONING)}", path=("reasoning",))
        if not isinstance(allow_empty, bool):
            raise CaseError("allow_empty is true or false", path=("allow_empty",))
        if not rules:
            raise CaseError("there are no rules: a gate without rules would pass everything; give it a rubric or matchers")
        labels: set = set()
        for rule in rules:
            if rule.label in labels:
                raise CaseError(f"two rules are called {quote(rule.label)}: give each matcher a name of its own")
            labels.add(rule.label)
        checks = (tuple(rule.matcher.check for rule in rules), tuple(rule.matcher.quick for rule in rules))
        held = tuple(Finding("pass", "", rule.label, rule.matcher.type, rule.matcher.tier, veto=rule.matcher.vetoes) for rule in rules)
        self._set(tuple(rules), reasoning, allow_empty, tuple(transient), tuple(masks), given, held, *checks, [re.compile(pattern) for pattern in transient], _ambiguous(rules))

    def __hash__(self):
        return hash((self.rules, self.reasoning, self.allow_empty, self.transient, self.masks))

    def given_to(self, given: object) -> Judge:
        """The same rules for what an agent makes of something else that it was given."""
        if given is self.given:
            return self
        other = object.__new__(Judge)
        for name in Judge.__slots__:
            object.__setattr__(other, name, given if name == "given" else getattr(self, name))
        return other

    @property
    def prefixes(self) -> tuple:
        """The forbidden prefixes of the rules, as spelt: what goes on after one of them is hidden in reports."""
        found = [spelt for rule in self.rules for matcher in rule.matcher.every() if matcher.type == "forbidden_prefix" for spelt in _listed(matcher.fields["value"])]
        return tuple(dict.fromkeys(found))

    @property
    def level(self) -> int:
        """The highest tier of the rules."""
        return max(rule.matcher.tier for rule in self.rules)

    def holds(self, sample: Sample) -> bool:
        """Whether the sample plainly passes: every rule holds and nothing else is to be said of it. The fast way to a pass."""
        fields = sample.fields
        output = fields.get("output") if sample.conversation is None else sample.answer
        reason = fields.get("finish_reason") if sample.conversation is None else sample.finish_reason
        if "error" in fields or fields.get("status", "ok") != "ok" or reason is not None and is_cut_short(reason) or is_blank(output) and not _has_called(sample):
            return False
        if sample.conversation is None and not self._ambiguous:
            reading = Reading(sample, "" if output is None else output, self.reasoning, self.allow_empty, given=self.given)
        else:
            reading = self._reading(sample, False)
        try:
            for check in self._checks if reading.reasoning_spans else self._quick:
                if check(reading) is not HELD:
                    return False
        except (GatekitError, RecursionError):
            return False
        return True

    def clean_pass(self, sample: Sample) -> Verdict:
        """The verdict on a sample that `holds`."""
        named = self.masks or any(len(sample.fields.get(name, "")) >= _LONG for name in _NAMED)
        return _verdict("passed", self._held, sample, redaction=Redaction(self.prefixes, self.masks) if named else None)

    def weigh(self, sample: Sample, decide=None) -> tuple:
        """The status of a sample, and whether a rule with a veto failed: a verdict without its evidence."""
        status, _ = self._status_without_judging(sample)
        if status is not None:
            return status, False
        outcomes, faults = self._outcomes(self._reading(sample, False), decide)
        return _status(outcomes, faults, sample), any(outcome.state == "fail" and (outcome.vetoes or rule.matcher.vetoes) for rule, outcome in outcomes)

    def verdict(self, sample: Sample, redaction: Redaction | None = None, verbose: bool = False, decide=None, with_transcript: bool = False) -> Verdict:
        """The verdict on a sample, worked out in full and fit to be shown. `verbose` explains what held too; `with_transcript` tells the conversation of one that did not pass.

        `decide` takes in what people decided: a function of a rule, the sample and the outcome that gives the outcome that counts.
        """
        if redaction is None:
            redaction = Redaction(self.prefixes, self.masks)
        curtain = redaction.of(sample)
        status, reason = self._status_without_judging(sample)
        if status is not None:
            finding = Finding("fail" if status == "error" else "unknown", curtain.text(reason), "status", "status", 1)
            return _verdict(status, (finding,), sample, curtain=curtain, redaction=redaction)
        reading = self._reading(sample, verbose)
        outcomes, faults = self._outcomes(reading, decide)
        findings = [_finding(rule, outcome, curtain) for rule, outcome in outcomes]
        if _is_cut_short(sample):
            words = f"the answer is not whole: finish_reason is {quote(sample.finish_reason)}"
            findings.append(Finding("unknown", curtain.text(words), "finish_reason", "finish_reason", 2))
        faults = tuple(curtain.error(fault) for fault in faults)
        decidable = digest(sample.judged).partition(":")[2] if any(finding.review_required for finding in findings) else None
        status = _status(outcomes, faults, sample)
        verdict = _verdict(status, tuple(findings), sample, self._reasoning_words(reading), faults, curtain, redaction, decidable)
        if with_transcript and sample.conversation is not None and status != "passed":
            from ..data.transcript import transcript  # few sets have conversations

            turns = {turn for finding in findings if finding.outcome != "pass" for turn in finding.turns}
            return verdict.telling(transcript(sample.conversation, curtain, turns))  # shown last: what else is shown has the same numbers without it
        return verdict

    def _status_without_judging(self, sample: Sample) -> tuple:
        status, reason = _recorded_status(sample)
        if status == "error" and sample.error and any(pattern.search(pinned(sample.error)) for pattern in self._provider):
            status = "transient"
        if status is None and is_blank(sample.answer) and not _has_called(sample) and not self.allow_empty:
            return "error", "the agent returned nothing"
        return status, reason

    def _reading(self, sample: Sample, explains: bool) -> Reading:
        if self._ambiguous and "embeddings" in sample.fields:
            from ..matchers.similarity import without_ambiguous

            sample = without_ambiguous(sample, self._ambiguous)
        return Reading.of(sample, self.reasoning, self.allow_empty, explains, self.given)

    def _outcomes(self, reading: Reading, decide=None) -> tuple:
        """What each rule says, as `(rule, outcome)`, and the errors of those that could not be judged."""
        outcomes, faults = [], []
        for rule in self.rules:
            try:
                outcome = rule.matcher.check(reading)
                if decide is not None:
                    outcome = decide(rule, reading.sample, outcome)
            except GatekitError as error:
                faults.append(error.located(path=(rule.label,)))
                outcome = Outcome("fail", error.message, blind=True)
            except RecursionError:
                faults.append(GatekitError(_NO_ROOM, path=(rule.label,)))
                outcome = Outcome("fail", _NO_ROOM, blind=True)
            outcomes.append((rule, outcome))
        return outcomes, faults

    def _reasoning_words(self, reading: Reading) -> str | None:
        if not reading.reasoning_spans:
            return None
        return {None: "read by never-rules only", "keep": "kept: read by every rule", "strip": "stripped: read by no rule"}[self.reasoning]


def _ambiguous(rules: tuple) -> set:
    """What a sample may record by a shorthand, and these rules together leave open."""
    matchers = [matcher for rule in rules for matcher in rule.matcher.every() if matcher.type == "embedding_similarity"]
    if not matchers:
        return set()
    from ..matchers.similarity import ambiguous_names

    return ambiguous_names(matchers)


def _listed(value: object) -> list:
    return [value] if isinstance(value, str) else list(value)


def _recorded_status(sample: Sample) -> tuple:
    """The status that a sample brings along, and the reason; (None, "") where its output is to be judged."""
    status, error = sample.status, sample.error
    if status == "transient":
        return status, error or "the provider failed"
    if status == "error" or error is not None:
        return "error", error or "the agent crashed"
    if status == "diverged":
        return status, "the replay left the recording, so nothing was judged"
    return None, ""


def _has_called(sample: Sample) -> bool:
    """Whether the agent called a tool: then it did something, even if it said nothing."""
    return sample.conversation is not None and sample.output is None and bool(sample.conversation.calls)


def _is_cut_short(sample: Sample) -> bool:
    return sample.finish_reason is not None and is_cut_short(sample.finish_reason)


def _status(outcomes: list, faults, sample: Sample) -> str:
    if faults:
        return "error"
    states = {outcome.state for _, outcome in outcomes}
    if "fail" in states:
        return "check_failed"
    if "unknown" in states or _is_cut_short(sample):
        return "inconclusive"
    return "review" if "review" in states else "passed"


def _finding(rule, outcome: Outcome, curtain) -> Finding:
    matcher = rule.matcher
    return Finding(
        outcome.state,
        curtain.text(outcome.reason),
        curtain.text(rule.label),
        matcher.type,
        matcher.tier,
        curtain.value(outcome.expected),
        curtain.value(outcome.actual),
        curtain.where(*outcome.place) if outcome.place else None,
        outcome.state == "review" or outcome.state == "fail" and matcher.tier == 4,
        outcome.vetoes or matcher.vetoes,
        _difference(outcome, curtain),
        outcome.turns or _turns_of(outcome.place),
    )


def _difference(outcome: Outcome, curtain: Curtain):
    """How expected and actual differ, of a rule that failed by that."""
    if outcome.state != "fail" or outcome.compared is None:
        return None
    from .difference import difference_of  # a run in which all passes compares nothing

    return difference_of(outcome, curtain)


def _turns_of(place: tuple | None) -> tuple:
    """The turn of a conversation in which something was found."""
    piece = place[0].place(*place[1:])[0].piece if place else None
    return () if piece is None or piece.turn is None else (piece.turn,)


def _verdict(
    status: str,
    findings: tuple,
    sample: Sample,
    reasoning: str | None = None,
    faults: tuple = (),
    curtain: Curtain | None = None,
    redaction: Redaction | None = None,
    output_sha256: str | None = None,
) -> Verdict:
    """A verdict; with a redaction, what names the sample in it is fit to be shown."""
    shown = {name: sample.fields.get(name) for name in _NAMED}
    if redaction is not None:
        curtain = curtain or redaction.of(sample)
        for name, value in shown.items():
            if value:
                shown[name] = redaction.id(value) if name in ("case", "sample") else curtain.text(value)
    named = (sample.label, shown["note"], shown["model"], shown["prompt_version"])
    is_told = redaction is not None and sample.output is not None and sample.conversation is None and (status != "passed" or sample.label == "rejected")
    answer = curtain.text(sample.text) if is_told else None
    return Verdict(status, findings, shown["case"], shown["sample"], reasoning, faults, *named, output_sha256, answer=answer)
