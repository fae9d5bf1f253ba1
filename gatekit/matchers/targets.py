"""What a rule looks at: the output, or a part of the conversation.

    target              what it is, and how it is read where there are several
    output              the output: never-rules read the whole of it, other rules the answer without reasoning
    answer              the answer without reasoning, never-rules too
    reasoning           the reasoning alone
    assistant           all words and refusals of the assistant: one text, message by message
    assistant.last      the assistant's last words
    user                all words of the user: one text, message by message
    tool:NAME.args      the arguments of each call of a tool: the rule must hold for every call
    tool:NAME.result    the result of each call of a tool: the rule must hold for every call

Where there is no such message or call, the rule could not look; where no messages were recorded, what it needs is not known.
"""
from __future__ import annotations

import re

from ..data.reading import Piece, Reading, place_words
from ..text.quoting import quote
from .fields import TOOL_TARGET
from .outcome import Outcome, at_all, blind, placed, unknown



def looking_at(target: str, check):
    """The check at a target: a function of the reading of a sample."""
    tool = re.fullmatch(TOOL_TARGET, target)
    if tool:
        return _at_calls(*tool.groups(), check)
    return {"output": check, "answer": _at_answer(check), "reasoning": _at_reasoning(check)}.get(target) or _at_messages(target, check)


def _at_answer(check):
    def judge(reading: Reading) -> Outcome:
        return check(Reading(reading.sample, reading.value, "strip", reading.allow_empty, reading.explains, reading.pieces, reading.pieces, reading.given))

    return judge


def _at_reasoning(check):
    def judge(reading: Reading) -> Outcome:
        pieces = reading.never_pieces or (Piece(reading.text, None),)
        texts = [piece.text for piece in pieces if piece.is_reasoning]
        if not texts:
            texts = ["\n".join(reading.text[start:end] for start, end in reading.reasoning_spans)] if reading.reasoning_spans else []
        if not texts:
            return blind("there is no reasoning in the output")
        return check(Reading(reading.sample, "\n".join(texts), "keep", reading.allow_empty, reading.explains, given=reading.given))

    return judge


def _at_messages(target: str, check):
    role, _, last = target.partition(".")

    def judge(reading: Reading) -> Outcome:
        conversation = reading.conversation
        if conversation is None:
            return unknown(f"no messages were recorded, so it cannot be told what the {role} said")
        pieces = tuple(
            Piece(text, place_words(message), turn=message.turn)
            for message in conversation.messages
            if message.role == role
            for text in (message.text, message.refusal)
            if text and not text.isspace()
        )
        if not pieces:
            return blind(f"the {role} said nothing")
        outcome = check(Reading.of_pieces(reading, pieces[-1:] if last else pieces))
        if last and outcome.state == "fail" and not outcome.turns:
            return placed("", outcome, (pieces[-1].turn,))  # whatever is wrong with one message shows on its turn
        return outcome

    return judge


def _at_calls(name: str, part: str, check):
    def judge(reading: Reading) -> Outcome:
        conversation = reading.conversation
        if conversation is None:
            return unknown(f"no messages were recorded, so it cannot be told how {quote(name)} was called")
        calls = [call for call in conversation.calls if call.name == name]
        if not calls:
            return blind(f"there is no call of {quote(name)}")
        return at_all([placed(place_words(call), _at_call(reading, call, part, check), (call.turn,)) for call in calls], f"calls of {quote(name)}")

    return judge


def _at_call(reading: Reading, call, part: str, check) -> Outcome:
    if part == "args" and call.malformed:
        return blind(f"the arguments are malformed: {call.malformed}")
    if part == "result" and not call.answered:
        return blind("the call has no result")
    return check(reading.at(call.arguments if part == "args" else call.result))
