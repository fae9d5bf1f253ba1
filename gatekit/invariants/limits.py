"""Limits of a conversation: so many turns, so many calls."""
from __future__ import annotations

from ..ground.errors import CaseError
from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from .kinds import TOOLS
from .trace import holds, over_conversation, proving

_SHOWN = 50  # of the turns that are too many


def _max_turns(values: dict):
    limit = values["value"]
    if not limit:
        raise CaseError("a conversation has a turn: allow at least 1", path=("value",))

    def judge(trace):
        count = len(trace.conversation.turns)
        if count > limit:
            return failed(f"{count} turns, at most {limit} are allowed", limit, count, turns=tuple(range(limit, min(count, limit + _SHOWN))))
        return holds(f"{count} turns of at most {limit}")

    return over_conversation(judge)


def _max_calls(values: dict):
    limit, names = values["value"], values["tool"]
    of = f" of {' or '.join(names)}" if names else ""

    def judge(trace):
        calls = trace.calls_of(names or ())
        count = len(calls)
        if count > limit:
            return failed(f"turn {calls[limit].turn}: call number {limit + 1}{of}, at most {limit} are allowed ({count} in all)", limit, count, turns=proving(*calls[limit:]))
        return holds(f"{count} calls{of} of at most {limit}")

    return over_conversation(judge)


TYPES = (
    MatcherType(
        "max_turns",
        3,
        "The conversation has at most so many turns.",
        (Field("value", "integer", "so many turns at most, from 1 on"),),
        _max_turns,
        (),
        invariant=True,
    ),
    MatcherType(
        "max_calls",
        3,
        "At most so many tool calls are made; 0 forbids them.",
        (Field("value", "integer", "so many calls at most"), Field("tool", TOOLS, "only calls of this tool, or of these, count", None)),
        _max_calls,
        (),
        invariant=True,
    ),
)
