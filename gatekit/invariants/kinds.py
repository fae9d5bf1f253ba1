"""The kinds of fields that only invariants have, as rows of the table of kinds (matchers/fields.py)."""
from __future__ import annotations

from ..ground.errors import CaseError
from ..matchers.fields import KINDS, Field
from ..text.quoting import quote
from .events import Calls, read_event, read_names
from .expressions import read_pattern
from .scopes import read_scope

CALLS, EVENT, SCOPE, TOOLS, WORDS = "event or tools", "event", "scope", "tools", "words"


def _calls(value: object, field: Field) -> Calls:
    if not isinstance(value, dict):
        return Calls(read_names(value))
    event = read_event(value)
    if not isinstance(event, Calls) or event.failed is not None:
        raise CaseError(f'{quote(field.name)} is a call, {{"tool": NAME, "args": {{...}}}}, without "failed": only a successful one counts')
    return event


KINDS.update(
    {
        CALLS: ("the name of a tool, a list of names, or an event: {tool: NAME, args: {...}}", _calls),
        WORDS: ("text: a regular expression, sought in words as they are read, whatever their case", lambda value, field: read_pattern(value, field.name)),
        EVENT: (
            "an event: {user: REGEX}, {assistant: REGEX}, {tool: NAME, args: {...}, failed: BOOLEAN}, {tool_failed: NAME} or {any_of: [...]}",
            lambda value, field: read_event(value),
        ),
        SCOPE: ("a mapping with after, before or both, each an event", lambda value, field: read_scope(value)),
        TOOLS: ("the name of a tool, or a list of names", lambda value, field: read_names(value)),
    }
)
