"""The views of a text: what a reader would take it for, with a way back to what stands there.

    careful   for facts that must appear: typography, white space, markup and case are evened out, and nothing that changes a number
    wide      for strings that must never appear: careful, and whatever else a reader would still read as the same
    cased     wide, with upper and lower case kept apart: for the shapes of keys
    exact     letter for letter

A view is one string. Its parts (the text, each link target, each string decoded from JSON) are divided by line feeds, which stand nowhere
else in a view, so a phrase is never found across two parts. Folding goes through five stages, each a list of edits of what the stage
before it made:

    markup      paired Markdown is removed (markdown.py)
    unseen      format characters are dropped; in the wide views all that shows nothing
    compose     Unicode normalisation form C, character cluster by cluster
    characters  each character becomes what it is read as, and what meets by that is composed again
    space       runs of white space become one space, the ends are trimmed

Reading a text keeps only the result. The edits are made again, and kept, when a place is asked for: few texts fail a rule.
A text of ASCII letters without markup takes the short way: lower case and white space are all there is to do. (The tables and rules that it does
not need are imported by the first text that does.)
"""
from __future__ import annotations

import re
import unicodedata

from .characters import category, format_characters, unknown_characters, unseen_characters, vowel_points, white_space

# Patterns are compiled when they are first used (and kept by `re`): a plain text needs none of them.
_NON_ASCII = "[^\x00-\x7f]"
_CLUSTERS = "[\x00-\x7f]?[^\x00-\x7f]+"
_ASCII_SPACES = "\n\t\r\x0b\x0c\x1c\x1d\x1e\x1f"
_SPACE = "[\t-\r\x1c- ]+"
_DECORATION = "(?<=[A-Za-z0-9])[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
# So many marks of one character are composed with it, and the next as many by themselves (Unicode Standard Annex 15, stream-safe text):
# composing takes time that is quadratic in their number.
_MARKS_AT_ONCE = 30
_ASCII_LOWER = {upper: upper + 32 for upper in range(65, 91)}
_typography: dict = {}


class Level:
    """How far a view goes: a rule for one character, remembered for each that was met. `place` numbers the levels from 0."""

    __slots__ = ("name", "place", "wide", "folds_case", "_read_as", "_lookalikes")

    def __init__(self, name: str, place: int, wide: bool, folds_case: bool) -> None:
        self.name, self.place, self.wide, self.folds_case = name, place, wide, folds_case
        self._read_as: dict = {}
        self._lookalikes = None

    def drops(self, character: str) -> bool:
        """Whether a reader passes over this character: it shows nothing of itself, or (in the wide views) is a stroke laid over a letter."""
        if character in format_characters or "\ufe00" <= character <= "\ufe0f":
            return True
        return self.wide and (character in unseen_characters or character in vowel_points or category(character) == "Mn" and unicodedata.combining(character) == 1)

    def read_as(self, character: str) -> str:
        """What one character outside ASCII is read as."""
        known = self._read_as.get(character)
        if known is None:
            known = self._read_as[character] = self._work_out(character)
        return known

    def _work_out(self, character: str) -> str:
        if character in unknown_characters:
            return character
        from .spellings import GREEK_LOOKALIKES, LOOKALIKES, TYPOGRAPHY, by_character, clothed

        if not _typography:
            _typography.update(by_character(TYPOGRAPHY))
        if self._lookalikes is None:
            self._lookalikes = {**by_character(LOOKALIKES, GREEK_LOOKALIKES), **clothed()} if self.wide else {}
        form = "NFKC" if self.wide else "NFC"
        text = character
        for _ in range(4):
            folded = "".join(self._step(part) for part in text)
            folded = unicodedata.normalize("NFC", "".join(self._step(part) for part in unicodedata.normalize(form, folded)))
            if folded == text:
                break
            text = folded
        return text

    def _step(self, character: str) -> str:
        if character < "\x80":
            return character.lower() if self.folds_case else character
        spelt = _typography.get(character) or self._lookalikes.get(character)
        if spelt:
            return spelt.lower() if self.folds_case else spelt
        if character in white_space:
            return " "
        if category(character) == "Nd":
            return str(unicodedata.decimal(character))
        if "\uff01" <= character <= "\uff5e":
            character = chr(ord(character) - 0xFEE0)
        return character.casefold() if self.folds_case else character

    def __reduce__(self):
        return level_named, (self.name,)


CAREFUL = Level("careful", 0, wide=False, folds_case=True)
WIDE = Level("wide", 1, wide=True, folds_case=True)
CASED = Level("cased", 2, wide=True, folds_case=False)
EXACT = Level("exact", 3, wide=False, folds_case=False)
LEVELS = {level.name: level for level in (CAREFUL, WIDE, CASED, EXACT)}


