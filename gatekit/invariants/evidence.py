r"""Which ids and numbers stand in a conversation, and from which step on: in the user's words, in system messages and in the results of calls.

The assistant's own words and arguments are no evidence: an id that it made up stays made up however often it says it.

    an id       a text that holds a digit and no white space: `W2378156`, `gift_card_7815826`, `ann_lee_4433`, an e-mail address with a digit; or one in
                up to eight words without a small letter: `HX 204`, `SW1A 1AA`. Of a text of other words (`2 bags please`) nothing is asked
    a number    a JSON number, and a text of digits alone

How they count as seen:

    id          letter for letter, upper and lower case alike, with what is no letter or digit left off its ends (`#W2378156`); where it stands no letter or
                digit touches it, so `4183` does not stand in `41830`, `A4183` or `4,183.5`; a letter of a script written without spaces touches nothing
    number      by its value, without its sign, in digits: `1,014`, `1014.0` and `$1,014` are 1014. `1.014` is not, nor is `two`. A unit of up to four
                letters may touch it (`20kg`, `3rd`, `5pm`)
    date        `2024-05-20` also by its day alone: `May 20`, `May 20th`, `20 May`, `20th of May` (months in English, in full or three letters), `5/20`,
                `20/05/2024`, `20.5.2024`, `2024-05-20T10:00`, `5月20日`

An id is one piece unless white space, quotes, brackets, commas or the like stand in it: then each piece of it that has a digit is sought. One of more than eight
runs of letters and digits (a long URL) is seen when each eight that follow each other are; of a stretch of more than a thousand characters (data, no
words) only the whole is. Each character is read a bounded number of times, and only what some call asks for is remembered.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical
from ..text.characters import pinned, spaceless_scripts
from ..text.views import CAREFUL, Part, fold, one_space

_APART = str.maketrans(dict.fromkeys("\"'`()[]{}<>;|", " "))
_RUN = r"[0-9]+(?:[.,][0-9]+)+(?![^\W_])|[^\W_]+"
_QUICKLY = 4000  # calls, times texts
_GLANCES = 20  # places in one text
_WIDEST = 8  # runs of letters and digits that are sought as one
_LONGEST = 1000  # characters of a stretch in which ids are sought
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
_FIGURE = r"(?<![^\W_])([0-9]+(?:[.,][0-9]+)*)(?:[^\W\d_]{1,4})?(?![^\W_]|\.[0-9])"
_SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
_ONLY_AS_JSON = "[0-9](?:,[0-9]|[eE][-+0-9])"
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = f"({'|'.join(_MONTHS)})(?:[a-z]{{1,6}})?"
_DATE = "([0-9]{4})-([0-9]{2})-([0-9]{2})"
_NAMED_DAY = rf"\b(?:{_MONTH}\.? ([0-9]{{1,2}})(?:st|nd|rd|th)?\b(?!:)|([0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH}\b)"
_SLASHED_DAY = r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})(?![0-9])"
_POINTED_DAY = r"(?<![0-9.])([0-9]{1,2})\.([0-9]{1,2})\.[0-9]{4}(?![0-9])"
_SPACELESS_DAY = "([0-9]{1,2}) 月 ([0-9]{1,2}) 日"  # as the words are read: apart from the digits
_TIMED_DAY = "(?<![0-9])[0-9]{4}-([0-9]{2})-([0-9]{2})t[0-9]"


class Evidence:
    """What the calls of a conversation ask for, each with the first step at which it was seen so far, or None.

    Most of it stands there as it is spelt in the call: so that spelling is looked for, and what is around it read. Only where that shows nothing, or
    where more is asked for than is quickly looked for one by one, all is read.
    """

    __slots__ = ("_ids", "_numbers", "_days", "_sought", "_given", "_texts", "_calls", "_digits", "_runs", "_figures", "_is_number")

    def __init__(self, trace) -> None:
        self._digits, self._runs, self._figures = re.compile("[0-9]+").finditer, re.compile(_RUN).finditer, re.compile(_FIGURE).finditer
        self._is_number = re.compile(_NUMBER).fullmatch
        self._sought: dict = {}  # value: what is sought for it
        self._ids: dict = {}
        self._numbers: dict = {}
        self._days: dict = {}  # (month, day)
        self._calls = trace.calls
        given = [(said.step, said.source.text) for role in ("system", "user") for said in trace.roles[role]]
        given += [(call.result_step, _value_of(call)) for call in trace.calls if call.answered]
        self._given: list = sorted(given, key=_step)  # empty once all of it was read
        is_short = len(trace.calls) * len(given) <= _QUICKLY
        self._texts: list = [(at, _folded(text)) for at, text in self._given if isinstance(text, str)] if is_short else []

    def shows(self, value: object, step: int) -> bool:
        """Whether an id or a number of a call stands in the conversation before a step."""
        self._seek(value)
        if self._was_seen(value, step) or self._texts and self._glance(value, step):
            return True
        if self._given:
            self._read_all()
        return self._was_seen(value, step)

    def _read_all(self) -> None:
        for call in self._calls:
            for value in _leaves(call.arguments):
                if is_checked(value):
                    self._seek(value)
        for at, given in self._given:
            self._read(given, at)
        self._given, self._texts = [], []

    def _glance(self, value: object, step: int) -> bool:
        """Read what stands around the value's own spelling in the texts before a step, until it was seen."""
        spelling = _folded(value).strip(_SIGNS) if isinstance(value, str) else _literal(value).lstrip("-")
        for at, text in self._texts:
            place = text.find(spelling) if at < step else -1
            for _ in range(_GLANCES):
                if place < 0:
                    break
                after = place + len(spelling)
                if not (text[place - 1 : place].isalnum() or text[after : after + 1].isalnum()):
                    end = text.find(" ", after)
                    self._read_text(text[text.rfind(" ", 0, place) + 1 : end if end >= 0 else len(text)], at)
                    if self._was_seen(value, step):
                        return True
                place = text.find(spelling, after)
        return False

    def _was_seen(self, value: object, step: int) -> bool:
        spellings, number, day = self._sought[type(value) is str, value]
        if _is_before(self._numbers.get(number), step) or _is_before(self._days.get(day), step):
            return True
        return any(pieces and all(_is_before(self._ids.get(piece), step) for piece in pieces) for pieces in spellings)

    def _seek(self, value: object) -> None:
        key = type(value) is str, value
        if key not in self._sought:
            self._sought[key] = spellings, number, day = self._sought_for(value)
            for piece in (piece for pieces in spellings for piece in pieces):
                self._ids.setdefault(piece)
            self._numbers.setdefault(number)
            self._days.setdefault(day)

    def _sought_for(self, value: object) -> tuple:
        """What is sought for a value: spellings, of one of which all pieces must be seen; or a number, or a day of the year."""
        if not isinstance(value, str):
            return (), _number(_literal(value)), None
        text = _folded(value).strip(_SIGNS)
        spellings = [[piece for chunk in text.translate(_APART).split() for piece in self._windows(chunk.strip(_SIGNS))]]
        if " " in text:
            spellings.append([text.replace(" ", "")])
        date = re.fullmatch(_DATE, text)
        return spellings, _number(text) if text.isdecimal() and text[0] != "0" else None, (int(date.group(2)), int(date.group(3))) if date else None

    def _windows(self, piece: str) -> list:
        """What must have been seen of a piece: all of it, or each stretch of _WIDEST runs; nothing of one that has no digit."""
        if not re.search("[0-9]", piece):
            return []
        runs = [run.span() for run in self._runs(piece)] if len(piece) <= _LONGEST else ()
        if len(runs) <= _WIDEST:
            return [piece]
        return [piece[runs[place][0] : runs[place + _WIDEST - 1][1]] for place in range(len(runs) - _WIDEST + 1)]

    def _read(self, value: object, step: int) -> None:
        for item in _leaves(value):
            if isinstance(item, str):
                self._read_text(_folded(item), step)
            elif isinstance(item, (int, float)) and not isinstance(item, bool):
                literal = _literal(item)
                self._see(self._numbers, _number(literal), step)
                self._see(self._ids, literal, step)

    def _see(self, sought: dict, key: object, step: int) -> None:
        if key in sought and (sought[key] is None or step < sought[key]):
            sought[key] = step

    def _read_text(self, text: str, step: int) -> None:
        end = -1
        for digits in self._digits(text):
            start = digits.start()
            if start < end:
                continue  # in a chunk that was read already
            end = text.find(" ", start)
            end = len(text) if end < 0 else end
            chunk = text[text.rfind(" ", 0, start) + 1 : end].strip(_SIGNS)
            if chunk.isalnum():  # most are one run of letters and digits
                self._see(self._ids, chunk, step)
                if chunk.isdecimal():
                    self._see(self._numbers, _number(chunk), step)
                elif "0" <= chunk[0] <= "9":
                    self._read_numbers(chunk, step)
            else:
                for piece in chunk.translate(_APART).split():
                    self._read_piece(piece.strip(_SIGNS), step)
        if end >= 0 and len(self._days) > (None in self._days):
            self._read_days(text, step)

    def _read_piece(self, piece: str, step: int) -> None:
        self._see(self._ids, piece, step)
        if len(piece) > _LONGEST or piece.isalpha():
            return
        runs = [run.span() for run in self._runs(piece)]
        self._read_numbers(piece, step)
        for place, (start, _) in enumerate(runs):
            for _, last in runs[place : place + _WIDEST]:
                self._see(self._ids, piece[start:last], step)

    def _read_numbers(self, piece: str, step: int) -> None:
        for figure in self._figures(piece):
            run = figure.group(1)
            for part in (run,) if self._is_number(run) else run.split(","):
                if self._is_number(part):
                    self._see(self._numbers, _number(part.replace(",", "")), step)

    def _read_days(self, text: str, step: int) -> None:
        for found in re.finditer(_NAMED_DAY, text):
            name, number = (found.group(1), found.group(2)) if found.group(1) else (found.group(4), found.group(3))
            self._see(self._days, (_MONTHS.index(name) + 1, int(number)), step)
        for one, other in re.findall(_SLASHED_DAY, text):
            self._see(self._days, (int(one), int(other)), step)
            self._see(self._days, (int(other), int(one)), step)
        for each, of_year in re.findall(_POINTED_DAY, text):
            self._see(self._days, (int(of_year), int(each)), step)
        for of_year, each in re.findall(_SPACELESS_DAY, text) + re.findall(_TIMED_DAY, text):
            self._see(self._days, (int(of_year), int(each)), step)


