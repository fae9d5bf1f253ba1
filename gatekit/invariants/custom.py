"""Invariants of a team's own: a pure function of a Conversation.

    @gatekit.invariant
    def books_what_was_asked(conversation):
        "Every booking names a flight that the user named."
        ...
        return gatekit.InvariantResult("books_what_was_asked", not strange, f"turn {strange.turn}: ...", turns=[strange.turn])

It is registered under the function's name, or under the one that is given: `@gatekit.invariant("name")`. A case lists it by that name; keyword arguments of the
function are its fields. Anything else than
an InvariantResult that it returns, and anything that it raises, is a fault of the rule, never of the sample.
"""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.record import Record
from ..matchers.catalogue import TYPES
from ..matchers.custom import answer_of, fields_of, first_line, own_fields, refuse_taken
from ..matchers.outcome import HELD, Outcome, failed, unknown
from ..matchers.table import MatcherType
from ..text.quoting import quote, visible
from .trace import MOST_PROVING, idle

OUTCOMES = ("pass", "idle", "fail", "unknown", "error")
_PASSES = ("pass", "idle")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Function = TypeVar("Function", bound=Callable[..., object])


class InvariantResult(Record):
    """What one invariant says of a conversation.

    `name` is the invariant's, `passed` whether it holds, `detail` why, in one sentence that names the turns. `outcome` is `pass` or `fail`
    by `passed`; of what passes it may also be `idle` (what the invariant is about never came); of what does not pass it may also be `unknown` (the evidence was not recorded) or `error` (the invariant itself is at fault).
    `turns` are the turns of the conversation that show it, by their index from 0; they are kept in order, each once.
    Raises CaseError for what cannot be meant: `passed` is True or False, not what is merely true.
    """

    __slots__ = ("name", "passed", "detail", "outcome", "turns")

    name: str
    passed: bool
    detail: str
    outcome: str
    turns: tuple[int, ...]

    def __init__(self, name: str, passed: bool, detail: str = "", outcome: str | None = None, turns: Iterable[int] = ()) -> None:
        if not isinstance(name, str) or not name:
            raise CaseError("an InvariantResult has the name of its invariant, as text", path=("name",))
        if not isinstance(passed, bool):
            raise CaseError(f"\"passed\" of an InvariantResult is True or False, not {json_kind(passed)}", path=("passed",))
        if not isinstance(detail, str):
            raise CaseError(f"\"detail\" of an InvariantResult is text, not {json_kind(detail)}", path=("detail",))
        if outcome is None:
            outcome = "pass" if passed else "fail"
        if outcome not in OUTCOMES or passed is not (outcome in _PASSES):
            raise CaseError(f'"outcome" of an InvariantResult is one of {", ".join(OUTCOMES)}: pass or idle where it passed, and else one of the others', path=("outcome",))
        self._set(name, passed, detail, outcome, _in_order(turns))

    def __bool__(self) -> bool:
        return self.passed


def _in_order(turns: object) -> tuple:
    if isinstance(turns, (str, bytes, dict)) or not hasattr(turns, "__iter__"):
        raise CaseError(f'"turns" of an InvariantResult is a list of indexes, as [turn.index], not {json_kind(turns)}', path=("turns",))
    listed = list(turns)
    for turn in listed:
        if not isinstance(turn, int) or isinstance(turn, bool) or turn < 0:
            got = turn if type(turn) is int else json_kind(turn)
            raise CaseError(f'"turns" of an InvariantResult holds indexes of turns, from 0, and not {got}', path=("turns",))
    return tuple(sorted(set(listed)))


def invariant(given: object):
    """Register a function as an invariant: `@invariant` under its own name, `@invariant("name")` under another. Raises CaseError for a name that is taken."""
    if isinstance(given, str) and given:
        return lambda function: _registered(given, function)
    if callable(given):
        return _registered(getattr(given, "__name__", ""), given)
    raise CaseError('an invariant is registered with a name, or with that of its function: @invariant("no_double_booking") or @invariant')


def _registered(name: str, function: Function) -> Function:
    fields = fields_of(name, function, "conversation")
    refuse_taken(name, function)
    about = first_line(function, "An invariant of the team's own.")
    TYPES[name] = MatcherType(name, 3, about, fields, lambda values: _check(name, function, own_fields(values)), (), function=function, invariant=True)
    return function


def _check(name: str, function, given: dict):
    def check(reading) -> Outcome:
        if reading.conversation is None:
            return unknown(f"no messages were recorded, so the invariant {quote(name)} cannot be asked")
        answer = answer_of(f"the invariant {quote(name)}", function, reading.conversation, **given)
        if not isinstance(answer, InvariantResult):
            raise GatekitError(f"the invariant {quote(name)} returned a {answer.__class__.__name__}: it returns an InvariantResult(name, passed, detail)")
        detail = visible(answer.detail)
        if answer.outcome == "error":
            raise GatekitError(f"the invariant {quote(name)} says that it is at fault: {detail}")
        turns = _proving(name, answer, len(reading.conversation.turns))
        if answer.outcome == "unknown":
            return Outcome("unknown", detail or f"{name} cannot tell", turns=turns)
        if answer.outcome == "idle":
            return idle(detail or f"{name} is about nothing that came") if reading.explains else HELD
        if not answer.passed:
            return failed(detail or f"{name} does not hold", turns=turns)
        return Outcome("pass", detail or f"{name} holds", turns=turns) if reading.explains else HELD

    return check


def _proving(name: str, answer: InvariantResult, count: int) -> tuple:
    """The turns that an answer names, as a finding takes them."""
    if answer.turns and answer.turns[-1] >= count:
        there = f"has {count} turns, from 0 to {count - 1}" if count else "has no turns"
        raise GatekitError(f'the invariant {quote(name)} names turn {answer.turns[-1]} in "turns", and the conversation {there}')
    return answer.turns[:MOST_PROVING]
