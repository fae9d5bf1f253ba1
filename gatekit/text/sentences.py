r"""Where a sentence ends: one rule, for counting sentences and for showing the one that holds a hit.

A sentence ends with the paragraph, list item or heading that it stands in (blocks.py), and at a terminal mark inside it. A mark with what
closes over it (quotes, brackets, emphasis, a citation such as `[1]`) ends a sentence by this table, the first row that applies:

    the mark                                    what follows                  an end?
    holds a mark of another script than Latin   anything                      yes: such scripts need no space after it
    `!` or `?`                                  a letter without spaces       yes: Chinese with ASCII marks
    any                                         no white space                no: `3.5`, `example.com`, `e.g.,`
    three points or U+2026                      a small letter                no: a pause
    any, and a quote closes over it             a small letter                no: "Stop!" she said
    `!`, `?`, three points                      anything else                 yes
    `.` after a number that opens an item       anything                      no: `Steps: 1. Open it`
    `.` after an abbreviation                   by its class (below)
    `.`                                         anything else                 yes

What is decided lies within a bounded distance of the mark. The marks are those of the property Sentence_Terminal (Unicode 13.0) in the
scripts of living languages.
"""
from __future__ import annotations

import re

from .blocks import blocks
from .characters import category, spaceless_scripts, white_space

_LATIN_MARKS = ".!?\u2026\u203c\u203d\u2047\u2048\u2049"
_OTHER_MARKS = (
    "\u3002\uff01\uff1f\uff61\ufe12\ufe15\ufe16"  # Han, kana
    "\u061f\u06d4\u061e\u0700\u0701\u0702"  # Arabic, Syriac
    "\u0964\u0965\u1c7e\u1c7f\uaaf0\uabeb"  # danda of the Indic scripts, Ol Chiki, Meetei Mayek
    "\u0589\u1362\u1367\u1368\u17d4\u17d5\u104a\u104b\u1803\u1809"  # Armenian, Ethiopic, Khmer, Burmese, Mongolian
)
_CLOSING = "\"'\u201d\u2019\u00bb\u203a)\\]}*_`~\u300d\u300f\u3011\uff09\u300b"
_QUOTES = "\"'\u201d\u2019\u00bb\u203a\u300d\u300f"
_OPENING = " \t\r\n\u00a0\"'\u201c\u2018\u00ab\u2039([{*_`~>"
_TERMINAL = f"([{_LATIN_MARKS}{_OTHER_MARKS}]+)(?:[{_CLOSING}]+|\\[\\^?[0-9]{{1,3}}\\]){{0,8}}"
_ITEM_NUMBER = r"(?:^|[.:;!?][\s*_(]*\s)[*_(]*[0-9]{1,3}\Z"
_REACH = 24  # characters before and after a mark that decide

# Abbreviations by what must follow for their point to end a sentence too.
_ABBREVIATIONS = {
    # never, and only where spelt with a capital: what follows is a name
    "title": "mr mrs ms mx dr prof st mt rev gen col sgt capt lt cmdr gov sen rep pres messrs mme mlle",
    # never
    "never": "e.g i.e eg ie cf vs viz approx ca i.a z.b d.h u.a bzw p.ej",
    # anything but a digit
    "number": "no nos nr vol vols p pp ch sec art fig figs eq eqs ver jan feb mar apr jun jul aug sep sept oct nov dec",
    # a capital letter
    "capital": "etc al a.m p.m usw est",
    # a word that often begins a sentence
    "opener": "inc ltd co corp llc bros jr sr ph.d m.d b.a m.a b.sc m.sc dept ave blvd rd",
}
_OPENERS = frozenset(
    """
    a after all also although an and another any are as at because before both but by can could did do does each even every finally
    first for from had has have he hence her here his how however i if in is it its last later let many may more most my next no
    nobody none not nothing now on once one only or other otherwise our out over perhaps please several she should similarly since so
    some sometimes such that the their then there therefore these they this those though thus to today under unlike until was we well
    were what when where which while who why will with without would yes yet you your
    """.split()
)
_CLASS_OF = {word: name for name, words in _ABBREVIATIONS.items() for word in words.split()}


