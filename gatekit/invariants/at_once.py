"""What an assistant does at once, at one step: so many calls, and words beside them.

Both rules are conditional: a conversation without calls does nothing at once, and they hold. Words are those that a reader sees, or a refusal; reasoning is
none.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from .kinds import TOOLS
from .trace import again, holds, idle, over_conversation, proving

_NO_CALL = "no tool was called"


def _max_parallel(values: dict):
    limit, names = values["value"], values["tool"] or ()
    if not limit:
        raise CaseError("a call is made with at least itself: allow 1 at once, or forbid calls with max_calls of 0", path=("value",))

    def judge(trace):
        steps = _by_step(trace.calls_of(names))
        many = [calls for calls in steps.values() if len(calls) > limit]
        if many:
            first = many[0]
            tools = ", ".join(dict.fromkeys(call.name for call in first[:5])) + (", ..." if len(first) > 5 else "")
            more = again([calls[0] for calls in many])
            return failed(f"turn {first[0].turn}: {len(first)} calls at once ({tools}), at most {limit} allowed{more}", limit, len(first), turns=proving(*(calls[0] for calls in many)))
        return holds(f"never more than {max(map(len, steps.values()))} at once") if steps else idle(_NO_CALL)

    return over_conversation(judge)


def _calls_alone(values: dict):
    names = values["tool"] or ()

    def judge(trace):
        steps = _by_step(trace.calls_of(names))
        speaking = {said.step: said for said in trace.speaking("assistant")}
        beside = [calls[0] for step, calls in steps.items() if step in speaking]
        if beside:
            words = speaking[beside[0].step].source
            reason = f"turn {beside[0].turn}: an answer stands beside the call of {beside[0].name}, and must not{again(beside)}"
            return failed(reason, None, words.text or words.refusal, turns=proving(*beside))
        return holds("no answer beside a call") if steps else idle(_NO_CALL)

    return over_conversation(judge)


def _by_step(calls: list) -> dict:
    """The calls of each step, in order."""
    steps: dict = {}
    for call in calls:
        steps.setdefault(call.step, []).append(call)
    return steps


_ONLY = Field("tool", TOOLS, "only calls of this tool, or of these", None)

TYPES = (
    MatcherType(
        "max_parallel",
        3,
        "At most so many tool calls are made at once; 1 allows one at a time.",
        (Field("value", "integer", "so many calls at once, from 1 on"), _ONLY),
        _max_parallel,
        (),
        invariant=True,
    ),
    MatcherType("calls_alone", 3, "No answer stands beside a tool call: who calls a tool does not speak at once.", (_ONLY,), _calls_alone, (), invariant=True),
)
