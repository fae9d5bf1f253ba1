"""The parts of a message: a table of those that are known, by their `type`, or by the one key that they have.

A row is how the part is read and by which of its keys. A part that is not known is refused: it may hold words or a call.
"""
from __future__ import annotations

from ...ground.canonical import json_kind
from ...ground.errors import CaseError, nearest
from ...text.quoting import quote
from .calls import ARGUMENTS, call_id, free_text, given_arguments, read_arguments, shown, tool_name
from .flags import FLAGS, recorded_failure
from .keys import METADATA, check_keys
from .streams import refuse_piece

_METADATA = METADATA.union(
    ("type", "title", "caller", "toolName", "server_name", "server_label", "state", "providerExecuted", "dynamic", "encrypted_content", "data", "format")
)


def read_parts(said, parts: list) -> None:
    """Tell `said` of each part. Raises CaseError, with the place in the list as `path`."""
    for place, part in enumerate(parts):
        try:
            if type(part) is str:
                said.text(part)
            elif type(part) is not dict:
                raise CaseError(f"a part of a message is text or a mapping, not {json_kind(part)}")
            elif type(part.get("type")) is str:
                _typed(said, part, part["type"])
            else:
                _keyed(said, part)
        except CaseError as error:
            raise error.located(path=(place,)) from None


def result_value(content: object) -> object:
    """What a tool gave back: a text, or the parts of one joined; parts that are not all text stay the list that they are."""
    if content is None:
        return ""
    if type(content) is list:
        texts = [_part_text(part) for part in content]
        return content if None in texts else "".join(texts)
    return content


def _part_text(part: object) -> str | None:
    """The text of a part that is nothing but text, else None."""
    if type(part) is str:
        return part
    if type(part) is not dict or part.get("type", "text") not in ("text", "input_text", "output_text") or type(part.get("text")) is not str:
        return None
    return part["text"]


def _typed(said, part: dict, type_: str) -> None:
    row = PARTS.get(type_)
    if row is None:
        row = _by_pattern(type_, part)
    if row is None:
        refuse_piece(part)
        near = nearest(type_, PARTS)
        raise CaseError(f"there is no part of the type {shown(type_)} in messages" + (f": did you mean {quote(near)}?" if near else f" that is known: {_MEND}"))
    reader, keys, known = row
    check_keys(part, known, f"a part of the type {quote(type_)}", reader in _CALLING)
    reader(said, part, keys)


_MEND = "write its words as a part of the type text, or leave it out where it has none"


def _keyed(said, part: dict) -> None:
    names = [key for key in part if part[key] is not None and key in KEYED]
    if len(names) != 1:
        refuse_piece(part)
        what = f"both {quote(names[0])} and {quote(names[1])}" if names else f"none of the keys that are known ({', '.join(KEYED)})"
        raise CaseError(f'a part has a "type", or one key that says what it is: this one has {what}')
    [name] = names
    check_keys(part, _BESIDE, "a part")
    if name == "text":
        (_thought if part.get("thought") is True else _words)(said, part, ("text",))
        return
    reader, keys, known = KEYED[name]
    value = part[name]
    if type(value) is not dict:
        raise CaseError(f"{quote(name)} of a part is a mapping, not {json_kind(value)}", path=(name,))
    check_keys(value, known, quote(name), reader in _CALLING)
    reader(said, value, keys)


def _words(said, part: dict, keys: tuple) -> None:
    text = part.get(keys[0])
    if type(text) is not str:
        if type(text) is dict and type(text.get("value")) is str:
            text = text["value"]
        else:
            raise CaseError(f"{quote(keys[0])} of a part is text, not {json_kind(text)}")
    said.text(text)


def _thought(said, part: dict, keys: tuple) -> None:
    said.think("\n".join(_thoughts(part.get(key)) for key in keys if part.get(key)))


def _thoughts(value: object) -> str:
    """Reasoning as it is written: text, a part with one, or a list of such. Raises CaseError for anything else."""
    if isinstance(value, list):
        return "\n".join([_thoughts(item) for item in value])
    if isinstance(value, dict):
        value = _first(value, ("text", "thinking", "summary", "content"))
        if isinstance(value, (list, dict)):
            return _thoughts(value)
    if isinstance(value, str):
        return value
    raise CaseError(f"reasoning is text, or parts with text, not {json_kind(value)}")


def _refused(said, part: dict, keys: tuple) -> None:
    text = part.get(keys[0])
    if type(text) is not str:
        raise CaseError(f"{quote(keys[0])} of a part is text, not {json_kind(text)}")
    said.refusal(text)


