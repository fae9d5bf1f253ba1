"""The report for the summary of a build step, in the Markdown of the code hosts: the totals, and each case as details to unfold.

A host takes a summary of 1 MiB; `LONGEST` bytes stay below it. What has no room, and every sample beyond `_MOST_SAMPLES` of a case, is counted in words that
say where the rest stands. Whatever is not of the report's own words stands in `<code>` or `<pre>`, in which the hosts look for no mention, reference or link.
"""
from __future__ import annotations

import re

from ..judging.report import CaseReport, Report
from ..judging.verdict import Verdict
from ..text.quoting import visible
from .text_report import CLOSING, is_told, label_words, stopped_words, told_lines, total_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

LONGEST = 1000000
_MOST_SAMPLES = 50
_MOST_ROWS = 100
_MOST_RULES = 10
_LONGEST_LINE = 2000
_LONGEST_ENTRY = 600
_LONGEST_NAME = 300
_RESERVE = 2000  # bytes for the words on what is left out
_ELSEWHERE = "a report as json or html (--report json=FILE) holds them"
# Punctuation that begins, ends or names something in Markdown or HTML: emphasis, code, fences, headings, cells, links, images, mentions, references, emoji,
# mathematics, tags and references of characters. And what makes a link or a reference of plain words: `www.`, `GH-1`.
_ACTIVE = r"(?i)[&<>\"'`*_~\[\]!#@|\\:{}$^]|(?<=www)\.|(?<=GH)-"


class _Page:
    """Lines, as long as there is room for them."""

    __slots__ = ("lines", "_room")

    def __init__(self) -> None:
        self.lines: list = []
        self._room = LONGEST - _RESERVE

    def takes(self, block: list, spare: int = 0) -> bool:
        """Add a block of lines, whole or not at all; gives whether it had room. `spare` bytes are kept for what is added later whatever comes."""
        size = spare + sum(len(line.encode("utf-8", "backslashreplace")) + 1 for line in block)
        if size > self._room:
            return False
        self._room -= size
        self.lines += block
        return True


def render(report: Report, style: Style) -> str:
    """The report as Markdown, of at most `LONGEST` bytes in UTF-8."""
    page, verbose = _Page(), style.verbose
    rows = total_lines(report, style.draws)
    more = [f"and {len(rows) - _MOST_ROWS} more rows"] if len(rows) > _MOST_ROWS else []
    kept = [_inert(_cut(row, _LONGEST_ENTRY)) for row in rows[:_MOST_ROWS]]
    page.takes([f"## gatekit: {report.outcome.upper()} (exit {report.exit_code})", "", "<pre>", *kept, *more, "</pre>", ""])
    _list(page, "Errors", [str(error) for error in report.errors])
    _list(page, "Decisions used", [f"override: {words}" for words in report.overrides] + [f"review: {words}" for words in report.reviews])
    told = [case for case in report.cases if is_told(case, verbose)]
    for place, case in enumerate(told):
        if not _tell(page, case, verbose):
            page.lines += [f"{len(told) - place} more cases are left out, since a summary has an end: {_ELSEWHERE}.", ""]
            break
    return "\n".join([*page.lines, CLOSING, ""])


def _list(page: _Page, title: str, entries: list) -> None:
    """A heading and a list below it; nothing where nothing is to be listed."""
    if not entries:
        return
    page.lines += [f"### {title}", ""]
    shown = 0
    while shown < len(entries[:_MOST_ROWS]) and page.takes([f"- {_code(entries[shown])}"]):
        shown += 1
    if shown < len(entries):
        page.lines.append(f"- and {len(entries) - shown} more: {_ELSEWHERE}")
    page.lines.append("")


def _tell(page: _Page, case: CaseReport, verbose: bool) -> bool:
    """A case as details to unfold, with as many of its samples as have room; gives whether the case had any."""
    place = f" ({_code(case.file, _LONGEST_NAME)})" if case.file else ""
    summary = case.summary
    words = "does not gate" if summary is None else f"{summary.passed} of {summary.samples} passed" + (f": {_inert(case.reason)}" if case.reason else "")
    head = ["<details>", f"<summary><b>{case.outcome.upper()}</b> {_code(case.id, _LONGEST_NAME)}{place}: {words}</summary>", ""]
    if case.description:
        head += [_code(case.description), ""]
    failures = list(case.failures_by_rule.items())
    if failures:
        rules = ", ".join(f"{_code(rule, _LONGEST_NAME)} in {count}" for rule, count in failures[:_MOST_RULES])
        more = f", and {len(failures) - _MOST_RULES} more rules" if len(failures) > _MOST_RULES else ""
        head += [f"Rules that failed, in how many samples{' of those whose findings were kept' if case.left_out else ''}: {rules}{more}.", ""]
    if case.evidence:
        head += [f"Evidence: {_inert(case.evidence)}", ""]
    if case.planned is not None:
        head += [f"{stopped_words(case).capitalize()}.", ""]
    end = ["</details>", ""]
    if not page.takes(head, 500):
        return False
    shown = 0
    while shown < len(case.verdicts[:_MOST_SAMPLES]) and page.takes(_sample(case, case.verdicts[shown], verbose)):
        shown += 1
    left_out = len(case.verdicts) - shown + case.left_out
    if left_out:
        page.lines += [f"{left_out} more sample{'s are' if left_out > 1 else ' is'} left out: {_ELSEWHERE}.", ""]
    if case.retries:
        page.lines += [f"{len(case.retries)} sample{'s were' if len(case.retries) > 1 else ' was'} retried, which does not count.", ""]
    page.lines += end
    return True


def _sample(case: CaseReport, verdict: Verdict, verbose: bool) -> list:
    """A sample: its name and status, and what is told of it as preformatted text, which no line of it can end."""
    subject = "".join(f", {word} {_code(value, _LONGEST_NAME)}" for word, value in (("model", verdict.model), ("prompt", verdict.prompt_version)) if value)
    told = [_inert(_cut(line, _LONGEST_LINE)) for line in told_lines(verdict, verbose)]
    name = f"**{verdict.status}** {_code(verdict.sample or '', _LONGEST_NAME)}{subject}{label_words(verdict, verdict.sample in case.excluded)}"
    return [name, "", *(["<pre>", *told, "</pre>", ""] if told else [])]


def _code(text: str, limit: int = _LONGEST_ENTRY) -> str:
    """Text as code on one line. An address of e-mail is linked even there, and however its `@` is spelt, so that is set apart."""
    return f"<code>{_inert(_cut(visible(text), limit))}</code>".replace("&#64;", "&#64;<wbr>")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def _inert(text: str) -> str:
    """Visible text in which nothing is Markdown or HTML: each active character is spelt as a numeric reference, which a reader sees as the character itself."""
    return re.sub(_ACTIVE, lambda match: f"&#{ord(match.group())};", text)
