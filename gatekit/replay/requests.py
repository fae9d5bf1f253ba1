"""A request to a model: what it asks (model, system, messages, tools), how (settings such as the temperature), and the key that it is found by.

The key is the SHA-256 over the canonical JSON of the four components, secrets taken out of them. The settings are not in it: a difference in them is
told. Clients spell the components in several ways, the tables below name them. An argument that is neither a component nor a setting (a known one, or a
number, true or false) is taken for one more message, so that nothing that a model may be asked is left out of the key.

Members of a message that are null are the same as absent ones, and so they are in the mappings of a message's own lists (its parts, its calls).
"""
from __future__ import annotations

from ..ground.canonical import canonical, digest
from ..ground.errors import CaseError
from .scrubbing import Scrubber
from .values import is_foreign, plain

COMPONENTS = ("model", "system", "messages", "tools")
SPELLINGS = {
    "model": ("model", "model_id", "modelId", "model_name", "deployment"),
    "system": ("system", "instructions", "system_instruction", "system_prompt"),
    "messages": ("messages", "input", "contents", "prompt"),
    "tools": ("tools", "functions", "toolConfig", "tool_config"),
}
# Arguments that hold a request, or a part of one.
NESTED = ("request", "body", "config", "params")
# Settings: they change how a model answers, and not what it is asked.
SETTINGS = frozenset("""
    temperature top_p top_k max_tokens max_completion_tokens max_output_tokens max_new_tokens stop stop_sequences seed n stream stream_options timeout
    frequency_penalty presence_penalty logprobs top_logprobs logit_bias response_format text reasoning reasoning_effort thinking tool_choice function_call
    parallel_tool_calls verbosity modalities prompt_cache_key safety_identifier include truncation user metadata store service_tier generation_config
    inferenceConfig extra_headers extra_body extra_query betas
""".split())
# Settings that are what the model is asked where a request has no messages.
_ASKED = ("text", "user")
_SORTED = sorted(COMPONENTS)
_UNNAMED = "argument "
_COMPONENT_OF = {spelling: component for component, spellings in SPELLINGS.items() for spelling in spellings}


class Request:
    """One request: `parts` maps each component that it has to plain data without secrets, `settings` are the other arguments, `key` is its key."""

    __slots__ = ("parts", "settings", "key")

    def __init__(self, parts: dict, settings: dict, key: str) -> None:
        self.parts = parts
        self.settings = settings
        self.key = key

    @property
    def messages(self) -> list:
        """The messages as a list; a request whose messages are something else has that as its only one."""
        messages = self.parts.get("messages")
        return messages if isinstance(messages, list) else [] if messages is None else [messages]


class Spellings:
    """Keys of requests, where the spelling of each message is made once: requests of one conversation share theirs."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict = {}  # id: (the value, which is so kept alive, and its spelling)

    def of(self, value: object) -> str:
        """The canonical JSON of a value that does not change."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = value, canonical(value)
        return known[1]

    def each(self, messages: object) -> list | None:
        """The spellings of a list of messages; None where it is no list."""
        return [self.of(message) for message in messages] if isinstance(messages, list) else None

    def key(self, parts: dict) -> str:
        """The key of a request by its components."""
        spelt = {}
        for component in COMPONENTS:
            value = parts.get(component)
            each = self.each(value) if component == "messages" else None
            spelt[component] = _list_of(each) if each is not None else self.of(value)
        return _key(spelt)


def _list_of(spelt: list) -> str:
    return "[" + ", ".join(spelt) + "]"


def _key(spelt: dict) -> str:
    """The key of a request by the spellings of its components: the digest of the canonical JSON of the four."""
    return digest("{" + ", ".join([f'"{component}": {spelt[component]}' for component in _SORTED]) + "}")


def named_arguments(args: tuple, kwargs: dict, names: list) -> dict:
    """The arguments of a call by their names. `names` are those of the function's parameters; one without a name is called by its place."""
    if len(args) == 1 and not kwargs and isinstance(args[0], dict) and (not names or args[0].keys() & _COMPONENT_OF.keys()):
        return dict(args[0])
    given = {}
    for place, value in enumerate(args):
        given[names[place] if place < len(names) else f"{_UNNAMED}{place + 1}"] = value
    given.update(kwargs)
    return given


def parameter_names(function: object) -> list:
    """The names of a function's parameters that can be given by place, where they can be seen."""
    function = getattr(function, "__wrapped__", function)
    bound = hasattr(function, "__self__")
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:  # an object that is called
        method = getattr(type(function), "__call__", None)
        code, bound = getattr(method, "__code__", None), True
    names = getattr(code, "co_varnames", None)
    # What stands in for a function in a test may have a stand-in for its code, which names nothing.
    return list(names[: code.co_argcount])[bound:] if isinstance(names, tuple) else []


