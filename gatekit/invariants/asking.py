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

from ..matchers.expressions import shown
from ..matchers.fields import Field
from ..matchers.outcome import failed
from ..matchers.table import MatcherType
from ..text.phrases import Phrase
from ..text.quoting import quote
from ..text.views import CAREFUL, Part, fold
from .kinds import WORDS
from .trace import again, holds, over_conversation, turns_of

_WITH_DIGIT = r"[^\s\d]*\d\S*"
_AROUND = ".,:;!?\"'()[]{}<>#*"


def _never_reask(values: dict):
    given, ask, what = values["given"], values["ask"], values["what"]

    def judge(trace):
        gave = trace.matching("user", given)
        if not gave:
            return holds(f"the user never gave it: no user message matches {shown(given.source)}")
        asked = [said for said in trace.matching("assistant", ask) if said.step > gave[0].step]
        if asked:
            phrases = [(said.step, phrase) for said in gave for phrase in _given_phrases(said, given)]
            asked = [said for said in asked if _asks(said, ask, [phrase for step, phrase in phrases if step < said.step])]
        if not asked:
            return holds(f"given on {turns_of(gave[:1])}, and never asked for after that")
        thing = what or f"what was given in {quote(gave[0].find(given).group())},"
        return failed(f"turn {asked[0].turn}: re-asked for {thing} already given on turn {gave[0].turn}{again(asked)}")

    return over_conversation(judge)


def _given_phrases(said, given) -> list:
    """The given values in a message, as phrases to be sought."""
    words: list = []
    for text in said.texts:
        for found in given.finditer(text):
            named = found.groupdict().get("value")
            after = re.compile(_WITH_DIGIT).search(text, found.end())
            words += [named] if named else re.findall(_WITH_DIGIT, found.group()) or ([after.group()] if after else [])
    return [Phrase(word, CAREFUL) for word in dict.fromkeys(word.strip(_AROUND) for word in words) if word]


def _asks(said, ask, phrases: list) -> bool:
    """Whether a message asks in a sentence in which none of the phrases stands."""
    if not phrases:
        return True
    for view in said.views:
        offset = 0
        for text in view.text.split("\n"):
            for found in ask.finditer(text):
                sentence = _sentence(*view.place(offset + found.start(), offset + found.end()))
                if not any(phrase.find(sentence) for phrase in phrases):
                    return True
            offset += len(text) + 1
    return False


def _sentence(part: Part, start: int, end: int) -> str:
    """The sentence, or sentences, in which a stretch of a part stands, as read in the careful view."""
    from ..text.blocks import blocks  # imported by what looks like a question for something that was given: few conversations have one
    from ..text.sentences import sentences

    low, high = start, end
    for kind, begin, stop in blocks(part.text):
        if stop > start and begin < end:
            inside = sentences(part.text, begin, stop) if kind in ("text", "item") else [(begin, stop)]
            for first, last in inside:
                if last > start and first < end:
                    low, high = min(low, first), max(high, last)
    return fold(Part(part.text[low:high], 0, high - low), CAREFUL)


TYPES = (
    MatcherType(
        "never_reask",
        3,
        "The assistant does not ask again for what the user gave on an earlier message. A sentence that says the given value back confirms it, and does not count.",
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
