"""The recorder stands between an agent and what it uses: the client of its model, and its tools.

    with a recording       a call is answered from it; one that has no recorded answer is a divergence, and every call after it
    with a recording, live one that has no recorded answer goes to the real client or tool, and is marked
    without                every call goes to the real client or tool, and is recorded

What an agent is given looks like what was wrapped: a function is a function, an asynchronous one is awaited, a client has the method that was named.
"""
from __future__ import annotations

from ..data.conversation import Conversation
from ..ground.canonical import canonical
from ..ground.errors import CaseError, GatekitError, nearest
from ..text.quoting import quote
from .divergence import Departure, Divergence, argument_changes, call_words, changes_of, distance, setting_changes
from .failures import raised, told
from .recording import ENDING, Recording, trajectory_of, usage_of, write_recording
from .requests import RequestReader, named_arguments, parameter_names
from .scrubbing import Scrubber
from .streams import Stream, is_async_stream, is_stream
from .values import answered, classes_of, plain, properties_of

_MOST_REFUSED = 1000
_COROUTINE = 0x80


class Abandoned(BaseException):
    """Raised in an agent that goes on and on although it has left its recording; no `except Exception` keeps it."""


class Recorder:
    """Wraps a model's client and a registry of tools, and records what an agent does with them.

    Args:
        client: what asks the model: a function, or an object with the `method`.
        tools: a mapping from names to functions.
        method: for an object: the name of its method, dotted (`chat.completions.create`), or a list of such names.
        connect: in the place of `client`: a function without arguments that makes it. It is called only when a real answer is needed.
        recording: what calls are answered from; without one they are recorded.
        live: ask the real client or tool for what has no recorded answer.
        adopt: give a request that has no recorded answer that of the recorded request in its place (for rekeying).
        scrubber: what takes secrets out of what is kept. Without a recording to be written nothing need be: AsItIs.
    An agent is given `recorder.client` and `recorder.tools` in their place. `user(text)` and `assistant(text)` tell the recorder the words of the two
    sides, and `conversation` is what came of it; `save(path, name)` writes the recording.
    """

    def __init__(
        self, client=None, tools=None, *, method=None, connect=None, recording: Recording | None = None, live: bool = False, adopt: bool = False, scrubber=None
    ) -> None:
        if client is not None and connect is not None:
            raise CaseError("client and connect exclude each other: connect is called to make the client")
        if not isinstance(tools, dict) and tools is not None:
            raise CaseError('tools are a mapping from names to functions: {"find_order": find_order}')
        methods = [method] if isinstance(method, str) else list(method) if isinstance(method, (list, tuple)) else [] if method is None else [method]
        if not all(isinstance(path, str) and path for path in methods):
            raise CaseError('a method is named by a text, as method="chat.completions.create", or by a list of such')
        for target in [] if client is None else [_at(client, path) for path in methods] or [client]:
            if not callable(target):
                raise CaseError('the client is no function: name its method, as method="chat.completions.create"')
        self._methods = methods
        self._real = client
        self._connect = connect
        self._recording = recording
        self._live = live
        self._adopt = adopt
        self._scrubber = Scrubber() if scrubber is None else scrubber
        self._reader = RequestReader(self._scrubber)
        self._asked: dict = {}  # the key of a request, or of a tool call: how often it was asked
        self._refused = 0
        self.turns: list = []  # [user, assistant]
        self.model_calls: list = []  # entries as a recording has them
        self.tool_calls: list = []
        self.used: set = set()  # ("model" or "tool", place in the recording)
        self.live_calls = 0
        self.adopted: list = []  # (place in the recording, the request that takes its answer over, what changed)
        self.notes: list = []  # differences that are no divergence
        self.moved: list = []  # calls that were recorded on another turn, in words
        self.departure: Departure | None = None
        self.fault: GatekitError | None = None
        self.positions = list(recording.positions) if recording is not None else parameter_names(self._target(client, methods)) if client is not None else []
        if recording is not None:
            recording.teach(self._scrubber)
        self.tools = {}
        for name, function in (tools or {}).items():
            if not isinstance(name, str) or not callable(function):
                raise CaseError(f"the tool {quote(str(name))} is no function", path=("tools",))
            self.tools[name] = self._tool(name, function)
        self.client = self._client(methods)

    # --- what the two sides say

    @property
    def turn(self) -> int:
        """The number of the turn that is going on, from 0."""
        return max(len(self.turns) - 1, 0)

    def user(self, text: str) -> None:
        """The user says something: a turn begins."""
        if not isinstance(text, str):
            raise CaseError(f"what the user says is text, not a {type(text).__name__}")
        self.turns.append([text, None])

    def assistant(self, text: str | None) -> None:
        """The agent replies: the turn ends."""
        if text is not None and not isinstance(text, str):
            raise TypeError(f"the agent's reply is a {type(text).__name__}: it is text")
        if not self.turns:
            raise CaseError("the agent replies to a user: tell user(text) first")
        self.turns[-1][1] = text or ""

    @property
    def conversation(self) -> Conversation:
        """The agent's own trajectory: the user's words, its replies, the calls that it made. Calls between the same two requests are parallel."""
        return Conversation.from_messages(trajectory_of(self.turns, self.tool_calls))

    @property
    def usage(self) -> dict:
        """The sum of what was recorded of the usage of the model calls."""
        return usage_of(self.model_calls)

    def recording(self, name: str, source: str | None = None, case: str | None = None) -> Recording:
        """What was recorded, without secrets."""
        if self.fault is not None:
            raise self.fault
        return Recording.of_log(name, source, case, self.turns, self.positions, self.model_calls, self.tool_calls)

    def save(self, path: str, name: str) -> None:
        """Write what was recorded to a file, under the name of its scenario. Raises GatekitError where it cannot be written."""
        from ..ground.files import spelt

        path = str(path)
        if not path.endswith(ENDING):
            raise CaseError(f"the name of a recording ends with {ENDING}, so that nothing takes it for a case: {quote(spelt(path))} does not")
        write_recording(path, self.recording(name), spelt(path))

    # --- the client

    def _target(self, client, methods: list):
        return _at(client, methods[0]) if methods else client

    def _client(self, methods: list):
        if not methods:
            function = self._real
            return _shaped(function, lambda *args, **kwargs: self._ask(self._connected, True, args, kwargs))
        node = _Client(methods)
        for place, path in enumerate(methods):
            *folders, leaf = path.split(".")
            at = node
            for folder in folders:
                at = at.__dict__.setdefault(folder, _Client(methods))
            function = _at(self._real, path) if self._real is not None else None
            at.__dict__[leaf] = _shaped(function, self._asker(path, not place))
        return node

    def _asker(self, path: str, is_first: bool):
        return lambda *args, **kwargs: self._ask(lambda: _at(self._connected(), path), is_first, args, kwargs)

    def _connected(self):
        if self._real is None and self._connect is not None:
            self._real = self._connect()
            if self._recording is None:
                self.positions = parameter_names(self._target(self._real, self._methods))
        if self._real is None:
            raise self._at_fault(GatekitError("the scenario has no client to ask: give it client= or connect="))
        return self._real

    def _ask(self, find_real, is_first: bool, args: tuple, kwargs: dict):
        self._refuse_once_departed()
        real = find_real() if self._recording is None else None
        try:
            request = self._reader.read(named_arguments(args, kwargs, self.positions if is_first else []))
            settings = self._reader.settings(request) if request.settings else {}
        except GatekitError as error:
            raise self._at_fault(type(error)(f"turn {self.turn}: a model's request cannot be recorded: {error}")) from None
        entry = {"turn": self.turn, "key": request.key, "ordinal": self._count(request.key), "request": request.parts}
        if settings:
            entry["settings"] = settings
        self.model_calls.append(entry)
        if self._recording is not None:
            place = self._recording.model_place(request.key, entry["ordinal"])
            if place is None and self._adopt:
                place = self._adopted(request)
            if place is not None:
                recorded = self._recording.model_calls[place]
                self._met("model", place, recorded)
                if settings != recorded.get("settings", {}):
                    changes = setting_changes(recorded.get("settings", {}), settings)
                    self.notes += [f"turn {self.turn}, model call {place}: setting {words}" for words in changes]
                return self._replay(entry, recorded, "response")
            if not self._live:
                self._depart(self._departure_of(request, entry["ordinal"]))
            entry["added"] = "live"
            self.live_calls += 1
        return self._perform(find_real() if real is None else real, args, kwargs, entry, "response")

    def _departure_of(self, request, ordinal: int) -> Departure:
        what = f"a request to the model has no recorded answer (key {request.key})"
        if ordinal:
            what = f"a request to the model was recorded {ordinal} time{'s' * (ordinal > 1)}, and asked once more (key {request.key})"
            return Departure(self.turn, what, request.key, None, ())
        place = self._nearest(request)
        if place is None:
            return Departure(self.turn, what, request.key, None, ())
        recorded = self._recording.model_calls[place]
        known = f"model call {place} of turn {recorded['turn']} (key {recorded['key']})"
        return Departure(self.turn, what, request.key, known, changes_of(recorded["request"], request.parts))

    def _nearest(self, request) -> int | None:
        """The recorded request that differs in the fewest components; of several one of this turn, and one that was not asked yet."""
        calls = self._recording.model_calls
        ranks = [
            (distance(request.parts, call["request"]), call["turn"] != self.turn, ("model", place) in self.used, place) for place, call in enumerate(calls)
        ]
        return min(ranks)[-1] if ranks else None

    def _adopted(self, request) -> int | None:
        """The recorded request whose answer this one takes over: the next of its turn that was not asked yet, of as many messages from the same sides."""
        for place, call in enumerate(self._recording.model_calls):
            if call["turn"] == self.turn and ("model", place) not in self.used:
                if _sides(call["request"]) != _sides(request.parts):
                    return None
                self.adopted.append((place, request, changes_of(call["request"], request.parts)))
                return place
        return None

    # --- the tools

    def _tool(self, name: str, function):
        names = parameter_names(function)
        return _shaped(function, lambda *args, **kwargs: self._use(name, function, names, args, kwargs), name)

    def _use(self, name: str, function, names: list, args: tuple, kwargs: dict):
        self._refuse_once_departed()
        try:
            arguments = _tool_arguments(args, kwargs, names)
            arguments, spelt = self._scrubber.cleaned(plain(arguments))
        except GatekitError as error:
            raise self._at_fault(type(error)(f"turn {self.turn}: a call of the tool {quote(name)} cannot be recorded: {error}")) from None
        ordinal = self._count((name, spelt))
        entry = {"turn": self.turn, "after": len(self.model_calls), "name": name, "arguments": arguments, "ordinal": ordinal}
        self.tool_calls.append(entry)
        if self._recording is not None:
            place = self._recording.tool_place(name, spelt, ordinal)
            if place is not None:
                recorded = self._recording.tool_calls[place]
                self._met("tool", place, recorded)
                return self._replay(entry, recorded, "result")
            if not self._live:
                self._depart(self._tool_departure(name, arguments, ordinal))
            entry["added"] = "live"
            self.live_calls += 1
        return self._perform(function, args, kwargs, entry, "result")

    def _tool_departure(self, name: str, arguments: dict, ordinal: int) -> Departure:
        shown = call_words(name, arguments)
        if ordinal:
            return Departure(self.turn, f"the tool call {shown} was recorded {ordinal} time{'s' * (ordinal > 1)}, and made once more", None, None, ())
        what = f"the tool call {shown} has no recorded result"
        calls = self._recording.tool_calls
        of_tool = [place for place, call in enumerate(calls) if call["name"] == name]
        if not of_tool:
            near = nearest(name, [call["name"] for call in calls])
            return Departure(self.turn, what, None, f"no call of {name} was recorded" + (f", calls of {near} were" if near else ""), ())
        place = min(of_tool, key=lambda place: (len(argument_changes(calls[place]["arguments"], arguments)), calls[place]["turn"] != self.turn, place))
        call = calls[place]
        known = f"tool call {place} of turn {call['turn']}, {call_words(name, call['arguments'])}"
        return Departure(self.turn, what, None, known, argument_changes(call["arguments"], arguments))

    # --- what both share

    def _met(self, kind: str, place: int, recorded: dict) -> None:
        self.used.add((kind, place))
        if recorded["turn"] != self.turn and "added" not in recorded:
            self.moved.append(f"{kind} call {place} of turn {recorded['turn']} was made on turn {self.turn}")

    def _count(self, key) -> int:
        ordinal = self._asked.get(key, 0)
        self._asked[key] = ordinal + 1
        return ordinal

    def _at_fault(self, error: GatekitError) -> GatekitError:
        """Remember what the run cannot go on with: an agent may swallow it."""
        self.fault = self.fault or error
        return error

    def _refuse_once_departed(self) -> None:
        if self.departure is not None:
            self._depart(self.departure)

    def _depart(self, departure: Departure) -> None:
        self.departure = departure
        self._refused += 1
        if self._refused > _MOST_REFUSED:
            raise Abandoned
        raise Divergence(departure.words)

    def _replay(self, entry: dict, recorded: dict, name: str):
        for part in (name, "stream", "properties", "classes", "ended", "failed", "awaited", "usage"):
            if part in recorded:
                entry[part] = recorded[part]
        if recorded.get("awaited"):
            return self._later(recorded, name)
        return self._now(recorded, name)

    async def _later(self, recorded: dict, name: str):
        await _Turn()
        return self._now(recorded, name)

    def _now(self, recorded: dict, name: str):
        if "stream" in recorded:
            return Stream(None, None, self._chunks(recorded))
        if "failed" in recorded:
            raise raised(recorded["failed"])
        return answered(recorded[name], *_about(recorded, 0))

    def _chunks(self, recorded: dict):
        for place, chunk in enumerate(recorded["stream"]):
            yield answered(chunk, *_about(recorded, place))
        if "failed" in recorded:
            raise raised(recorded["failed"])
        if not recorded.get("ended"):
            self._depart(Departure(self.turn, "more of a stream was read than was recorded", recorded.get("key"), None, ()))

    def _perform(self, real, args: tuple, kwargs: dict, entry: dict, name: str):
        """Call the real thing, and write down what it gives."""
        try:
            value = real(*args, **kwargs)
        except Exception as error:
            entry["failed"] = told(error)
            raise
        if hasattr(value, "__await__"):
            entry["awaited"] = True
            return self._performed(value, entry, name)
        return self._took(value, entry, name)

    async def _performed(self, value, entry: dict, name: str):
        try:
            value = await value
        except Exception as error:
            entry["failed"] = told(error)
            raise
        return self._took(value, entry, name)

    def _took(self, value: object, entry: dict, name: str):
        if is_stream(value) or is_async_stream(value):
            entry["stream"] = []

            def note(what: str, given: object) -> None:
                if what == "chunk":
                    entry["stream"].append(self._as_data(given, entry, len(entry["stream"])))
                else:
                    entry[what] = True if what == "ended" else told(given)

            return Stream(value, note, None)
        entry[name] = self._as_data(value, entry, 0)
        return value

    def _as_data(self, value: object, entry: dict, place: int) -> object:
        """An answer, or the chunk at a place of it, as plain data; its properties and its usage are written down too."""
        try:
            made = plain(value)
            canonical(made)
        except GatekitError as error:
            whose = f"the result of the tool {quote(entry['name'])}" if "name" in entry else "a model's response"
            more = "; of a stream ask for the stream itself (stream=True)" if _is_helper(value) else ""
            raise self._at_fault(type(error)(f"turn {self.turn}: {whose} cannot be recorded: {error}{more}")) from None
        usage = made.get("usage") or made.get("usage_metadata") if isinstance(made, dict) else None
        if isinstance(usage, dict) and "name" not in entry:
            entry["usage"] = usage
        _write_down(entry, "properties", place, properties_of(value, made))
        _write_down(entry, "classes", place, classes_of(value, made))
        return made


