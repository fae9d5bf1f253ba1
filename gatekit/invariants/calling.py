"""Calls and what became of them: answered, repeated, claimed.

Two calls are equal whose tool and parsed arguments are the same JSON value (order of keys and spelling of numbers apart), whatever their ids; malformed
arguments are compared as the text that they are.
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from ..text.quoting import as_written, quote
from .events import Calls, named
from .kinds import CALLS, TOOLS, WORDS
from .trace import again, holds, idle, over_conversation, proving, turns_of

_SHOWN = 120  # characters of arguments in a reason


def _every_call_answered(values: dict):
    def judge(trace):
        calls = trace.calls
        faults = [*((_unanswered, call) for call in trace.conversation.unanswered), *((_orphan, result) for result in trace.conversation.orphans)]
        faults += [(_shared, call) for call in _sharing(calls)]
        if faults:
            return failed("; ".join(words(thing) for words, thing in faults[:3]) + (f"; and {len(faults) - 3} more" if len(faults) > 3 else ""), turns=proving(*(thing for _, thing in faults)))
        return holds(f"each of {len(calls)} calls has its result") if calls else idle("no tool was called")

    return over_conversation(judge)


def _unanswered(call) -> str:
    return f"turn {call.turn}: the call of {call.name}{_by_id(call.id)} has no result"


def _orphan(result) -> str:
    return f"turn {result.turn}: a result{' of ' + result.name if result.name else ''}{_by_id(result.id)} goes to no call"


def _shared(call) -> str:
    return f"turn {call.turn}: two parallel calls share the id {quote(str(call.id))}"


def _by_id(id: object) -> str:
    return f" ({quote(str(id))})" if id is not None else ""


def _sharing(calls: tuple) -> list:
    """The calls whose id an earlier call of the same step has."""
    seen: set = set()
    sharing: list = []
    for call in calls:
        key = call.step, call.id
        if call.id is not None and key in seen:
            sharing.append(call)
        seen.add(key)
    return sharing


def _no_repeat_call(values: dict):
    names, retries = values["tool"], values["retries"]

    def judge(trace):
        calls = trace.calls_of(names or ())
        if len(calls) < 2:
            return idle("there are no two calls")
        earlier: dict = {}  # what is called with what: the last such call, and the step from which on all of them are known to have failed
        repeats: list = []
        for call in calls:
            key = call.name, bool(call.malformed), _spelt(call.arguments)
            twin, failed_by = earlier.get(key, (None, -1))
            if twin is not None and not (retries and failed_by is not None and failed_by < call.step):
                repeats.append((call, twin))
            failing = failed_by is not None and call.answered and call.failed
            earlier[key] = call, max(failed_by, call.result_step) if failing else None
        if not repeats:
            return holds(f"no two of {len(calls)} calls are equal")
        call, twin = repeats[0]
        arguments = _spelt(call.arguments)
        arguments = arguments[:_SHOWN] + "..." if len(arguments) > _SHOWN else arguments
        more = again([each for each, _ in repeats])
        return failed(f"turn {call.turn}: {call.name} was called again with the arguments of turn {twin.turn}: {arguments}{more}", turns=proving(twin, *(each for each, _ in repeats)))

    return over_conversation(judge)


def _spelt(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else canonical(arguments)


def _claim_needs_call(values: dict):
    claim, call = values["claim"], values["call"]
    done = Calls(call.names, call.args, False)

    def judge(trace):
        claims = trace.matching("assistant", claim)
        if not claims:
            return idle(f"no assistant message matches {as_written(claim.source)}")
        first = min((each.result_step for each in done.calls(trace)), default=None)
        early = claims if first is None else [said for said in claims if said.step <= first]
        if not early:
            return holds(f"claimed on {turns_of(claims)}, after {named(done)}")
        said = early[0]
        tried = [each for each in Calls(call.names, call.args).calls(trace) if each.step < said.step]
        why = "" if not tried else f": the call on turn {tried[-1].turn} " + ("failed" if tried[-1].answered and tried[-1].failed else "had no result yet")
        return failed(f"turn {said.turn}: claimed {quote(said.find(claim).group())} without an earlier {done.noun}{why}{again(early)}", turns=proving(*early))

    return over_conversation(judge)


def _row(name: str, about: str, fields: tuple, compile) -> MatcherType:
    return MatcherType(name, 3, about, fields, compile, (), invariant=True)


TYPES = (
    _row(
        "every_call_answered",
        "Every tool call has a result, by its id; every result goes to a call; parallel calls have ids of their own.",
        (),
        _every_call_answered,
    ),
    _row(
        "no_repeat_call",
        "No tool is called twice with equal arguments.",
        (
            Field("tool", TOOLS, "only calls of this tool, or of these", None),
            Field("retries", "boolean", "a call may be made again where all equal calls before it failed", False),
        ),
        _no_repeat_call,
    ),
    _row(
        "claim_needs_call",
        "What the assistant claims to have done has an earlier successful call: one that was answered and did not fail.",
        (Field("claim", WORDS, "found in a message that claims it"), Field("call", CALLS, "the tool, a list of tools, or an event: {tool: NAME, args: {...}}")),
        _claim_needs_call,
    ),
)
