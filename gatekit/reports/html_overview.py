"""What the page says before its samples: whether the gate passed, what broke and where, the cases, and the counts."""
from __future__ import annotations

from ..judging.report import CaseReport, Report
from ..judging.verdict import Verdict
from .html_words import NAME, REASON, attribute, badge, fitting, name, text, tone
from .text_report import totals

ROWS = 2000
MOST_BROKEN = 200
_LIST_ROOM = 400_000  # bytes of each list and table
_CASES_ROOM = 1_000_000
_OUTCOMES = ("fail", "unknown", "review")
_GROUPS = 200


def verdict(report: Report) -> list:
    """The outcome, why in a sentence, and how many samples came to what."""
    counts = report.counts
    total = counts.pop("samples")
    chips = [f'<li class="{attribute(tone(status))}"><strong>{count}</strong> {text(status)}</li>' for status, count in counts.items() if count or status == "passed"]
    return [
        f'<h1>Gate: <span class="{attribute(tone(report.outcome))}">{text(f"{report.outcome.upper()} (exit {report.exit_code})")}</span></h1>',
        f'<p class="lead">{text(_sentence(report))}</p>',
        f'<ul class="chips" aria-label="Samples by status"><li><strong>{total}</strong> {"sample" if total == 1 else "samples"}</li>{"".join(chips)}</ul>',
    ]


def _sentence(report: Report) -> str:
    gating = [case for case in report.cases if case.deprecated is None]
    broken = [case for case in gating if case.outcome != "pass"]
    words = []
    if not gating:
        words.append("Nothing was judged." if report.cases else "No case was found.")
    elif len(gating) == 1:
        words.append(f"The case did not pass: {gating[0].reason or gating[0].outcome}." if broken else "The case passed.")
    else:
        words.append(f"{len(broken)} of {len(gating)} cases did not pass." if broken else f"All {len(gating)} cases passed.")
    if len(gating) > 1 and report.rate is not None:
        words.append(f"Failure rate {report.rate.percent(1)} over all cases.")
    if report.stopped is not None:
        words.append(f"The run was stopped {report.stopped.reason}.")
    if report.errors:
        words.append(f"{len(report.errors)} error{'s were' if len(report.errors) > 1 else ' was'} met.")
    return " ".join(words)


def errors(report: Report) -> list:
    """What could not be read or judged."""
    return _listed("errors", "Errors", [str(error) for error in report.errors])


def decisions(report: Report) -> list:
    """What people decided."""
    return _listed("overrides", "Overrides used", report.overrides) + _listed("reviews", "Reviews used", report.reviews)


def _listed(id: str, head: str, entries) -> list:
    if not entries:
        return []
    lines = fitting((f"<li>{text(entry, REASON)}</li>" for entry in entries), ROWS, _LIST_ROOM)
    more = [f"<li>and {len(entries) - len(lines)} more: the JSON report has them</li>"] * (len(entries) > len(lines))
    return [f'<section aria-labelledby="{id}"><h2 id="{id}">{head}</h2>', "<ul>", *lines, *more, "</ul>", "</section>"]


def broken(rows: list, anchors: dict) -> list:
    """Those `broken_rules` as a table. `anchors` are the numbers of the samples that the page tells, by the identity of the case and the id of the sample."""
    if not rows:
        return []
    lines = fitting((_broken_row(*row, anchors) for row in rows), MOST_BROKEN, _LIST_ROOM)
    more = f" (the first {len(lines)} of {len(rows)})" if len(rows) > len(lines) else ""
    heads = ("outcome", "rule", "case", "samples", "why, in the first of them")
    return [
        '<section aria-labelledby="broken"><h2 id="broken">What broke</h2>',
        *_framed("What broke", f"Rules that did not hold, and on how many samples{more}", heads, lines),
        "</section>",
    ]


def broken_rules(report: Report) -> list:
    """The rules that did not hold, as `[case, outcome, rule, reason, on how many samples, the first of them]`: what stops the gate first, then what it allows."""
    found: dict = {}
    for place, case in enumerate(report.cases):
        before = len(found)
        for judged in case.verdicts:
            if judged.status not in ("passed", "transient") and judged.sample not in case.excluded:
                for (outcome, rule), reason in _not_held(judged).items():
                    found.setdefault((place, outcome, rule), [case, outcome, rule, reason, 0, judged])[4] += 1
        if len(found) == before and case.deprecated is None and case.outcome != "pass":
            found[place, "", ""] = [case, case.outcome, "(gate)", case.reason, case.summary.samples, None]
    return sorted(found.values(), key=lambda row: (row[0].outcome == "pass", _OUTCOMES.index(row[1]) if row[1] in _OUTCOMES else 0, -row[4]))


def _not_held(judged: Verdict) -> dict:
    """What is said of each rule that did not hold on a sample, by its outcome and its name."""
    told: dict = {}
    for finding in judged.findings:
        if finding.outcome != "pass":
            told.setdefault((finding.outcome, finding.rule), finding.reason)
    return told


