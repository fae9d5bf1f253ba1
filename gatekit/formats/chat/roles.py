"""Messages with a role: who speaks, by which keys, and what is said beside the content."""
from __future__ import annotations

from ...ground.canonical import canonical, json_kind
from ...ground.errors import CaseError, nearest
from ...text.quoting import quote
from ..strict_json import read_json
from .calls import call_id, plain_call, read_call, shown, tool_name
from .entries import PARTIES, Entry, Said
from .flags import FLAGS, recorded_failure
from .keys import METADATA, check_keys, refuse_words
from .parts import read_parts, typed_value

# role: party
ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "ai": "assistant",
    "gpt": "assistant",
    "tool": "result",
    "function": "result",
    "function_call": "assistant",
    "tool_call": "assistant",
    "observation": "result",
    "tool_response": "result",
    "function_response": "result",
    "ipython": "result",
}
_WRITTEN = ("function_call", "tool_call")  # roles of a message that is the JSON text of calls
TYPES = (None, "message", "system", "human", "ai", "tool", "function", "chat", "user", "assistant", "developer", "text")

_ROLE = METADATA.union(("role", "type"))
_CONTENT = frozenset(("content", "parts"))
_REASONING = ("reasoning_content", "reasoning", "thinking", "tool_plan")
_REASONING_LISTS = ("reasoning_details", "thinking_blocks")
_CALLS = ("tool_calls", "toolCalls", "invalid_tool_calls")
_IDS = ("tool_call_id", "toolCallId", "call_id", "tool_use_id", "id")  # of the call that a result goes to
_KNOWN = {
    "system": _ROLE | _CONTENT,
    "user": _ROLE | _CONTENT | {"tool_calls"},
    "assistant": _ROLE.union(
        _CONTENT, _REASONING, _REASONING_LISTS, _CALLS, FLAGS, ("function_call", "refusal", "audio", "additional_kwargs", "toolInvocations")
    ),
    "result": _ROLE.union(
        _CONTENT, FLAGS, _IDS, ("tool_call_ids", "tool_name", "toolName", "artifact", "result", "orphan", "additional_kwargs")
    ),
}
_AUDIO = METADATA | {"transcript", "data", "expires_at"}
# The keys of most messages, which say all that there is to read: the content is text, and calls are in the list of chat completions.
_PLAIN = {
    "system": METADATA | {"role", "content"},
    "user": METADATA | {"role", "content"},
    "assistant": METADATA | {"role", "content", "tool_calls"},
    "result": METADATA - {"id", "status"} | {"role", "content", "tool_call_id"},
}


def read_role_message(message: dict, role: object, place: int) -> list:
    """The entries of a message of a role. Raises CaseError."""
    party = ROLES.get(role) if type(role) is str else None
    if party is None:
        raise CaseError(_no_role(role))
    plain = _PLAIN[party]
    if (plain.issuperset(message) or _all_none(message, plain)) and role not in _WRITTEN:
        content = message.get("content")
        if type(content) is str:
            if party == "result":
                return [Entry(party, place, "", None, None, (), False, call_id(message.get("tool_call_id")), tool_name(message.get("name")), content)]
            if party != "assistant" or not message.get("tool_calls"):
                return [Entry(party, place, content)]
        if party == "assistant" and (type(content) is str or content is None):
            calls = _plain_calls(message.get("tool_calls"))
            if calls:
                return [Entry(party, place, content or "", None, None, calls)]
    known = _KNOWN[party]
    if not known.issuperset(message):
        check_keys(message, known, f"a message of the {PARTIES[party]}")
    if role in _WRITTEN:
        return _written_calls(message, role, place)
    if party == "result":
        return _result(message, place)
    return _spoken(message, party, place, message.get("content"))


def _all_none(message: dict, known: frozenset) -> bool:
    """Whether all that a message has beyond the keys that are known is null."""
    return not any(message[key] is not None for key in message if key not in known)


def _plain_calls(calls: object) -> tuple | None:
    """The calls of a list in which all are written in one way, else None."""
    if type(calls) is not list:
        return None
    read = tuple([plain_call(call) for call in calls])
    return None if None in read else read


