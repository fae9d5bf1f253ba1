"""Tier 3: every price, number, date and URL of the answer stands in what it was made from.

What is read as a figure, and which two are one, text/figures.py and given.py say. The answer's JSON, where it holds any, is read by its values (and by those of
its keys that are nothing but a figure), and what stands around it as text. Not checked is what orders and refers, and states nothing:

    numbers of a list     at the start of a line (`1.`, `2)`, `## 3. Prices`) or in brackets in it (`(1) ... (2) ...`), counted from 1 (or 0)
    references            `[1]`, `[^2]`, `[1, 3]`, `【1】`, `【4:0†filing.pdf】`; a number behind a word that numbers what the answer itself has: step, option,
                          point, item, example, tip, counted from 1 as those of lists
    names                 digits that touch letters (`A4`, `gpt-4o`), or a word with a capital by a hyphen (`COVID-19`), and not by a dash
    what `ignore` says    figures that are one of its phrases or stand inside one, and figures that stand inside a match of `ignore_pattern`

An answer without any such figure has nothing that could stand there: the rule does not hold, unless `allow_none` says that this is right.

What is asked is the case's `input` (of a scenario its inputs or turns, of a workflow's step what it is given), the sample's `sources` (and their URLs),
or `both`: what there is of the two. Where there is none of it, it cannot be told.
"""
from __future__ import annotations

import re

from ..data.sources import sources_of
from ..ground.canonical import canonical
from ..ground.errors import CaseError
from ..text.characters import pinned
from ..text.figures import evened, figures
from ..text.quoting import quote
from ..text.views import EXACT
from .fields import Field
from .given import Given
from .outcome import blind, failed, held, unknown
from .places import inside, place_in, spelt
from .table import MatcherType

KINDS_OF_FIGURES = {"price": "a number with a currency", "number": "any other number", "date": "a date", "url": "a URL"}
FROM = {"input": "the input of the case", "sources": "the sources of the sample", "both": "what there is of the two"}
_MISSING = {"input": "the case has no input", "sources": "no sources were recorded", "both": "the case has no input and no sources were recorded"}
_MOST_SHOWN = 5
_LINE_START = r"[ \t>#*+_(\[\u2022-]{0,12}\Z"
_NUMBERED = r"(?i)\b(?:step|option|point|item|example|tip)s?[ #]{1,2}\Z"
_REFERENCE = r"\[\^?[0-9]{1,3}(?:[ ,;-]{1,2}[0-9]{1,3}){0,9}\]|\u3010[0-9]{1,3}(?::[0-9]{1,3})?(?:\u2020[^\u3010\u3011\n]{0,99})?\u3011"
_HYPHENS = "-\u2010\u2011\ufe63\uff0d"  # a dash makes no name: `Revenue\u2013900`


class Stated:
    """A figure of the answer: how it is shown, what it says, and where it stands."""

    __slots__ = ("shown", "shows", "place")

    def __init__(self, shown: str, shows, place) -> None:
        """`shows` is a function of a Given that tells whether the figure stands there, `place` one that gives its place in the view."""
        self.shown, self.shows, self.place = shown, shows, place


class _Ignored:
    """Figures that are not asked about."""

    __slots__ = ("_phrases", "_alone", "_pattern")

    def __init__(self, phrases: tuple, pattern) -> None:
        self._phrases, self._alone, self._pattern = [], Given(), pattern
        for place, phrase in enumerate(phrases):
            text = evened(phrase)
            found = figures(text)
            if not found:
                raise CaseError(f"the phrase {quote(phrase)} holds no price, number, date or URL, so it would ignore nothing", path=("ignore", place))
            if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
                self._alone.read(phrase)
            else:
                self._phrases.append(text.lower())

    def spans(self, text: str, evened_text: str) -> list:
        """Where in a text nothing is asked, in order and without overlap."""
        low, found = evened_text.lower(), []
        if len(low) == len(text):
            for phrase in self._phrases:
                start = low.find(phrase)
                while start >= 0:
                    found.append((start, start + len(phrase)))
                    start = low.find(phrase, start + len(phrase))
        if self._pattern is not None:
            found += [match.span() for match in self._pattern.finditer(pinned(text))]
        return _merged(found)

    def figure(self, figure) -> bool:
        """Whether a figure is one of the phrases."""
        return self._alone.shows(figure)

    def number(self, number: int | float) -> bool:
        """Whether a number of JSON is one of the phrases, or one that the pattern finds as a whole."""
        return self._alone.shows_number(number) or self._pattern is not None and self._pattern.fullmatch(canonical(number)) is not None


