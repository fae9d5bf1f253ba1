"""Asking again for what the user gave already.

`never_reask` fails where a later message of the assistant asks (`ask`) for what an earlier message of the user gave (`given`). The patterns decide what
is giving and what is asking, but for one thing: to say the given value back is to confirm it ("Is your order id 4183 correct?"), not to ask for it. So what is
asked in a sentence that holds the given value does not count. The given value is

    the group of `given` that is named `value`, where there is one
    else each word with a digit in what `given` matched
    else the first word with a digit after it in the message
    else not known, and then every match of `ask` counts
"""
from __future__ import annotations

import re

from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from ..text.phrases import Phrase
from ..text.quoting import as_written, quote
from ..text.views import CAREFUL, Part, fold
from .kinds import WORDS
from .trace import again, holds, idle, over_conversation, proving, turns_of

_MOST = 50  # given values that are sought
_AROUND = ".,:;!?\"'()[]{}<>#*"


def _never_reask(values: dict):
    given, ask, what = values["given"], values["ask"], values["what"]

    def judge(trace):
        gave = trace.matching("user", given)
        if not gave:
            return idle(f"the user never gave it: no user message matches {as_written(given.source)}")
        asked = [said for said in trace.matching("assistant", ask) if said.step > gave[0].step]
        if asked:
            phrases = _given_phrases(gave, given)
            asked = [said for said in asked if _asks(said, ask, [phrase for step, phrase in phrases if step < said.step])]
        if not asked:
            return holds(f"given on {turns_of(gave[:1])}, and never asked for after that")
        thing = what or f"what was given in {quote(gave[0].find(given).group())},"
        return failed(f"turn {asked[0].turn}: re-asked for {thing} already given on turn {gave[0].turn}{again(asked)}", turns=proving(gave[0], *asked))

    return over_conversation(judge)


def _given_phrases(gave: list, given) -> list:
    """The given values as phrases to be sought, each with the step at which it was given: `[(step, phrase)]`, the first _MOST of them."""
    found: dict = {}
    for said in gave:
        for word in _given_words(said, given):
            word = word.strip(_AROUND)
            if word and word not in found:
                found[word] = said.step, Phrase(word, CAREFUL)
        if len(found) >= _MOST:
            break
    return list(found.values())[:_MOST]


def _given_words(said, given):
    for text in said.texts:
        for match in given.finditer(text):
            value = match.groupdict().get("value")
            if value:
                yield value
                continue
            inside = [word for word in match.group().split() if _has_digit(word)]
            yield from inside
            after = None if inside else re.compile(r"\d").search(text, match.end())
            if after:
                end = text.find(" ", after.start())
                yield text[max(match.end(), text.rfind(" ", 0, after.start()) + 1) : end if end >= 0 else len(text)]


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _asks(said, ask, phrases: list) -> bool:
    """Whether a message asks in a sentence in which none of the phrases stands."""
    if not phrases:
        return True
    for view in said.views:
        offset = 0
        for text in view.text.split("\n"):
            places = [view.place(offset + match.start(), offset + match.end()) for match in ask.finditer(text)]
            if places and not all(any(phrase.find(sentence) for phrase in phrases) for sentence in _sentences_at(places)):
                return True
            offset += len(text) + 1
    return False


def _sentences_at(places: list):
    """The sentence, or sentences, in which each place `(part, start, end)` of one part stands, as read in the careful view."""
    from ..text.blocks import blocks  # imported by what looks like a question for something that was given: few conversations have one
    from ..text.sentences import sentences

    part = places[0][0]
    spans: list = []
    for kind, start, end in blocks(part.text):
        spans += sentences(part.text, start, end) if kind in ("text", "item") else [(start, end)]
    at, before = 0, None
    for _, low, high in places:
        while at < len(spans) and spans[at][1] <= low:
            at += 1
        last = at
        while last < len(spans) and spans[last][0] < high:
            last += 1
        if last > at:
            low, high = min(low, spans[at][0]), max(high, spans[last - 1][1])
        if (low, high) != before:
            before = low, high
            yield fold(Part(part.text[low:high], 0, high - low), CAREFUL)


TYPES = (
    MatcherType(
        "never_reask",
        3,
        "The assistant does not ask for what the user gave in an earlier message. A sentence that says the given value back confirms it, and does not count.",
        (
            Field("given", WORDS, "found in the user's message that gives it; a group named value marks the value itself"),
            Field("ask", WORDS, "found in a message of the assistant that asks for it"),
            Field("what", "text", "what it is, for the reason: an order id", None),
        ),
        _never_reask,
        (),
        invariant=True,
    ),
)
