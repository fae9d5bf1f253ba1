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

# Limit: what it is in words, and for what one of a spelling is worth in the limit's unit, the spellings.
SPELLINGS = {
    "max_input_tokens": ("input tokens", {1: "inputtokens prompttokens prompttokencount inputtokencount inputtokenscount prompttokenscount"}),
    "max_output_tokens": (
        "output tokens",
        {1: "outputtokens completiontokens candidatestokencount outputtokencount outputtokenscount completiontokenscount generatedtokens"},
    ),
    "max_total_tokens": ("tokens", {1: "totaltokens totaltokencount totaltokenscount"}),
    "max_cost": ("cost", {1: "cost costusd totalcost totalcostusd costindollars"}),
    "max_latency_ms": (
        "milliseconds",
        {
            1: "latencyms durationms elapsedms responsems totaldurationms latencymilliseconds durationmilliseconds",
            1000: "latencys durations elapseds latencysec durationsec latencyseconds durationseconds elapsedseconds",
        },
    ),
    "max_turns": ("turns", {1: "turns numturns turncount"}),
    "max_tool_calls": ("tool calls", {1: "toolcalls numtoolcalls toolcallcount"}),
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
    for spelling, worth in ((spelling, worth) for worth, spellings in SPELLINGS[name][1].items() for spelling in spellings.split()):
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
