"""What an operator decided on a run of a workflow, as a mapping: a line of a ledger.

    {"decision": "rejected", "workflow": "intel", "run": "1", "number": 3, "operator": "ida", "step": "draft_offer", "attempt": 1,
     "output_sha256": "ab84...", "reason": "..."}

What is approved or rejected is the output of that digest, and no other that stands in its place later. `scripted: true` stands in an approval that no person made: what waits for a person's decision is not settled by it. `number` counts the decisions of the run, from 0 for the one that begins it. So their order stands in them, whoever wrote them where.
"""
from __future__ import annotations

from ..ground.errors import CaseError, nearest
from ..text.quoting import quote

# The members of a decision: those of each, and what it has beyond them.
_MEMBERS = {"decision": str, "workflow": str, "run": str, "number": int, "operator": str}
_MORE = {"step": str, "attempt": int, "reason": str, "inputs": str, "output_sha256": str}
_NEEDS = {
    "begun": ("inputs",),
    "approved": ("step", "attempt", "output_sha256"),
    "rejected": ("step", "attempt", "output_sha256", "reason"),
    "retried": ("step", "attempt"),
    "submitted": (),
}


def check_decision(mapping: dict) -> None:
    """Raise CaseError, with the member as `path`, for a decision that cannot be meant."""
    decision = mapping["decision"]
    if decision not in _NEEDS:
        near = nearest(decision, _NEEDS) if isinstance(decision, str) else None
        raise CaseError(f"a decision is one of {', '.join(_NEEDS)}" + (f": did you mean {near}?" if near else ""), path=("decision",))
    known = {**_MEMBERS, **{name: _MORE[name] for name in _NEEDS[decision]}}
    for name, kind in known.items():
        if name not in mapping:
            raise CaseError(f"what was {decision} has no {quote(name)}: put the line back as it was written", path=(name,))
        if type(mapping[name]) is not kind or mapping[name] == "":
            raise CaseError(f"{quote(name)} of what was {decision} is {'text' if kind is str else 'a whole number'}", path=(name,))
    if (decision == "begun") != (mapping["number"] == 0) or mapping["number"] < 0:
        raise CaseError("the number of a decision is 0 for the one that begins a run, and counts up from there", path=("number",))
    if decision == "approved" and mapping.get("scripted", True) is not True:
        raise CaseError("scripted is true, or left out where a person decided", path=("scripted",))
    for name in mapping:
        if name not in known and not (decision == "approved" and name == "scripted"):
            near = nearest(name, known)
            raise CaseError(f"what was {decision} has no member {quote(name)}" + (f": did you mean {quote(near)}?" if near else ""), path=(name,))
