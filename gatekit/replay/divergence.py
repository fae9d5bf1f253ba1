"""Divergence: what a candidate asked that has no recorded answer, and how it differs from the nearest that has one."""
from __future__ import annotations

from ..ground.canonical import canonical
from ..ground.errors import GatekitError
from ..ground.record import Record
from ..text.quoting import quote
from ..text.word_diff import word_diff

_SYSTEM_ROLES = ("system", "developer")
_LONGEST = 400  # characters of what is shown on one line


class Divergence(GatekitError):
    """A replayed agent left its recording: it asked a model or a tool what has no recorded answer.

    An agent may catch it, and is diverged all the same.
    """


class Change(Record):
    """One component that differs: what it is, in words, and the lines that show how."""

    __slots__ = ("component", "lines")

    def __init__(self, component: str, lines: tuple = ()) -> None:
        self._set(component, tuple(lines))


class Departure(Record):
    """Where a candidate left the recording.

    `turn` counts from 0. `what` is what it asked, in words; `key` the key of a model's request, None for a tool call. `nearest` says which recorded one is
    nearest, None where there is none; `changes` what differs from that.
    """

    __slots__ = ("turn", "what", "key", "nearest", "changes")

    def __init__(self, turn: int, what: str, key: str | None, nearest: str | None, changes: tuple) -> None:
        self._set(turn, what, key, nearest, tuple(changes))

    @property
    def words(self) -> str:
        """It in one sentence."""
        changed = "; changed: " + ", ".join(change.component for change in self.changes) if self.changes else ""
        return f"turn {self.turn}: {self.what}" + (f"; nearest: {self.nearest}" if self.nearest else "") + changed


def distance(parts: dict, recorded: dict) -> int:
    """How many components and messages of a request differ from those of a recorded one."""
    ours, theirs = _listed(parts), _listed(recorded)
    first, last = _common_ends(ours, theirs, lambda left, right: left == right)
    unlike = sum(left is not right and left != right for left, right in zip(ours[first : len(ours) - last], theirs[first : len(theirs) - last]))
    return unlike + abs(len(ours) - len(theirs)) + sum(parts.get(component) != recorded.get(component) for component in ("model", "system", "tools"))


def changes_of(recorded: dict, parts: dict) -> tuple:
    """What differs in a request from a recorded one: a `Change` for each component, each tool and each message."""
    found = []
    if parts.get("model") != recorded.get("model"):
        found.append(Change("the model", (f"{_shown(recorded.get('model'))} became {_shown(parts.get('model'))}",)))
    if not _same(parts.get("system"), recorded.get("system")):
        found.append(Change("the system prompt", word_diff(_text(recorded.get("system")), _text(parts.get("system")))))
    found += _tool_changes(recorded.get("tools"), parts.get("tools"))
    ours, theirs = _listed(parts), _listed(recorded)
    first, last = _common_ends(ours, theirs, _same)
    our_end, their_end = len(ours) - last, len(theirs) - last
    for place, (old, new) in enumerate(zip(theirs[first:their_end], ours[first:our_end]), first):
        if not _same(old, new):
            found.append(Change(_name_of(place, new), _message_lines(old, new)))
    for place in range(their_end, our_end):
        found.append(Change(f"{_name_of(place, ours[place])} is new", word_diff("", _content(ours[place]))))
    for place in range(our_end, their_end):
        found.append(Change(f"{_name_of(place, theirs[place])} is gone", word_diff(_content(theirs[place]), "")))
    return tuple(found)


def _common_ends(ours: list, theirs: list, same) -> tuple:
    """How many messages are the same from the front, and of the rest from the end: one that is new or gone in between moves the others."""
    least = min(len(ours), len(theirs))
    first = last = 0
    while first < least and same(ours[first], theirs[first]):
        first += 1
    while last < least - first and same(ours[-1 - last], theirs[-1 - last]):
        last += 1
    return first, last


def argument_changes(recorded: object, given: object) -> tuple:
    """What differs in a tool call's arguments."""
    if not isinstance(recorded, dict) or not isinstance(given, dict):
        return (Change("the arguments", word_diff(canonical(recorded), canonical(given))),)
    return tuple(Change(f"argument {quote(name)}", (words,)) for name, words in _became(recorded, given, [*recorded, *given]))


def call_words(name: str, arguments: object) -> str:
    """A tool call as it is shown: `find({"id": "1"})`, its arguments cut where they are long."""
    shown = canonical(arguments)
    return f"{name}({shown})" if len(shown) <= _LONGEST else f"{name}({shown[:_LONGEST]}... {len(shown)} characters)"


def setting_changes(recorded: dict, given: dict) -> list:
    """What differs in the settings of a request, in words."""
    return [f"{name}: {words}" for name, words in _became(recorded, given, sorted(recorded.keys() | given.keys()))]


def _became(old: dict, new: dict, names: list) -> list:
    """`(name, words)` of each member that differs."""
    shown = [(name, *(_shown(side[name]) if name in side else "absent" for side in (old, new))) for name in dict.fromkeys(names)]
    return [(name, _change(before, after)) for name, before, after in shown if before != after]


def _change(before: str, after: str) -> str:
    return f"{before} became {after}" if len(before) + len(after) <= _LONGEST else " ".join(word_diff(before, after))


def _tool_changes(recorded: object, given: object) -> list:
    if _same(recorded, given):
        return []
    old, new = _tools_by_name(recorded), _tools_by_name(given)
    if old is None or new is None:
        return [Change("the tools", word_diff(_text(recorded), _text(given)))]
    found = [Change(f"the tool {quote(name)} is gone") for name in old if name not in new]
    found += [Change(f"the tool {quote(name)} is new") for name in new if name not in old]
    for name in old:
        if name in new and not _same(old[name], new[name]):
            found.append(Change(f"the schema of the tool {quote(name)}", word_diff(canonical(old[name]), canonical(new[name]))))
    return found or [Change("the order of the tools")]


def _tools_by_name(tools: object) -> dict | None:
    if tools is None:
        return {}
    if not isinstance(tools, list):
        return None
    named = {}
    for tool in tools:
        function = tool.get("function", tool) if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(name, str) or name in named:
            return None
        named[name] = tool
    return named


def _listed(parts: dict) -> list:
    messages = parts.get("messages")
    return messages if isinstance(messages, list) else [] if messages is None else [messages]


def _name_of(place: int, message: object) -> str:
    role = message.get("role") if isinstance(message, dict) else None
    if role in _SYSTEM_ROLES:
        return "the system prompt" if not place else f"the system prompt (message {place})"
    return f"message {place}" + (f" ({role})" if isinstance(role, str) else "")


def _message_lines(old: object, new: object) -> tuple:
    if isinstance(old, dict) and isinstance(new, dict):
        rest = [{name: value for name, value in message.items() if name != "content"} for message in (old, new)]
        if _same(*rest):
            return word_diff(_content(old), _content(new))
    return word_diff(_text(old), _text(new))


def _content(message: object) -> str:
    content = message.get("content", message) if isinstance(message, dict) else message
    return _text(message if content is None else content)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else canonical(value)


def _shown(value: object) -> str:
    return quote(value) if isinstance(value, str) else canonical(value)


def _same(left: object, right: object) -> bool:
    return canonical(left) == canonical(right)
