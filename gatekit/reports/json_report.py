"""The report for programs: one JSON object, `gatekit-report/1`. Each sample stands on a line of its own.

A string is written so that it is inert in a log too: controls, bidirectional marks, lone surrogates and the `##` of build commands are spelt as escapes.
"""
from __future__ import annotations

import json
import re

from ..ground.exact import Exact
from ..ground.record import Record
from ..judging.rates import Thresholds
from ..judging.report import CaseReport, Report, Stopped
from ..judging.verdict import Finding, Verdict
from ..text.quoting import acts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

FORMAT = "gatekit-report/1"
# What is told of a sample besides its findings, where it was recorded.
NAMED = ("model", "prompt_version", "label", "note", "reasoning", "output_sha256", "answer")
FINDING = ("rule", "type", "tier", "outcome", "reason", "expected", "actual", "where", "review_required", "veto")
ERROR = ("file", "line", "column", "path", "message")
_SUSPECT = re.compile("[\x7f-\x9f\xad]|[^\x00-\xff]|##(?=[A-Za-z]{0,40}\\[)")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def render(report: Report, style: Style) -> str:
    """The report as JSON text."""
    head = {"format": FORMAT, "outcome": report.outcome, "exit_code": report.exit_code, "counts": report.counts, "levels": report.levels}
    if report.shard is not None:
        head["shard"] = "{}/{}".format(*report.shard)
        if report.files:
            head["files"] = dict(sorted(report.files.items()))  # for the merged report; another one does not depend on where the program was started
    if report.stopped is not None:
        head["stopped"] = _stopped(report.stopped)
    lines = [f" {_encode(key)}: {_spell(value)}" for key, value in head.items()]
    if report.subjects:
        lines.append(' "subjects": ' + _spell([{"model": model, "prompt_version": prompt} for model, prompt in report.subjects]))
    for key, counted in (("tags", report.tags), ("owners", report.owners)):
        if counted:
            lines.append(f" {_encode(key)}: {_spell(counted)}")
    lines.append(' "cases": [' + ",".join("\n" + _case(case, style.verbose, style.draws) for case in report.cases) + "]")
    for key, used in (("overrides", report.overrides), ("reviews", report.reviews)):
        if used:
            lines.append(f" {_encode(key)}: [" + ",".join("\n  " + _spell(words) for words in used) + "]")
    lines.append(' "errors": [' + ",".join("\n  " + _spell(_error(error)) for error in report.errors) + "]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _stopped(stopped: Stopped) -> dict:
    return {**_plain(stopped), "reason": stopped.reason}


def _case(case: CaseReport, verbose: bool, draws: tuple) -> str:
    summary = case.summary
    head = {"id": case.id, "file": case.file, "level": case.level, "outcome": case.outcome}
    if summary is not None:
        head["reason"] = case.reason or None
        head["rate"] = None if summary.rate is None else {"failures": summary.failures, "judged": summary.judged}
        if case.evidence:
            head["evidence"] = case.evidence
        if draws:
            figures = ("pass_at_k", "pass_hat_k")
            head["draws"] = [{"k": k, **{figure: _share(getattr(summary, figure)(k)) for figure in figures}} for k in draws]
        head["gate"] = {name: _threshold(getattr(summary.thresholds, name)) for name in Thresholds.__slots__ if getattr(summary.thresholds, name) is not None}
        if summary.vetoed:
            head["vetoed"] = True
    if case.deprecated is not None:
        head["deprecated"] = case.deprecated
    for name in ("description", "tags", "owner"):
        if getattr(case, name):
            head[name] = getattr(case, name)
    if case.subjects:
        head["subjects"] = [{"model": model, "prompt_version": prompt} for model, prompt in case.subjects]
    if case.lines:
        head["lines"] = dict(sorted(case.lines.items(), key=lambda item: (item[1], item[0])))
    if case.planned is not None:
        head["planned"] = case.planned
    if case.left_out:
        head["findings_left_out"] = case.left_out
    kept = {verdict.sample: verdict for verdict in case.verdicts}
    samples = ",".join("\n    " + _spell(_sample(name, case, kept.get(name), verbose)) for name in sorted(case.statuses))
    return f'  {_spell(head)[:-1]}, "samples": [{samples}]}}'


def _share(share: Exact | None) -> str | None:
    """A share as a decimal of six places, rounded down; null where it is undefined."""
    return None if share is None else share.decimal(6, "down")


def _threshold(value: object) -> object:
    return str(value) if isinstance(value, Exact) else value


def _retries(attempts: dict | None) -> dict:
    return {"retries": [{"attempt": attempt, "status": status} for attempt, status in attempts.items()]} if attempts else {}


def _sample(name: str, case: CaseReport, verdict: Verdict | None, verbose: bool) -> dict:
    shown: dict = {"sample": name, "status": case.statuses[name]}
    if name in case.excluded:
        shown["excluded"] = True
    if verdict is None:
        return {**shown, "findings": [], **_retries(case.retries.get(name))}
    for key in NAMED:
        if getattr(verdict, key):
            shown[key] = getattr(verdict, key)
    if verdict.transcript:
        shown["transcript"] = [{name: value for name, value in _plain(line).items() if value is not None and value is not False} for line in verdict.transcript]
    shown["findings"] = [_finding(finding) for finding in verdict.findings if verbose or finding.outcome != "pass"]
    return {**shown, **_retries(case.retries.get(name))}


def _finding(finding: Finding) -> dict:
    shown = {name: _plain(getattr(finding, name)) for name in FINDING}
    if finding.difference is not None:
        difference = _plain(finding.difference)
        shown["difference"] = {name: value for name, value in difference.items() if value}
    return {**shown, "turns": list(finding.turns)} if finding.turns else shown


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return {name: getattr(value, name) for name in value.__slots__}
    return value


def _error(error) -> dict:
    return {**{name: getattr(error, name) for name in ERROR}, "path": list(error.path)}


def _spell(value: object) -> str:
    return _SUSPECT.sub(_escape, _encode(value))


def _escape(match) -> str:
    piece = match.group()
    if piece == "##":
        return "#\\u0023"
    point = ord(piece)
    if point < 0x100 or acts(piece):
        if point < 0x10000:
            return f"\\u{point:04x}"
        point -= 0x10000
        return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"
    return piece