def _called(said, part: dict, keys: tuple) -> None:
    id, name = keys[:2]
    said.call(read_arguments(call_id(_first(part, id)), _first(part, name), given_arguments(part)))


def _custom(said, part: dict, keys: tuple) -> None:
    said.call(free_text(call_id(_first(part, keys[0])), part.get("name"), part.get("input")))


def _gave(said, part: dict, keys: tuple) -> None:
    ids, names, values = keys
    name = next((key for key in values if key in part), None)
    value, failed = typed_value(part.get(name), name)
    flag = recorded_failure(part)
    said.result(call_id(_first(part, ids)), tool_name(_first(part, names)), value, failed if flag is None else flag)


def typed_value(value: object, name: str | None) -> tuple:
    """`(value, failed)` of what stands in a result by a name: content is text or parts, an output may be `{type, value}`, anything else any value."""
    if name == "output" and type(value) is dict and "value" in value and type(value.get("type")) is str:
        return result_value(value["value"]), True if value["type"].startswith("error") else None
    if name in ("content", None) and isinstance(value, (int, float)):
        raise CaseError(f"the content of a result is text or parts, not {json_kind(value)}")
    if name == "content" and type(value) is list and len(value) == 1 and type(value[0]) is dict and len(value[0]) == 1 and "json" in value[0]:
        return value[0]["json"], None
    return (value if name == "result" and not isinstance(value, list) else result_value(value)), None


def _shown(said, part: dict, keys: tuple) -> None:
    if said.party == "result":
        raise CaseError("a part without words stands in a message of a tool: put it into the content of a result")
    said.media()


def _nothing(said, part: dict, keys: tuple) -> None:
    pass


def _step(said, part: dict, keys: tuple) -> None:
    said.pause()


def _ui_tool(said, part: dict, keys: tuple) -> None:
    """A tool part of an interface: the call, and its result once there is one."""
    nested = part.get("toolInvocation")
    if isinstance(nested, dict):
        part = nested
        check_keys(part, _INVOCATION, '"toolInvocation"', True)
    type_ = part.get("type")
    name = part.get("toolName") or (type_[5:] if isinstance(type_, str) and type_.startswith("tool-") else None)
    inline = None
    if part.get("state") in ("output-error", "output-denied") or part.get("errorText"):
        inline = part.get("errorText") or "", True
    elif "output" in part or "result" in part:
        inline = part.get("output", part.get("result")), None
    said.call(read_arguments(call_id(part.get("toolCallId")), name, part.get("input", part.get("args", part.get("rawInput")))), inline)


def _code(said, part: dict, keys: tuple) -> None:
    said.call(read_arguments(call_id(part.get("id")), "code_execution", {key: part[key] for key in ("language", "code") if key in part}))


def _code_gave(said, part: dict, keys: tuple) -> None:
    outcome = part.get("outcome")
    said.result(call_id(part.get("id")), "code_execution", result_value(part.get("output")), None if outcome is None else outcome != "OUTCOME_OK")


def _bedrock_thought(said, part: dict, keys: tuple) -> None:
    said.think(_thoughts(part.get("reasoningText") or ""))


def _cited(said, part: dict, keys: tuple) -> None:
    content = part.get("content")
    if type(content) is not list:
        raise CaseError(f'"content" of a cited part is a list, not {json_kind(content)}')
    read_parts(said, content)


def _first(mapping: dict, names: tuple) -> object:
    for name in names:
        if mapping.get(name) is not None:
            return mapping[name]
    return None


def _row(reader, keys: tuple = (), *more: str) -> tuple:
    names = [name for key in keys for name in (key if isinstance(key, tuple) else (key,))]
    return reader, keys, _METADATA.union(names, more)