def _spoken(message: dict, party: str, place: int, content: object) -> list:
    said = Said(party, place)
    parts = message.get("parts")
    calls = _beside(message) if party == "assistant" else message.get("tool_calls")
    if not (content or parts or calls or message.get("refusal") or message.get("audio")):
        _nothing_said(message, party)
    if content is not None:
        _content(said, content, "content", parts)
    if parts is not None:
        _content(said, parts, "parts", None)
        if type(content) is str and "".join(content.split()) not in "".join(said.words().split()):
            raise CaseError('"content" and "parts" of a message say different things: keep one of them', path=("parts",))
    if party == "user":
        _users_calls(said, calls)
    elif party == "assistant":
        _said_beside(said, message, calls)
    return said.finished()


def _nothing_said(message: dict, party: str) -> None:
    """Refuse a message that says nothing where its words may stand under a key that is not known, or only the model may say nothing."""
    what = f"a message of the {PARTIES[party]}"
    refuse_words(message, _KNOWN[party], what, "content")
    if party != "assistant" and "content" not in message and "parts" not in message:
        raise CaseError(f'{what} has "content": write "" where nothing was said')


def _content(said: Said, content: object, key: str, parts: object) -> None:
    if type(content) is str:
        if parts is None:
            said.text(content)
    elif type(content) is list:
        try:
            read_parts(said, content)
        except CaseError as error:
            raise error.located(path=(key,)) from None
    else:
        raise CaseError(f"{quote(key)} of a message is text, a list of parts or null, not {json_kind(content)}", path=(key,))


def _beside(message: dict) -> list:
    """The calls that stand beside the content of the model's message: (key, place or None, call)."""
    found = []
    more = message.get("additional_kwargs")
    if more is not None and type(more) is not dict:
        raise CaseError(f'"additional_kwargs" is a mapping, not {json_kind(more)}', path=("additional_kwargs",))
    for key in _CALLS:
        found += _listed(message.get(key), key)
    for invocation in _listed(message.get("toolInvocations"), "toolInvocations"):
        found.append(invocation)
    if more and not found:
        found += _listed(more.get("tool_calls"), "additional_kwargs")
    for kept, call in ((message, message.get("function_call")), (more, more.get("function_call") if more else None)):
        if call is not None and (kept is message or not found):
            if type(call) is not dict:
                raise CaseError(f'"function_call" is a mapping, not {json_kind(call)}', path=("function_call",))
            if call:
                found.append(("function_call", None, call))
    return found


def _listed(calls: object, key: str) -> list:
    if calls is None:
        return []
    if type(calls) is not list:
        raise CaseError(f"{quote(key)} is a list of calls, not {json_kind(calls)}", path=(key,))
    return [(key, index, call) for index, call in enumerate(calls)]


def _said_beside(said: Said, message: dict, calls: list) -> None:
    more = message.get("additional_kwargs") or {}
    if more:
        check_keys(more, _KNOWN["assistant"], '"additional_kwargs"')
    for holder in (message, more):
        refusal = holder.get("refusal")
        if refusal is not None:
            if type(refusal) is not str:
                raise CaseError(f'"refusal" is text, not {json_kind(refusal)}', path=("refusal",))
            if refusal and refusal not in said.refusals:
                said.refusal(refusal)
    _reasoning(said, message, more)
    audio = message.get("audio")
    if type(audio) is dict:
        check_keys(audio, _AUDIO, '"audio"')
        if type(audio.get("transcript")) is str and not said.texts:
            said.text(audio["transcript"])
    already = _made(said)
    for key, index, call in calls:
        try:
            if key == "toolInvocations":
                if type(call) is not dict or call_id(call.get("toolCallId")) not in already:
                    read_parts(said, [{"type": "tool-invocation", "toolInvocation": call}])
                continue
            told, inline = read_call(call)
            if told[0] not in already or canonical(told[1:3]) != canonical(already[told[0]][1:3]):
                said.call(told, inline)
            elif inline is not None:  # the same call, said twice in one message: once as a part and once beside
                said.result(*told[:2], *inline)
        except CaseError as error:
            raise error.located(path=(key,) if index is None else (key, index)) from None


def _made(said: Said) -> dict:
    """The calls that the parts of the message made, by id."""
    made = [call for entry in said.entries for call in entry.calls] + said.calls
    return {call[0]: call[:3] for call in made if call[0] is not None}


