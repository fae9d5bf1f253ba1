"""Finds the phrases in which a text refuses its task.

A refusal is said by the speaker (I, or we of a request), here and now, about doing what was asked. So these are none: an apology alone; a
topic word (illegal, harmful); what somebody else cannot do, or could not; a condition ("if I can't log in"); a figure of speech ("I can't
wait"); a lack of knowledge or a failed search ("I cannot confirm", "I can't find the order"), which is a result; a promise ("I won't share
your address"); and a quotation within prose. A quotation that is all there is, behind a label at most, is the answer itself.

Direction of error: a partial refusal ("I can't give legal advice, but here is how it works") and a "no" that the rules of a shop demand
are found, since they refuse something; whoever wants them allowed says so in the rule's `unless`. A refusal in words that no row knows, or
quoted inside prose, is missed: the check is a tripwire for the wordings in use, not a judge of compliance.

The text has been folded: lower case, ASCII apostrophes and quotes, white space runs are one space, parts divided by line feeds. Nothing is
decided from length or from where in the text a phrase stands. Every pass is linear.
"""
from __future__ import annotations

from .compiled import Hint, compiled
from .refusals import REFUSALS

LANGUAGES = tuple(REFUSALS)
"""The codes of the languages whose refusals are known."""


def find_refusals(text: str, languages: tuple = ("en",)) -> list:
    """Where a folded text refuses: `(start, end)` of each refusing phrase, in order and without overlap.

    languages: codes out of `LANGUAGES`; another one raises KeyError.
    """
    found = None
    for language in languages:
        reader = _readers.get(language) or _reader(language)
        if reader.has_cue(text):
            found = (found or []) + reader.read(text)
    if not found:
        return []
    labels = frozenset(label for language in languages for label in REFUSALS[language].labels)
    return _outside_quotations(text, _without_overlap(found), labels)


_readers: dict = {}


def _reader(language: str):
    reader = _readers[language] = _Reader(REFUSALS[language])
    return reader


def _without_overlap(spans: list) -> list:
    kept: list = []
    for start, end in sorted(spans):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


class _Reader:
    """One language's phrases; a pattern is compiled when a text first calls for it."""

    def __init__(self, data) -> None:
        self.data = data
        self._marks = tuple(mark for mark, hint in data.cues if not hint)
        self._hints = tuple((mark, Hint(hint)) for mark, hint in data.cues if hint)
        self._phrases = tuple((phrase, f"(?:{phrase.pattern})(?![a-z0-9]|-[a-z])") for phrase in data.phrases)
        self._reported = f"(?<![a-z0-9'])(?:{_any(data.reporting)}),? (?:that )?\\Z"
        self._begins = f"(?:\\A|[.!?:;\\n] ?|[\"'(] ?)(?:{_any(data.apologies)})?\\Z"
        self._undone = _any(data.undoing)
        self._promised = _any(data.promising)

    def has_cue(self, text: str) -> bool:
        for mark in self._marks:
            if mark in text:
                return True
        for mark, hint in self._hints:
            if mark in text and hint.stands_in(text):
                return True
        return False

    def read(self, text: str) -> list:
        spans = []
        for phrase, pattern in self._phrases:
            if not phrase.words or any(word in text for word in phrase.words):
                for match in compiled(pattern).finditer(text):
                    start = match.start()
                    # The left edge is looked at here: a pattern that led with it would be many times slower.
                    if not (start and text[start - 1].isalnum()):
                        end = self._refuses(phrase.kind, text, start, match.end())
                        if end:
                            spans.append((start, end))
        return spans

    def _refuses(self, kind: str, text: str, start: int, end: int) -> int:
        """Where the refusing phrase ends that begins with an opening of this kind, or 0 where it is none."""
        lead = text[max(0, start - 48):start]
        if compiled(self._reported).search(lead) or kind == "bare" and not compiled(self._begins).search(lead):
            return 0
        if kind not in ("whole", "bare"):
            verb = self._verb(text, end)
            served = verb is not None and self._serves(verb)
            if not served and (kind != "regret" or verb is None or verb.group(1) in self.data.perceiving):
                return end if kind != "resolve" and compiled(_SENTENCE_END).match(text, end) else 0
            end = verb.end(1)
            if compiled(self._undone).match(text, end) or kind == "resolve" and compiled(self._promised).match(text, verb.start(1)):
                return 0
        return end

    def _verb(self, text: str, at: int):
        """The verb behind an opening and the word behind it, past at most four adverbs."""
        for _ in range(5):
            aside = compiled(_ASIDE).match(text, at)
            verb = compiled(_VERB).match(text, aside.end())
            if verb is None or verb.group(1) not in self.data.adverbs:
                return verb
            at = verb.end(1)
        return None

    def _serves(self, verb) -> bool:
        following = self.data.serving.get(verb.group(1))
        if not following:
            return following == ""
        words = following.split()
        return verb.group(2) not in words if words[0] == "-" else verb.group(2) in words


