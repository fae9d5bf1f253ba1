"""What people decided about single outputs: `overrides.jsonl` and `reviews.jsonl`, one JSON object a line.

    overrides.jsonl   case, matcher, output_sha256, approved_by, ticket, reason
                      a failure of tier 4 (similarity) of that output is let pass, and the report says by whom and why
    reviews.jsonl     case, matcher, output_sha256, decision (approved or rejected), reviewed_by, reason
                      what waited for a person (tier 5) passes or fails: the rule as it stands, with the combinators in it

`matcher` is the name of the rule as reports call it, `output_sha256` the digest of the output's text, with or without `sha256:`. A decision is about one
output: another one, however near, is judged anew. It is about one rule, too: with `rule_sha256`, the beginning of the digest of the rule that was decided
about, it does not count once the rule is another; without, it does not count while the rule is another than in the lock. An override that met nothing is
an error, so that none stays when its reason is gone (a review excuses nothing, and may wait for its output to come again); of two on one output by one
rule neither counts.
"""
from __future__ import annotations

import re

from ..data.reading import is_blank
from ..data.redaction import Redaction
from ..data.sample import Sample, shown
from ..formats.strict_json import read_json
from ..ground.canonical import digest
from ..ground.errors import CaseError, GatekitError, nearest
from ..ground.files import read_lines
from ..matchers.outcome import Outcome
from ..text.quoting import quote

# File: the fields of a line, and those whose text may be anything.
FILES = {
    "overrides.jsonl": ("case", "matcher", "output_sha256", "approved_by", "ticket", "reason"),
    "reviews.jsonl": ("case", "matcher", "output_sha256", "decision", "reviewed_by", "reason"),
}
RULE = "rule_sha256"  # a field that a line may have
RULE_DIGITS = 12  # so many of a digest say which rule is meant, and are short enough that a report need not hide them as a key
_SHOWN = len("sha256:") + RULE_DIGITS
_DECISIONS = ("approved", "rejected")
OVERRIDABLE, REVIEWED = 4, 5


class Decisions:
    """The decisions of a set, and which of them were used."""

    __slots__ = ("errors", "_lines", "_used", "_digest")

    def __init__(self) -> None:
        self.errors: list = []
        self._lines: dict = {leaf: {} for leaf in FILES}  # by file name, then by case, rule and digest: the fields, and None where two contradict
        self._used: set = set()
        self._digest: tuple = (None, "")

    def read(self, path: str, name: str, is_given: bool, redaction: Redaction) -> None:
        """Read a file of decisions; one that only lies beside what was given may be about other cases and samples too.

        A line that cannot be meant is an error of the set, and decides nothing. `redaction` is that of the run.
        """
        leaf = name.rpartition("/")[2].lower()
        into = self._lines[leaf]
        try:
            for number, line in read_lines(path, name):
                if line.isspace():
                    continue
                try:
                    fields = _line(line, FILES[leaf])
                    key = (fields["case"], fields["matcher"], fields["output_sha256"].rpartition(":")[2].lower())
                    if key in into:
                        into[key] = None
                        raise CaseError("there is a decision on this output by this rule already, so neither counts: keep one of them")
                    into[key] = {**fields, "file": name, "line": number, "is_given": is_given}
                except GatekitError as error:
                    self.errors.append(redaction.error_of_line(error, line, name, number))
        except GatekitError as error:
            self.errors.append(error)

    def _all(self):
        """Yield `(file name, key, fields)` of each decision that counts, in the order of their files and lines."""
        for leaf, lines in self._lines.items():
            counting = [(key, fields) for key, fields in lines.items() if fields is not None]
            for key, fields in sorted(counting, key=lambda pair: (pair[1]["file"], pair[1]["line"])):
                yield leaf, key, fields

    def settle(self, cases, locked: dict) -> list[GatekitError]:
        """Take out the decisions on rules that they cannot be about, each with an error that says why.

        `cases` are those of the set, `locked` the digests of their rules in the lock, by case and name of the rule.
        """
        errors = []
        rules = {case.id: {rule.label: rule.matcher for rule in case.judging.rules} if case.judging else {} for case in cases}
        for leaf, key, fields in list(self._all()):
            case, label, _ = key
            words = _misfit(leaf, case, label, fields, rules[case], locked.get((case, label))) if case in rules else None
            if words is not None:
                self._lines[leaf][key] = None
                errors.append(GatekitError(words, file=fields["file"], line=fields["line"]))
        return errors

    def decide(self, case: str, rule, sample: Sample, outcome: Outcome) -> Outcome:
        """The outcome of a rule, once what a person decided about this output is taken in."""
        label = rule.label
        if outcome.state == "fail" and _may_be_overridden(rule.matcher) and not outcome.blind:
            found = self._find("overrides.jsonl", case, label, sample)
            if found:
                return Outcome("pass", f"{outcome.reason}; overridden by {found['approved_by']} ({found['ticket']}): {found['reason']}")
        elif outcome.state == "review":
            found = self._find("reviews.jsonl", case, label, sample)
            if found:
                return Outcome("pass" if found["decision"] == "approved" else "fail", _review_words(found), outcome.expected)
        return outcome

    def _find(self, leaf: str, case: str, label: str, sample: Sample) -> dict | None:
        if not self._lines[leaf]:
            return None
        if self._digest[0] is not sample:
            self._digest = (sample, digest(sample.judged).partition(":")[2])
        key = (case, label, self._digest[1])
        found = self._lines[leaf].get(key)
        if found:
            self._used.add((leaf, key))
        return found

    def used(self) -> tuple:
        """Each override that was used, and each review, in words."""
        words: dict = {leaf: [] for leaf in FILES}
        for leaf, key, fields in self._all():
            if (leaf, key) in self._used:
                decided = _review_words(fields) if "decision" in fields else f"overridden by {fields['approved_by']} ({fields['ticket']}): {fields['reason']}"
                words[leaf].append(f"{key[0]}, {key[1]}: {decided}")
        return tuple(words.values())

    def unused(self, cases) -> list[GatekitError]:
        """Each override on one of these cases that met nothing, as an error; not those that only lie beside what was given.

        A review excuses nothing, so it may stay for the day on which that output comes again.
        """
        return [
            GatekitError(f"the override of {quote(key[1])} of case {quote(key[0])} met no failure of that output: take it out", file=fields["file"], line=fields["line"])
            for leaf, key, fields in self._all()
            if leaf == "overrides.jsonl" and key[0] in cases and fields["is_given"] and (leaf, key) not in self._used
        ]

    def strangers(self, cases) -> list[GatekitError]:
        """Each decision on a case that is none of these, as an error; not those that only lie beside what was given."""
        return [
            GatekitError(f"a decision on a case that there is not: {quote(key[0])}", file=fields["file"], line=fields["line"])
            for _, key, fields in self._all()
            if key[0] not in cases and fields["is_given"]
        ]

    def unbound(self, cases) -> list[GatekitError]:
        """Each decision that does not say by its digest which rule it is about, with the digest that it would say."""
        rules = {(case.id, rule.label): rule.matcher for case in cases if case.judging for rule in case.judging.rules}
        errors = []
        for _, key, fields in self._all():
            if RULE not in fields and key[:2] in rules:
                words = f'the decision on {quote(key[1])} holds for whatever rule has that name: add "{RULE}": "{rule_digest(rules[key[:2]])[:_SHOWN]}"'
                errors.append(GatekitError(words, file=fields["file"], line=fields["line"]))
        return errors


