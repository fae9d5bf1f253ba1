"""Items: the records of a log in which each call, each result and each reasoning stands for itself, told apart by `type`.

Tables by type. A tool that the vendor runs itself is a call that its item answers, where the item holds its result or says that it is done.
"""
from __future__ import annotations

from ...ground.canonical import json_kind
from ...ground.errors import CaseError
from .calls import call_id, free_text, given_arguments, read_arguments, shown, tool_name
from .entries import Entry
from .flags import DONE, FLAGS, recorded_failure
from .keys import METADATA, check_keys
from .parts import result_value

_METADATA = METADATA.union(
    FLAGS, ("type", "call_id", "server_label", "approval_request_id", "encrypted_content", "acknowledged_safety_checks", "pending_safety_checks"),
    ("environment", "execution", "max_output_length"),
)  # fmt: skip

# type: (the key of the arguments, and whether these are any text)
_CALLS = {
    "function_call": ("arguments", False),
    "custom_tool_call": ("input", True),
}
# type of a call that has no name of its own: (name, keys of the arguments; one alone that holds a mapping is the arguments themselves)
_NAMED_CALLS = {
    "computer_call": ("computer", ("action", "actions")),
    "local_shell_call": ("local_shell", ("action",)),
    "shell_call": ("shell", ("action",)),
    "apply_patch_call": ("apply_patch", ("operation",)),
    "tool_search_call": ("tool_search", ("arguments",)),
}
# type of a tool that the vendor runs: (name or None where the item has one, keys of the arguments, key of the result)
_HOSTED = {
    "web_search_call": ("web_search", ("action",), "results"),
    "file_search_call": ("file_search", ("queries",), "results"),
    "code_interpreter_call": ("code_interpreter", ("code",), "outputs"),
    "image_generation_call": ("image_generation", ("revised_prompt", "action"), "result"),
    "mcp_call": (None, ("arguments",), "output"),
}
# type of a result: the key of its value
_OUTPUTS = {
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "computer_call_output": "output",
    "local_shell_call_output": "output",
    "shell_call_output": "output",
    "apply_patch_call_output": "output",
    "tool_search_output": "tools",
}
_SILENT = frozenset(("mcp_list_tools", "mcp_approval_request", "mcp_approval_response"))
_ABSENT = frozenset(("item_reference", "compaction", "compaction_summary"))
ITEMS = frozenset((*_CALLS, *_NAMED_CALLS, *_HOSTED, *_OUTPUTS, *_SILENT, *_ABSENT, "reasoning"))
_CALL_KEYS = METADATA.union(("type", "call_id", "name", "arguments", "input", "namespace"))
_IMAGE_KEYS = ("background", "output_format", "quality", "size", "partial_image_b64")


def read_item(item: dict, place: int, ids) -> list:
    """The entries of an item whose type is one of ITEMS. `ids` gives the ids of all items of the log. Raises CaseError."""
    type_ = item["type"]
    if type_ in _CALLS:
        key, free = _CALLS[type_]
        check_keys(item, _CALL_KEYS, shown(type_), True)
        id, name = call_id(_of_call(item)), item.get("name")
        return [_made(place, free_text(id, name, item.get(key)) if free else read_arguments(id, name, given_arguments(item)))]
    if type_ in _OUTPUTS:
        return [_output(item, place, type_, _OUTPUTS[type_])]
    if type_ in _NAMED_CALLS:
        name, keys = _NAMED_CALLS[type_]
        check_keys(item, _METADATA.union(keys), shown(type_), True)
        return [_made(place, read_arguments(call_id(_of_call(item)), name, _gathered(item, keys)))]
    if type_ in _HOSTED:
        return _hosted(item, place, type_, *_HOSTED[type_])
    if type_ == "reasoning":
        check_keys(item, _METADATA.union(("summary", "content", "text")), shown(type_))
        return [Entry("reasoning", place, reasoning=_reasoning(item))]
    if type_ in _ABSENT and not (type_ == "item_reference" and call_id(item.get("id")) in ids()):
        raise CaseError(f"{shown(type_)} stands for what is not in this list: record the items themselves")
    return []


def _of_call(item: dict) -> object:
    return item["call_id"] if item.get("call_id") is not None else item.get("id")


def _made(place: int, call: tuple) -> Entry:
    return Entry("assistant", place, calls=(call,), joins=True)


def _output(item: dict, place: int, type_: str, key: str) -> Entry:
    check_keys(item, _METADATA.union((key,)), shown(type_), True)
    if key not in item:
        raise CaseError(f'{shown(type_)} has no "{key}": record what the tool gave back')
    if isinstance(item[key], (int, float)):
        raise CaseError(f'"{key}" of {shown(type_)} is text or parts, not {json_kind(item[key])}')
    return Entry("result", place, id=call_id(_of_call(item)), name=tool_name(item.get("name")), value=result_value(item[key]), failed=recorded_failure(item))


def _hosted(item: dict, place: int, type_: str, name: str | None, keys: tuple, result: str) -> list:
    check_keys(item, _METADATA.union(keys, _IMAGE_KEYS, (result, "name")), shown(type_), True)
    arguments = given_arguments(item) if name is None else _gathered(item, keys)
    id = call_id(_of_call(item))
    call = read_arguments(id, name or item.get("name"), arguments)
    failed = recorded_failure(item)
    value = item.get(result)
    if value is None and failed:
        value = item.get("error")
    if value is None and failed is None and item.get("status") not in DONE:
        return [_made(place, call)]
    return [_made(place, call), Entry("result", place, id=id, name=call[1], value=value, failed=failed, at=0)]


def _gathered(item: dict, keys: tuple) -> object:
    """The arguments that stand in keys of the item."""
    given = {key: item[key] for key in keys if item.get(key) is not None}
    [only] = given.values() if len(given) == 1 else (None,)
    return only if isinstance(only, dict) else given


def _reasoning(item: dict) -> str | None:
    texts = []
    for key in ("summary", "content", "text"):
        value = item.get(key)
        for part in value if isinstance(value, list) else [value]:
            text = part.get("text") if isinstance(part, dict) else part
            if text is None:
                continue
            if not isinstance(text, str):
                raise CaseError(f"reasoning is text, not {json_kind(text)}", path=(key,))
            texts.append(text)
    return "\n".join(texts) or None