def _any(patterns: tuple) -> str:
    """One pattern for all of these; one that matches nowhere where there are none."""
    return "|".join(patterns) or "(?!)"


_ASIDE = r"(?:,? (?:in good (?:conscience|faith)|at this time|right now|at the moment|at present|as an ai))?,?"
_VERB = r" ([a-z-]+)(?: ([a-z-]+))?"
_SENTENCE_END = r" ?(?:[.!,;)\n-]|\Z)"


# --- quotations ------------------------------------------------------------------------------------------------------------------------

# A quotation mark opens after white space or an opening sign, and closes after anything else; an apostrophe inside a word does neither, nor
# does the one of a broken contraction ("can' t").
_MARKS = (
    r"""(?P<open>(?<![^\s(\[{:,;>=-])["'\u00ab](?=[^\s]))"""
    r"""|(?P<close>"|\u00bb|'(?![a-z0-9])(?! ?(?:t|s|re|ve|ll|d|m)(?![a-z0-9])))|\n"""
)
_CLOSING = {'"': '"', "'": "'", "\u00ab": "\u00bb"}
_LETTER = r"[^\W\d_]"


def _outside_quotations(text: str, spans: list, labels: frozenset) -> list:
    """The spans that are not quoted in prose."""
    quotations = _quotations(text)
    if not quotations:
        return spans
    kept, index, part_end, in_prose = [], 0, -1, False
    for span in spans:
        while index < len(quotations) and quotations[index][1] <= span[0]:
            index += 1
        if index < len(quotations) and quotations[index][0] <= span[0] and span[1] <= quotations[index][1]:
            if span[0] > part_end:
                part_end = text.find("\n", span[0])
                part_end = len(text) if part_end < 0 else part_end
                in_prose = _has_prose(text[text.rfind("\n", 0, span[0]) + 1:part_end], labels)
            if in_prose:
                continue
        kept.append(span)
    return kept


def _quotations(text: str) -> list:
    """(start, end) of each quotation, quotation marks included, in order. One that is not closed within its part is none."""
    quotations, opened = [], None
    for mark in compiled(_MARKS).finditer(text):
        sign = mark.group()
        if sign == "\n":
            opened = None
        elif opened is None:
            if mark.lastgroup == "open":
                opened = mark
        elif sign == _CLOSING[opened.group()]:
            quotations.append((opened.start(), mark.end()))
            opened = None
    return quotations


def _has_prose(part: str, labels: frozenset) -> bool:
    """Whether a part of a text says anything outside its quotations, a label in front of them aside."""
    outside, at = [], 0
    for start, end in _quotations(part):
        outside.append(part[at:start])
        at = end
    rest = " ".join(outside + [part[at:]])
    return compiled(_LETTER).search(rest) is not None and rest.strip(" :*#->.,") not in labels
