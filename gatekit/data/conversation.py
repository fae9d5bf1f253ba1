"""A conversation: turns of a user and an assistant, with the tool calls in between and what they gave.

How messages become one:

    turn    begins with the first message; a user's words after anything of the assistant's begin the next. The user's words that come
            next to each other are of one turn, an assistant that speaks first makes a turn without a user
    step    the place in the order of things. Each message of a user or an assistant is a step, calls and words of one message (and the
            calls next to each other in a log of items) are of the same one: they are parallel. Results next to each other are one step
    result  goes to the latest unanswered call of its id (ids are used again in real logs). Without an id it goes to the first unanswered call of its
            name, among the calls that the assistant made last without a result or a user between them; without either to the only unanswered call.
            One that fits no call is an orphan
    failed  as recorded; where nothing was, by what the result says (formats/chat/failures.py)
"""
from __future__ import annotations

from ..formats.chat.endings import recorded_ending
from ..formats.chat.failures import is_failure
from ..formats.chat.messages import read_messages
from ..formats.strict_json import read_json
from ..ground.canonical import canonical, json_copy, json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.record import Record
from .own_messages import own_messages


class Call(Record):
    """One tool call: its `id`, the tool's `name`, the parsed `arguments`, and what became of it.

    `malformed` says why the arguments could not be parsed (they are then the text as it came), else it is None. `answered` tells whether a result was
    recorded, `result` is that result (text or a JSON value), `failed` whether it was an error. `message`, `step` and `turn` are its places, from 0;
    `result_message` and `result_step` those of its result, None where there is none.
    """

    __slots__ = (
        "id", "name", "arguments", "malformed", "message", "step", "turn", "answered", "result", "failed", "result_message", "result_step", "_reply",
    )  # fmt: skip

    def __init__(
        self, id, name, arguments, malformed=None, message=0, step=0, turn=0, answered=False, result=None, failed=False, result_message=None, result_step=None
    ) -> None:
        self._set(id, name, arguments, malformed, message, step, turn, answered, result, failed, result_message, result_step, None)

    def __hash__(self):
        return hash((self.id, self.name, self.message))

    @property
    def result_value(self) -> object:
        """The result as a JSON value: a text that is JSON is read strictly, any other text is itself."""
        if not isinstance(self.result, str):
            return self.result
        try:
            return read_json(self.result)
        except GatekitError:
            return self.result


