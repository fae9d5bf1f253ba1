"""The formats by name. A format's module is imported by the first report that asks for it."""
from __future__ import annotations

FORMATS = ("text", "json", "junit", "markdown", "github", "html")
# What `--format` says of itself.
FORMAT_WORDS = f"what is printed: text (the default), {', '.join(FORMATS[1:-1])} or {FORMATS[-1]}"


def renderer(form: str):
    """The function of a format: it takes a Report, whether to show what passed, and the k of pass@k and pass^k; it gives text."""
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