def level_named(name: str) -> Level:
    """The one level of that name."""
    return LEVELS[name]


class Part:
    """A stretch of text that is read by itself.

    `text` is what is read. It stands in the sample's own text from `start` to `end`: letter for letter where `literal`,
    else in another spelling (a string in JSON, with its escapes). `gaps` are spans of `text` that are left out. `passed_over` marks a link's target,
    a tag or a comment: what a reader of the text around it passes over.
    `piece` is what the places are counted in, where that is not the sample's text: it is only passed on. Of a part of one that does not stand letter for letter,
    `outer` is the text of that one and the offset in it.
    """

    __slots__ = ("text", "start", "end", "literal", "gaps", "passed_over", "piece", "outer")

    def __init__(
        self, text: str, start: int, end: int, literal: bool = True, gaps: tuple = (), passed_over: bool = False, piece: object = None, outer: tuple | None = None
    ) -> None:
        self.text, self.start, self.end, self.literal, self.gaps, self.passed_over, self.piece, self.outer = text, start, end, literal, gaps, passed_over, piece, outer


class View:
    """One or more parts as they are read at a level. `text` is the string to search; the first part (or the first `mains` ones) ends at `main`."""

    __slots__ = ("level", "text", "main", "parts", "_ways_back")

    def __init__(self, level: Level, parts: list, mains: int = 1) -> None:
        self.level = level
        self.parts = parts
        self._ways_back = None
        targets: list = []
        folded = [fold(part, level, None, targets) for part in parts]
        self.main = sum(map(len, folded[:mains])) + mains - 1
        if targets:
            self.parts = parts + targets
            folded += [fold(target, level) for target in targets]  # as they stand: what is passed over as markup is read by itself
        self.text = folded[0] if len(folded) == 1 else "\n".join(folded)

    @classmethod
    def of_plain(cls, level: Level, text: str) -> View:
        """The view, at a level that folds case, of an ASCII text without markup: lower case and white space are all there is to do."""
        view = object.__new__(cls)
        view.level = level
        view.text = folded = one_space(text.lower())
        view.main = len(folded)
        view.parts = [Part(text, 0, len(text))]
        view._ways_back = None
        return view

    def segments(self):
        """Yield the offset and the text of each part as it is read."""
        at = 0
        for part in self.parts:
            text = fold(part, self.level)
            yield at, text
            at += len(text) + 1

    def place(self, start: int, end: int) -> tuple:
        """The part, and the offsets in its text, of what stands from `start` to `end` in this view."""
        if self._ways_back is None:
            self._ways_back, offset = [], 0
            for part in self.parts:
                length, way = _way_back(part, self.level)
                self._ways_back.append((offset, length, way))
                offset += length + 1
        low, high = 0, len(self.parts)
        while high - low > 1:
            middle = (low + high) // 2
            if self._ways_back[middle][0] <= start:
                low = middle
            else:
                high = middle
        offset, length, way = self._ways_back[low]
        if start <= offset + length:
            return self.parts[low], original(way, start - offset, False), original(way, max(start, min(end, offset + length)) - offset, True)
        raise IndexError("no such place in the view")


def has_markup(text: str, wide: bool = True) -> bool:
    """Whether the text holds a character that could be markup: the cheap question before it is unwrapped."""
    if "*" in text or "_" in text or "`" in text or "\\" in text or "](" in text:
        return True
    return wide and ("<" in text or "&" in text or "~~" in text or "\n>" in text or "\n >" in text)


def folded(text: str) -> str:
    """What a reader takes a text for, in its own case."""
    return fold(Part(text, 0, len(text)), CASED)


def fold(part: Part, level: Level, stages: list | None = None, targets: list | None = None, is_phrase: bool = False) -> str:
    """The text of a part as it is read at a level.

    `stages`, where given, receives the list of edits of each stage that changed something; `targets` what is passed over, as parts of their own.
    What is itself such a part is not unwrapped. A phrase is not read as HTML: it may ban a tag.
    """
    text = part.text
    if part.gaps:
        text = _apply(text, [(start, end, "\n") for start, end in part.gaps], stages)
    if level is EXACT:
        return text
    if not part.passed_over and has_markup(text, level.wide):
        from .markdown import unwrap

        edits, links = unwrap(text, level.wide and not is_phrase)
        if targets is not None and not part.gaps:
            targets += [_inner(part, *link) for link in links]
        elif targets is not None:
            targets += [Part(text[start:end], part.start, part.end, False, (), True, part.piece) for start, end in links]
        text = _apply(text, edits, stages)
    if not text.isascii():
        text = _fold_characters(text, level, stages)
    elif level.folds_case:
        text = text.lower()
    if stages is not None:
        return _apply(text, _space_edits(text), stages)
    return one_space(text)


