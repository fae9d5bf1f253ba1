"""The formats by name, and how a report is told. A format's module is imported by the first report that asks for it."""
from __future__ import annotations

from ..ground.record import Record

FORMATS = ("text", "json", "junit", "markdown", "github", "html")
# What `--format` says of itself.
FORMAT_WORDS = f"what is printed: text (the default), {', '.join(FORMATS[1:-1])} or {FORMATS[-1]}"


class Style(Record):
    """How a report is told. A format is a pure function of a Report and a Style.

    Args:
        verbose: tell what passed too.
        draws: the k of pass@k and pass^k that are told.
        color: put colours of a terminal into the text report.
        width: wrap its lines at so many columns; None: leave them as long as they are.
        quiet: tell only the errors, the gate and what a pass means.
    `color`, `width` and `quiet` are for who reads at a terminal: they change the text report alone.
    """

    __slots__ = ("verbose", "draws", "color", "width", "quiet")
    verbose: bool
    draws: tuple[int, ...]
    color: bool
    width: int | None
    quiet: bool

    def __init__(self, verbose: bool = False, draws: tuple[int, ...] = (), color: bool = False, width: int | None = None, quiet: bool = False) -> None:
        self._set(verbose, tuple(draws), color, width, quiet)

    @property
    def bare(self) -> Style:
        """The style of a file, of a log, and of text inside another format: no colour, no wrapping, nothing left out."""
        return Style(self.verbose, self.draws)


def renderer(form: str):
    """The function of a format: it takes a Report and a Style, and gives text."""
    if form == "json":
        from .json_report import render
    elif form == "junit":
        from .junit_report import render
    elif form == "markdown":
        from .markdown_report import render
    elif form == "github":
        from .github_report import render
    elif form == "html":
        from .html_report import render
    else:
        from .text_report import render
    return render
