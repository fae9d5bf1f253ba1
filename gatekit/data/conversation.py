"""A conversation: turns of a user and an assistant, with the tool calls in between and what they gave.

How messages become one:

    turn    begins with the first message; a user's words after anything of the assistant's begin the next. The user's words that come
            next to each other are of one turn, an assistant that speaks first makes a turn without a user
    step    the place in the order of things. Each message of a user or an assistant is a step, calls and words of one message (and the
            calls next to each other in a log of items) are of the same one: they are parallel. Results next to each other are one step
    result  goes to the latest unanswered call of its id (ids are used again in real logs), else, without an id, of its name. One that fits no call
            is an orphan
"""
from __future__ import annotations

from ..formats.chat_messages import read_messages
from ..ground.canonical import canonical, copied, json_kind
from ..ground.errors import CaseError
from ..ground.record import Record


class Call(Record):
    """One tool call: its `id`, the tool's `name`, the parsed `arguments`, and what became of it.

    `malformed` says why the arguments could not be parsed (they are then the text as it came), else it is None. `answered` tells whether a result was
    recorded, `result` is that result (text or a JSON value), `failed` whether it was an error. `message`, `step` and `turn` are its places, from 0;
    `result_message` and `result_step` those of its result, None where there is none.
    """

    __slots__ = ("id", "name", "arguments", "malformed", "message", "step", "turn", "answered", "result", "failed", "result_message", "result_step")

    def __init__(
        self, id, name, arguments, malformed=None, message=0, step=0, turn=0, answered=False, result=None, failed=False, result_message=None, result_step=None
    ) -> None:
        self._set(id, name, arguments, malformed, message, step, turn, answered, result, failed, result_message, result_step)

    def __hash__(self):
        return hash((self.id, self.name, self.message))


class Message(Record):
    """What one party said: `role` is `system`, `user` or `assistant`; `text` its words, `refusal` and `reasoning` what an assistant said by that name.

    `calls` are an assistant's tool calls. `message` is the place in the list that was given, `step` and `turn` those in the conversation.
    """

    __slots__ = ("role", "text", "refusal", "reasoning", "calls", "message", "step", "turn")

    def __init__(self, role, text="", refusal=None, reasoning=None, calls=(), message=0, step=0, turn=0) -> None:
        self._set(role, text, refusal, reasoning, tuple(calls), message, step, turn)


class Turn(Record):
    """One turn: the user's messages, the assistant's, and the tool calls, each in order. `index` counts from 0."""

    __slots__ = ("index", "user", "assistant", "tool_calls")

    def __init__(self, index, user=(), assistant=(), tool_calls=()) -> None:
        self._set(index, tuple(user), tuple(assistant), tuple(tool_calls))


class Result(Record):
    """A result that goes to no call: the `id` and `name` that it has, its `value`, and the place of its message."""

    __slots__ = ("id", "name", "value", "message")

    def __init__(self, id, name, value, message) -> None:
        self._set(id, name, value, message)


class Conversation:
    """A conversation. Made by `Conversation.from_messages`; it does not change.

    `given` is the list of messages as it came. `messages` are those of system, user and assistant, `turns` the turns, `calls` all tool calls, in
    order. `orphans` are results that go to no call.
    """

    __slots__ = ("given", "messages", "turns", "calls", "orphans")

    given: list
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    calls: tuple[Call, ...]
    orphans: tuple[Result, ...]

    @classmethod
    def from_messages(cls, messages: list) -> Conversation:
        """A conversation from a list of messages, in any of the shapes of formats/chat_messages.py. Raises CaseError with the message's place as `path`."""
        if not isinstance(messages, (list, tuple)):
            raise CaseError(f"messages are a list, not {json_kind(messages)}")
        return cls.of_json(copied(list(messages)))

    @classmethod
    def of_json(cls, given: list) -> Conversation:
        """As `from_messages`, for a list of JSON values that nobody else holds."""
        conversation = object.__new__(cls)
        for name, value in zip(cls.__slots__, (given, *_assembled(read_messages(given)))):
            object.__setattr__(conversation, name, value)
        return conversation

    def __setattr__(self, name, value):
        raise AttributeError("a Conversation does not change: make a new one")

    __delattr__ = __setattr__

    def __eq__(self, other):
        return canonical(self.given) == canonical(other.given) if isinstance(other, Conversation) else NotImplemented

    def __hash__(self):
        return hash(canonical(self.given))

    def __repr__(self):
        return f"Conversation({len(self.given)} messages, {len(self.turns)} turns, {len(self.calls)} calls)"

    def __reduce__(self):
        return Conversation.of_json, (self.given,)

    @property
    def last_spoken(self) -> Message | None:
        """The last message of the assistant that has text, or else a refusal; None where there is none."""
        spoken = [message for message in self.messages if message.role == "assistant" and not (message.text.isspace() or not message.text)]
        refused = [message for message in self.messages if message.role == "assistant" and message.refusal]
        return spoken[-1] if spoken else refused[-1] if refused else None

    @property
    def last_words(self) -> str | None:
        """What the assistant said last; "" where it only called tools, None where it produced nothing: no words, no refusal, no call."""
        last = self.last_spoken
        return (last.text.strip() and last.text or last.refusal) if last is not None else "" if self.calls else None


def _assembled(entries: list) -> tuple:
    messages: list = []
    turns: list = []  # [user messages, assistant messages, calls]
    calls: list = []
    open_calls: dict = {}  # id, or ("", name): the unanswered calls, the latest last
    orphans: list = []
    step, before = -1, None
    for entry in entries:
        kind = entry.kind
        if kind == "result":
            if before != "result":
                step += 1
            before = kind
            _answer(entry, step, open_calls, orphans)
            continue
        if not (kind == "assistant" and entry.joins and before == "assistant"):
            step += 1
        before_it, before = before, kind
        if kind != "system" and (not turns or kind == "user" and turns[-1][1]):
            turns.append(([], [], []))
        turn = len(turns) - 1
        made = []
        for id, name, arguments, malformed in entry.calls:
            call = Call(id, name, arguments, malformed, entry.message, step, turn)
            made.append(call)
            open_calls.setdefault(id, []).append(call)
        calls += made
        if kind == "assistant" and entry.joins and before_it == "assistant" and messages[-1].step == step:
            _join(messages, turns, made, entry)
        else:
            message = Message(kind, entry.text, entry.refusal, entry.reasoning, made, entry.message, step, max(turn, 0))
            messages.append(message)
            if kind != "system":
                turns[-1][kind == "assistant"].append(message)
        if made:
            turns[-1][2].extend(made)
    return tuple(messages), tuple(Turn(index, *parts) for index, parts in enumerate(turns)), tuple(calls), tuple(orphans)


def _join(messages: list, turns: list, made: list, entry) -> None:
    """Add to the assistant's last message what goes on with it."""
    last = messages[-1]
    joined = Message("assistant", last.text + entry.text, last.refusal or entry.refusal, last.reasoning or entry.reasoning, (*last.calls, *made), last.message, last.step, last.turn)
    messages[-1] = turns[-1][1][-1] = joined


def _answer(entry, step: int, open_calls: dict, orphans: list) -> None:
    waiting = open_calls.get(entry.id)
    if not waiting:
        orphans.append(Result(entry.id, entry.name, entry.value, entry.message))
        return
    call = waiting.pop()
    for name, value in (("answered", True), ("result", entry.value), ("failed", bool(entry.failed)), ("result_message", entry.message), ("result_step", step)):
        object.__setattr__(call, name, value)