def sentences(text: str, start: int, end: int):
    """The sentences of one block of text: yields (start, end) of each, without the white space around it."""
    space = re.compile(r"\s*")
    begin = space.match(text, start, end).end()
    for mark in re.compile(_TERMINAL).finditer(text, start, end):
        if mark.end() < end and _ends(text, mark, start, end):
            yield begin, mark.end()
            begin = space.match(text, mark.end(), end).end()
    while end > begin and text[end - 1] in white_space:
        end -= 1
    if begin < end:
        yield begin, end


def _ends(text: str, mark, start: int, end: int) -> bool:
    marks, after = mark.group(1), mark.end()
    if marks.strip(_LATIN_MARKS):
        return True
    if text[after] != " " and text[after] not in white_space:
        return not marks.strip("!?") and text[after] in spaceless_scripts
    following = text[after : min(end, after + _REACH)].lstrip(_OPENING)
    closing = text[mark.end(1) : after]
    pause = marks != "." and not marks.strip(".\u2026")
    if (pause or closing and _closes_quote(closing)) and following and category(following[0]) == "Ll":
        return False
    if marks != ".":
        return True
    before = text[max(start, mark.start() - _REACH) : mark.start()]
    if "0" <= before[-1:] <= "9" and _opens_item(before):
        return False
    return not following or _ends_after(_last_word(before), following)


def _closes_quote(closing: str) -> bool:
    return any(quote in closing for quote in _QUOTES)


def _opens_item(before: str) -> bool:
    number = re.search(_ITEM_NUMBER, before)
    return number is not None and _CLASS_OF.get(_last_word(before[: number.start()]).lower()) != "number"


def _last_word(before: str) -> str:
    return before.split()[-1].lstrip(_OPENING) if before[-1:].strip() else ""


def _ends_after(word: str, following: str) -> bool:
    """Whether the point after a word ends a sentence: not after an abbreviation, unless what follows tells."""
    name = _CLASS_OF.get(word.lower())
    if name is None and _is_initials(word):
        name = "opener"
    if name is None or name == "title" and word != word.capitalize():
        return True
    if name == "number":
        return not "0" <= following[0] <= "9"
    if name == "capital":
        return category(following[0]) == "Lu"
    if name == "opener":
        opener = re.match(r"[A-Z][a-z]*(?![a-z])", following)
        return opener is not None and opener.group().lower() in _OPENERS
    return False


def _is_initials(word: str) -> bool:
    """One capital, or letters with points between them: `J`, `U.S`."""
    parts = word.split(".")
    if len(parts) == 1:
        return len(word) == 1 and category(word) == "Lu"
    return all(len(part) == 1 and category(part)[0] == "L" for part in parts)


def sentence_around(text: str, start: int, end: int, limit: int = 200) -> tuple:
    """The part of a text to show for a hit at [start, end): (from, to), the sentence or line that holds it.

    At most `limit` characters, or the hit's first `limit` where it alone is longer. What is too long is cut on both sides, at white space
    where there is some. Only the text within `limit` characters of the hit is looked at.
    """
    if end - start >= limit:
        return start, start + limit
    first, last = start, end
    low, high = max(0, start - limit), min(len(text), end + limit)
    for begin, stop in _passages(text, low, high):
        if begin <= start < stop:
            first = begin
        if begin < end <= stop:
            last = stop
    room = limit - (end - start)
    left = min(start - first, max(room // 2, room - (last - end)))
    right = min(last - end, room - left)
    return _cut_left(text, first, start - left, start), _cut_right(text, last, end + right, end)


def _passages(text: str, low: int, high: int):
    for kind, start, end in blocks(text, low, high):
        if kind in ("text", "item"):
            yield from sentences(text, start, end)
        elif kind == "code":
            for line in re.compile(r"[^\r\n]+").finditer(text, start, end):
                yield line.span()
        elif kind != "blank":
            yield start, end


def _cut_left(text: str, first: int, cut: int, start: int) -> int:
    if cut <= first or text[cut - 1] in white_space:
        return cut
    space = re.compile(r"\s").search(text, cut, start)
    return space.end() if space else cut


def _cut_right(text: str, last: int, cut: int, end: int) -> int:
    if cut >= last or text[cut] in white_space:
        return cut
    for place in range(cut, end - 1, -1):
        if text[place] in white_space:
            return place
    return cut
