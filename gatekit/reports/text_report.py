"""The report for a terminal or a build log: what did not pass and why, the counts, and what a pass means."""
from __future__ import annotations

from ..judging.report import CaseReport, Report
from ..judging.verdict import Verdict, finding_lines
from ..text.quoting import visible

CLOSING = "A pass means that the declared rules held for these samples. It is no proof that an answer is right."


def render(report: Report, verbose: bool = False) -> str:
    """The report as text. `verbose` shows what passed too."""
    lines: list = []
    for case in report.cases:
        if verbose or case.outcome != "pass" or case.verdicts:
            lines += _case_lines(case, verbose)
    lines += _errors(report)
    lines += _totals(report)
    return "\n".join([*lines, CLOSING, ""])


def _case_lines(case: CaseReport, verbose: bool) -> list:
    place = f" ({visible(case.file)})" if case.file else ""
    if case.deprecated is not None:
        return [f"DEPRECATED {visible(case.id)}{place}: does not gate", ""]
    summary = case.summary
    reason = f": {summary.reason}" if summary.reason else ""
    lines = [f"{case.outcome.upper()} {visible(case.id)}{place}: {summary.passed} of {summary.samples} passed{reason}"]
    for verdict in case.verdicts:
        lines += ["  " + line for line in _verdict_lines(verdict, verbose)]
    if case.left_out:
        lines.append(f"  and {case.left_out} more that did not pass: their findings are left out")
    return lines + [""]


def _verdict_lines(verdict: Verdict, verbose: bool) -> list:
    name = visible(verdict.sample or "")
    subject = ", ".join(f"{word} {visible(value)}" for word, value in (("model", verdict.model), ("prompt", verdict.prompt_version)) if value)
    lines = [f"{name}: {verdict.status}" + (f" ({subject})" if subject else "") + _labelled(verdict)]
    for outcome in ("fail", "unknown", "review", "pass"):
        mark = f"[{outcome}] " if verbose else ""
        for line in finding_lines([finding for finding in verdict.findings if finding.outcome == outcome]) if verbose or outcome != "pass" else ():
            lines.append(f"  {line}" if line.startswith(" ") else f"  {mark}{line}")
    if verdict.output_sha256:
        lines.append(f"  to decide about it: output_sha256 {verdict.output_sha256}")
    if verdict.reasoning:
        lines.append(f"  reasoning in the output: {verdict.reasoning}")
    if verdict.note and verdict.label:
        lines.append(f"  note: {visible(verdict.note)}")
    return lines


def _labelled(verdict: Verdict) -> str:
    """Where a person and the rules disagree."""
    if verdict.label == "rejected" and verdict.passed:
        return ", and a person rejected it: the rules cannot see what is wrong with it"
    if verdict.label == "approved" and verdict.status == "check_failed":
        return ", and a person approved it: the rules may be too strict"
    return ""


def _errors(report: Report) -> list:
    lines = [f"{kind} used: {visible(words)}" for kind, used in (("override", report.overrides), ("review", report.reviews)) for words in used]
    return lines + [""] * bool(lines) + [f"error: {visible(str(error))}" for error in report.errors] + ([""] if report.errors else [])


def _totals(report: Report) -> list:
    rows = []
    if len(report.cases) > 1:
        outcomes: dict = {}
        for case in report.cases:
            outcomes[case.outcome] = outcomes.get(case.outcome, 0) + 1
        rows.append(("cases", f"{len(report.cases)} ({', '.join(f'{count} {outcome}' for outcome, count in sorted(outcomes.items()))})"))
    for model, prompt in report.subjects:
        rows.append(("judged", " ".join(visible(words) for words in (model and f"model {model}", prompt and f"prompt {prompt}") if words)))
    counts = report.counts
    rows += [("samples", str(counts.pop("samples"))), ("passed", str(counts.pop("passed")))]
    notes = {"transient": " (excluded from the rate)", "deprecated": " (not judged)"}
    rows += [(name, f"{count}{notes.get(name, '')}") for name, count in counts.items() if count]
    groups = [("level", report.levels)]
    if len(report.cases) > 1:
        groups += [("tag", report.tags), ("owner", report.owners)]
    for kind, counted in groups:
        for name, statuses in counted.items():
            rows.append((visible(f"{kind} {name}"), ", ".join(f"{count} {status}" for status, count in statuses.items() if count) or "no samples"))
    gating = [case for case in report.cases if case.deprecated is None]
    if len(gating) == 1 and gating[0].summary.judged:
        rows.append(("failure rate", gating[0].summary.rate_text()))
    elif report.rate is not None:
        rows.append(("failure rate", f"{report.rate.percent(1)} over all cases"))
    reason = ""
    if report.errors:
        reason = f", {len(report.errors)} error{'s' * (len(report.errors) > 1)}"
    elif not gating:
        reason = ", nothing was judged" if report.cases else ", no case was found"
    rows.append(("gate", f"{report.outcome.upper()} (exit {report.exit_code}{reason})"))
    width = max(15, *(len(name) + 1 for name, _ in rows)) if len(report.cases) > 1 else 15
    return [f"{name + ':':<{width}} {value}" for name, value in rows]
