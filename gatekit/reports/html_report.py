"""The report as one page of HTML that needs no network and, but for its filter, no script.

    policy    `default-src 'none'`: nothing is fetched, sent or framed, and but the one style and the one script of the page, which are named by their hashes,
              nothing is run or applied, whatever stands in it
    order     the outcome and why; what could not be read; what broke, and where; the cases; the figures; the samples
    text      html_words.py holds the only ways for words into the page
    size      each list has a room of its own (html_overview.py), and so have the samples (html_samples.py); what is left out is said
"""
from __future__ import annotations

from ..judging.report import Report
from .html_overview import broken, broken_rules, cases, decisions, errors, figures, verdict, ways
from .html_page import SCRIPT, STYLE
from .html_samples import Told, filter_form
from .html_words import attribute, text, tone
from .text_report import CLOSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def render(report: Report, style: Style) -> str:
    """The report as HTML."""
    told = Told(report, style.verbose)
    rules = broken_rules(report)
    page = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>gatekit: {text(f'{report.outcome.upper()} (exit {report.exit_code})')}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#samples">To the samples</a>',
        f'<header class="{attribute(tone(report.outcome))}">',
        *verdict(report),
        *ways(report, len(rules), len(told.anchors)),
        "</header>",
        "<main>",
        *errors(report),
        *broken(rules, told.anchors),
        *cases(report, {id(case) for case in told.cases}),
        *figures(report, style.draws),
        *decisions(report),
        '<section aria-labelledby="samples">',
        f'<h2 id="samples" tabindex="-1">{"Samples" if style.verbose else "What did not pass"}</h2>',
        *(filter_form(told.cases) if told.anchors else ["<p>No sample is to be shown.</p>"]),
        *told.lines,
        "</section>",
        "</main>",
        f"<footer><p>{text(CLOSING)}</p></footer>",
        f"<script>{SCRIPT}</script>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(page)


def _policy() -> str:
    """The content policy, with the hashes of the style and the script (Content Security Policy Level 3, hash sources)."""
    return f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; base-uri 'none'; form-action 'none'"


def _hash(words: str) -> str:
    import hashlib

    bits = int.from_bytes(hashlib.sha256(words.encode("utf-8")).digest(), "big") << 2  # 256 bits as 43 digits of 6
    return "sha256-" + "".join(_BASE64[bits >> place & 63] for place in range(252, -1, -6)) + "="