def _broken_row(case: CaseReport, outcome: str, rule: str, reason: str, count: int, first, anchors: dict) -> str:
    shown = name(rule)
    anchor = None if first is None else anchors.get((id(case), first.sample))
    if anchor is not None:
        shown = f'<a href="#sample-{anchor}">{shown}</a>'
    words = f"at least {count}" if case.left_out and first is not None else str(count)
    return (
        f'<tr><td>{badge(outcome)}</td><th scope="row">{shown}</th><td class="name">{name(case.id)}</td><td class="count">{words}</td>'
        f'<td class="why">{text(reason, NAME)}</td></tr>'
    )


def cases(report: Report, told: set) -> list:
    """All cases as a table, those that did not pass first where there are too many. `told` are the ids of those that the page tells more of."""
    if not report.cases:
        return []
    numbered = list(enumerate(report.cases))
    lines = fitting((_case_row(place, case, told) for place, case in numbered), ROWS, _CASES_ROOM)
    more = ""
    if len(lines) < len(numbered):
        numbered.sort(key=lambda one: one[1].outcome == "pass")
        lines = fitting((_case_row(place, case, told) for place, case in numbered), ROWS, _CASES_ROOM)
        more = f" (the first {len(lines)} of {len(numbered)}: those that did not pass before the others)"
    heads = ("case", "outcome", "passed", "samples", "level", "owner", "why")
    return ['<section aria-labelledby="cases"><h2 id="cases">Cases</h2>', *_framed("Cases", f"Each case and what came of it{more}", heads, lines), "</section>"]


def _case_row(place: int, case: CaseReport, told: set) -> str:
    shown = f'<a href="#case-{place}">{name(case.id)}</a>' if id(case) in told else name(case.id)
    summary = case.summary
    passed, samples, why = (summary.passed, summary.samples, case.reason) if summary is not None else ("", case.deprecated, "does not gate")
    return (
        f'<tr><th scope="row">{shown}</th><td>{badge(case.outcome)}</td><td class="count">{passed}</td><td class="count">{samples}</td>'
        f'<td class="count">{"" if case.level is None else case.level}</td><td>{name(case.owner)}</td><td class="why">{text(why, NAME)}</td></tr>'
    )


def _group_row(title: str, group: dict, statuses: list) -> str:
    cells = "".join(f'<td class="count">{group.get(status, 0)}</td>' for status in statuses)
    return f'<tr><th scope="row">{name(title)}</th>{cells}</tr>'


def figures(report: Report, draws: tuple) -> list:
    """The totals, and the counts by level, tag and owner."""
    counts = report.counts
    rows = [(title, value) for title, value in totals(report, draws) if title not in counts and not title.startswith(("level ", "tag ", "owner "))]
    lines = fitting((f"<dt>{name(title)}</dt><dd>{text(value, REASON)}</dd>" for title, value in rows), ROWS, _LIST_ROOM)
    lines = ['<section aria-labelledby="figures"><h2 id="figures">Figures</h2>', "<dl>", *lines, "</dl>", '<div class="tables">']
    for kind, groups in (("level", report.levels), ("tag", report.tags), ("owner", report.owners)):
        if groups:
            statuses = [status for status in counts if any(group.get(status) for group in groups.values())]
            kept = fitting((_group_row(title, group, statuses) for title, group in groups.items()), _GROUPS, _LIST_ROOM)
            more = f" (the first {len(kept)} of {len(groups)})" if len(groups) > len(kept) else ""
            lines += _framed(f"By {kind}", f"Samples by {kind}{more}", (kind, *statuses), kept)
    return [*lines, "</div>", "</section>"]


def _framed(label: str, caption: str, heads: tuple, rows: list) -> list:
    """A table in a frame of its own, in which what is too wide or too long can be reached by the keys too."""
    tall = " tall" * (len(rows) > 20)
    return [
        f'<div class="wide{tall}" tabindex="0" role="region" aria-label="{attribute(label)}"><table><caption>{text(caption)}</caption>',
        "<thead><tr>" + "".join(f'<th scope="col">{text(head)}</th>' for head in heads) + "</tr></thead>",
        *("<tbody>", *rows, "</tbody></table></div>"),
    ]


def ways(report: Report, rules: int, told: int) -> list:
    """Links to the parts of the page, with how much each holds: so many rules that did not hold, so many samples."""
    parts = [("errors", "Errors", len(report.errors)), ("broken", "What broke", rules)]
    parts += [("cases", "Cases", len(report.cases)), ("figures", "Figures", None)]
    parts += [("overrides", "Overrides", len(report.overrides)), ("reviews", "Reviews", len(report.reviews)), ("samples", "Samples", told)]
    links = [f'<li><a href="#{id}">{words}</a>{"" if count is None else f" ({count})"}</li>' for id, words, count in parts if count != 0]
    return ['<nav aria-label="On this page"><ul>' + "".join(links) + "</ul></nav>"]
