"""What people decided about single outputs: `overrides.jsonl` and `reviews.jsonl`, one JSON object a line.

    overrides.jsonl   case, matcher, output_sha256, approved_by, ticket, reason
                      a failure of tier 4 (similarity) of that output is let pass, and the report says by whom and why
    reviews.jsonl     case, matcher, output_sha256, decision (approved or rejected), reviewed_by, reason
                      what waited for a person (tier 5) passes or fails

`matcher` is the name of the rule as reports call it, `output_sha256` the digest of the output's text, with or without `sha256:`. A decision is about one output: another
one, however near, is judged anew. An override that met nothing is an error, so that none stays when its reason is gone.
"""
from __future__ import annotations

import re

from ..data.reading import is_blank
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
_DECISIONS = ("approved", "rejected")
OVERRIDABLE = 4


class Decisions:
    """The decisions of a set, and which of them were used."""

    __slots__ = ("errors", "_overrides", "_reviews", "_used", "_digest")

    def __init__(self) -> None:
        self.errors: list = []
        self._overrides: dict = {}
        self._reviews: dict = {}
        self._used: set = set()
        self._digest: tuple = (None, "")

    def read(self, path: str, name: str) -> None:
        """Read a file of decisions. A line that cannot be meant is an error of the set, and decides nothing."""
        leaf = name.rpartition("/")[2].lower()
        into = self._overrides if leaf == "overrides.jsonl" else self._reviews
        try:
            for number, line in read_lines(path, name):
                if line.isspace():
                    continue
                try:
                    fields = _line(line, FILES[leaf])
                    key = (fields["case"], fields["matcher"], fields["output_sha256"].rpartition(":")[2].lower())
                    if key in into:
                        raise CaseError("there is a decision on this output by this rule already")
                    into[key] = {**fields, "file": name, "line": number}
                except GatekitError as error:
                    self.errors.append(type(error)(error.message, file=name, line=number, path=error.path))
        except GatekitError as error:
            self.errors.append(error)

    def decide(self, case: str, rule, sample: Sample, outcome: Outcome) -> Outcome:
        """The outcome of a rule, once what a person decided about this output is taken in.

        Only a similarity by itself can be overridden: not a combination, in which something else may have failed, and never a veto.
        """
        label, matcher = rule.label, rule.matcher
        may_be = matcher.tier == OVERRIDABLE and not matcher.inner and not matcher.vetoes
        if outcome.state == "fail" and may_be and self._overrides and not outcome.blind:
            found = self._find(self._overrides, case, label, sample)
            if found:
                return Outcome("pass", f"{outcome.reason}; overridden by {found['approved_by']} ({found['ticket']}): {found['reason']}")
        elif outcome.state == "review" and self._reviews:
            found = self._find(self._reviews, case, label, sample)
            if found:
                words = f"{found['decision']} by {found['reviewed_by']}: {found['reason']}"
                return Outcome("pass" if found["decision"] == "approved" else "fail", words, outcome.expected)
        return outcome

    def _find(self, decisions: dict, case: str, label: str, sample: Sample) -> dict | None:
        if self._digest[0] is not sample:
            self._digest = (sample, digest(sample.text).partition(":")[2])
        key = (case, label, self._digest[1])
        if key in decisions:
            self._used.add(key)
        return decisions.get(key)

    def used(self) -> list[str]:
        """Each override that was used, in words."""
        return [
            f"{case}, {label}: overridden by {fields['approved_by']} ({fields['ticket']}): {fields['reason']}"
            for (case, label, _), fields in sorted(self._overrides.items())
            if (case, label, _) in self._used
        ]

    def unused(self, cases) -> list[GatekitError]:
        """Each override of one of these cases that met nothing, as an error."""
        return [
            GatekitError(f"the override of {quote(label)} of case {quote(case)} met no failure of that output: take it out", file=fields["file"], line=fields["line"])
            for (case, label, _), fields in sorted(self._overrides.items())
            if case in cases and (case, label, _) not in self._used
        ]

    def strangers(self, cases) -> list[GatekitError]:
        """Each decision on a case that is none of these, as an error."""
        return [
            GatekitError(f"a decision on a case that there is not: {quote(case)}", file=fields["file"], line=fields["line"])
            for decisions in (self._overrides, self._reviews)
            for (case, _, _), fields in sorted(decisions.items())
            if case not in cases
        ]


def _line(line: bytes, known: tuple) -> dict:
    fields = read_json(line)
    if not isinstance(fields, dict):
        raise CaseError(f"a decision is a JSON object with {', '.join(known)}")
    for name in fields:
        if name not in known:
            near = nearest(str(name), known)
            raise CaseError(f"a decision has no field {shown(str(name))}" + (f": did you mean {quote(near)}?" if near else f": it has {', '.join(known)}"))
    for name in known:
        if not isinstance(fields.get(name), str) or is_blank(fields[name]):
            raise CaseError(f"a decision needs {quote(name)}, as text: it leaves a trace, or it does not count")
    if not re.fullmatch("(?:sha256:)?[0-9a-fA-F]{64}", fields["output_sha256"]):
        raise CaseError('"output_sha256" is the SHA-256 of the output\'s text, 64 hexadecimal digits')
    if "decision" in fields and fields["decision"] not in _DECISIONS:
        raise CaseError(f"decision is approved or rejected, not {shown(fields['decision'])}")
    return fields
