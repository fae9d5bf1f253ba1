"""The reference of matchers, printed from the table that validates them."""
from __future__ import annotations

from ..ground.canonical import canonical
from ..matchers.catalogue import all_types, type_named
from ..matchers.fields import KINDS
from ..text.quoting import visible


def matcher_reference(name: str) -> str:
    """The reference of one type. Raises CaseError for a type that does not exist."""
    row = type_named(name)
    tier = f"tier {row.tier}" if row.tier else "the highest tier of its matchers"
    lines = [f"{row.name} ({tier})", "  " + row.about, ""]
    for field in row.known.values():
        need = "required" if field.required else "optional" if not _shown(field.default) else f"default {_shown(field.default)}"
        words = KINDS[field.kind][0] if not field.choices else "one of " + ", ".join(field.choices)
        lines.append(f"  {field.name} ({need}): {words}")
        lines.append(f"      {field.about}")
        if isinstance(field.choices, dict):
            lines += [f"      {choice}: {about}" for choice, about in field.choices.items()]
    if row.vetoes:
        lines += ["", "  A failure fails the gate whatever failure rate it allows, unless veto is false."]
    return "\n".join(map(visible, lines)) + "\n"


def types_reference() -> str:
    """All types, a line each."""
    rows = [row for row in all_types() if not row.in_rubrics]
    return "".join(visible(f"{row.name:<18} {row.tier or '-'}  {row.about}") + "\n" for row in rows)


def _shown(default: object) -> str:
    return canonical(default) if isinstance(default, (str, int, bool)) and default != "" else ""
