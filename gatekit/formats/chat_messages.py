"""Chat messages in the shapes that are in use, read into one neutral form: entries, in the order of the messages.

An entry is what one party said or did at one place of the list:

    system      instructions (also of role `developer`)
    user        words of the user
    assistant   words, a refusal, reasoning and calls of the model, all at once
    result      what a tool gave back to one call

An unknown role, block or record is refused with its place; what is known is never turned into text by `str()`.
"""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, GatekitError
from ..text.quoting import quote
from .strict_json import read_json


class Entry:
    """One entry. `message` is the place of its message in the list, from 0; `joins` says that an assistant's entry goes on with the one before it.

    `calls` are `(id, name, arguments, malformed)`: `arguments` is the parsed value, or the text as it came where `malformed` says why it could not be
    parsed. A result has the `id` and `name` that it goes to (either may be None), its `value` (text or a JSON value) and `failed`: True, False, or
    None where that was not recorded.
    """

    __slots__ = ("kind", "message", "text", "refusal", "reasoning", "calls", "joins", "id", "name", "value", "failed")

    def __init__(self, kind, message, text="", refusal=None, reasoning=None, calls=(), joins=False, id=None, name=None, value=None, failed=None) -> None:
        self.kind, self.message, self.text, self.refusal, self.reasoning, self.calls, self.joins = kind, message, text, refusal, reasoning, calls, joins
        self.id, self.name, self.value, self.failed = id, name, value, failed


def read_messages(messages: list) -> list:
    """The entries of a list of messages. Raises CaseError, with the place of the message as `path`, for what is not understood."""
    entries: list = []
    for place, message in enumerate(messages):
        try:
            entries += _entries(message, place)
        except CaseError as error:
            raise error.located(path=(place,)) from None
    return entries


def _entries(message: object, place: int) -> list:
    if not isinstance(message, dict):
        raise CaseError(f"a message is a mapping, not {json_kind(message)}")
    kind = message.get("type")
    if "role" not in message and kind == "function_call":
        return [Entry("assistant", place, calls=(_call(message.get("call_id"), message.get("name"), message.get("arguments")),), joins=True)]
    if "role" not in message and kind == "function_call_output":
        return [Entry("result", place, id=message.get("call_id"), value=message.get("output"))]
    role = message.get("role")
    if role in ("system", "developer"):
        return [Entry("system", place, _text(message.get("content")))]
    if role == "user":
        return [Entry("user", place, _text(message.get("content")))]
    if role == "assistant":
        calls = tuple(_tool_call(call) for call in message.get("tool_calls") or ())
        return [Entry("assistant", place, _text(message.get("content")), message.get("refusal"), None, calls)]
    if role == "tool":
        return [Entry("result", place, id=message.get("tool_call_id"), name=message.get("name"), value=_text(message.get("content")))]
    raise CaseError(f"there is no role {quote(str(role))}" if role is not None else 'a message has a "role"')


def _text(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content)


def _tool_call(call: dict) -> tuple:
    function = call.get("function", call)
    return _call(call.get("id"), function.get("name"), function.get("arguments"))


def _call(id: object, name: object, arguments: object) -> tuple:
    if not isinstance(arguments, str):
        return id, name, {} if arguments is None else arguments, None
    if not arguments.strip():
        return id, name, {}, None
    try:
        return id, name, read_json(arguments), None
    except GatekitError as error:
        return id, name, arguments, error.message
