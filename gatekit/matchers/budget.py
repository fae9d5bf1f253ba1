"""What a run may cost: tokens, money, time, turns and calls, as they were recorded.

Tokens, cost and latency stand in the sample's `usage`, under the names that vendors give them (`SPELLINGS`; capitals, `_` and `-` do not matter). Turns and
tool calls are counted in the conversation, and taken from `usage` where no messages were recorded. What was not recorded is unknown, never within a
budget; an amount that is no number from 0 on was not recorded. Where two spellings of one thing are recorded the larger counts.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact, exact
from .fields import Field
from .outcome import Outcome, failed, unknown
from .table import MatcherType

# Limit: what it is in words, and each spelling with what one of it is worth in the limit's unit.
SPELLINGS = {
    "max_input_tokens": ("input tokens", {"inputtokens": 1, "prompttokens": 1, "prompttokencount": 1, "inputtokencount": 1, "inputtokenscount": 1, "prompttokenscount": 1}),
    "max_output_tokens": (
        "output tokens",
        {"outputtokens": 1, "completiontokens": 1, "candidatestokencount": 1, "outputtokencount": 1, "outputtokenscount": 1, "completiontokenscount": 1, "generatedtokens": 1},
    ),
    "max_total_tokens": ("tokens", {"totaltokens": 1, "totaltokencount": 1, "totaltokenscount": 1}),
    "max_cost": ("cost", {"cost": 1, "costusd": 1, "totalcost": 1, "totalcostusd": 1, "costindollars": 1}),
    "max_latency_ms": (
        "milliseconds",
        {
            **dict.fromkeys(("latencyms", "durationms", "elapsedms", "responsems", "totaldurationms", "latencymilliseconds", "durationmilliseconds"), 1),
            **dict.fromkeys(("latencys", "durations", "elapseds", "latencysec", "durationsec", "latencyseconds", "durationseconds", "elapsedseconds"), 1000),
        },
    ),
    "max_turns": ("turns", {"turns": 1, "numturns": 1, "turncount": 1}),
    "max_tool_calls": ("tool calls", {"toolcalls": 1, "numtoolcalls": 1, "toolcallcount": 1}),
}
# Counted apart by some vendors, and part of the amount: a cached prompt was sent, thoughts were written.
BESIDES = {
    "max_input_tokens": {
        "inputtokens": ("cachereadinputtokens", "cachecreationinputtokens", "cachewriteinputtokens"),
        "prompttokencount": ("tooluseprompttokencount",),
    },
    "max_output_tokens": {"candidatestokencount": ("thoughtstokencount",)},
}


def _budget(values: dict):
    limits = {name: limit if isinstance(limit, Exact) else exact(limit) for name, limit in values.items() if name in SPELLINGS and limit is not None}
    if not limits:
        raise CaseError(f"a budget sets a limit: one of {', '.join(SPELLINGS)}")

    def check(reading):
        usage = {"".join(filter(str.isalpha, str(key).lower())): value for key, value in (reading.sample.usage or {}).items()}
        conversation = reading.conversation
        if conversation is not None:
            usage.update(turns=len(conversation.turns), toolcalls=len(conversation.calls))
        above: list = []
        missing: list = []
        spent: list = []
        for name, limit in limits.items():
            amount = _recorded(name, usage)
            words = SPELLINGS[name][0]
            if amount is None:
                missing.append(words)
            else:
                (above if amount > limit else spent).append(f"{amount} {words}, at most {limit} allowed")
        if above:
            return failed("over the budget: " + "; ".join(above))
        if missing:
            return unknown(f"not recorded: {', '.join(missing)}")
        return Outcome("pass", "within the budget: " + "; ".join(spent))

    return check


def _recorded(name: str, usage: dict):
    """The amount that was recorded for a limit, exactly; None where it was not."""
    found: list = []
    for spelling, worth in SPELLINGS[name][1].items():
        parts = [usage.get(spelling), *(usage[beside] for beside in BESIDES.get(name, {}).get(spelling, ()) if beside in usage)]
        amounts = [_amount(part) for part in parts if part is not None]
        if parts[0] is not None:
            if None in amounts:
                return None
            found.append(_sum(amounts, worth))
    if name == "max_total_tokens":
        inward, outward = _recorded("max_input_tokens", usage), _recorded("max_output_tokens", usage)
        if inward is not None and outward is not None:
            found.append(_sum([inward, outward], 1))
    largest = None
    for amount in found:
        largest = amount if largest is None or amount > largest else largest
    return largest


def _amount(value: object):
    """A recorded amount, exactly; None where it is no number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        return None
    try:
        return exact(value)
    except CaseError:
        return None


def _sum(amounts: list, worth: int) -> Exact:
    total = Exact(0)
    for amount in amounts:
        total = Exact(total.numerator * amount.denominator + amount.numerator * total.denominator, total.denominator * amount.denominator)
    return Exact(total.numerator * worth, total.denominator)


TYPES = (
    MatcherType(
        "budget",
        2,
        "What was recorded of the run is within every limit that is set; what was not recorded is unknown.",
        (
            Field("max_input_tokens", "integer", "so many tokens in, cached ones too", None),
            Field("max_output_tokens", "integer", "so many tokens out, thoughts too", None),
            Field("max_total_tokens", "integer", "so many tokens in and out", None),
            Field("max_cost", "number", "so much, in the currency in which cost was recorded", None),
            Field("max_latency_ms", "number", "so many milliseconds", None),
            Field("max_turns", "integer", "so many turns", None),
            Field("max_tool_calls", "integer", "so many tool calls", None),
        ),
        _budget,
        (),
        invariant=True,
    ),
)
