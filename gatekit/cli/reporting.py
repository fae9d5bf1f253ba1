"""What the commands that judge have in common: where their reports go, and how far they are."""
from __future__ import annotations

import sys

from ..ground.errors import GatekitError, nearest
from ..ground.files import same_file, spelt, write_file
from ..judging.report import Report
from ..reports.catalogue import FORMATS, renderer
from ..text.quoting import quote
from .options import UsageError, whole_number


def report_targets(spellings: list) -> list:
    """What `--report` asks for, as `(format, file)`. Raises UsageError."""
    return [_report_target(spelling) for spelling in spellings]


def _report_target(spelling: str) -> tuple:
    form, equals, file = spelling.partition("=")
    if not equals or not file:
        raise UsageError(f"--report is FORMAT=FILE, as json=report.json, not {quote(spelling)}")
    if form not in FORMATS:
        near = nearest(form, FORMATS)
        raise UsageError(f"there is no format {quote(form)}" + (f": did you mean {near}?" if near else f": there are {', '.join(FORMATS)}"))
    return form, file


def refuse_overwriting(reports: list, read: list) -> None:
    """A report never takes the place of a file that the run reads, nor of another report."""
    files = [file for _, file in reports]
    for place, file in enumerate(files):
        if any(same_file(file, path) for path in read):
            raise UsageError(f"--report would overwrite {quote(spelt(file))}, which is read as a case or as samples: name another file")
        if any(same_file(file, other) for other in files[:place]):
            raise UsageError(f"two reports would go to {quote(spelt(file))}: name another file for one of them")


def draws_of(spelt_ones: list) -> tuple:
    """The k of pass@k and pass^k that are asked for, each once. Raises UsageError."""
    if not spelt_ones:
        return ()
    from ..judging.draws import MOST_DRAWS

    return tuple(dict.fromkeys(whole_number("--pass-k", k, 1, MOST_DRAWS) for k in spelt_ones))


def delivered(report: Report, given: dict, reports: list, draws: tuple = ()) -> tuple:
    """Write the reports that go to files; gives the exit code and what is to be printed."""
    unwritten = []
    for form, file in reports:
        try:
            write_file(file, renderer(form)(report, given["verbose"], draws).encode("utf-8", "backslashreplace"), spelt(file))
        except GatekitError as error:
            unwritten.append(error)
    report = report.with_errors(unwritten)
    return report.exit_code, renderer(given["format"] or "text")(report, given["verbose"], draws)


def progress_shown(words: str, every: int):
    """A Progress on the standard error where that is a terminal, else None."""
    return Progress(words, every) if hasattr(sys.stderr, "isatty") and sys.stderr.isatty() else None


class Progress:
    """Counts steps on the standard error, a line that is rewritten; short work shows none."""

    def __init__(self, words: str, every: int) -> None:
        self._words = words
        self._every = every
        self._count = 0
        self._shown = ""

    def step(self) -> None:
        """One more is done."""
        self._count += 1
        if self._count % self._every == 0:
            self._write(f"{self._count} {self._words}")

    def clear(self) -> None:
        """Take the line away, so that the report begins on an empty one."""
        if self._shown:
            self._write("")

    def _write(self, words: str) -> None:
        sys.stderr.write(f"\r{words.ljust(len(self._shown))}" + ("" if words else "\r"))
        sys.stderr.flush()
        self._shown = words