class Message(Record):
    """What one party said: `role` is `system`, `user` or `assistant`; `text` its words, `refusal` and `reasoning` what an assistant said by that name.

    `calls` are an assistant's tool calls (or those of a user who has tools too, which stand nowhere else). `message` is the place in the list that was
    given, `step` and `turn` those in the conversation.
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
    """A result that goes to no call: the `id` and `name` that it has, its `value`, the place of its message, and its `step`, `turn` and `failed`."""

    __slots__ = ("id", "name", "value", "message", "step", "turn", "failed", "_reply")

    def __init__(self, id, name, value, message, step=0, turn=0, failed=False) -> None:
        self._set(id, name, value, message, step, turn, failed, (0, id, name))


class Conversation:
    """A conversation. Made by `Conversation.from_messages`; it does not change.

    `given` is the list of messages as it came. `messages` are those of system, user and assistant, `turns` the turns, `calls` all tool calls of the
    assistant, in order. `orphans` are results that go to no call, `unanswered` the calls without a result, `repeated` those whose id an earlier call has.

    Two conversations are equal where the same was said, called and given back in the same order, whatever the shapes that they were read from.
    """

    __slots__ = ("given", "messages", "turns", "calls", "orphans")

    given: list
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    calls: tuple[Call, ...]
    orphans: tuple[Result, ...]

    @classmethod
    def from_messages(cls, messages: list) -> Conversation:
        """A conversation from a list of messages, in any of the shapes of formats/chat/messages.py. Raises CaseError with the message's place as `path`."""
        if not isinstance(messages, (list, tuple)):
            lists = [key for key in ("messages", "contents", "input", "output") if isinstance(messages, dict) and isinstance(messages.get(key), list)]
            raise CaseError(f"messages are a list, not {json_kind(messages)}" + (f": pass its {lists[0]}" if lists else ""))
        return cls.of_json(json_copy(list(messages)))

    @classmethod
    def of_json(cls, given: list) -> Conversation:
        """As `from_messages`, for a list of JSON values that nobody else holds."""
        assembly = _Assembly(read_messages(given))
        conversation = object.__new__(cls)
        turns = tuple([Turn(index, *parts) for index, parts in enumerate(assembly.turns)])
        for name, value in zip(cls.__slots__, (given, tuple(assembly.messages), turns, tuple(assembly.calls), tuple(assembly.orphans))):
            _put(conversation, name, value)
        return conversation

    def to_messages(self) -> list:
        """The conversation as messages in our own form (data/own_messages.py), whatever the shape that it was read from: the same conversation, read back."""
        return json_copy(own_messages(self))

    def _own(self) -> list:
        return own_messages(self, canonical)

    def __setattr__(self, name, value):
        raise AttributeError("a Conversation does not change: make a new one")

    __delattr__ = __setattr__

    def __eq__(self, other):
        return self._own() == other._own() if isinstance(other, Conversation) else NotImplemented

    def __hash__(self):
        return hash(canonical(self._own()))

    def __repr__(self):
        return f"Conversation({len(self.given)} messages, {len(self.turns)} turns, {len(self.calls)} calls)"

    def __reduce__(self):
        return Conversation.of_json, (self.given,)

    @property
    def unanswered(self) -> tuple[Call, ...]:
        """The calls that no result was recorded for."""
        return tuple(call for call in self.calls if not call.answered)

    @property
    def repeated(self) -> tuple[Call, ...]:
        """The calls whose id an earlier call has. An id may be used again once its call is answered: compare the earlier one's `result_step`."""
        seen: set = set()
        return tuple(call for call in self.calls if call.id is not None and (call.id in seen or seen.add(call.id)))

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

    @property
    def finish_reason(self) -> str | None:
        """How the assistant's last message ended, as recorded in it; None where that was not recorded."""
        last = next((message for message in reversed(self.messages) if message.role == "assistant"), None)
        return recorded_ending(self.given[last.message]) if last is not None else None


class _Assembly:
    """Entries become messages, turns and calls."""

    __slots__ = ("messages", "turns", "calls", "orphans", "pairs")

    def __init__(self, entries: list) -> None:
        messages: list = []
        turns: list = []  # [user messages, assistant messages, calls]
        self.messages, self.turns, self.calls, self.orphans, self.pairs = messages, turns, [], [], _Pairs()
        step, before, turn, answered = -1, None, 0, False
        for place, entry in enumerate(entries):
            kind = entry.kind
            if kind == "result":
                if before != "result":
                    step += 1
                self._answer(entry, place, step, turn)
            else:
                step += 1
                if kind != "system" and (not turns or answered and kind == "user"):
                    turn, answered = len(turns), False
                    turns.append(([], [], []))
                if before != kind:
                    self.pairs.block += 1
                message = _spoken(entry, self._made(entry, step, turn) if entry.calls or entry.more else (), step, turn)
                messages.append(message)
                if kind == "assistant":
                    answered = True
                    turns[-1][1].append(message)
                elif kind == "user":
                    turns[-1][0].append(message)
            before = kind

    def _made(self, entry, step: int, turn: int) -> tuple:
        made: list = []
        for part in (entry, *entry.more) if entry.more else (entry,):
            calls = [_called(*call, part.message, step, turn) for call in part.calls]
            self.pairs.made(calls)
            made += calls
        if entry.kind == "assistant":
            self.calls += made
            self.turns[-1][2].extend(made)
        return tuple(made)

    def _answer(self, entry, place: int, step: int, turn: int) -> None:
        call = self.pairs.called(entry)
        failed = is_failure(entry.value) if entry.failed is None else entry.failed
        reply = place, entry.id, entry.name
        if call is None:
            orphan = Result(entry.id, entry.name, entry.value, entry.message, step, turn, failed)
            _put(orphan, "_reply", reply)
            self.orphans.append(orphan)
            return
        _answered(call, True)
        _result(call, entry.value)
        _failed(call, failed)
        _result_message(call, entry.message)
        _result_step(call, step)
        _reply(call, reply)


