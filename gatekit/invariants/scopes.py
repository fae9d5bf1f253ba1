"""Scopes: where in a conversation a pattern is asked.

    after     from the first E on: what happens later than it, at a step of its own
    before    up to the first F, exclusively; to the end of the conversation where no F comes
    both      stretches: each is opened by an E and closed by the next F after it, and the next E later than that opens another. The last one
              reaches to the end of the conversation where no F closes it. An E that comes with an F, at one step, opens nothing

In the terms of Dwyer, Avrunin and Corbett (Patterns in property specifications for finite-state verification, ICSE 1999): `after` is "after Q", both
are "after Q until R", and `before` is that with the beginning for Q. So a closing that never comes takes nothing out of sight: what must not
happen before a confirmation must not happen where no confirmation comes. (Their "before R" and "between Q and R" hold wherever R never comes.)
"""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError
from ..matchers.fields import refuse_unknown
from .events import located, named, read_event


class Scope:
    """Where in a conversation a pattern is asked: the stretches between two events (see above)."""

    __slots__ = ("after", "before", "words")

    def __init__(self, after=None, before=None) -> None:
        self.after, self.before = after, before
        self.words = " and".join(f" {side} {named(event)}" for side, event in (("after", after), ("before", before)) if event is not None)

    def stretches(self, trace) -> list:
        """`(low, high)` of each stretch, in order: the steps between them, exclusively. `high` is None where it reaches to the end."""
        openings = [occurrence.step for occurrence in self.after.found(trace)] if self.after is not None else [-1]
        return between(openings, [occurrence.step for occurrence in self.before.found(trace)] if self.before is not None else [])


def between(openings: list, closings: list) -> list:
    """`(low, high)` of each stretch between an opening and the next closing after it, from the steps of both; `high` is None where none follows."""
    stretches: list = []
    closing, at = set(closings), 0
    for low in openings:
        if low in closing or stretches and (stretches[-1][1] is None or low < stretches[-1][1]):
            continue  # what closes does not open, and what is open stays so
        while at < len(closings) and closings[at] <= low:
            at += 1
        stretches.append((low, closings[at] if at < len(closings) else None))
    return stretches


EVERYWHERE = Scope()


def read_scope(value: object) -> Scope:
    """A scope, compiled. Raises CaseError, with the place inside the value as `path`."""
    if not isinstance(value, dict) or not value:
        foreign = f", not {json_kind(value)}" if not isinstance(value, dict) else ""
        raise CaseError(f'a scope is a mapping with "after", "before" or both, each an event{foreign}')
    refuse_unknown(value, ("after", "before"), "a scope")
    return Scope(**{key: located((key,), read_event, event) for key, event in value.items()})


def within(found: list, stretches: list) -> list:
    """The occurrences (or messages, in order of their steps) inside each stretch."""
    lists: list = []
    at = 0
    for low, high in stretches:
        while at < len(found) and found[at].step <= low:
            at += 1
        inside: list = []
        while at < len(found) and (high is None or found[at].step < high):
            inside.append(found[at])
            at += 1
        lists.append(inside)
    return lists
