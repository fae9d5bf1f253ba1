"""Checks of what was recorded beside the output. What was not recorded is unknown, never a pass."""
from __future__ import annotations

from ..text.quoting import quote
from ..text.views import WIDE, Part, fold
from .fields import Field
from .outcome import failed, held, unknown
from .table import MatcherType

# A recorded reason that holds one of these means that the answer is not whole: it was cut off, or a filter took part of it. Letters only, as
# vendors and wrappers spell them (`FINISH_REASON_MAX_TOKENS`, `Length (max_tokens)`, `content-filter`).
CUT_SHORT = (
    "length maxtoken maxoutputtoken maxcompletiontoken maxnewtoken tokenlimit contextwindow contentfilter contentfiltering safety truncat "
    "recitation blocklist prohibitedcontent spii guardrail incomplete pauseturn cutoff"
).split()


def spelling(reason: str) -> str:
    """A finish reason without what vendors differ in: `FinishReason.MAX_TOKENS` and `max-tokens` are both `maxtokens`."""
    return _letters(reason.rpartition(".")[2]) or _letters(reason)


def _letters(reason: str) -> str:
    return "".join(character for character in fold(Part(reason, 0, len(reason)), WIDE) if "a" <= character <= "z")


_cut_short: dict = {}


def is_cut_short(reason: str) -> bool:
    """Whether a recorded reason means that the answer is not whole; what was asked is remembered, since a run asks it of every sample."""
    answer = _cut_short.get(reason)
    if answer is None:
        letters = _letters(reason)
        answer = any(part in letters for part in CUT_SHORT)
        if len(_cut_short) < 100:
            _cut_short[reason] = answer
    return answer


def _finish_reason(values: dict):
    allowed = {spelling(reason) for reason in values["value"]}
    words = " or ".join(quote(reason) for reason in values["value"])

    def check(reading):
        reason = reading.sample.finish_reason
        if reason is None:
            return unknown(f"no finish_reason was recorded, so it cannot be told whether it is {words}", list(values["value"]))
        if spelling(reason) in allowed:
            return held(reading, reason=f"finish_reason is {quote(reason)}")
        return failed(f"finish_reason is {quote(reason)}, not {words}", list(values["value"]), reason)

    return check


TYPES = (
    MatcherType("finish_reason", 2, "The recorded finish_reason is the one expected, in any spelling.", (Field("value", "text or texts", "the reason, or a list of them"),), _finish_reason, ()),
)
