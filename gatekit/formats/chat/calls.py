"""One tool call of a message, in the forms in which calls are written:

    {"id", "type": "function", "function": {"name", "arguments"}}    chat completions; the arguments are JSON text
    {"id", "type": "custom", "custom": {"name", "input"}}            chat completions, a tool that takes any text
    {"id", "name", "arguments"}                                      flat, and our own; a `result` and whether it `failed` may stand in it

Arguments that are text are read as strict JSON. They are never repaired: what does not hold stays the text that came, with the reason. Nothing, and blanks,
are no arguments. A value that is no text stays what it is.
"""
from __future__ import annotations

from ...ground.canonical import json_kind
from ...ground.errors import CaseError, GatekitError
from ...text.quoting import quote
from ..strict_json import read_json
from .flags import recorded_failure
from .keys import CALL_METADATA, check_keys

ARGUMENTS = ("arguments", "args", "input", "parameters")
_KINDS = (None, "function", "custom", "tool_call", "tool_use", "tool-call", "function_call", "invalid_tool_call", "mcp")
_FUNCTION_KEYS = CALL_METADATA.union(ARGUMENTS, ("name",))
_CUSTOM_KEYS = CALL_METADATA.union(("name", "input"))
_PLAIN_KEYS = frozenset(("id", "type", "function"))
_PLAIN_FUNCTION_KEYS = frozenset(("name", "arguments"))
_OUTER_KEYS = CALL_METADATA.union(("id", "call_id", "type", "function", "custom", "requestor", "result", "failed"))
_FLAT_KEYS = _OUTER_KEYS.union(ARGUMENTS, ("name", "error"))


def plain_call(call: object) -> tuple | None:
    """`(id, name, arguments, malformed)` of a call that is written as chat completions write it and has nothing more, else None."""
    if type(call) is not dict or not _PLAIN_KEYS.issuperset(call) or call.get("type", "function") != "function":
        return None
    function = call.get("function")
    if type(function) is not dict or not _PLAIN_FUNCTION_KEYS.issuperset(function) or type(function.get("name")) is not str:
        return None
    id = call.get("id")
    return read_arguments(id or None, function["name"], function.get("arguments")) if type(id) is str and function["name"] else None


def read_call(call: object) -> tuple:
    """One element of a list of calls: (the call, its result as `(value, failed)` or None where it holds none). Raises CaseError where it is no call."""
    if type(call) is not dict:
        raise CaseError(f"a tool call is a mapping, not {json_kind(call)}")
    if call.get("type") not in _KINDS:
        raise CaseError(f"a tool call of the type {shown(call['type'])} is not known: it is a function or custom")
    function, custom = call.get("function"), call.get("custom")
    if function is not None:
        check_keys(call, _OUTER_KEYS, "a tool call", True)
        check_keys(_mapping(function, "function"), _FUNCTION_KEYS, "the function of a tool call", True)
        told = read_arguments(call_id(call.get("id")), function.get("name"), given_arguments(function))
    elif custom is not None:
        check_keys(call, _OUTER_KEYS, "a tool call", True)
        check_keys(_mapping(custom, "custom"), _CUSTOM_KEYS, "the custom tool of a call", True)
        told = free_text(call_id(call.get("id")), custom.get("name"), custom.get("input"))
    else:
        check_keys(call, _FLAT_KEYS, "a tool call", True)
        told = read_arguments(call_id(call.get("id", call.get("call_id"))), call.get("name"), given_arguments(call))
        if call.get("type") == "invalid_tool_call" and told[3] is None and call.get("error"):
            told = (*told[:3], "the recording says that the arguments could not be read")
    return told, (call.get("result"), recorded_failure(call)) if "result" in call or call.get("failed") is not None else None


def given_arguments(mapping: dict) -> object:
    """The arguments by whichever of their names they stand. Raises CaseError where they stand twice."""
    value = mapping.get("arguments")
    for name in ARGUMENTS[1:]:
        if name in mapping and mapping[name] is not None:
            if value is not None:
                raise CaseError(f"the arguments of a call stand twice, once as {quote(name)}: keep one")
            value = mapping[name]
    return value


def read_arguments(id: object, name: object, arguments: object) -> tuple:
    """`(id, name, arguments, malformed)` of a call whose arguments are a JSON text, or a value."""
    if type(name) is not str or not name:
        raise CaseError(f'a tool call has the "name" of its tool as text, not {json_kind(name)}' if name != "" else 'the "name" of a tool call is empty')
    if type(arguments) is not str:
        return id, name, {} if arguments is None else arguments, None
    if not arguments or arguments.isspace():
        return id, name, {}, None
    try:
        return id, name, read_json(arguments), None
    except GatekitError as error:
        return id, name, arguments, error.message


def free_text(id: object, name: object, text: object) -> tuple:
    """`(id, name, arguments, malformed)` of a call of a tool that takes any text: the text is the argument."""
    if text is None:
        text = ""
    if type(text) is not str:
        raise CaseError(f"the input of a custom tool is text, not {json_kind(text)}")
    return (*read_arguments(id, name, None)[:2], text, None)


def call_id(id: object) -> object:
    """An id, None where there is none. Raises CaseError where it is neither text nor a whole number."""
    if id is None or id == "":
        return None
    if type(id) is str or type(id) is int:
        return id
    raise CaseError(f"the id of a call is text, not {json_kind(id)}")


def tool_name(name: object) -> str | None:
    """The name of a tool that a result goes to, or None. Raises CaseError where it is no text."""
    if name is None or name == "":
        return None
    if type(name) is str:
        return name
    raise CaseError(f"the name of a tool is text, not {json_kind(name)}")


def shown(value: object) -> str:
    """A word of a message in an error: in quotes and short; what is no text by its kind."""
    if not isinstance(value, str):
        return json_kind(value)
    return quote(value if len(value) <= 40 else value[:40] + "...")


def _mapping(value: object, name: str) -> dict:
    if type(value) is not dict:
        raise CaseError(f"{quote(name)} of a tool call is a mapping, not {json_kind(value)}")
    return value
