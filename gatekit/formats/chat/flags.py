"""What is recorded beside a result: whether it was an error.

`is_error`, `isError` and `failed` say it outright, either way. An `error` that is not empty, and a `status` of FAILED, say that it failed; other statuses say
nothing, since a tool that ran to its end may have given back an error.
"""
from __future__ import annotations

from ...ground.canonical import json_kind
from ...ground.errors import CaseError
from ...text.quoting import quote

OUTRIGHT = ("is_error", "isError", "failed")
FLAGS = frozenset((*OUTRIGHT, "error", "status"))
FAILED = frozenset(("failed", "failure", "fail", "error", "errored", "incomplete", "cancelled", "canceled", "timeout", "timed_out", "expired"))
DONE = ("completed", "success", "succeeded", "ok")


def recorded_failure(mapping: dict) -> bool | None:
    """True or False as recorded, None where nothing was. Raises CaseError for a flag that is neither true nor false."""
    for name in OUTRIGHT:
        flag = mapping.get(name)
        if flag is not None:
            if flag is True or flag is False:
                return flag
            raise CaseError(f"{quote(name)} is true or false, not {json_kind(flag)}")
    error = mapping.get("error")
    if error:
        return True
    status = mapping.get("status")
    if type(status) is str and status.lower() in FAILED:
        return True
    return False if error is False else None