def rule_digest(matcher) -> str:
    """The digest of a rule that a decision may be bound to."""
    return digest(matcher.to_dict())


def _may_be_overridden(matcher) -> bool:
    """A similarity by itself can be overridden: not a combination, in which something else may have failed, and never a veto."""
    return matcher.tier == OVERRIDABLE and not matcher.inner and not matcher.vetoes


def _review_words(fields: dict) -> str:
    return f"{fields['decision']} by {fields['reviewed_by']}: {fields['reason']}"


def _misfit(leaf: str, case: str, label: str, fields: dict, rules: dict, locked: str | None) -> str | None:
    """Why a decision cannot be about the rule of that name, in words; None where it can."""
    matcher = rules.get(label)
    if matcher is None:
        near = nearest(label, rules)
        return f"case {quote(case)} has no rule {quote(label)}" + (f": did you mean {quote(near)}?" if near else ": take the decision out")
    if leaf == "overrides.jsonl" and not _may_be_overridden(matcher):
        return f"{quote(label)} of case {quote(case)} cannot be overridden: only a similarity (tier 4) can, by itself and without a veto"
    if leaf == "reviews.jsonl" and matcher.tier != REVIEWED:
        return f"{quote(label)} of case {quote(case)} waits for no person: a review is of a rule of tier 5, human_review"
    now = rule_digest(matcher)
    if RULE in fields:
        if not now.startswith("sha256:" + fields[RULE].rpartition(":")[2].lower()):
            return f"the decision is about another rule than {quote(label)} of case {quote(case)} is now: decide anew, and write {now[:_SHOWN]}"
    elif locked is not None and locked != now:
        return f'{quote(label)} of case {quote(case)} is another rule than in the lock: decide anew, and add "{RULE}": "{now[:_SHOWN]}"'
    return None


def _line(line: bytes, known: tuple) -> dict:
    fields = read_json(line)
    if not isinstance(fields, dict):
        raise CaseError(f"a decision is a JSON object with {', '.join(known)}")
    for name in fields:
        if name not in known and name != RULE:
            near = nearest(str(name), (*known, RULE))
            raise CaseError(f"a decision has no field {shown(str(name))}" + (f": did you mean {quote(near)}?" if near else f": it has {', '.join(known)}"))
    for name in known:
        if not isinstance(fields.get(name), str) or is_blank(fields[name]):
            raise CaseError(f"a decision needs {quote(name)}, as text: it leaves a trace, or it does not count")
    if not re.fullmatch("(?:sha256:)?[0-9a-fA-F]{64}", fields["output_sha256"]):
        raise CaseError('"output_sha256" is the SHA-256 of the output\'s text, 64 hexadecimal digits')
    if RULE in fields and not (isinstance(fields[RULE], str) and re.fullmatch(f"(?:sha256:)?[0-9a-fA-F]{{{RULE_DIGITS},64}}", fields[RULE])):
        raise CaseError(f"{quote(RULE)} is the SHA-256 of the rule, its first {RULE_DIGITS} hexadecimal digits or more, as text")
    if "decision" in fields and fields["decision"] not in _DECISIONS:
        raise CaseError(f"decision is approved or rejected, not {shown(fields['decision'])}")
    return fields
