"""The report as one page of HTML that needs no network and, but for its filter, no script.

    policy    `default-src 'none'`: nothing is fetched, sent or framed, and but the one style and the one script of the page, which are named by their hashes,
              nothing is run or applied, whatever stands in it
    text      `_text` and `_attribute` are the only ways for words into the page. What acts on a reader or a log is an escape that can be seen (text/quoting.py),
              and `& < > " '` are entities; so no words leave their element or attribute, of which each is quoted
    size      samples are told until `ROOM` characters are used up, tables have at most `ROWS` rows, and what is left out is said
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..judging.report import CaseReport, Report
from ..judging.verdict import DECIDABLE, Finding, Verdict, turn_lines
from ..text.quoting import visible
from ..text.word_diff import GAP, GONE, KEPT, NEW
from .html_page import SCRIPT, STYLE
from .text_report import CLOSING, label_words, retry_lines, stopped_words, totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

ROOM = 4_000_000
ROWS = 2000
_OPTIONS = 200
_OPEN = 20  # samples that are unfolded from the start
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_ELEMENTS = {KEPT: "%s", GONE: '<del><span class="unseen">gone: </span>%s</del>', NEW: '<ins><span class="unseen">new: </span>%s</ins>', GAP: '<span class="soft">...</span>'}
_ORDER = ("fail", "unknown", "review", "pass")


def render(report: Report, style: Style) -> str:
    """The report as HTML."""
    verbose = style.verbose
    title = f"{report.outcome.upper()} (exit {report.exit_code})"
    sections, told = _samples(report, verbose)
    page = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>gatekit: {_text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#samples">To the samples</a>',
        f'<header><h1>Gate: <span class="{_attribute(_class(report.outcome))}">{_text(title)}</span></h1></header>',
        "<main>",
        *_glance(report, style.draws),
        *_errors(report),
        *_cases(report, {id(case) for case in told}),
        '<section id="samples" aria-labelledby="samples-head">',
        f'<h2 id="samples-head">{"Samples" if verbose else "What did not pass"}</h2>',
        *(_filter(told) if told else ["<p>No sample is to be shown.</p>"]),
        *sections,
        "</section>",
        "</main>",
        f"<footer><p>{_text(CLOSING)}</p></footer>",
        f"<script>{SCRIPT}</script>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(page)


def _policy() -> str:
    """The content policy, with the hashes of the style and the script (Content Security Policy Level 3, hash sources)."""
    return f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    import hashlib

    bits = int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big") << 2  # 256 bits as 43 digits of 6
    return "sha256-" + "".join(_BASE64[bits >> place & 63] for place in range(252, -1, -6)) + "="


def _text(words: str) -> str:
    """Words as the text of an element. They may have several lines."""
    return "\n".join(map(visible, words.split("\n"))).translate(_ENTITIES) if "\n" in words else visible(words).translate(_ENTITIES)


def _attribute(*values: str) -> str:
    """Words as the value of an attribute in quotes; of several, a line each."""
    return "&#10;".join(visible(value).translate(_ENTITIES) for value in values)


def _block(words: str) -> str:
    """Words with their line ends. (A line feed right behind the tag is none of the text.)"""
    return f"<pre>\n{_text(words)}</pre>"


def _class(outcome: str) -> str:
    return {"inconclusive": "unknown", "error": "fail"}.get(outcome, outcome)


def _glance(report: Report, draws: tuple) -> list:
    """The totals, and the counts by status, level, tag and owner."""
    counts = report.counts
    rows = [(name, value) for name, value in totals(report, draws) if name not in counts and not name.startswith(("level ", "tag ", "owner "))]
    lines = ['<section aria-labelledby="glance"><h2 id="glance">At a glance</h2>', "<dl>"]
    lines += [f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in rows[:ROWS]] + ["</dl>", '<div class="tables">']
    lines += _table("By status", ("status", "samples"), [(name, (str(count),)) for name, count in counts.items() if count or name in ("samples", "passed", "check_failed")])
    for kind, groups in (("level", report.levels), ("tag", report.tags), ("owner", report.owners)):
        statuses = [name for name in counts if any(group.get(name) for group in groups.values())]
        lines += _table(f"By {kind}", (kind, *statuses), [(name, tuple(str(group.get(status, 0)) for status in statuses)) for name, group in groups.items()][:_OPTIONS], len(groups))
    return [*lines, "</div>", "</section>"]


def _table(caption: str, heads: tuple, rows: list, count: int | None = None) -> list:
    """A table of counts by a name; nothing where there are none."""
    if not rows:
        return []
    more = f" (the first {len(rows)} of {count})" if count is not None and count > len(rows) else ""
    lines = [f'<div class="wide" tabindex="0" role="region" aria-label="{_attribute(caption)}"><table><caption>{_text(caption + more)}</caption>', "<thead><tr>" + "".join(f'<th scope="col">{_text(head)}</th>' for head in heads) + "</tr></thead>", "<tbody>"]
    lines += [f'<tr><th scope="row">{_text(name)}</th>' + "".join(f'<td class="count">{_text(count)}</td>' for count in counts) + "</tr>" for name, counts in rows]
    return [*lines, "</tbody></table></div>"]


def _errors(report: Report) -> list:
    """The errors that were met, and what people decided."""
    lines: list = []
    for head, words in (("Errors", [str(error) for error in report.errors]), ("Overrides used", report.overrides), ("Reviews used", report.reviews)):
        if words:
            name = head.split()[0].lower()
            lines += [f'<section aria-labelledby="{name}"><h2 id="{name}">{head}</h2>', "<ul>", *(f"<li>{_text(line)}</li>" for line in words[:ROWS])]
            lines += [f"<li>and {len(words) - ROWS} more</li>"] * (len(words) > ROWS) + ["</ul>", "</section>"]
    return lines


def _cases(report: Report, told: set) -> list:
    """All cases as a table, those that did not pass first where there are too many."""
    cases = report.cases
    if len(cases) > ROWS:
        cases = sorted(cases, key=lambda case: case.outcome == "pass")[:ROWS]
    if not cases:
        return []
    more = f" (the first {len(cases)} of {len(report.cases)}: those that did not pass before the others)" if len(report.cases) > len(cases) else ""
    lines = [f'<section aria-labelledby="cases"><h2 id="cases">Cases</h2>', f'<div class="wide" tabindex="0" role="region" aria-label="Cases"><table><caption>Each case and what came of it{more}</caption>']
    lines += ["<thead><tr>" + "".join(f'<th scope="col">{head}</th>' for head in ("case", "outcome", "passed", "samples", "level", "owner", "why")) + "</tr></thead>", "<tbody>"]
    places = {id(case): place for place, case in enumerate(report.cases)}
    for case in cases:
        name = _text(case.id)
        name = f'<a href="#case-{places[id(case)]}">{name}</a>' if id(case) in told else name
        summary = case.summary
        counts = (str(summary.passed), str(summary.samples), case.reason) if summary is not None else ("", str(case.deprecated), "does not gate")
        lines.append(
            f'<tr><th scope="row">{name}</th><td><span class="status {_attribute(_class(case.outcome))}">{_text(case.outcome)}</span></td>'
            + "".join(f'<td class="count">{_text(count)}</td>' for count in counts[:2])
            + f"<td>{'' if case.level is None else case.level}</td><td>{_text(case.owner or '')}</td><td class=\"why\">{_text(counts[2])}</td></tr>"
        )
    return [*lines, "</tbody></table></div>", "</section>"]


def _filter(told: list) -> list:
    """The form that the script shows: it narrows down what is seen."""
    choices = {
        "status": [verdict.status for case in told for verdict in case.verdicts],
        "level": [str(case.level) for case in told],
        "tag": [tag for case in told for tag in case.tags],
        "owner": [case.owner for case in told if case.owner],
    }
    lines = ['<form id="filter" class="filter" role="search" aria-label="Filter the samples" hidden>', '<label>Search <input type="search" name="words" autocomplete="off"></label>']
    for name, values in choices.items():
        options = "".join(f'<option value="={_attribute(value)}">{_text(value)}</option>' for value in sorted(set(values))[:_OPTIONS])
        lines.append(f'<label>{name.capitalize()} <select name="{name}"><option value="">all</option>{options}</select></label>')
    lines += ['<button type="reset">Clear</button>', '<button type="button" id="open">Unfold all</button>', '<button type="button" id="close">Fold all</button>']
    return [*lines, '<p id="told" role="status"></p>', "</form>"]


def _samples(report: Report, verbose: bool) -> tuple:
    """The samples by case, as lines, and the cases of which some are told."""
    lines: list = []
    told: list = []
    room, count, left_out = ROOM, 0, 0
    for place, case in enumerate(report.cases):
        kept = [verdict for verdict in case.verdicts if verbose or not verdict.passed or verdict.label == "rejected"]
        if not kept and not case.retries:
            continue
        if room <= 0:
            left_out += len(kept) + case.left_out
            continue
        head, body = _case_head(case, place), []
        room -= sum(map(len, head))
        for number, verdict in enumerate(kept):
            sample = "\n".join(_sample(verdict, case, verbose, count < _OPEN))
            room -= len(sample)
            if room <= 0 and count:
                body.append(f"<p>and {len(kept) - number} more of this case, which are left out: the JSON report has them</p>")
                break
            body.append(sample)
            count += 1
        lines += [*head, *body, "</section>"]
        told.append(case)
    if left_out:
        lines.append(f"<p>and {left_out} more of other cases, which are left out: the JSON report has them</p>")
    return lines, told


def _case_head(case: CaseReport, place: int) -> list:
    data = f'data-level="{_attribute(str(case.level))}" data-owner="{_attribute(case.owner or "")}" data-tag="{_attribute(*case.tags)}"'
    lines = [f'<section class="case" aria-labelledby="case-{place}" {data}>', f'<h3 id="case-{place}">{_text(case.id)}</h3>']
    if case.description:
        lines.append(f"<p>{_text(case.description)}</p>")
    facts = [words for words in (case.file, f"level {case.level}" if case.level is not None else "", f"owner {case.owner}" if case.owner else "") if words] + list(case.tags[:ROWS])
    lines.append(f'<p class="soft">{_text(", ".join(facts))}</p>')
    if case.summary is not None:
        summary = case.summary
        lines.append(f"<p>{_text(f'{summary.passed} of {summary.samples} passed' + (f': {case.reason}' if case.reason else ''))}</p>")
        lines += [f"<p>{_text(f'evidence: {case.evidence}')}</p>"] * bool(case.evidence)
    if case.planned is not None:
        lines.append(f"<p>{_text(stopped_words(case))}</p>")
    if case.left_out:
        lines.append(f"<p>and {case.left_out} more that did not pass: their findings are left out</p>")
    return lines + [f"<p>{_text(line)}</p>" for line in retry_lines(case)]


def _sample(verdict: Verdict, case: CaseReport, verbose: bool, is_open: bool) -> list:
    name = verdict.sample or ""
    findings = [finding for outcome in _ORDER for finding in verdict.findings if finding.outcome == outcome and (verbose or outcome != "pass")]
    subject = ", ".join(f"{word} {value}" for word, value in (("model", verdict.model), ("prompt", verdict.prompt_version)) if value)
    about = label_words(verdict, name in case.excluded).lstrip(", ")
    lines = [
        f'<details class="sample" data-status="{_attribute(verdict.status)}" data-case="{_attribute(case.id)}"{" open" * is_open}>',
        f'<summary><h4>{_text(name)}</h4> <span class="status {_attribute(verdict.status)}">{_text(verdict.status)}</span> '
        + (f'<span class="soft">{_text(subject)}</span> ' if subject else "")
        + f"{_text(findings[0].reason[:_OPTIONS]) if findings else ''}</summary>",
    ]
    lines += [f"<p>{_text(about)}</p>"] * bool(about)
    for finding in findings:
        lines += _finding(finding)
    for words, value in (("to decide about it: output_sha256", verdict.output_sha256), ("reasoning in the output:", verdict.reasoning), ("note:", verdict.note if verdict.label else None)):
        lines += [f'<p class="soft">{_text(f"{words} {value}")}</p>'] * bool(value)
    return [*lines, *_conversation(verdict), "</details>"]


def _finding(finding: Finding) -> list:
    about = f"{finding.type}, tier {finding.tier}" + ", veto" * finding.veto
    lines = [
        f'<div class="finding {_attribute(finding.outcome)}">',
        f'<h5><span class="status {_attribute(finding.outcome)}">{_text(finding.outcome)}</span> {_text(finding.rule)} <span class="soft">({_text(about)})</span></h5>',
    ]
    if finding.reason:
        lines.append(f"<p>{_text(finding.reason + (DECIDABLE.get(finding.outcome, '') if finding.review_required else ''))}</p>")
    where = finding.where
    if where is not None:
        place = f"line {where.line}, column {where.column}" + (f", in {where.inside}" if where.inside else "")
        lines += [f'<p class="soft">{_text(place)}</p>', f"<pre>\n{_text(where.before)}<mark>{_text(where.hit)}</mark>{_text(where.after)}</pre>"]
    lines += [f'<p class="soft">{_text(line)}</p>' for line in turn_lines(finding)]
    lines += _difference(finding)
    sides = [(name, value) for name, value in (("Expected", finding.expected), ("Got", finding.actual)) if value is not None]
    if sides:
        lines.append("<dl>" + "".join(f"<dt>{name}</dt><dd>{_block(value if isinstance(value, str) else canonical(value))}</dd>" for name, value in sides) + "</dl>")
    return [*lines, "</div>"]


def _difference(finding: Finding) -> list:
    difference = finding.difference
    if difference is None:
        return []
    lines = [f"<p>{_text(difference.note)}</p>"] if difference.note else []
    if difference.has_common_words:
        lines.append("<pre>\n" + " ".join(_ELEMENTS[kind].replace("%s", _text(words)) for kind, words in difference.words) + "</pre>")
    if difference.paths:
        lines += ["<ul>", *(f"<li>{_text(path)}</li>" for path in difference.paths), "</ul>"]
    return lines


def _conversation(verdict: Verdict) -> list:
    """The conversation turn by turn; what a turn shows stands at its head."""
    if not verdict.transcript:
        return []
    shows: dict = {}
    for finding in verdict.findings:
        for turn in finding.turns if finding.outcome != "pass" else ():
            shows.setdefault(turn, []).append(finding.rule)
    lines = [f'<details{" open" * bool(shows)}><summary>The conversation</summary>']
    last = None
    for line in verdict.transcript:
        if line.turn != last:
            lines += ["</ol></div>"] * (last is not None)
            mark = f' <span class="status fail">shows {_text(", ".join(shows[line.turn]))}</span>' if line.turn in shows else ""
            lines.append(f'<div class="turn{" proves" * (line.turn in shows)}"><h5>Turn {line.turn}{mark}</h5><ol class="talk">')
            last = line.turn
        lines.append(_said(line))
    return [*lines, "</ol></div>", "</details>"]


def _said(line) -> str:
    if line.kind == "gap":
        return f'<li class="soft">{_text(line.text)}</li>'
    who = line.kind + (f" of {line.name}" if line.name else "") + " (failed)" * line.failed
    return f'<li class="{_attribute(line.kind)}"><strong>{_text(who)}</strong> <span class="soft">message {line.message}</span>{_block(line.text)}</li>'
