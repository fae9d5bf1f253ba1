"""The report for a build step on GitHub: annotations at the lines of the rules that did not hold, then the report as text.

A step shows ten annotations of a kind, so ten are written, and where there are more the tenth counts the rest. One annotation tells of all samples of a case
that one rule failed. In their order: what could not be read, rules that failed their gate, gates that did not pass for another reason, then, as warnings, failures
that the gate's rate allows, and what nobody could tell or decide.

The files are named from where the program was started, as far as the paths that it was given are relative: that is how the host finds them.
"""
from __future__ import annotations

from ..judging.report import CaseReport, Report
from ..text.quoting import visible
from .text_report import render as as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

MOST = 10
_LONGEST = 1000
_ORDER = ("read", "rule", "gate", "allowed", "open")
_WARNINGS = ("allowed", "open")
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render(report: Report, style: Style) -> str:
    """The report as workflow commands, and then as text."""
    found = [(_ORDER.index(kind), kind, place, title, words) for kind, place, title, words in _annotations(report)]
    found.sort(key=lambda one: one[0])
    lines = [_command(*one[1:]) for one in (found if len(found) <= MOST else found[: MOST - 1])]
    if len(found) > MOST:
        kind = "read" if any(one[1] not in _WARNINGS for one in found[MOST - 1 :]) else "open"
        lines.append(_command(kind, (None, None), "gatekit", f"and {len(found) - MOST + 1} more: the report below the annotations tells all"))
    return "".join(line + "\n" for line in lines) + as_text(report, style.bare)


def _annotations(report: Report):
    """Yield `(kind, (file, line), title, words)` of all that could be annotated."""
    for error in report.errors:
        yield "read", (_named(report, error.file), error.line), "not valid", str(error)
    for case in report.cases:
        if case.deprecated is not None:
            continue
        told = False
        for kind, rule, words in _broken(case):
            told = told or kind == "rule" or case.outcome != "fail"
            yield kind, _place(report, case, rule), f"{case.id}: {rule}", words
        if case.outcome != "pass" and not told:
            yield "gate", _place(report, case, None), case.id, case.reason or case.outcome
    if not report.cases and not report.errors:
        yield "gate", (None, None), "gatekit", "no case was found"


def _place(report: Report, case: CaseReport, rule: str | None) -> tuple:
    return _named(report, case.file), case.lines.get(rule, 1)


def _named(report: Report, file: str | None) -> str | None:
    return report.files.get(file, file)


def _broken(case: CaseReport) -> list:
    """`(kind, rule, words)` of each rule of a case that did not hold in some sample, in the order of the first such samples."""
    groups: dict = {}
    for verdict in case.verdicts:
        if verdict.status == "transient" or verdict.sample in case.excluded:
            continue
        for finding in verdict.findings:
            if finding.outcome == "fail":
                kind = "allowed" if case.outcome == "pass" else "rule"
            elif finding.outcome != "pass":
                kind = "open"
            else:
                continue
            groups.setdefault((kind, finding.rule), []).append((verdict.sample or "", finding.reason))
    broken = []
    for (kind, rule), met in groups.items():
        sample, reason = met[0]
        more = f", and in {len(met) - 1} more" if len(met) > 1 else ""
        broken.append((kind, rule, f"{reason} (in sample {sample}{more})"))
    return broken


def _command(kind: str, place: tuple, title: str, words: str) -> str:
    """An annotation as a workflow command, on one line."""
    file, line = place
    known = {"file": file, "line": line if file else None, "title": title}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in known.items() if value is not None)
    return f"::{'warning' if kind in _WARNINGS else 'error'} {properties}::{_data(words)}"


def _property(text: str) -> str:
    """Text as the value of a workflow command's property: nothing of it ends the value, the properties or the line, and nothing of it acts in a log."""
    return "".join(_PROPERTY.get(character, character) for character in _cut(visible(text)))


def _data(text: str) -> str:
    """Text as the message of a workflow command: nothing of it ends the line, and nothing of it acts in a log."""
    return "".join(_DATA.get(character, character) for character in _cut(visible(text)))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"
