"""What a type of matcher is: a row that validates it, compiles it and prints its reference."""
from __future__ import annotations

from ..ground.record import Record
from .fields import Field

LEVELS = ("exact", "careful", "wide")

TARGETS = {
    "output": "the output: never-rules read the whole of it, other rules the answer without reasoning",
    "answer": "the answer without reasoning, never-rules too",
    "reasoning": "the reasoning alone",
    "assistant": "all that the assistant said in the conversation",
    "assistant.last": "what the assistant said last",
    "user": "all that the user said",
    "tool:NAME.args": "the arguments of every call of the tool",
    "tool:NAME.result": "the result of every call of the tool",
}

# The fields that many types share. `name` and `veto` belong to every type; a row names which of the others it has.
COMMON = {
    "name": Field("name", "text", "what reports call the rule", None),
    "veto": Field("veto", "boolean", "a failure fails the gate whatever failure rate it allows (the default of secret rules)", None),
    "field": Field("field", "path", "look at one field of the JSON output, or with [*] at every element", None),
    "target": Field("target", "target", "what to look at", "output", TARGETS),
    "normalize": Field("normalize", "choice", "how the text is read: see the views in the README", None, LEVELS),
    "unless": Field("unless", "texts", "contexts in which the phrase is allowed, as \"never share your PIN\"", None),
}
EVERY = ("name", "veto")
LOOK = ("field", "target")


class MatcherType(Record):
    """One type of matcher.

    `tier` is 1 to 5; None takes the highest of the matchers inside. `compile` turns the compiled values of the fields into a check:
    a function of a Reading that gives an Outcome. `common` names the shared fields beside name and veto. `vetoes` is the
    default of `veto`. `in_rubrics` marks a type that a rubric spells by a field of its own, and a matcher cannot name. `function` is a team's own
    function behind the type: a pickled matcher carries it, so that a worker imports it. `invariant` marks a type that is asked of a whole conversation.
    """

    __slots__ = ("name", "tier", "about", "fields", "compile", "common", "vetoes", "in_rubrics", "function", "invariant")

    def __init__(self, name, tier, about, fields, compile, common=LOOK, vetoes=False, in_rubrics=False, function=None, invariant=False) -> None:
        self._set(name, tier, about, fields, compile, common, vetoes, in_rubrics, function, invariant)

    @property
    def known(self) -> dict:
        """Every field that a matcher of this type may have, by name."""
        return {**{field.name: field for field in self.fields}, **{name: COMMON[name] for name in EVERY + self.common}}
