"""The five patterns of the specification literature, over events and inside a scope (events.py, scopes.py).

Names and meanings are those of Dwyer, Avrunin and Corbett (Patterns in property specifications for finite-state verification, ICSE 1999), on the
finite sequence of steps that a recorded conversation is:

    pattern         holds where, in each stretch of the scope                                         the scope never opened    what it is about never came
    absence         no event                                                                          holds                     holds
    existence       the event stands at least `min` and at most `max` times                           does not                  does not
    universality    every message or call of a kind is the event; over none of them it does not       does not                  does not
    precedence      every `then` has an earlier `first`                                               holds                     holds
    response        every `first` has a later `then`                                                  holds                     holds

Earlier and later are meant strictly, by step: of parallel calls none is before another.
"""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, nearest
from ..matchers.fields import Field
from ..matchers.outcome import blind, failed
from ..matchers.table import MatcherType
from ..text.quoting import quote
from .events import Calls, Words, named, read_event
from .kinds import EVENT, SCOPE
from .scopes import EVERYWHERE, within
from .trace import again, holds, idle, over_conversation, proving, turns_of


def _absence(values: dict):
    event, scope = values["event"], values["scope"] or EVERYWHERE

    def judge(trace):
        stretches = scope.stretches(trace)
        found = [occurrence for inside in within(event.found(trace), stretches) for occurrence in inside]
        if found:
            return failed(f"turn {found[0].turn}: {named(event)} is forbidden{scope.words}{again(found)}", turns=proving(*found))
        return (holds if stretches else idle)(f"there is no {event.noun}{scope.words}")

    return over_conversation(judge)


def _existence(values: dict):
    event, scope, least, most = values["event"], values["scope"] or EVERYWHERE, values["min"], values["max"]
    if most is not None and most < least:
        mend = ": for an event that must not happen use absence" if not most else ""
        raise CaseError(f'"max" is {most}, below "min", which is {least}{mend}', path=("max",))
    if not least and most is None:
        raise CaseError('with a "min" of 0 and no "max" every conversation would do', path=("min",))

    def judge(trace):
        stretches = scope.stretches(trace)
        if not stretches:
            return blind(f"there is no {event.noun}{scope.words}: there is no {scope.after.noun}")
        for inside in within(event.found(trace), stretches):
            count = len(inside)
            where = f"{event.noun}{scope.words}"
            if not count < least and (most is None or count <= most):
                continue
            if not count:
                return failed(f"there is no {where}" + (f", and {least} are needed" if least > 1 else ""))
            bound = f"{count} of at least {least}" if count < least else f"{count} of at most {most}"
            return failed(f"{turns_of(inside)}: {bound}: {where}", turns=proving(*inside))
        return holds(f"there is {named(event)}{scope.words}, as often as asked")

    return over_conversation(judge)


def _universality(values: dict):
    event, scope = values["event"], values["scope"] or EVERYWHERE
    of = _all_of(values["of"], event)

    def judge(trace):
        meeting = {id(occurrence.subject) for occurrence in event.found(trace)}
        every = [occurrence for inside in within(of.found(trace), scope.stretches(trace)) for occurrence in inside]
        if not every:
            return blind(f"there is no {of.noun}{scope.words}, and a rule over none does not hold")
        others = [occurrence for occurrence in every if id(occurrence.subject) not in meeting]
        if others:
            return failed(f"turn {others[0].turn}: {named(of)} that is not {named(event)}{again(others)}", turns=proving(*others))
        return holds(f"every {of.noun}{scope.words} is {named(event)}: {len(every)} of them")

    return over_conversation(judge)


_KINDS = {"user": lambda: Words("user"), "assistant": lambda: Words("assistant"), "tool": lambda: Calls(())}


def _all_of(of: object, event):
    """The events over which a universality ranges: those of a kind, or of an event."""
    if of is None:
        if len(event.kinds) > 1:
            raise CaseError(f'the event is of several kinds: say with "of" which of {", ".join(event.kinds)} all must be it', path=("of",))
        of = event.kinds[0]
    if isinstance(of, str):
        if of not in _KINDS:
            near = nearest(of, _KINDS)
            raise CaseError(f'"of" is user, assistant, tool or an event, not {quote(of)}' + (f": did you mean {near}?" if near else ""), path=("of",))
        ranged = _KINDS[of]()
    elif isinstance(of, dict):
        try:
            ranged = read_event(of)
        except CaseError as error:
            raise error.located(path=("of",)) from None
    else:
        raise CaseError(f'"of" is user, assistant, tool or an event, not {json_kind(of)}', path=("of",))
    foreign = [kind for kind in ranged.kinds if kind not in event.kinds]
    if foreign:
        raise CaseError(f"{named(ranged)} never is {named(event)}, so the rule could not hold", path=("of",))
    return ranged


def _precedence(values: dict):
    first, then, scope = values["first"], values["then"], values["scope"] or EVERYWHERE

    def judge(trace):
        stretches = scope.stretches(trace)
        late, came = [], False
        for firsts, thens in zip(within(first.found(trace), stretches), within(then.found(trace), stretches)):
            came = came or bool(thens)
            late += [occurrence for occurrence in thens if not firsts or occurrence.step <= firsts[0].step]
        if late:
            return failed(f"turn {late[0].turn}: {named(then)} without an earlier {first.noun}{scope.words}{again(late)}", turns=proving(*late))
        return (holds if came else idle)(f"no {then.noun}{scope.words} is without an earlier {first.noun}")

    return over_conversation(judge)


def _response(values: dict):
    first, then, scope = values["first"], values["then"], values["scope"] or EVERYWHERE

    def judge(trace):
        stretches = scope.stretches(trace)
        missed, came = [], False
        for firsts, thens in zip(within(first.found(trace), stretches), within(then.found(trace), stretches)):
            came = came or bool(firsts)
            missed += [occurrence for occurrence in firsts if not thens or occurrence.step >= thens[-1].step]
        if missed:
            return failed(f"turn {missed[0].turn}: {named(first)} without a later {then.noun}{scope.words}{again(missed)}", turns=proving(*missed))
        return (holds if came else idle)(f"no {first.noun}{scope.words} is without a later {then.noun}")

    return over_conversation(judge)


_SCOPE = Field("scope", SCOPE, "where it is asked: after the first event, before the first event, or between each two", None)
_EVENT = Field("event", EVENT, "the event")


def _row(name: str, about: str, fields: tuple, compile) -> MatcherType:
    return MatcherType(name, 3, about, (*fields, _SCOPE), compile, (), invariant=True)


TYPES = (
    _row("absence", "The event never happens.", (_EVENT,), _absence),
    _row(
        "existence",
        "The event happens, at least `min` times and at most `max` times.",
        (_EVENT, Field("min", "integer", "so often at least", 1), Field("max", "integer", "so often at most", None)),
        _existence,
    ),
    _row(
        "universality",
        "Every message or call of a kind is the event; over none of them it does not hold.",
        (_EVENT, Field("of", "json", "what all must be it: user, assistant, tool, or an event; the kind of the event by default", None)),
        _universality,
    ),
    _row(
        "precedence",
        "No `then` without an earlier `first`.",
        (Field("first", EVENT, "what must happen earlier"), Field("then", EVENT, "what may only happen after it")),
        _precedence,
    ),
    _row(
        "response",
        "Every `first` is followed by a later `then`.",
        (Field("first", EVENT, "what asks for it"), Field("then", EVENT, "what must follow")),
        _response,
    ),
)