def _reasoning(said: Said, message: dict, more: dict) -> None:
    for holder in (message, more):
        for key in _REASONING:
            value = holder.get(key)
            if type(value) is str:
                if value and value not in said.thoughts:
                    said.thoughts.insert(0, value)
                    return
            elif value is not None:
                _thinking(said, value, key)
                return
    if not said.thoughts:
        for key in _REASONING_LISTS:
            if message.get(key):
                _thinking(said, message[key], key)
                return


def _thinking(said: Said, value: object, key: str) -> None:
    parts = value if type(value) is list else [{"type": "reasoning", **value}] if type(value) is dict else None
    if parts is None:
        raise CaseError(f"{quote(key)} is text or a list of parts, not {json_kind(value)}", path=(key,))
    try:
        read_parts(said, parts)
    except CaseError as error:
        raise error.located(path=(key,)) from None


def _users_calls(said: Said, calls: object) -> None:
    """Calls of a user who has tools too, as simulated ones do. They say so, since a call of the model must not hide here."""
    for key, index, call in _listed(calls, "tool_calls"):
        try:
            if type(call) is not dict or call.get("requestor") != "user":
                raise CaseError('a call stands in a message of the user: give the message the role of who made it, or the call "requestor": "user"')
            said.made(*read_call(call))
        except CaseError as error:
            raise error.located(path=(key, index)) from None


def _result(message: dict, place: int) -> list:
    id, name = _result_id(message), tool_name(message.get("name", message.get("tool_name", message.get("toolName"))))
    at = -1 if message.get("orphan") is True else None
    if "result" in message:
        if message.get("content") is not None:
            raise CaseError('a message of a tool has "content" and "result": keep one of them')
        return [Entry("result", place, id=id, name=name, value=message["result"], failed=recorded_failure(message), at=at)]
    key = next((key for key in ("content", "parts") if key in message), None)
    if key is None:
        refuse_words(message, _KNOWN["result"], "a message of the tool", "content")
        raise CaseError('a message of a tool has "content": write "" where nothing was given back')
    content = message[key]
    if type(content) is str:
        return [Entry("result", place, id=id, name=name, value=content, failed=recorded_failure(message), at=at)]
    if content is not None and type(content) is not list:
        raise CaseError(
            f'{quote(key)} of a message of a tool is text, a list of parts or null, not {json_kind(content)}: write a JSON value as "result"', path=(key,)
        )
    if key == "parts" or content and any(type(part) is dict and _is_result(part) for part in content):
        said = Said("result", place)
        _content(said, content or [], key, None)
        return said.finished()
    return [Entry("result", place, id=id, name=name, value=typed_value(content, "content")[0], failed=recorded_failure(message), at=at)]


def _is_result(part: dict) -> bool:
    kind = part.get("type")
    return (
        type(kind) is str and (kind in ("tool_result", "tool-result", "tool-approval-response") or kind.endswith("_tool_result"))
        or part.get("functionResponse") is not None or part.get("function_response") is not None or part.get("toolResult") is not None
    )  # fmt: skip


def _result_id(message: dict) -> object:
    for key in _IDS:
        if key in message and message[key] is not None:
            return call_id(message[key])
    ids = message.get("tool_call_ids")
    if type(ids) is list and len(ids) > 1:
        raise CaseError(f'a result goes to one call, and "tool_call_ids" names {len(ids)}: write a message for each', path=("tool_call_ids",))
    return call_id(ids[0]) if type(ids) is list and ids else None


def _written_calls(message: dict, role: str, place: int) -> list:
    """Calls that stand as JSON text in a message of a role of _WRITTEN: one, or a list of them."""
    text = message.get("content")
    if type(text) is not str:
        raise CaseError(f"a message of the role {role} is the JSON text of a call, not {json_kind(text)}")
    value = read_json(text)
    said = Said("assistant", place)
    for call in value if type(value) is list else [value]:
        said.call(*read_call(call))
    return said.finished()


def _no_role(role: object) -> str:
    if type(role) is not str:
        return f'the "role" of a message is text, not {json_kind(role)}'
    near = nearest(role, ROLES)
    return f"there is no role {shown(role)}: " + (f"did you mean {quote(near)}?" if near else f"it is one of {', '.join(ROLES)}")
