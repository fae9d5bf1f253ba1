"""Events of a conversation: what an invariant counts and orders.

    {user: REGEX}                    a message of the user in which the pattern is found
    {assistant: REGEX}               a message of the assistant: its words or its refusal
    {tool: NAME}                     a call of the tool, or of one of a list of tools
        args: {...}                  with these arguments: further ones do not matter, nested values are those of json_subset
        failed: true | false         that failed, or that was answered and did not fail: a call without a result is neither
    {tool_failed: NAME}              the result of a call that failed
    {any_of: [EVENT, ...]}           one of several

A message and a call are events at their step; `tool_failed` is one at the step of the result. Calls whose arguments are malformed have no arguments: they
meet no event with `args`. Things of one step are parallel: none of them is before another.
"""
from __future__ import annotations

from ..ground.canonical import canonical, json_kind
from ..ground.errors import CaseError
from ..matchers.contract import subset_difference
from ..matchers.fields import refuse_unknown
from ..text.quoting import as_written, quote
from .expressions import Spoken, read_pattern

SUBJECTS = ("user", "assistant", "tool", "tool_failed", "any_of")
FIELDS = (*SUBJECTS, "args", "failed")
EXAMPLE = 'as {"user": "yes"}, {"assistant": "refund"} or {"tool": "book_flight"}'


class Occurrence:
    """One event that happened: its `step` and `turn`, and its `subject`, the message or call."""

    __slots__ = ("step", "turn", "subject")

    def __init__(self, step: int, turn: int, subject: object) -> None:
        self.step, self.turn, self.subject = step, turn, subject


class Words:
    """A message of a role in which a pattern is found; without a pattern, any that has words."""

    __slots__ = ("kinds", "noun", "_role", "_pattern")

    def __init__(self, role: str, pattern: Spoken | None = None) -> None:
        self.kinds = (role,)
        self._role, self._pattern = role, pattern
        self.noun = f"{role} message" + (f" that matches {as_written(pattern.source)}" if pattern is not None else "")

    def found(self, trace) -> list:
        """The occurrences in a trace, in order of their steps."""
        messages = trace.speaking(self._role) if self._pattern is None else trace.matching(self._role, self._pattern)
        return [Occurrence(said.step, said.turn, said) for said in messages]


class Calls:
    """A call of one of the named tools (of any tool where there are no names), with arguments and an end as asked."""

    __slots__ = ("kinds", "noun", "names", "args", "failed")

    def __init__(self, names: tuple, args: dict | None = None, failed: bool | None = None) -> None:
        self.kinds = ("tool",)
        self.names, self.args, self.failed = names, args, failed
        end = "" if failed is None else "failed " if failed else "successful "
        self.noun = f"{end}call{' of ' if names else ''}{' or '.join(names)}" + (f" with {canonical(args)}" if args is not None else "")

    def meets(self, call) -> bool:
        """Whether a call of one of the tools has the arguments and the end."""
        if self.failed is not None and not (call.answered and call.failed is self.failed):
            return False
        return self.args is None or not call.malformed and subset_difference(self.args, call.arguments) is None

    def calls(self, trace) -> list:
        """The calls in a trace, in order."""
        named = trace.calls_of(self.names)
        return named if self.failed is None and self.args is None else [call for call in named if self.meets(call)]

    def found(self, trace) -> list:
        """The occurrences in a trace, in order of their steps."""
        return [Occurrence(call.step, call.turn, call) for call in self.calls(trace)]


class Failures:
    """The failed result of a call of one of the named tools."""

    __slots__ = ("kinds", "noun", "_names")

    def __init__(self, names: tuple) -> None:
        self.kinds = ("tool",)
        self._names = names
        self.noun = f"failure of {' or '.join(names)}"

    def found(self, trace) -> list:
        """The occurrences in a trace, in order of their steps."""
        failed = [Occurrence(call.result_step, call.turn, call) for call in trace.calls_of(self._names) if call.answered and call.failed]
        return sorted(failed, key=_step)


class AnyOf:
    """One of several events."""

    __slots__ = ("kinds", "noun", "_events")

    def __init__(self, events: list) -> None:
        self.kinds = tuple(dict.fromkeys(kind for event in events for kind in event.kinds))
        self._events = events
        self.noun = " or ".join(event.noun for event in events)

    def found(self, trace) -> list:
        """The occurrences in a trace, in order of their steps; what several of the events meet is one."""
        found = {(occurrence.step, id(occurrence.subject)): occurrence for event in self._events for occurrence in event.found(trace)}
        return sorted(found.values(), key=_step)


def _step(occurrence: Occurrence) -> int:
    return occurrence.step


def named(event) -> str:
    """An event in a sentence, with its article."""
    return ("an " if event.noun[0] in "aeio" else "a ") + event.noun


def read_event(value: object):
    """An event, compiled. Raises CaseError, with the place inside the value as `path`."""
    if not isinstance(value, dict):
        raise CaseError(f"an event is a mapping, {EXAMPLE}, not {json_kind(value)}")
    refuse_unknown(value, FIELDS, "an event")
    subjects = [key for key in value if key in SUBJECTS]
    if len(subjects) != 1:
        many = f"an event is of one kind, and this one names {' and '.join(subjects)}: join two events with any_of"
        raise CaseError(many if subjects else f"an event says what happens, {EXAMPLE}")
    [subject] = subjects
    for key in ("args", "failed"):
        if key in value and subject != "tool":
            raise CaseError(f"{quote(key)} belongs to a \"tool\", not to {quote(subject)}", path=(key,))
    return _READERS[subject](value)


def read_names(value: object) -> tuple:
    """The name of a tool, or a list of names: always a tuple of texts."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise CaseError(f"a tool is named by text, or by a list of texts{'' if isinstance(names, (list, tuple)) else ', not by ' + json_kind(value)}")
    if not names or not all(name.strip() for name in names):
        raise CaseError("a tool has a name: an empty one is never called")
    return tuple(dict.fromkeys(names))


def located(path: tuple, read, value: object):
    """What a function reads from a value; an error in it is placed below `path`."""
    try:
        return read(value)
    except CaseError as error:
        raise error.located(path=path) from None


def _read_words(role: str):
    return lambda value: Words(role, located((role,), lambda source: read_pattern(source, role), value[role]))


def _read_calls(value: dict) -> Calls:
    names = located(("tool",), read_names, value["tool"])
    args, failed = value.get("args"), value.get("failed")
    if "args" in value and (not isinstance(args, dict) or not args):
        raise CaseError('"args" is a mapping of arguments to their values that is not empty: leave it out where any will do', path=("args",))
    if "failed" in value and not isinstance(failed, bool):
        raise CaseError(f'"failed" is true or false, not {json_kind(failed)}', path=("failed",))
    located(("args",), canonical, args)
    return Calls(names, args, failed)


def _read_any(value: dict) -> AnyOf:
    events = value["any_of"]
    if not isinstance(events, (list, tuple)) or not events:
        raise CaseError('"any_of" is a list of events that is not empty', path=("any_of",))
    return AnyOf([located(("any_of", place), read_event, event) for place, event in enumerate(events)])


_READERS = {
    "user": _read_words("user"),
    "assistant": _read_words("assistant"),
    "tool": _read_calls,
    "tool_failed": lambda value: Failures(located(("tool_failed",), read_names, value["tool_failed"])),
    "any_of": _read_any,
}
