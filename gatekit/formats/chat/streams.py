"""Records that are no messages: pieces of a stream, whole responses, and messages of frameworks that write them in a way of their own.

Reading a stream piece by piece would look at words that are cut anywhere, so it is refused, with what to record instead.
"""
from __future__ import annotations

from ...ground.errors import CaseError
from ...text.quoting import quote

_WHOLE = "record the whole message, once the stream has ended"
_STREAM_TYPES = (
    "response.", "content_block_", "message_start", "message_delta", "message_stop", "ping", "text-delta", "text-start", "text-end", "reasoning-",
    "tool-input-", "text_delta", "input_json_delta", "thinking_delta", "thread.", "AIMessageChunk", "HumanMessageChunk",
)  # fmt: skip
# A key, and what a record that has it is, with the mend. The first that applies.
_FOREIGN = {
    "delta": f"a piece of a stream: {_WHOLE}",
    "deltas": f"a piece of a stream: {_WHOLE}",
    "choices": 'a whole chat completion: record the message in it, "choices[0].message"',
    "candidates": 'a whole response: record the content in it, "candidates[0].content"',
    "messages": 'a list of messages in a record of its own: record the messages themselves',
    "contents": 'a list of contents in a record of its own: record the contents themselves',
    "conversations": 'a list of messages in a record of its own: record the messages themselves',
    "output_text": 'a whole response: record the items of its "output"',
    "message": 'a record around a message: record what stands in its "message"',
    "kind": "a message of requests and responses by parts (part_kind): convert it to role and content",
    "event": f"an event of a stream: {_WHOLE}",
    "blocks": 'a message in "blocks": write them as "content"',
    "items": 'a message in "items": write them as "content"',
    "source": 'a message with a "source" and no role: write a "role"',
}  # fmt: skip


def refuse_foreign(record: dict) -> None:
    """Refuse a record that is known to be no message. Raises CaseError that says what it is; returns where nothing is known of it."""
    refuse_piece(record)
    if record.get("object") == "response" or isinstance(record.get("output"), list) and "role" not in record:
        raise CaseError('this is a whole response: record the items of its "output"')
    for key, words in _FOREIGN.items():
        if key in record and record[key] is not None:
            raise CaseError(f"this is {words}")


def refuse_piece(record: dict) -> None:
    """Refuse a piece of a stream, where it says that it is one."""
    type_, object_ = record.get("type"), record.get("object")
    if isinstance(type_, str) and type_.startswith(_STREAM_TYPES):
        raise CaseError(f"this is {quote(type_[:40])}, a piece of a stream: {_WHOLE}")
    if isinstance(object_, str) and object_.endswith((".chunk", ".delta")):
        raise CaseError(f"this is {quote(object_[:40])}, a piece of a stream: {_WHOLE}")
