"""Chat messages in the shapes that are in use, read into one neutral form: entries, in the order of the messages.

    with a role      {"role", "content"} and what stands beside them (roles.py); the content is text or parts (parts.py)
    items            {"type": "function_call", ...}: each call, result and reasoning for itself (items.py)
    wrapped          {"type": "human", "data": {...}} and {"lc": 1, "kwargs": {...}}: the message stands inside
    from and value   {"from": "human", "value": "..."}

Several shapes may stand in one list. An unknown role, part or record is refused with its place; nothing is turned into text by `str()`.
"""
from __future__ import annotations

from ...ground.canonical import json_kind
from ...ground.errors import CaseError, GatekitError, nearest
from ...text.quoting import quote
from .calls import shown
from .entries import Entry
from .items import ITEMS, read_item
from .roles import ROLES, TYPES, read_role_message
from .streams import refuse_foreign, refuse_piece

# What a message is called by frameworks that name it for its class: the role.
_CLASSES = {
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "developer": "developer",
}


def read_messages(messages: list) -> list:
    """The entries of a list of messages. Raises CaseError, with the place of the message as `path`, for what is not understood."""
    entries: list = []
    known_ids: list = []

    def ids() -> set:
        if not known_ids:
            items = [item for item in messages if type(item) is dict and item.get("type") != "item_reference"]
            known_ids.append({item["id"] for item in items if type(item.get("id")) is str})
        return known_ids[0]

    items = False
    for place, message in enumerate(messages):
        try:
            if type(message) is not dict:
                raise CaseError(f"a message is a mapping, not {json_kind(message)}")
            role = message.get("role")
            kind = message.get("type")
            if kind is None and role is not None:
                entries += read_role_message(message, role, place)
                continue
            made = _typed(message, role, kind, place, ids)
            items = items or kind in ITEMS
            entries += made
        except GatekitError as error:
            raise CaseError(error.message, path=error.path).located(path=(place,)) from None
    return _joined(_with_reasoning(entries)) if items else entries


def _typed(message: dict, role: object, kind: object, place: int, ids) -> list:
    """The entries of a message that has a type, or no role."""
    if kind is not None and type(kind) is not str:
        raise CaseError(f'the "type" of a message is text, not {json_kind(kind)}')
    if kind in ITEMS:
        return read_item(message, place, ids)
    if role is not None:
        if kind not in TYPES:
            refuse_foreign(message)
            raise CaseError(_no_type(kind))
        return read_role_message(message, role, place)
    if "lc" in message or kind in _CLASSES:
        return _wrapped(message, kind, place)
    if "from" in message and "content" not in message:
        return read_role_message({{"value": "content"}.get(key, key): value for key, value in message.items() if key != "from"}, message["from"], place)
    refuse_foreign(message)
    if kind is not None:
        raise CaseError(_no_type(kind))
    if "role" in message:
        raise CaseError('the "role" of a message is null: write who said it')
    meant = next((key for key in message if type(key) is str and nearest(key, ("role",))), None)
    raise CaseError('a message has a "role", or the "type" of an item' + (f": did you mean that by {shown(meant)}?" if meant else ""))


def _wrapped(message: dict, kind: object, place: int) -> list:
    inner, outer = message, kind
    if "lc" in message:
        inner, outer = message.get("kwargs"), message.get("id")
        outer = outer[-1] if type(outer) is list and outer else None
    elif "data" in message and "content" not in message:
        inner = message["data"]
    if type(inner) is not dict:
        raise CaseError(f"the message inside a wrapped one is a mapping, not {json_kind(inner)}")
    if type(outer) is not str or outer not in _CLASSES:
        refuse_piece({"type": outer})
        raise CaseError(f"a wrapped message is one of {', '.join(_CLASSES)}, not {shown(outer)}")
    return read_role_message(inner, _CLASSES[outer], place)


def _with_reasoning(entries: list) -> list:
    """The entries with reasoning that stands alone told by what the model did next."""
    told: list = []
    held: list = []
    for entry in [*entries, None]:
        if entry is not None and entry.kind == "reasoning":
            held.append(entry)
            continue
        text = "\n".join(one.reasoning for one in held if one.reasoning)
        if entry is not None and entry.kind == "assistant":
            if text:
                entry.reasoning = text if entry.reasoning is None else f"{text}\n{entry.reasoning}"
        elif text:
            told.append(Entry("assistant", held[-1].message, reasoning=text, joins=True))
        held = []
        if entry is not None:
            told.append(entry)
    return told


def _joined(entries: list) -> list:
    """The entries with those that go on with the one before them taken into it."""
    joined: list = []
    for entry in entries:
        if entry.joins and joined and joined[-1].kind == "assistant":
            if joined[-1].more is None:
                joined[-1].more = []
            joined[-1].more.append(entry)
        else:
            joined.append(entry)
    for entry in joined:
        if entry.more is not None:
            entry.reasoning = "\n".join([one.reasoning for one in (entry, *entry.more) if one.reasoning]) or None
    return joined


def _no_type(kind: str) -> str:
    near = nearest(kind, [*ITEMS, *ROLES, "message"])
    mend = f": did you mean {quote(near)}?" if near else " that is known: see the README for the shapes"
    return f"there is no message or item of the type {shown(kind)}{mend}"
