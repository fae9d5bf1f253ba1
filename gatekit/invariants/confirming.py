"""Confirmation before an act.

A confirmation is a message of the user in which `confirm` is found, and `deny` is not, and that answers the assistant: the assistant said something since
the user's words before it (and, where `ask` is given, something in which `ask` is found). A later message in which `deny` is found takes it back.
How long one lasts that was used is said by `lasts`:

    turn    until the user speaks again: a confirmed plan may be carried out in several steps
    step    for the calls of one step: the next act needs a new one, whatever comes between
    all     until it is taken back

With `retries` it is not used by a step whose calls failed, all of them.
"""
from __future__ import annotations

from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from .kinds import TOOLS, WORDS
from .trace import again, holds, idle, over_conversation, proving, turns_of


def _confirm_before(values: dict):
    names, confirm, deny, ask = values["tool"], values["confirm"], values["deny"], values["ask"]
    lasts, retries = values["lasts"], values["retries"]

    def judge(trace):
        steps = _by_step(trace.calls_of(names))
        if not steps:
            return idle(f"{' or '.join(names)} was never called")
        answers = _answers(trace, ask)
        yes = {said.step for said in trace.matching("user", confirm)}
        no = {said.step for said in trace.matching("user", deny)} if deny is not None else set()
        standing = used = denied = unasked = None
        at, bad, why = 0, [], ""
        for step, calls in steps:
            while at < len(answers) and answers[at][0].step < step:
                said, answering = answers[at]
                at += 1
                if said.step in no:
                    standing, denied = None, said
                elif said.step in yes and answering:
                    standing, used, denied = said, None, None
                else:
                    unasked = said if said.step in yes else unasked
                    standing = None if used and lasts == "turn" else standing
            if standing is not None:
                if not (retries and all(call.answered and call.failed for call in calls)):
                    used = standing, calls[0]
                    standing = None if lasts == "step" else standing
                continue
            why = why or _words(calls[0], used, denied, unasked)
            bad.append(calls[0])
        if bad:
            return failed(f"turn {bad[0].turn}: {why}{again(bad)}", turns=proving(*bad))
        return holds(f"confirmed before each call, on {turns_of([calls[0] for _, calls in steps])}")

    return over_conversation(judge)


def _by_step(calls: list) -> list:
    """The calls of each step, in order: [(step, calls)]."""
    steps: dict = {}
    for call in calls:
        steps.setdefault(call.step, []).append(call)
    return sorted(steps.items())


def _answers(trace, ask) -> list:
    """The user's messages in order, each with whether it answers something that the assistant said (and that matches `ask`) since the user's words before."""
    asking = None if ask is None else {said.step for said in trace.matching("assistant", ask)}
    answers: list = []
    proposed, before = False, None
    for said in trace.said:
        if said.role == "user":
            answers.append((said, proposed))  # messages of the user that stand next to each other answer the same words
        elif said.role == "assistant":
            if before == "user":
                proposed = False
            proposed = proposed or (said.speaks if asking is None else said.step in asking)
        if said.role != "system":
            before = said.role
    return answers


def _words(call, used, denied, unasked) -> str:
    if used is not None:
        return f"{call.name} was called again without a new confirmation: the one of turn {used[0].turn} was used on turn {used[1].turn}"
    if denied is not None:
        return f"{call.name} was called before the user confirmed it, who declined on turn {denied.turn}"
    if unasked is not None:
        return f"{call.name} was called before the user confirmed it: what was said on turn {unasked.turn} answers no question of the assistant"
    return f"{call.name} was called before the user confirmed it"


TYPES = (
    MatcherType(
        "confirm_before",
        3,
        "Before every call of a tool the user confirmed it, in answer to the assistant.",
        (
            Field("tool", TOOLS, "the tool, or a list of tools, that needs a confirmation"),
            Field("confirm", WORDS, "found in the user's message that confirms"),
            Field("deny", WORDS, "found in a message that does not confirm, whatever else it says, and that takes a confirmation back", None),
            Field("ask", WORDS, "found in what the assistant says before it; without it anything that the assistant says will do", None),
            Field(
                "lasts",
                "choice",
                "how long a confirmation lasts that was used",
                "turn",
                {"turn": "until the user speaks again", "step": "for the calls of one step", "all": "until it is taken back"},
            ),
            Field("retries", "boolean", "calls that failed do not use a confirmation up", False),
        ),
        _confirm_before,
        (),
        invariant=True,
    ),
)