class _Turn:
    """Lets the other tasks of the event loop have their turn, as waiting for a real answer would: calls that were begun together stay together."""

    def __await__(self):
        yield


def _about(recorded: dict, place: int) -> tuple:
    """The properties of an answer, or of a chunk of it, and the classes of its objects."""
    return tuple(each[place] if place < len(each) else {} for each in (recorded.get("properties", ()), recorded.get("classes", ())))


def _write_down(entry: dict, name: str, place: int, what: dict) -> None:
    """Write down what is known of an answer, or of the chunk at a place of it, beside its data."""
    if what or name in entry:
        each = entry.setdefault(name, [])
        each += [{}] * (place - len(each)) + [what]


def _is_helper(value: object) -> bool:
    """Whether a value is what a client's stream is made in: `with client.messages.stream(...) as stream`."""
    return hasattr(type(value), "__enter__") or hasattr(type(value), "__aenter__")


class _Client:
    """Stands for a client, or for a part of one: it has the methods that are recorded, and nothing that would pass the recorder by."""

    def __init__(self, methods: list) -> None:
        self.__dict__["_methods"] = methods

    def __getattr__(self, name: str):
        raise AttributeError(f"the recorder wraps {', '.join(self._methods)}, and not {name}: name it in method= too")


def _at(thing: object, path: str):
    for part in path.split("."):
        try:
            thing = getattr(thing, part)
        except AttributeError:
            raise CaseError(f"the client has no method {quote(path)}: there is no {quote(part)}") from None
    return thing


def _shaped(function, call, name: str | None = None):
    """A wrapper that looks like the function that it stands for."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is not None and code.co_flags & _COROUTINE:

        async def wrapper(*args, **kwargs):
            value = call(*args, **kwargs)
            return await value if hasattr(value, "__await__") else value

    else:

        def wrapper(*args, **kwargs):
            return call(*args, **kwargs)

    for attribute in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__"):
        if hasattr(function, attribute):
            setattr(wrapper, attribute, getattr(function, attribute))
    if function is not None:
        wrapper.__wrapped__ = function
    if name is not None and code is None:
        wrapper.__name__ = name
    return wrapper


def _tool_arguments(args: tuple, kwargs: dict, names: list) -> dict:
    """The arguments of a tool by name. A tool that takes one mapping is taken to be called with its members."""
    if len(args) == 1 and not kwargs and isinstance(args[0], dict) and len(names) <= 1:
        return args[0]
    return named_arguments(args, kwargs, names)


def _sides(parts: dict) -> list:
    messages = parts.get("messages")
    return [message.get("role") if isinstance(message, dict) else None for message in messages] if isinstance(messages, list) else [type(messages).__name__]
