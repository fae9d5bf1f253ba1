"""Our own form of a conversation: one message for each step, with the calls and what they gave in it.

    {"role": "system" | "user" | "assistant", "content": text}
                                    an assistant's may have "refusal", "reasoning" and "tool_calls"
    {"id", "name", "arguments", "result", "failed"}
                                    a call; without "result" it was not answered. "arguments" that are text are JSON
                                    text, and what is none is malformed
    {"role": "tool", "id", "name", "result", "failed"}
                                    a result that came later than the step after its call; with "orphan" one that goes to no call

What is None or empty stands nowhere. From this form an equal conversation is read back.
"""
from __future__ import annotations

import json

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def own_messages(conversation, value=lambda value: value) -> list:
    """The messages of a conversation in our own form. `value` is what is done with each argument and result."""
    later = sorted(
        [(call.result_step, call._reply, call) for message in conversation.messages for call in message.calls if call.answered and not _at_once(call)]
        + [(orphan.step, orphan._reply, orphan) for orphan in conversation.orphans],
        key=lambda late: late[:2],
        reverse=True,
    )
    told: list = []
    for message in conversation.messages:
        while later and later[-1][0] < message.step:
            told.append(_later(*later.pop()[1:], value))
        told.append(_message(message, value))
    while later:
        told.append(_later(*later.pop()[1:], value))
    return told


def _at_once(call) -> bool:
    return call.result_step == call.step + 1


def _message(message, value) -> dict:
    own = {"role": message.role, "content": message.text}
    if message.refusal is not None:
        own["refusal"] = message.refusal
    if message.reasoning is not None:
        own["reasoning"] = message.reasoning
    if message.calls:
        own["tool_calls"] = [_call(call, message.role, value) for call in message.calls]
    return own


def _call(call, role: str, value) -> dict:
    own = {} if call.id is None else {"id": call.id}
    own["name"] = call.name
    arguments = call.arguments
    own["arguments"] = value(_ENCODE(arguments) if call.malformed is None and (arguments is None or isinstance(arguments, str)) else arguments)
    if role == "user":
        own["requestor"] = "user"
    if call.answered and _at_once(call):
        own["result"] = value(call.result)
        own["failed"] = call.failed
    return own


def _later(reply: tuple, answered, value) -> dict:
    _, id, name = reply
    orphan = not hasattr(answered, "answered")
    own = {"role": "tool"}
    if id is not None:
        own["id"] = id
    if name is not None:
        own["name"] = name
    own["result"] = value(answered.value if orphan else answered.result)
    own["failed"] = answered.failed
    if orphan:
        own["orphan"] = True
    return own