class RequestReader:
    """Reads requests. What it read of a message is remembered, since each request of a conversation repeats those of the one before."""

    __slots__ = ("_scrubber", "_before", "_rest")

    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._before: list = []  # of the request before: (a snapshot of the message, its plain form, its spelling)
        self._rest: dict = {}  # component: the same three of its value

    def read(self, arguments: dict) -> Request:
        """The request that a client's arguments make. Raises CaseError, with the place, for what cannot be recorded."""
        found, settings = _sorted_out(arguments)
        parts, spelt = {}, {component: "null" for component in COMPONENTS}
        for component, value in found.items():
            try:
                if component == "messages" and isinstance(value, (list, tuple)):
                    parts[component], spelt[component] = self._messages(value)
                else:
                    self._rest[component] = known = self._remembered(self._rest.get(component), value, plain)
                    parts[component], spelt[component] = known[1], known[2]
            except CaseError as error:
                raise error.located(path=(component,)) from None
        return Request(parts, settings, _key(spelt))

    def settings(self, request: Request) -> dict:
        """The settings of a request as plain data without secrets; what is no data (a client's own timeout object, say) as the name of its kind."""
        self._rest["settings"] = known = self._remembered(self._rest.get("settings"), request.settings, _as_data)
        return known[1]

    def _messages(self, messages) -> tuple:
        before = self._before
        now, plain_ones, spelt = [], [], []
        for place, message in enumerate(messages):
            known = before[place] if place < len(before) else None
            if known is None or not known[0] == message:
                try:
                    known = self._remembered(None, message, _without_nulls)
                except CaseError as error:
                    raise error.located(path=(place,)) from None
            now.append(known)
            plain_ones.append(known[1])
            spelt.append(known[2])
        self._before = now
        return plain_ones, _list_of(spelt)

    def _remembered(self, known: tuple | None, value: object, shape) -> tuple:
        if known is not None and known[0] == value:
            return known
        return (_snapshot(value), *self._scrubber.cleaned(shape(value)))


def _sorted_out(arguments: dict) -> tuple:
    """The components of a request, and its settings."""
    given = dict(arguments)
    for name in NESTED:
        if name not in given:
            continue
        inner = plain(given[name]) if is_foreign(given[name]) else given[name]
        if isinstance(inner, dict) and inner.keys() & _COMPONENT_OF.keys():
            given.pop(name)
            given.update({key: value for key, value in inner.items() if key not in given})
    found: dict = {}
    settings: dict = {}
    others: dict = {}
    for name, value in given.items():
        component = _COMPONENT_OF.get(name)
        if value is None:
            continue
        if component is not None and component not in found:
            found[component] = value
        elif component is None and (name in SETTINGS or isinstance(value, (bool, int, float))):
            settings[name] = value
        else:
            others[name] = value
    if "messages" not in found:
        others.update((name, settings.pop(name)) for name in _ASKED if name in settings)
    if others:
        found["messages"] = _messages_and(found.get("messages"), others)
    return found, settings


def _messages_and(messages: object, others: dict) -> object:
    """Messages, and the arguments that nobody knows: they may be what the model is asked."""
    if messages is None and all(name.startswith(_UNNAMED) for name in others):
        values = list(others.values())
        return values[0] if len(values) == 1 else values
    listed = list(messages) if isinstance(messages, (list, tuple)) else [] if messages is None else [messages]
    return [*listed, others]


def _as_data(settings: dict) -> dict:
    return {name: _setting(value) for name, value in settings.items()}


def _setting(value: object) -> object:
    try:
        made = plain(value)
        canonical(made)
        return made
    except CaseError:
        return f"a {type(value).__name__}"


def _without_nulls(message: object) -> object:
    message = plain(message)
    if not isinstance(message, dict):
        return message
    return {name: [_members(item) for item in value] if isinstance(value, list) else value for name, value in message.items() if value is not None}


def _members(part: object) -> object:
    return {name: value for name, value in part.items() if value is not None} if isinstance(part, dict) else part


def _snapshot(value: object) -> object:
    """What is equal, as Python compares, only to the same JSON value: a copy in which no 1 is True, and what is no JSON value is equal to nothing."""
    if isinstance(value, dict):
        return {key: item if type(item) is str else _snapshot(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_snapshot, value))
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, int) and value not in (0, 1):
        return value
    return _Exactly(value)


class _Exactly:
    """Equal to a value of the same type that is equal, where that is a bool or a number."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) in (bool, int, float) and type(other) is type(self.value) and other == self.value

    __hash__ = None