_CALLING = (_called, _custom, _gave, _ui_tool, _code, _code_gave)
_MEDIA_KEYS = (
    "image", "image_url", "input_audio", "audio", "audio_url", "file", "file_id", "file_data", "file_url", "filename", "detail", "video", "video_url",
    "url", "mediaType", "mimeType", "mime_type", "media_type", "source", "content", "text", "value", "sourceId", "source_type", "base64", "s3Location", "bytes",
)  # fmt: skip
_MEDIA = _row(_shown, (), *_MEDIA_KEYS)
_INVOCATION = METADATA.union(("state", "step", "toolCallId", "toolName", "args", "input", "result", "output", "errorText"))
_CALL = _row(_called, (("id", "toolCallId", "call_id", "toolUseId"), ("name", "toolName")), *ARGUMENTS)
_RESULT = _row(
    _gave, (("tool_use_id", "toolCallId", "tool_call_id", "call_id", "toolUseId"), ("name", "toolName"), ("content", "output", "result")), *FLAGS
)  # fmt: skip
_UI_TOOL = _row(_ui_tool, (), "toolCallId", "toolInvocation", "input", "args", "rawInput", "output", "result", "errorText", "approval", "preliminary")
PARTS = {
    "text": _row(_words, ("text",)),
    "input_text": _row(_words, ("text",)),
    "output_text": _row(_words, ("text",), "parsed"),
    "refusal": _row(_refused, ("refusal",)),
    "thinking": _row(_thought, ("thinking",), "closed"),
    "reasoning": _row(_thought, ("reasoning", "text", "summary", "content"), "extras"),
    "reasoning_text": _row(_thought, ("text",)),
    "summary_text": _row(_thought, ("text",)),
    "reasoning.text": _row(_thought, ("text",)),
    "reasoning.summary": _row(_thought, ("summary",)),
    "reasoning.encrypted": _row(_nothing),
    "redacted_thinking": _row(_nothing),
    "redacted-reasoning": _row(_nothing),
    "tool_use": _CALL,
    "server_tool_use": _CALL,
    "mcp_tool_use": _CALL,
    "tool_call": _CALL,
    "tool-call": _CALL,
    "function_call": _row(_called, (("call_id", "id"), ("name",)), *ARGUMENTS),
    "server_tool_call": _CALL,
    "custom_tool_call": _row(_custom, (("call_id", "id"),), "input"),
    "tool_result": _RESULT,
    "tool-result": _RESULT,
    "function_call_output": _RESULT,
    "custom_tool_call_output": _RESULT,
    "server_tool_result": _RESULT,
    "dynamic-tool": _UI_TOOL,
    "tool-invocation": _UI_TOOL,
    "step-start": _row(_step),
    **dict.fromkeys(
        (
            "image", "image_url", "input_image", "computer_screenshot", "input_audio", "audio", "audio_url", "file", "input_file", "document", "search_result",
            "video", "video_url", "video-plain-text", "text-plain", "media", "container_upload", "source", "source-url", "source-document", "reference",
            "image_file", "image-url", "image-data", "file-data", "file-url",
        ),
        _MEDIA,
    ),  # fmt: skip
    "tool-approval-request": _row(_nothing, (), "approvalId", "toolCallId"),
    "tool-approval-response": _row(_nothing, (), "approvalId", "approved", "reason"),
}  # fmt: skip
_TOOL_RESULT = "_tool_result"  # the results of tools that the vendor runs are named for their tool
_TOOL_PART = "tool-"  # and so are the tools of an interface
_DATA_PART = "data-"


def _by_pattern(type_: str, part: dict) -> tuple | None:
    if type_.endswith(_TOOL_RESULT):
        return _RESULT
    if type_.startswith(_TOOL_PART) and "toolCallId" in part:
        return _UI_TOOL
    return _MEDIA if type_.startswith(_DATA_PART) else None


_FUNCTION_CALL = _row(_called, (("id",), ("name",)), *ARGUMENTS)
_FUNCTION_GAVE = _row(_gave, (("id",), ("name",), ("response",)), "willContinue", "scheduling", "parts")
_CODE = _row(_code, ("id",), "code")
_CODE_GAVE = _row(_code_gave, ("id", "outcome", "output"))
KEYED = {
    "text": (),
    "functionCall": _FUNCTION_CALL,
    "function_call": _FUNCTION_CALL,
    "functionResponse": _FUNCTION_GAVE,
    "function_response": _FUNCTION_GAVE,
    "executableCode": _CODE,
    "executable_code": _CODE,
    "codeExecutionResult": _CODE_GAVE,
    "code_execution_result": _CODE_GAVE,
    **dict.fromkeys(("inlineData", "inline_data", "fileData", "file_data"), _row(_shown, (), *_MEDIA_KEYS, "data", "fileUri", "file_uri", "displayName")),
    "toolUse": _row(_called, (("toolUseId",), ("name",)), *ARGUMENTS),
    "toolResult": _row(_gave, (("toolUseId",), (), ("content",)), *FLAGS),
    "reasoningContent": _row(_bedrock_thought, ("reasoningText",), "redactedContent"),
    "citationsContent": _row(_cited, ("content",)),
    **dict.fromkeys(("image", "document", "video", "audio", "searchResult"), _MEDIA),
    **dict.fromkeys(("cachePoint", "guardContent"), _row(_nothing, (), "text")),
}
_BESIDE = _METADATA.union(KEYED, ("thought", "videoMetadata", "video_metadata", "partMetadata"))
