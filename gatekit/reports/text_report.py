"""The report for a terminal or a build log: what did not pass and why, the counts, and what a pass means."""
from __future__ import annotations

from ..judging.report import CaseReport, Report
from ..judging.verdict import DECIDED_IN, Verdict, finding_lines
from ..text.quoting import quote, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

CLOSING = "A pass means that the declared rules held for these samples. It is no proof that an answer is right."
_RETRIED = 100  # so many samples of a case, and so many attempts at each, are listed
_NAMED = 20  # so many cases that were not judged are named


def render(report: Report, style: Style) -> str:
    """The report as text."""
    paint = _painter(style)
    lines: list = []
    for case in () if style.quiet else report.cases:
        if is_told(case, style.verbose):
            lines += _case_lines(case, style.verbose, len(report.cases) > 1, paint)
    rows = _quiet_totals(report) if style.quiet else totals(report, style.draws)
    lines += _errors(report, paint, style.quiet)
    column = 4 if style.quiet else _column(report, rows)
    told = [fitted(line, style.width) for line in lines] + [fitted(line, style.width, column + 1) for line in _rows(rows, column, paint)]
    return "".join(line + "\n" for line in (*told, fitted(CLOSING, style.width)))


def _painter(style: Style):
    """What gives words the colour of their role."""
    if not style.color:
        return _unpainted
    from .painting import painted

    return painted


def _unpainted(words: str, role: str) -> str:
    return words


def fitted(line: str, width: int | None, hang: int | None = None) -> str:
    """A line, broken where it is wider than so many columns; `hang` is how far its rest is set in."""
    if width is None or len(line) <= width // 2:
        return line
    from .wrapping import wrapped

    return "\n".join(wrapped(line, width, hang))


def _case_lines(case: CaseReport, verbose: bool, is_one_of_many: bool, paint) -> list:
    place = f" ({visible(case.file)})" if case.file else ""
    outcome = paint(case.outcome.upper(), case.outcome)
    if case.deprecated is not None:
        return [f"{outcome} {visible(case.id)}{place}: does not gate", ""]
    summary = case.summary
    reason = f": {case.reason}" if case.reason else ""
    lines = [f"{outcome} {visible(case.id)}{place}: {summary.passed} of {summary.samples} passed{reason}"]
    if case.planned is not None:
        lines.append(f"  {stopped_words(case)}")
    for verdict in case.verdicts:
        lines += ["  " + line for line in _verdict_lines(verdict, verbose, verdict.sample in case.excluded, paint)]
    if case.left_out:
        lines.append(f"  and {case.left_out} more that did not pass: their findings are left out")
    lines += ["  " + line for line in retry_lines(case)]
    if is_one_of_many and case.evidence:
        lines.append(f"  evidence: {case.evidence}")
    return lines + [""]


def is_told(case: CaseReport, verbose: bool) -> bool:
    """Whether there is anything to say of a case beyond the totals."""
    return bool(verbose or case.outcome != "pass" or case.verdicts or case.retries or case.planned is not None)


def stopped_words(case: CaseReport) -> str:
    """What is said of a batch that stopped before its end."""
    return f"stopped after {len(case.statuses)} of {case.planned} samples: no other could change the outcome"


def retry_lines(case: CaseReport) -> list:
    """The attempts that do not count, a line for each sample."""
    lines = []
    for name, attempts in list(case.retries.items())[:_RETRIED]:
        told = ", ".join(f"attempt {attempt} {status}" for attempt, status in list(attempts.items())[:_RETRIED])
        lines.append(f"{visible(name)}: retried, which does not count: {told}" + (f", and {len(attempts) - _RETRIED} more" if len(attempts) > _RETRIED else ""))
    if len(case.retries) > _RETRIED:
        lines.append(f"and {len(case.retries) - _RETRIED} more that were retried")
    return lines


def _verdict_lines(verdict: Verdict, verbose: bool, excluded: bool, paint) -> list:
    name = visible(verdict.sample or "")
    subject = ", ".join(f"{word} {visible(value)}" for word, value in (("model", verdict.model), ("prompt", verdict.prompt_version)) if value)
    status = paint(verdict.status, verdict.status)
    lines = [f"{name}: {status}" + (f" ({subject})" if subject else "") + label_words(verdict, excluded)]
    return lines + ["  " + _painted_finding(line, verbose, paint) for line in told_lines(verdict, verbose)]


def _painted_finding(line: str, verbose: bool, paint) -> str:
    if line.startswith(" "):
        return paint(line, "marks")
    if verbose and line.startswith("["):
        mark, _, rest = line.partition(" ")
        return f"{paint(mark, mark[1:-1])} {rest}"
    return line


def told_lines(verdict: Verdict, verbose: bool) -> list:
    """What is told of a verdict below its name: each finding, and what a person may need to go on. Nothing in a line acts."""
    lines = []
    for outcome in ("fail", "unknown", "review", "pass"):
        mark = f"[{outcome}] " if verbose else ""
        for line in finding_lines([finding for finding in verdict.findings if finding.outcome == outcome]) if verbose or outcome != "pass" else ():
            lines.append(line if line.startswith(" ") else mark + line)
    if verbose or verdict.output_sha256:
        lines += answer_lines(verdict)
    if verdict.output_sha256:
        files = dict.fromkeys(DECIDED_IN[finding.outcome] for finding in verdict.blamed if finding.review_required)
        lines.append(f"to decide about it: output_sha256 {verdict.output_sha256}, in {' and '.join(files)}")
    if verdict.reasoning:
        lines.append(f"reasoning in the output: {visible(verdict.reasoning)}")
    if verdict.note and verdict.label:
        lines.append(f"note: {visible(verdict.note)}")
    return lines