class _Pairs:
    """The calls so far, and which of them a result goes to. Every question costs a constant time, over all of them."""

    __slots__ = ("last", "all", "by_id", "by_name", "named", "open", "sum", "block")

    def __init__(self) -> None:
        self.last: list = []  # the calls of the last entry that made some
        self.all: list = []  # [block, call]
        self.by_id: dict = {}  # id: its calls, the latest last, without those that were found answered
        self.by_name: dict = {}  # name: [block, its calls, how many of them were found answered], the latest block last
        self.named = 0  # how many of all calls stand in `by_name`: they are put there when a result first asks by name
        self.open = self.sum = 0  # how many calls are unanswered, and the sum of their places in `all`: where it is one, that is its place
        self.block = 0  # the number of calls next to each other, without a result or a user between them

    def made(self, calls: list) -> None:
        self.last = calls
        for call in calls:
            if call.id is not None:
                self.by_id.setdefault(call.id, []).append(call)
            place = len(self.all)
            _reply(call, place)
            self.open += 1
            self.sum += place
            self.all.append((self.block, call))

    def called(self, entry) -> Call | None:
        """The unanswered call that a result goes to; it counts as answered from now on."""
        call = self._find(entry)
        if call is not None:
            self.open -= 1
            self.sum -= call._reply
        return call

    def _find(self, entry) -> Call | None:
        if entry.at is not None:
            return self.last[entry.at] if entry.at >= 0 else None
        if entry.id is not None:
            calls = self.by_id.get(entry.id, ())
            while calls:
                call = calls.pop()
                if not call.answered:
                    return call
            return None
        if entry.name is not None:
            return self._find_by_name(entry.name)
        return self.all[self.sum][1] if self.open == 1 else None

    def _find_by_name(self, name: str) -> Call | None:
        for block, call in self.all[self.named :]:
            blocks = self.by_name.setdefault(call.name, [])
            if not blocks or blocks[-1][0] != block:
                blocks.append([block, [], 0])
            blocks[-1][1].append(call)
        self.named = len(self.all)
        blocks = self.by_name.get(name, ())
        while blocks:
            _, calls, first = blocks[-1]
            while first < len(calls) and calls[first].answered:
                first += 1
            blocks[-1][2] = first
            if first < len(calls):
                return calls[first]
            blocks.pop()
        return None


_put = object.__setattr__
_new = object.__new__
_id, _name, _arguments, _malformed, _message, _step, _turn, _answered, _result, _failed, _result_message, _result_step, _reply = [
    getattr(Call, name).__set__ for name in Call.__slots__
]
_role, _text, _refusal, _reasoning, _calls, _said_at, _said_step, _said_turn = [getattr(Message, name).__set__ for name in Message.__slots__]


def _called(id, name, arguments, malformed, message: int, step: int, turn: int) -> Call:
    """A Call without a result, made without the detour by its `__init__`: a log has thousands of them."""
    call = _new(Call)
    _id(call, id)
    _name(call, name)
    _arguments(call, arguments)
    _malformed(call, malformed)
    _message(call, message)
    _step(call, step)
    _turn(call, turn)
    _answered(call, False)
    _result(call, None)
    _failed(call, False)
    _result_message(call, None)
    _result_step(call, None)
    _reply(call, None)
    return call


def _spoken(entry, calls: tuple, step: int, turn: int) -> Message:
    """The Message of an entry, in the same way."""
    message = _new(Message)
    _role(message, entry.kind)
    _text(message, entry.text)
    _refusal(message, entry.refusal)
    _reasoning(message, entry.reasoning)
    _calls(message, calls)
    _said_at(message, entry.message)
    _said_step(message, step)
    _said_turn(message, turn)
    return message
