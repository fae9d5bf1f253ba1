"""What a check says of a reading, and how what several checks say is combined.

Kleene's three values, and the human queue: `fail`, `unknown` (the evidence was not recorded), `review` (a person decides), `pass`.
In that order `all_of` is the lowest and `any_of` the highest. A `fail` may be blind: the check could not look (no JSON, no such field,
nothing to read). Negation flips what was seen, so a blind failure stays one. The failure of a rule with a veto stands whatever
combinator it stands in.
"""
from __future__ import annotations

ORDER = ("fail", "unknown", "review", "pass")


class Outcome:
    """One check's answer.

    `place` is `(view, start, end)` in a view, or None; `blind` says that a failed rule could not look, `vetoes` that a vetoing rule failed below, `idle` that
    a rule holds since what it is about never came. `turns` are those of a conversation that show it. `compared` says how a failed rule held `expected`
    against `actual`, or is None: a Compared.
    """

    __slots__ = ("state", "reason", "expected", "actual", "place", "blind", "vetoes", "idle", "turns", "compared")

    def __init__(
        self,
        state: str,
        reason: str = "",
        expected: object = None,
        actual: object = None,
        place: tuple | None = None,
        blind: bool = False,
        vetoes: bool = False,
        idle: bool = False,
        turns: tuple = (),
        compared: Compared | None = None,
    ) -> None:
        self.state = state
        self.reason = reason
        self.expected = expected
        self.actual = actual
        self.place = place
        self.blind = blind
        self.vetoes = vetoes
        self.idle = idle
        self.turns = turns
        self.compared = compared


class Compared:
    """How a rule held what was expected against what came, for whoever shows the difference (judging/difference.py). Nothing is worked out before that.

    `way` is one of `text`, `one of` (the expected texts), `fact`, `json` and `said`. Of `json`, `subset` and `unordered` are as in `json_subset`, and `root`
    are the keys and indexes that lead to the compared value. Of `said`, the rule has worked out itself what differs: `said` are Saids. Of `fact`, `said` are
    the facts that are missing, each as `(words, phrases)`, and `view` is where they were sought.
    """

    __slots__ = ("way", "subset", "unordered", "root", "said", "view")

    def __init__(self, way: str, subset: bool = False, unordered: bool = False, root: tuple = (), said: tuple = (), view=None) -> None:
        self.way, self.subset, self.unordered, self.root, self.said, self.view = way, subset, unordered, root, said, view


class Said:
    """A difference that a rule has found itself: `words`, after the place that `steps` lead to, or `sides`: each a Compared of JSON, and what it was held on."""

    __slots__ = ("before", "words", "steps", "sides")

    def __init__(self, before: str = "", words: str = "", steps: tuple | None = None, sides: tuple = ()) -> None:
        self.before, self.words, self.steps, self.sides = before, words, steps, sides


AS_TEXT = Compared("text")
HELD = Outcome("pass")


def failed(
    reason: str, expected: object = None, actual: object = None, place: tuple | None = None, turns: tuple = (), compared: Compared | None = None
) -> Outcome:
    """The rule was looked at and does not hold."""
    return Outcome("fail", reason, expected, actual, place, turns=turns, compared=compared)


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
        reason = "holds, and must not" + (f": {outcome.reason}" if outcome.reason else "")
        return Outcome("fail", reason, None, outcome.actual, outcome.place, turns=outcome.turns)
    if outcome.state == "fail":
        return Outcome("pass", outcome.reason, None, outcome.actual, outcome.place)
    return outcome


def combined(outcomes: list, needed: int, words: str, explains: bool = False) -> Outcome:
    """At least `needed` of the outcomes hold, by Kleene's tables: `all_of` needs all, `any_of` one. `explains` asks what held too."""
    for outcome in outcomes:
        if outcome.vetoes:
            return outcome
    count = {state: sum(outcome.state == state for outcome in outcomes) for state in ORDER}
    if count["pass"] >= needed:
        return _held_by([outcome for outcome in outcomes if outcome.state == "pass"]) if explains else HELD
    if count["pass"] + count["review"] >= needed:
        state = "review"
    elif count["pass"] + count["review"] + count["unknown"] >= needed:
        state = "unknown"
    else:
        state = "fail"
    decisive = [outcome for outcome in outcomes if outcome.state == state]
    reason = f"{words}: {_reasons(decisive)}"
    held_against = [outcome for outcome in decisive if outcome.compared]
    held_against = [outcome for outcome in held_against if outcome.compared.way != "fact"] or held_against
    first, compared = decisive[0], None
    if len(held_against) == 1:  # of several, none is what the failure is about
        first, compared = held_against[0], held_against[0].compared
    turns = tuple(dict.fromkeys(turn for outcome in decisive for turn in outcome.turns))
    is_blind = state == "fail" and _is_blind(outcomes, needed)
    return Outcome(state, reason, first.expected, first.actual, first.place, is_blind, turns=turns, compared=compared)


def _reasons(outcomes: list) -> str:
    return "; ".join(outcome.reason for outcome in outcomes[:5]) + (f"; and {len(outcomes) - 5} more" if len(outcomes) > 5 else "")


def _held_by(outcomes: list) -> Outcome:
    """A combination that holds, with what those of it say that hold, and the place of the first."""
    told = [outcome for outcome in outcomes if outcome.reason]
    place = next((outcome.place for outcome in told if outcome.place), None)
    return Outcome("pass", _reasons(told), place=place, turns=tuple(dict.fromkeys(turn for outcome in told for turn in outcome.turns))) if told else HELD


def placed(place: str, outcome: Outcome, turns: tuple = ()) -> Outcome:
    """The outcome at one of several places, with the place (if it needs to be named) in its reason; `turns` are those that the place is on."""
    reason = f"{place}: {outcome.reason}" if place and outcome.reason else outcome.reason
    turns = turns or outcome.turns
    return Outcome(
        outcome.state, reason, outcome.expected, outcome.actual, outcome.place, outcome.blind, outcome.vetoes, turns=turns, compared=outcome.compared
    )


def at_all(outcomes: list, places: str) -> Outcome:
    """Whether a rule holds at all places that it looked at; `places` is what they are, in words."""
    return outcomes[0] if len(outcomes) == 1 else combined(outcomes, len(outcomes), f"not at all {len(outcomes)} {places}")


def _is_blind(outcomes: list, needed: int) -> bool:
    """Whether a failed combination fails only because it could not look: blind failures could have made it hold."""
    blinds = sum(outcome.blind for outcome in outcomes)
    others = sum(outcome.state != "fail" for outcome in outcomes)
    return others + blinds >= needed
