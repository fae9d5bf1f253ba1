"""Where the arguments of calls come from.

`args_from_conversation` asks of every id and number in a call's arguments whether it stands earlier in the conversation: in the user's words, a system message
or an earlier result (evidence.py says what an id or a number is, and in which spellings it counts as seen). What a model may well work out itself, a sum or
a count, is left out by naming the arguments that are to be checked.
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from .evidence import is_checked
from .kinds import TOOLS
from .trace import holds, idle, over_conversation, proving


def _args_from_conversation(values: dict):
    names, args = values["tool"] or (), frozenset(values["args"] or ())

    def judge(trace):
        bad: list = []
        why: list = []
        asked: dict = {}
        checked = 0
        for call in trace.calls_of(names):
            if call.malformed:
                bad.append(call)
                why.append(f"turn {call.turn}: the arguments of {call.name} are malformed, so it cannot be seen where they come from")
                continue
            for place, value in _values(call.arguments, args):
                checked += 1
                key = type(value) is str, value, call.step
                if key not in asked:
                    asked[key] = trace.evidence.shows(value, call.step)
                if not asked[key]:
                    bad.append(call)
                    why.append(f"turn {call.turn}: {call.name} was called with {place} {canonical(value)}, which stands nowhere earlier in the conversation")
        if bad:
            return failed("; ".join(why[:3]) + (f"; and {len(bad) - 3} more" if len(bad) > 3 else ""), turns=proving(*bad))
        if not checked:
            return idle("no call has ids or numbers in its arguments")
        return holds(f"each of {checked} ids and numbers in arguments stands earlier in the conversation")

    return over_conversation(judge)


def _values(arguments: object, args: frozenset):
    """The ids and numbers in a call's arguments, each with its place: those below the named keys, or all."""
    waiting = [("", arguments, not args)]
    while waiting:
        place, value, is_asked = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{place}.{key}" if place else key, item, is_asked or key in args) for key, item in reversed(value.items())]
        elif isinstance(value, (list, tuple)):
            waiting += [(f"{place}[{index}]", value[index], is_asked) for index in reversed(range(len(value)))]
        elif is_asked and is_checked(value):
            yield place or "the value", value


TYPES = (
    MatcherType(
        "args_from_conversation",
        3,
        "Every id and number in the arguments of a call stands earlier in the conversation: in the user's or system's words, or in a result.",
        (
            Field("tool", TOOLS, "only calls of this tool, or of these", None),
            Field("args", "text or texts", "only these arguments, at any depth: leave out those that a model may work out", None),
        ),
        _args_from_conversation,
        (),
        invariant=True,
    ),
)
