"""How the model's message ended, as recorded in the message itself, by whichever name.

A log keeps it as `finish_reason` or `stop_reason`, in the message or in what a framework keeps of the response; an item of a log has a `status`, which says
only that it is not whole.
"""
from __future__ import annotations

_REASONS = ("finish_reason", "finishReason", "stop_reason", "stopReason")
_HOLDERS = ("response_metadata", "data", "kwargs")  # where frameworks wrap a message, and keep what came with it


def recorded_ending(message: dict) -> str | None:
    """The reason for which a message ended, None where none was recorded."""
    for key in _REASONS:
        if type(message.get(key)) is str and message[key]:
            return message[key]
    for key in _HOLDERS:
        inner = recorded_ending(message[key]) if type(message.get(key)) is dict else None
        if inner is not None:
            return inner
    if message.get("status") != "incomplete":
        return None
    details = message.get("incomplete_details")
    reason = details.get("reason") if type(details) is dict else None
    return reason if type(reason) is str and reason else "incomplete"