def answer_lines(verdict: Verdict) -> list:
    """What the agent answered, on a line; none where a finding tells it already, or nothing was kept of it."""
    is_told = not verdict.answer or any(finding.outcome == "fail" and finding.actual == verdict.answer for finding in verdict.findings)
    return [] if is_told else [f"the answer: {quote(verdict.answer)}"]


def label_words(verdict: Verdict, excluded: bool) -> str:
    """Where a person and the rules disagree, and where a person took the whole sample out."""
    if excluded:
        return ", excluded: a person rejected that job"
    if verdict.label == "rejected" and verdict.passed:
        return ", and a person rejected it: the rules cannot see what is wrong with it"
    if verdict.label == "approved" and verdict.status == "check_failed":
        return ", and a person approved it: the rules may be too strict"
    return ""


def _errors(report: Report, paint, quiet: bool) -> list:
    decided = () if quiet else (("override", report.overrides), ("review", report.reviews))
    lines = [f"{kind} used: {visible(words)}" for kind, used in decided for words in used]
    errors = [f"{paint('error', 'error')}: {visible(str(error))}" for error in report.errors]
    return lines + [""] * bool(lines) + errors + [""] * bool(errors and not quiet)


def total_lines(report: Report, draws: tuple) -> list:
    """The totals as lines."""
    rows = totals(report, draws)
    return _rows(rows, _column(report, rows), _unpainted)


def _rows(rows: list, column: int, paint) -> list:
    return [f"{name + ':':<{column}} {paint(value, _role(name, value))}" for name, value in rows]


def _role(name: str, value: str) -> str:
    """What a row of the totals is painted as, if at all."""
    return value.split(" ")[0].lower() if name == "gate" else name if name == "stopped" else ""


def _column(report: Report, rows: list) -> int:
    """How many columns the names of the totals take."""
    return max(15, *(len(name) + 1 for name, _ in rows)) if len(report.cases) > 1 else 15


def _quiet_totals(report: Report) -> list:
    """The gate with the counts; and what must be known to read it."""
    summary = report.summary
    cases = [case.id for case in report.cases if case.outcome not in ("pass", "deprecated")] if len(report.cases) > 1 else []
    return [("not passed", _named(cases))] * bool(cases) + [
        (name, f"{value}: {summary.passed} of {summary.samples} passed" if name == "gate" else value)
        for name, value in totals(report, ())
        if name in ("shard", "stopped", "gate")
    ]


def totals(report: Report, draws: tuple) -> list:
    """The counts, the rates and the outcome, as pairs of a name and what is said of it. Nothing in them acts."""
    rows = []
    if report.shard is not None:
        rows.append(("shard", "{} of {}: merge puts the reports of all together".format(*report.shard)))
    if report.stopped is not None:
        rows += [("stopped", report.stopped.reason)] + [("not judged", _named(report.stopped.cases_not_judged))] * bool(report.stopped.cases_not_judged)
    if len(report.cases) > 1:
        outcomes: dict = {}
        for case in report.cases:
            outcomes[case.outcome] = outcomes.get(case.outcome, 0) + 1
        rows.append(("cases", f"{len(report.cases)} ({', '.join(f'{count} {outcome}' for outcome, count in sorted(outcomes.items()))})"))
    for model, prompt in report.subjects:
        rows.append(("judged", " ".join(visible(words) for words in (model and f"model {model}", prompt and f"prompt {prompt}") if words)))
    counts = report.counts
    rows += [("samples", str(counts.pop("samples"))), ("passed", str(counts.pop("passed")))]
    notes = {"transient": " (excluded from the rate)", "deprecated": " (not judged)", "retries": " (listed, not counted)"}
    notes["excluded"] = " (of rejected jobs, not in the rate)"
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
    rows += _draw_rows(gating, draws)
    reason = ""
    if report.errors:
        reason = f", {len(report.errors)} error{'s' * (len(report.errors) > 1)}"
    elif not gating:
        reason = ", nothing was judged" if report.cases else ", no case was found"
    rows.append(("gate", f"{report.outcome.upper()} (exit {report.exit_code}{reason})"))
    if len(gating) == 1 and gating[0].evidence:
        rows.append(("evidence", gating[0].evidence))
    return rows


def _named(ids) -> str:
    """Some cases: how many, and the first by name."""
    named = ", ".join(map(visible, ids[:_NAMED])) + (f", and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")
    return f"{len(ids)} case{'s' * (len(ids) != 1)} ({named})"


def _draw_rows(gating: list, draws: tuple) -> list:
    """pass@k and pass^k, rounded down; over several cases the mean of those with so many samples judged."""
    rows: list = []
    if not draws:
        return rows
    from ..judging.draws import mean

    for k in draws:
        for name, figure in ((f"pass@{k}", "pass_at_k"), (f"pass^{k}", "pass_hat_k")):
            shares = [share for share in (getattr(case.summary, figure)(k) for case in gating) if share is not None]
            few = len(gating) - len(shares)
            words = [mean(shares, 4).percent(2) + (f", the mean over {len(shares)} cases" if len(shares) > 1 else "")] if shares else []
            if few:
                words.append("undefined" + (f" in {few} case{'s' * (few > 1)}" if len(gating) > 1 else "") + f": fewer than {k} judged")
            rows.append((name, "; ".join(words)))
    return rows
