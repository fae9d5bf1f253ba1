"""The samples on the page: by case, each with its findings, how expected and got differ, and what was said.

Samples are told until `ROOM` bytes are used up, and of a sample the first `FINDINGS`; what is left out is said.
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..judging.report import CaseReport, Report
from ..judging.verdict import DECIDABLE, Finding, Verdict, turn_lines
from ..text.word_diff import GAP, GONE, KEPT, NEW
from .html_words import NAME, REASON, attribute, badge, block, fitting, name, size, text
from .text_report import answer_lines, label_words, retry_lines, stopped_words

ROOM = 4_000_000
FINDINGS = 200
_OPEN = 20  # samples that are unfolded from the start
_OPTIONS = 200
_OPTIONS_ROOM = 50_000
_TAGS = 100
_SHORT = 200
_ORDER = ("fail", "unknown", "review", "pass")
_ELEMENTS = {
    KEPT: "%s",
    GONE: '<del><span class="unseen">gone: </span>%s</del>',
    NEW: '<ins><span class="unseen">new: </span>%s</ins>',
    GAP: '<span class="soft">...</span>',
}


class Told:
    """The samples as lines; `cases` are those of which some are told, `anchors` the numbers of those, by the identity of the case and the id of the sample."""

    __slots__ = ("lines", "cases", "anchors")

    def __init__(self, report: Report, verbose: bool) -> None:
        self.lines: list = []
        self.cases: list = []
        self.anchors: dict = {}
        passed, room, left_out = report.counts["passed"], ROOM, 0
        for place, case in enumerate(report.cases):
            kept = [verdict for verdict in case.verdicts if verbose or not verdict.passed or verdict.label == "rejected"]
            passed -= sum(verdict.passed and verdict.sample not in case.excluded for verdict in kept)
            if not kept and not case.retries:
                continue
            if room <= 0:
                left_out += len(kept) + case.left_out
                continue
            room = self._tell(place, case, kept, room, verbose)
        if left_out:
            self.lines.append(f"<p>and {left_out} more of other cases, which are left out: the JSON report has them</p>")
        if passed:
            self.lines.append(f"<p>{passed} sample{'s' * (passed > 1)} that passed {'are' if passed > 1 else 'is'} counted, and not told</p>")

    def _tell(self, place: int, case: CaseReport, kept: list, room: int, verbose: bool) -> int:
        """Tell of a case; gives what room is left."""
        head, body = _case_head(case, place), []
        room -= size(head)
        for number, verdict in enumerate(kept):
            told = len(self.anchors)
            sample = "\n".join(_sample(verdict, case, told, verbose))
            room -= size([sample])
            if room <= 0 and told:
                body.append(f"<p>and {len(kept) - number} more of this case, which are left out: the JSON report has them</p>")
                break
            body.append(sample)
            self.anchors[id(case), verdict.sample] = told
        self.lines += [*head, *body, "</section>"]
        self.cases.append(case)
        return room


def filter_form(cases: list) -> list:
    """The form that the script shows: it narrows down what is seen."""
    choices = {
        "status": [verdict.status for case in cases for verdict in case.verdicts],
        "level": [str(case.level) for case in cases],
        "tag": [tag for case in cases for tag in case.tags],
        "owner": [case.owner for case in cases if case.owner],
    }
    lines = ['<form id="filter" class="filter" role="search" aria-label="Filter the samples" hidden>']
    lines.append('<label>Search <input type="search" name="words" autocomplete="off"></label>')
    for title, values in choices.items():
        options = (f'<option value="={attribute(value)}">{name(value)}</option>' for value in sorted(set(values)))
        told = "".join(fitting(options, _OPTIONS, _OPTIONS_ROOM))
        lines.append(f'<label>{title.capitalize()} <select name="{title}"><option value="">all</option>{told}</select></label>')
    lines += ['<button type="reset">Clear</button>', '<button type="button" id="open">Unfold all</button>', '<button type="button" id="close">Fold all</button>']
    return [*lines, '<p id="told" role="status"></p>', "</form>"]


def _case_head(case: CaseReport, place: int) -> list:
    data = f'data-level="{attribute(str(case.level))}" data-owner="{attribute(case.owner or "")}" data-tag="{attribute(*case.tags)}"'
    lines = [f'<section class="case" {data}>', f'<h3 id="case-{place}">{name(case.id)}</h3>']
    if case.summary is not None:
        summary = case.summary
        lines.append(f"<p>{badge(case.outcome)} {text(f'{summary.passed} of {summary.samples} passed' + (f': {case.reason}' if case.reason else ''))}</p>")
    if case.description:
        lines.append(f"<p>{text(case.description, REASON)}</p>")
    facts = [words for words in (case.file, f"level {case.level}" if case.level is not None else "", f"owner {case.owner}" if case.owner else "") if words]
    lines.append(f'<p class="soft">{", ".join(map(name, [*facts, *case.tags[:_TAGS]]))}</p>')
    if case.evidence:
        lines.append(f'<p class="soft">{text(f"evidence: {case.evidence}")}</p>')
    if case.planned is not None:
        lines.append(f"<p>{text(stopped_words(case))}</p>")
    if case.left_out:
        lines.append(f"<p>and {case.left_out} more that did not pass: their findings are left out</p>")
    return lines + [f"<p>{text(line)}</p>" for line in retry_lines(case)]


def _sample(verdict: Verdict, case: CaseReport, place: int, verbose: bool) -> list:
    findings = [finding for outcome in _ORDER for finding in verdict.findings if finding.outcome == outcome and (verbose or outcome != "pass")]
    subject = ", ".join(f"{word} {value}" for word, value in (("model", verdict.model), ("prompt", verdict.prompt_version)) if value)
    about = label_words(verdict, verdict.sample in case.excluded).lstrip(", ")
    lines = [
        f'<details class="sample" id="sample-{place}" data-status="{attribute(verdict.status)}"{" open" * (place < _OPEN)}>',
        f"<summary><h4>{name(verdict.sample)}</h4> {badge(verdict.status)} "
        + (f'<span class="soft">{text(subject, NAME)}</span> ' if subject else "")
        + f"{text(findings[0].reason, _SHORT) if findings else ''}</summary>",
    ]
    lines += [f"<p>{text(about)}</p>"] * bool(about)
    turns = {line.turn for line in verdict.transcript}
    for finding in findings[:FINDINGS]:
        lines += _finding(finding, [f'<a href="#sample-{place}-turn-{turn}">turn {turn}</a>' for turn in finding.turns if turn in turns])
    if len(findings) > FINDINGS:
        lines.append(f"<p>and {len(findings) - FINDINGS} more rules, which are left out: the JSON report has them</p>")
    if answer_lines(verdict):
        lines.append(f"<dl><dt>The answer</dt><dd>{block(verdict.answer)}</dd></dl>")
    note = verdict.note if verdict.label else None
    for words, value in (("to decide about it: output_sha256", verdict.output_sha256), ("reasoning in the output:", verdict.reasoning), ("note:", note)):
        lines += [f'<p class="soft">{text(f"{words} {value}")}</p>'] * bool(value)
    return [*lines, *_conversation(verdict, place), "</details>"]


def _finding(finding: Finding, turns: list) -> list:
    about = f"{finding.type}, tier {finding.tier}" + ", veto" * finding.veto
    lines = [
        f'<div class="finding {attribute(finding.outcome)}">',
        f'<h5>{badge(finding.outcome)} {name(finding.rule)} <span class="soft">({text(about)})</span></h5>',
    ]
    if finding.reason:
        lines.append(f"<p>{text(finding.reason + (DECIDABLE.get(finding.outcome, '') if finding.review_required else ''))}</p>")
    where = finding.where
    if where is not None:
        place = f"line {where.line}, column {where.column}" + (f", in {where.inside}" if where.inside else "")
        lines += [f'<p class="soft">{text(place)}</p>', f"<pre>\n{text(where.before)}<mark>{text(where.hit)}</mark>{text(where.after)}</pre>"]
    lines += [f'<p class="soft">shown by {", ".join(turns)}</p>'] if turns else [f'<p class="soft">{text(line)}</p>' for line in turn_lines(finding)]
    lines += _difference(finding)
    got = None if where is not None and where.hit == finding.actual else finding.actual
    sides = [(title, value) for title, value in (("Expected", finding.expected), ("Got", got)) if value is not None]
    if sides:
        lines.append("<dl>" + "".join(f"<dt>{title}</dt><dd>{block(value if isinstance(value, str) else canonical(value))}</dd>" for title, value in sides) + "</dl>")
    return [*lines, "</div>"]


def _difference(finding: Finding) -> list:
    difference = finding.difference
    if difference is None:
        return []
    lines = [f"<p>{text(difference.note)}</p>"] if difference.note else []
    if difference.has_common_words:
        lines.append("<pre>\n" + " ".join(_ELEMENTS[kind].replace("%s", text(words)) for kind, words in difference.words) + "</pre>")
    if difference.paths:
        lines += ["<ul>", *(f"<li>{text(path)}</li>" for path in difference.paths), "</ul>"]
    return lines


def _conversation(verdict: Verdict, place: int) -> list:
    """The conversation turn by turn; what a turn shows stands at its head."""
    if not verdict.transcript:
        return []
    shows: dict = {}
    for finding in verdict.findings:
        for turn in finding.turns if finding.outcome != "pass" else ():
            shows.setdefault(turn, []).append(finding.rule)
    lines = [f'<details{" open" * bool(shows)}><summary>The conversation</summary>']
    last, met = None, set()
    for line in verdict.transcript:
        if line.turn != last:
            lines += ["</ol></div>"] * (last is not None)
            mark = f' <span class="status fail">shows {text(", ".join(shows[line.turn]), NAME)}</span>' if line.turn in shows else ""
            anchor = "" if line.turn in met else f' id="sample-{place}-turn-{line.turn}"'
            lines.append(f'<div class="turn{" proves" * (line.turn in shows)}"{anchor}><h5>Turn {line.turn}{mark}</h5><ol class="talk">')
            last = line.turn
            met.add(last)
        lines.append(_said(line))
    return [*lines, "</ol></div>", "</details>"]


def _said(line) -> str:
    if line.kind == "gap":
        return f'<li class="soft">{text(line.text)}</li>'
    who = line.kind + (f" of {line.name}" if line.name else "") + " (failed)" * line.failed
    return f'<li class="{attribute(line.kind)}"><strong>{name(who)}</strong> <span class="soft">message {line.message}</span>{block(line.text)}</li>'
