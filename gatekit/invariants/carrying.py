"""A constraint that the user set holds in later answers.

The constraint is set by the first message of the user in which `given` is found, and ended by a later one in which `release` is found; then it can be
set again (a message in which both are found ends it). An answer is what the assistant says in one turn, from the constraint on. `hold` must be
found in every answer, `forbid` in none. Where the constraint was set and no answer came after it, there is nothing that could have held it: that fails.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..matchers.fields import Field
from ..matchers.outcome import blind, failed
from ..matchers.table import MatcherType
from ..text.quoting import as_written, quote
from .kinds import WORDS
from .scopes import between, within
from .trace import again, holds, idle, over_conversation, proving


def _carry_forward(values: dict):
    given, release, hold, forbid = values["given"], values["release"], values["hold"], values["forbid"]
    only_last = values["answers"] == "last"
    if hold is None and forbid is None:
        raise CaseError('carry_forward says what later answers "hold", what they "forbid", or both')

    def judge(trace):
        gave = trace.matching("user", given)
        if not gave:
            return idle(f"the constraint was never set: no user message matches {as_written(given.source)}")
        released = trace.matching("user", release) if release is not None else []
        stretches = between([said.step for said in gave], [said.step for said in released])
        answers = _answers(trace, gave, stretches)
        if not answers:
            if not stretches or stretches[-1][1] is not None:
                return idle("the constraint was taken back before any answer")
            return blind(f"turn {gave[0].turn}: the user set the constraint, and no answer followed")
        if only_last:
            answers = answers[-1:]
        held = hold and {said.step for said in trace.matching("assistant", hold)}
        broke = forbid and {said.step for said in trace.matching("assistant", forbid)}
        bad: list = []
        why = ""
        for since, spoken in answers:
            breaking = [said for said in spoken if said.step in broke] if broke is not None else []
            if breaking:
                why = why or f"{quote(breaking[0].find(forbid).group())} is said, which the user ruled out on turn {since.turn}"
                bad.append(breaking[0])
            elif held is not None and not any(said.step in held for said in spoken):
                why = why or f"no {as_written(hold.source)} in the answer, which the user asked for on turn {since.turn}"
                bad.append(spoken[-1])
        if bad:
            return failed(f"turn {bad[0].turn}: {why}{again(bad)}", turns=proving(gave[0], *bad))
        return holds(f"set on turn {gave[0].turn}, and held in {len(answers)} later answers")

    return over_conversation(judge)


def _answers(trace, gave: list, stretches: list) -> list:
    """`(setting message, messages)` of each answer that is bound: what the assistant says in one turn."""
    setting = {said.step: said for said in gave}
    answers: list = []
    for (low, _), spoken in zip(stretches, within(trace.speaking("assistant"), stretches)):
        by_turn: dict = {}
        for said in spoken:
            by_turn.setdefault(said.turn, []).append(said)
        answers += [(setting[low], messages) for messages in by_turn.values()]
    return answers


TYPES = (
    MatcherType(
        "carry_forward",
        3,
        "A constraint that the user set holds in every later answer, until the user takes it back.",
        (
            Field("given", WORDS, "found in the user's message that sets it"),
            Field("hold", WORDS, "found in every later answer", None),
            Field("forbid", WORDS, "found in no later answer", None),
            Field("release", WORDS, "found in a user's message that takes it back", None),
            Field("answers", "choice", "which answers are held to it", "all", {"all": "each: what the assistant says in a turn", "last": "the last answer"}),
        ),
        _carry_forward,
        (),
        invariant=True,
    ),
)