def _merged(spans: list) -> list:
    merged: list = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _values_from_source(values: dict):
    path, where, allow_none = values["field"], values["from"], values["allow_none"]
    kinds = values["kinds"] or tuple(KINDS_OF_FIGURES)
    for place, kind in enumerate(kinds):
        if kind not in KINDS_OF_FIGURES:
            raise CaseError(f"a kind is one of {', '.join(KINDS_OF_FIGURES)}, not {quote(kind)}", path=("kinds", place))
    ignored = _Ignored(values["ignore"] or (), values["ignore_pattern"])
    read_input = _remembering()

    def check(reading):
        stated = _stated(reading, path, kinds, ignored)
        if isinstance(stated, str):
            return blind(stated)
        if not stated and not allow_none:
            return blind("there is no " + _listed(kinds) + " in " + (path.spelt if path is not None else "the answer"))
        givens = _givens(reading, where, read_input)
        if not givens:
            return unknown(_MISSING[where] + ", so it cannot be told what stands there")
        named = " and ".join(givens)
        bad = [figure for figure in stated if not any(figure.shows(given) for given in givens.values())]
        if not bad:
            return held(reading, reason=f"each of {len(stated)} values stands in {named}" if stated else "there is no value to look up")
        shown = list(dict.fromkeys(figure.shown for figure in bad))
        words = ", ".join(shown[:_MOST_SHOWN]) + (f" and {len(shown) - _MOST_SHOWN} more" if len(shown) > _MOST_SHOWN else "")
        return failed(f"{words} {'stands' if len(shown) == 1 else 'stand'} nowhere in {named}", None, shown[:_MOST_SHOWN], bad[0].place())

    return check


def _listed(kinds: tuple) -> str:
    return " or ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)


def _remembering():
    """A function that reads an input as Given, and remembers the last: a case asks for its own again and again."""
    last: list = [(None, None)]

    def read(value: object) -> Given:
        known, given = last[0]
        if given is None or known is not value:
            given = Given()
            given.read(value)
            last[0] = value, given  # at once: other threads may ask
        return given

    return read


def _givens(reading, where: str, read_input) -> dict:
    """What was asked for and is known, as Givens by their names in a reason."""
    givens: dict = {}
    if where != "sources" and reading.given is not None:
        givens["the input"] = read_input(reading.given)
    sources = sources_of(reading.sample) if where != "input" else None
    if sources is not None:
        given = givens["the sources"] = Given()
        for source in sources:
            given.read(source.text)
            if source.url is not None:
                given.read_url(source.url)
    return givens


def _stated(reading, path, kinds: tuple, ignored: _Ignored):
    """The figures of what is looked at that are to be asked about; or words, where there is nothing to look at."""
    document = reading.json("object" if path is not None and path.wants_object else "any")
    if path is not None:
        if document.failed:
            return document.reason
        found = path.find(document.value)
        if found.missing:
            return found.reason
        places = zip(found.paths, found.values)
        return [figure for place, (_, value) in places for figure in _in_json(reading, document, place, value, kinds, ignored)]
    view = reading.view(EXACT)
    segments = list(view.segments())
    answer = segments[0][1]
    if document.failed or answer != reading.answer or _is_of_prose(document, answer):
        stated: dict = {}
        for offset, text in segments:
            for figure in _in_text(view, offset, text, kinds, ignored):
                stated.setdefault(figure.shown, figure)  # a string of JSON is read in its text too
        return list(stated.values())
    around = answer[: document.start] + " " * (document.end - document.start) + answer[document.end :]
    return _in_text(view, segments[0][0], around, kinds, ignored) + _in_json(reading, document, (), document.value, kinds, ignored)


def _is_of_prose(document, answer: str) -> bool:
    """Whether the JSON is a list of numbers in a text: `[2, 3]` refers to something there."""
    value = document.value
    is_numbers = isinstance(value, list) and all(isinstance(item, (int, float)) for item in value)
    return is_numbers and answer.strip() != answer[document.start : document.end]


