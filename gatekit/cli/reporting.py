"""What the commands that judge have in common: how they report and where to, where they stop, and how far they are."""
from __future__ import annotations

import sys

from ..data.redaction import Redaction
from ..ground.errors import GatekitError, nearest
from ..ground.files import same_file, spelt, write_file
from ..judging.report import Report
from ..reports.catalogue import FORMAT_WORDS, FORMATS, Style, renderer
from ..text.quoting import quote
from .options import Option, UsageError, whole_number
from .terminal import COLOR, columns_of, is_terminal, shows_color

# Of every command that prints a report.
REPORTING = (
    Option("--format", "FORMAT", FORMAT_WORDS, False, FORMATS),
    Option("--report", "FORMAT=FILE", "write a report to a file as well (may be given again)", True),
    Option("--pass-k", "K", "report pass@K and pass^K: the chance that one of K samples passes, and that all do (may be given again)", True),
    Option("--verbose", None, "report what passed too", short="-v"),
    Option("--quiet", None, "print only the errors, the gate, and what a pass means; and no progress", short="-q"),
    Option("--color", "WHEN", "colour the text report: auto (the default: on a terminal, and not where NO_COLOR is set), always or never", False, COLOR),
)
# Of every command that judges sample after sample.
STOPPING = (
    Option("--fail-fast", None, "stop at the first sample that fails: the same as --max-failures 1"),
    Option("--max-failures", "N", "stop once N samples failed (check_failed, error, diverged); such a run never passes"),
)
MOST_FAILURES = 10**9
_MOST_COLUMNS = 79  # of a progress line where nobody knows how wide the terminal is


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


def style_of(given: dict) -> Style:
    """How the report is to be printed. Raises UsageError for what cannot be meant together."""
    is_text = given["format"] in (None, "text")
    if given["quiet"]:
        if given["verbose"]:
            raise UsageError("--quiet and --verbose exclude each other: leave one of them out")
        if not is_text:
            raise UsageError(f"--quiet shortens the text report, and --format {given['format']} prints another: leave one of them out")
    color = is_text and shows_color(given["color"] or "auto")
    return Style(given["verbose"], draws_of(given["pass_k"]), color, columns_of(sys.stdout) if is_text else None, given["quiet"])


def most_failures(given: dict) -> int | None:
    """How many samples may fail before a run is stopped; None: all of them. Raises UsageError."""
    if not given["fail_fast"] and given["max_failures"] is None:
        return None
    if given["fail_fast"] and given["max_failures"] is not None:
        raise UsageError("--fail-fast is --max-failures 1: give one of the two")
    if given.get("shard"):
        flag = "--fail-fast" if given["fail_fast"] else "--max-failures"
        raise UsageError(f"{flag} does not go with --shard: a part knows nothing of the failures of others, and only whole parts are merged")
    return 1 if given["fail_fast"] else whole_number("--max-failures", given["max_failures"], 1, MOST_FAILURES)


def delivered(report: Report, given: dict, reports: list, style: Style) -> tuple:
    """Write the reports that go to files; gives the exit code and what is to be printed."""
    unwritten = []
    for form, file in reports:
        try:
            write_file(file, renderer(form)(report, style.bare).encode("utf-8", "backslashreplace"), spelt(file))
        except GatekitError as error:
            unwritten.append(error)
    report = report.with_errors(list(map(Redaction().error, unwritten)))
    return report.exit_code, renderer(given["format"] or "text")(report, style)


class Progress:
    """Says on the standard error how far long work is, on a line that is rewritten, with counts; nothing where that is no terminal, or for `quiet`.

    As a context it takes the line away at its end, so that what is written next begins on an empty one.
    """

    __slots__ = ("_words", "_every", "_steps", "_counted", "_shown")

    def __init__(self, words: str, every: int, quiet: bool = False) -> None:
        """`words` are what is counted ("samples judged"); a line is written after `every` so many steps."""
        self._words = words
        self._every = every if not quiet and is_terminal(sys.stderr) else 0
        self._steps = 0
        self._counted = None
        self._shown = 0

    def of(self, counted):
        """What is to be called after each step, None where nothing is shown. `counted` gives how many there are so far, and how many of them passed."""
        self._counted = counted
        return self._step if self._every else None

    def _step(self) -> None:
        self._steps += 1
        if self._every and self._steps % self._every == 0:
            done, passed = self._counted()
            self._write(f"{done:,} {self._words}: {passed:,} passed, {done - passed:,} did not")

    def _write(self, line: str) -> None:
        room = (columns_of(sys.stderr) or _MOST_COLUMNS + 1) - 1  # a line as wide as the terminal may have moved to the next
        try:
            sys.stderr.write(f"\r{line[:room].ljust(min(self._shown, room))}" + ("" if line else "\r"))
            sys.stderr.flush()
            self._shown = min(len(line), room)
        except (OSError, ValueError):
            self._every = self._shown = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error) -> None:
        if self._shown:
            self._write("")
