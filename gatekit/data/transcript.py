"""A conversation as it is told in a report: one line for each thing that was said, called or given back, in order and fit to be shown.

Of a long conversation the beginning, the end and the turns that matter are told, and how much stands between them.
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..ground.record import Record
from .curtain import Curtain

KINDS = ("system", "user", "assistant", "refusal", "reasoning", "call", "result", "gap")
MOST = 100
_FIRST, _LAST, _PROVING = 10, 20, 60
_NAME = 80


class Line(Record):
    """One thing of a conversation: its `kind` (of `KINDS`), its `turn` and the place of its `message`, from 0, and its `text` with the secrets hidden.

    A call has the `name` of its tool, and so has a result; its text is the arguments, or what was given back, as JSON where it is no text. `failed` marks the
    result of a call that failed. The text of a gap says what is left out.
    """

    __slots__ = ("kind", "turn", "message", "text", "name", "failed")
    kind: str
    turn: int
    message: int
    text: str
    name: str | None
    failed: bool

    def __init__(self, kind: str, turn: int, message: int, text: str, name: str | None = None, failed: bool = False) -> None:
        self._set(kind, turn, message, text, name, failed)


def transcript(conversation, curtain: Curtain, turns: set) -> tuple:
    """The lines of a conversation; `turns` are those that matter."""
    things = sorted(_things(conversation), key=lambda thing: thing[0])
    kept = _kept([thing[2] for thing in things], turns)
    lines, last = [], -1
    for place in [*kept, len(things)]:
        if place > last + 1:
            gone = things[last + 1]
            lines.append(Line("gap", gone[2], gone[3], f"{place - last - 1} more"))
        if place < len(things):
            lines.append(_line(curtain, *things[place][1:]))
        last = place
    return tuple(lines)


def _kept(turns_of_things: list, turns: set) -> list:
    """The places of the things that are told."""
    count = len(turns_of_things)
    if count <= MOST:
        return list(range(count))
    proving = [place for place, turn in enumerate(turns_of_things) if turn in turns][:_PROVING]
    return sorted({*range(_FIRST), *proving, *range(count - _LAST, count)})


def _things(conversation):
    """Everything of a conversation as `((step, order), kind, turn, message, value, name, failed)`."""
    order = 0
    for message in conversation.messages:
        for kind, text in (("reasoning", message.reasoning), (message.role, message.text), ("refusal", message.refusal)):
            if text:
                order += 1
                yield (message.step, order), kind, message.turn, message.message, text, None, False
        for call in message.calls:
            order += 1
            yield (message.step, order), "call", call.turn, call.message, call.arguments, call.name, False
            if call.answered:
                yield (call.result_step, order), "result", call.turn, call.result_message, call.result, call.name, call.failed
    for orphan in conversation.orphans:
        order += 1
        yield (orphan.step, order), "result", orphan.turn, orphan.message, orphan.value, orphan.name, orphan.failed


def _line(curtain: Curtain, kind: str, turn: int, message: int, value: object, name: str | None, failed: bool) -> Line:
    text = curtain.text(value) if isinstance(value, str) else canonical(curtain.value(value))
    return Line(kind, turn, message, text, name and curtain.text(name, _NAME), bool(failed))