def one_space(text: str) -> str:
    """The text with each run of white space made one space, and none at its ends: what `_space_edits` does, without saying where."""
    for mark in _ASCII_SPACES:
        if mark in text:
            text = text.replace(mark, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")


def _inner(part: Part, start: int, end: int) -> Part:
    if part.literal:
        return Part(part.text[start:end], part.start + start, part.start + end, True, (), True, part.piece)
    return Part(part.text[start:end], part.start, part.end, False, (), True, part.piece, (part.text, start))


def _fold_characters(text: str, level: Level, stages: list | None) -> str:
    present = {character for character in set(text) if character >= "\x80"}
    unseen = {character for character in present if level.drops(character)}
    if unseen:
        text = _apply(text, [(at.start(), at.end(), "") for at in re.finditer(_NON_ASCII, text) if at.group() in unseen], stages)
        present -= unseen
    if not unicodedata.is_normalized("NFC", text):
        text = _apply(text, _compose_edits(text), stages)
        present = {character for character in set(text) if character >= "\x80"}
    text = _read_characters(text, present, level, stages)
    if not unicodedata.is_normalized("NFC", text):
        text = _apply(text, _compose_edits(text), stages)
    if level.wide and not text.isascii():
        text = _apply(text, [(at.start(), at.end(), "") for at in re.finditer(_DECORATION, text)], stages)
    return text


def _read_characters(text: str, present: set, level: Level, stages: list | None) -> str:
    changed = {character: level.read_as(character) for character in present}
    changed = {character: meaning for character, meaning in changed.items() if meaning != character}
    if stages is not None:
        edits = [(at.start(), at.end(), changed[at.group()]) for at in re.finditer(_NON_ASCII, text) if at.group() in changed]
        text = _apply(text, edits, stages)
    elif len(changed) <= 8:
        # What a character is read as is never read as something else, so the order of the replacements does not matter.
        for character, meaning in changed.items():
            text = text.replace(character, meaning)
    else:
        text = text.translate({ord(character): meaning for character, meaning in changed.items()})
    return text.translate(_ASCII_LOWER) if level.folds_case else text


def _compose_edits(text: str) -> list:
    """Each character with the marks that follow it, where form C spells them otherwise.

    No composition reaches over the start of a cluster: only marks, and the vowels and finals of Hangul, join what precedes them.
    """
    edits: list = []
    for stretch in re.finditer(_CLUSTERS, text):
        start, end = stretch.span()
        while start < end:
            after = start + 1
            while after < end and after - start <= _MARKS_AT_ONCE and _joins(text[after]):
                after += 1
            cluster = text[start:after]
            if not any(character in unknown_characters for character in cluster):
                composed = unicodedata.normalize("NFC", cluster)
                if composed != cluster:
                    edits.append((start, after, composed))
            start = after
    return edits


def _joins(character: str) -> bool:
    return category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def _space_edits(text: str) -> list:
    edits: list = []
    for run in re.finditer(_SPACE, text):
        start, end = run.span()
        new = "" if start == 0 or end == len(text) else " "
        if run.group() != new:
            edits.append((start, end, new))
    return edits


def _apply(text: str, edits: list, stages: list | None) -> str:
    if not edits:
        return text
    if stages is not None:
        stages.append(edits)
    pieces: list = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _way_back(part: Part, level: Level) -> tuple:
    """The length of a part as read, and the way back to its text."""
    stages: list = []
    length = len(fold(part, level, stages))
    return length, way_through(stages)


def way_through(stages: list) -> list:
    """The way back through stages of edits, for `original`: of each stage, the last first, where its edits start once they are made, and the edits."""
    way: list = []
    for edits in stages:
        shift, starts = 0, []
        for start, end, new in edits:
            starts.append(start + shift)
            shift += len(new) - (end - start)
        way.append((starts, edits))
    way.reverse()
    return way


def original(way: list, at: int, is_end: bool) -> int:
    """Where an offset of the folded text stands in the text before folding. An offset inside a replacement goes to its outer side."""
    for starts, edits in way:
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if starts[middle] < at or starts[middle] == at and not is_end:
                low = middle + 1
            else:
                high = middle
        if not low:
            continue
        start, end, new = edits[low - 1]
        into = at - starts[low - 1]
        if into >= len(new):
            at = end + into - len(new)
        elif is_end:
            at = end
        else:
            at = start
    return at
