"""The colours of the text report, for a terminal: one small table. A colour repeats what a word or a mark says, and never says more.

Only the codes of `SGR` are put in (Select Graphic Rendition, ECMA-48 8.3.117), after everything that came from outside was escaped, and each is ended by
`RESET` where its words end.
"""
from __future__ import annotations

import re

RESET = "\x1b[0m"
_GOOD, _BAD, _OPEN, _AWAY, _LITTLE = "32", "31", "33", "35", "2"
# By what is painted: an outcome, a status, a mark. What is not here is not painted.
SGR = {
    "pass": _GOOD,
    "passed": _GOOD,
    "fail": _BAD,
    "check_failed": _BAD,
    "error": _BAD,
    "diverged": _AWAY,
    "inconclusive": _OPEN,
    "unknown": _OPEN,
    "review": _OPEN,
    "transient": _OPEN,
    "stopped": _OPEN,
    "deprecated": _LITTLE,
    "gone": _BAD,
    "new": _GOOD,
    "hit": "7",
}
_MARKED = re.compile(r"(?P<gone>\[-.*?-\])|(?P<new>\{\+.*?\+\})|(?P<hit>>>.*?<<)")


def painted(words: str, role: str) -> str:
    """Words in the colour of what they are; in those of role `marks` each difference and each hit by itself."""
    if role == "marks":
        return _MARKED.sub(lambda match: painted(match.group(), match.lastgroup), words)
    return f"\x1b[{SGR[role]}m{words}{RESET}" if words and role in SGR else words