def _is_before(seen: int | None, step: int) -> bool:
    return seen is not None and seen < step


def _leaves(value: object):
    """The texts (keys among them) and other single values of a JSON value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, (list, tuple)):
            waiting += item
        else:
            yield item


def is_checked(value: object) -> bool:
    """Whether a value is an id or a number: a text of several words is one where they are written as ids are, without a small letter."""
    if isinstance(value, str):
        words = len(value.split())
        return not value.isalpha() and (words == 1 or 1 < words <= _WIDEST and value.upper() == value) and re.search("[0-9]", _folded(value)) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _value_of(call) -> object:
    """The result of a call; as a JSON value where its text cannot be read as words: `[100,200]` is two numbers, `1e3` is one, escapes are undone."""
    result = call.result
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "[") and ("\\" in result or re.search(_ONLY_AS_JSON, result)):
        return call.result_value
    return result


def _step(pair: tuple) -> int:
    return pair[0]


def _folded(text: str) -> str:
    """A text in which ids are compared: typography, white space, digits and case evened out, letters of scripts written without spaces put apart.

    Markup is left, as it may be part of an id.
    """
    if text.isascii():
        return one_space(text.lower())
    folded = pinned(fold(Part(text, 0, len(text), passed_over=True), CAREFUL))
    apart = {ord(character): f" {character} " for character in set(folded) if character >= "\x80" and character in spaceless_scripts}
    return one_space(folded.translate(apart)) if apart else folded


def _literal(number) -> str:
    return int.__repr__(number) if isinstance(number, int) and -1000000 < number < 1000000 else canonical(number)


def _number(literal: str) -> str:
    """A number by its value, without its sign: of a decimal literal, or a spelling of `canonical`."""
    if "e" in literal:
        return literal.lstrip("-")
    whole, _, fraction = literal.lstrip("-").partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + ("." + fraction if fraction else "")
