"""All types of matchers and invariants by name: those of the families, and those that a team registers.

A family is a module of this folder, or of the invariants' beside it, with a table `TYPES`. It is imported by the first rule that wants it: most sets use
few of them.
"""
from __future__ import annotations

from ..ground.errors import CaseError, nearest
from ..text.quoting import quote

FAMILIES = {
    "exact": ("exact_text", "exact_json"),
    "facts": ("must_include", "contains", "contains_any", "contains_all", "starts_with", "ends_with", "one_of", "near"),
    "amounts": ("count",),
    "bans": ("must_exclude", "not_contains", "forbidden_prefix", "no_secrets", "not_refusal", "refusal"),
    "expressions": ("regex", "not_regex"),
    "json_values": ("json_field", "is_json"),
    "recorded": ("finish_reason",),
    "budget": ("budget",),
    "contract": ("json_subset", "json_equal", "json_schema", "normalized_text_equal"),
    "grounding": ("facts_grounded", "absent_unless_supported"),
    "sourced_values": ("values_from_source",),
    "tool_calls": ("tool_calls",),
    "similarity": ("embedding_similarity", "text_similarity"),
    "review": ("human_review",),
    "combinators": ("not", "any_of", "all_of", "at_least"),
}
INVARIANTS: dict = {
    "patterns": ("absence", "existence", "universality", "precedence", "response"),
    "asking": ("never_reask",),
    "confirming": ("confirm_before",),
    "calling": ("claim_needs_call", "no_repeat_call", "every_call_answered"),
    "sourcing": ("args_from_conversation",),
    "carrying": ("carry_forward",),
    "limits": ("max_turns", "max_calls"),
    "at_once": ("max_parallel", "calls_alone"),
}
# From the module's own name: that of its package is not known while a zip of 3.9 is imported.
_HERE = __name__.rpartition(".")[0]
_BESIDE = _HERE.rpartition(".")[0] + ".invariants"
_HOME = {name: f"{package}.{family}" for package, families in ((_HERE, FAMILIES), (_BESIDE, INVARIANTS)) for family, names in families.items() for name in names}
# The types whose family was imported, and a team's own.
TYPES: dict = {}


def is_known(name: str) -> bool:
    """Whether there is a type of that name."""
    return name in TYPES or name in _HOME


def type_named(name: object):
    """The MatcherType of that name. Raises CaseError naming the nearest one."""
    if not isinstance(name, str):
        raise CaseError('a rule has a "type": its name as text', path=("type",))
    if name not in TYPES and name in _HOME:
        family = __import__(_HOME[name], fromlist=["TYPES"])
        TYPES.update((row.name, row) for row in family.TYPES)
    row = TYPES.get(name)
    if row is None:
        near = nearest(name, [*_HOME, *TYPES])
        raise CaseError(f"there is no rule of type {quote(name)}" + (f": did you mean {quote(near)}?" if near else ": see --explain all; a type of your own needs the module that registers it, by --plugin on the command line"), path=("type",))
    return row


def registered(function) -> object:
    """The MatcherType that a team's function was registered as; None for a function that was not."""
    return next((row for row in TYPES.values() if row.function is not None and row.function is function), None)


def all_types() -> list:
    """Every type: those of the package in their order, then a team's own."""
    return [type_named(name) for name in dict.fromkeys([*_HOME, *TYPES])]
