"""What a check says of a reading, and how what several checks say is combined.

Kleene's three values, and the human queue: `fail`, `unknown` (the evidence was not recorded), `review` (a person decides), `pass`.
In that order `all_of` is the lowest and `any_of` the highest. A `fail` may be blind: the check could not look (no JSON, no such field,
nothing to read). Negation flips what was seen, so a blind failure stays one. The failure of a rule with a veto stands whatever
combinator it stands in.
"""
from __future__ import annotations

ORDER = ("fail", "unknown", "review", "pass")


class Outcome:
    """One check's answer. `place` is `(view, start, end)` in a view, or None; `vetoes` says that a vetoing rule failed below, `idle` that a rule holds since what it is about never came. `turns` are those of a conversation that show it."""

    __slots__ = ("state", "reason", "expected", "actual", "place", "blind", "vetoes", "idle", "turns")

    def __init__(self, state: str, reason: str = "", expected: object = None, actual: object = None, place: tuple | None = None, blind: bool = False, vetoes: bool = False, idle: bool = False, turns: tuple = ()) -> None:
        self.state = state
        self.reason = reason
        self.expected = expected
        self.actual = actual
        self.place = place
        self.blind = blind
        self.vetoes = vetoes
        self.idle = idle
        self.turns = turns


HELD = Outcome("pass")


def failed(reason: str, expected: object = None, actual: object = None, place: tuple | None = None, turns: tuple = ()) -> Outcome:
    """The rule was looked at and does not hold."""
    return Outcome("fail", reason, expected, actual, place, turns=turns)


def blind(reason: str, expected: object = None, actual: object = None) -> Outcome:
    """The rule could not look, so neither it nor its negation holds."""
    return Outcome("fail", reason, expected, actual, None, True)


def unknown(reason: str, expected: object = None) -> Outcome:
    """The evidence that the rule needs was not recorded."""
    return Outcome("unknown", reason, expected)


def held(reading, view=None, span: tuple | None = None, reason: str = "") -> Outcome:
    """The rule holds; with the place of what was found where the reading asks for it."""
    if not reading.explains:
        return HELD
    return Outcome("pass", reason, place=(view, *span) if span else None)


def negated(outcome: Outcome) -> Outcome:
    """The outcome of a rule's negation."""
    if outcome.blind or outcome.vetoes:
        return outcome
    if outcome.state == "pass":
        return Outcome("fail", "holds, and must not: " + (outcome.reason or "the rule"), None, outcome.actual, outcome.place, turns=outcome.turns)
    if outcome.state == "fail":
        return Outcome("pass", outcome.reason, None, outcome.actual, outcome.place)
    return outcome


def combined(outcomes: list, needed: int, words: str) -> Outcome:
    """At least `needed` of the outcomes hold, by Kleene's tables: `all_of` needs all, `any_of` one."""
    for outcome in outcomes:
        if outcome.vetoes:
            return outcome
    count = {state: sum(outcome.state == state for outcome in outcomes) for state in ORDER}
    if count["pass"] >= needed:
        return HELD
    if count["pass"] + count["review"] >= needed:
        state = "review"
    elif count["pass"] + count["review"] + count["unknown"] >= needed:
        state = "unknown"
    else:
        state = "fail"
    decisive = [outcome for outcome in outcomes if outcome.state == state]
    reason = f"{words}: " + "; ".join(outcome.reason for outcome in decisive[:5]) + (f"; and {len(decisive) - 5} more" if len(decisive) > 5 else "")
    first = decisive[0]
    turns = tuple(dict.fromkeys(turn for outcome in decisive for turn in outcome.turns))
    return Outcome(state, reason, first.expected, first.actual, first.place, state == "fail" and _is_blind(outcomes, needed), turns=turns)


def placed(place: str, outcome: Outcome, turns: tuple = ()) -> Outcome:
    """The outcome at one of several places, with the place in its reason; `turns` are those of a conversation that the place is on."""
    reason = f"{place}: {outcome.reason}" if outcome.reason else ""
    return Outcome(outcome.state, reason, outcome.expected, outcome.actual, outcome.place, outcome.blind, outcome.vetoes, turns=turns)


def at_all(outcomes: list, places: str) -> Outcome:
    """Whether a rule holds at all places that it looked at; `places` is what they are, in words."""
    return outcomes[0] if len(outcomes) == 1 else combined(outcomes, len(outcomes), f"not at all {len(outcomes)} {places}")


def _is_blind(outcomes: list, needed: int) -> bool:
    """Whether a failed combination fails only because it could not look: blind failures could have made it hold."""
    blinds = sum(outcome.blind for outcome in outcomes)
    others = sum(outcome.state != "fail" for outcome in outcomes)
    return others + blinds >= needed