def _in_json(reading, document, place: tuple, value: object, kinds: tuple, ignored: _Ignored) -> list:
    stated = []
    for path, item in inside(value, place):
        if isinstance(item, dict):
            stated += [figure for key in item for figure in _of_key(reading, document, path, key, kinds, ignored)]
        elif isinstance(item, str):
            stated += _placed(_in_text(None, 0, item, kinds, ignored), reading, document, path)
        elif isinstance(item, (int, float)) and not isinstance(item, bool) and ("number" in kinds or "price" in kinds) and not ignored.number(item):
            stated += _placed([Stated(canonical(item), lambda given, number=item: given.shows_number(number), None)], reading, document, path)
    return stated


def _of_key(reading, document, path: tuple, key: str, kinds: tuple, ignored: _Ignored) -> list:
    """The figure that a key is, where it is nothing else."""
    text = evened(key.strip())
    found = figures(text) if text[:1].isalnum() or text[:1] in "$." else []
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return _placed(_in_text(None, 0, text, kinds, ignored), reading, document, (*path, key)) if whole else []


def _placed(stated: list, reading, document, path: tuple) -> list:
    words = spelt(path) or "the JSON value"
    return [Stated(f"{figure.shown} ({words})", figure.shows, lambda: place_in(reading, document, path)) for figure in stated]


def _in_text(view, offset: int, text: str, kinds: tuple, ignored: _Ignored) -> list:
    """The figures of a text that are to be asked about."""
    even = evened(text)
    found = [figure for figure in figures(even) if not (figure.name and text[figure.start - 1] in _HYPHENS)]
    if not found:
        return []
    free = ignored.spans(text, even)
    references = _merged([match.span() for match in re.finditer(_REFERENCE, even)])
    spans = _merged(free + references)
    stated, at, counted = [], 0, set()
    for figure in found:
        while at < len(spans) and spans[at][1] < figure.end:
            at += 1
        inside_one = at < len(spans) and spans[at][0] <= figure.start
        if inside_one or _orders(even, figure, counted) or not figure.is_of(kinds) or ignored.figure(figure):
            continue
        place = (lambda start=offset + figure.start, end=offset + figure.end: (view, start, end)) if view is not None else None
        stated.append(Stated(quote(text[figure.start : figure.end]), lambda given, figure=figure: given.shows(figure), place))
    return stated


def _orders(text: str, figure, counted: set) -> bool:
    """Whether a number only counts what stands behind it: the item of a list, a heading, a step. `counted` are those that did so before."""
    start, end = figure.start, figure.end
    spelt_number = text[start:end]
    if figure.kind != "number" or len(spelt_number) > 8 or not re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{1,2}){0,3}", spelt_number):
        return False
    before, after = text[max(0, start - 16) : start], text[end : end + 2]
    numbered = re.search(_NUMBERED, before) is not None
    line = before.rpartition("\n")[2]
    at_start = len(line) < 13 and (len(line) < len(before) or start == len(before)) and re.match(_LINE_START, line) is not None
    closed = after[:1] in (".", ")") and (after[1:] in ("", " ", "\n", "\t", "*", "_", "\r") or after[1:].isalpha())
    heading = at_start and "#" in line and after[:1] in (" ", ".", ":", ")")
    bracketed = before[-1:] == "(" and after[:1] == ")"
    if not (heading or at_start and closed or bracketed or numbered):
        return False
    last = int(spelt_number.rpartition(".")[2])
    if last in (0, 1) or last - 1 in counted or last in counted:
        counted.add(last)
        return True
    return False


TYPES = (
    MatcherType(
        "values_from_source",
        3,
        "Every price, number, date and URL of the answer stands in the case's input or the sample's sources.",
        (
            Field("from", "choice", "where they must stand", "both", FROM),
            Field("kinds", "texts", "which of price, number, date and url are asked about: all without it. A number of JSON is a price as well", None),
            Field("field", "path", "look at one field of the JSON output, or with [*] at every element", None),
            Field("ignore", "texts", "figures, and phrases around them, that are not asked about: \"24/7\", \"Windows 11\"", None),
            Field("ignore_pattern", "pattern", "a pattern: figures inside what it finds are not asked about", None),
            Field("allow_none", "boolean", "an answer without any is right", False),
        ),
        _values_from_source,
        ("target",),
    ),
)
