r"""Which ids and numbers stand in a conversation, and from which step on: in the user's words, in system messages and in the results of calls.

The assistant's own words and arguments are no evidence: an id that it made up stays made up however often it says it.

    an id       a text that holds a digit and no white space: `W2378156`, `gift_card_7815826`, `ann_lee_4433`, an e-mail address with a digit
    a number    a JSON number, and a text of digits alone

How they count as seen:

    id          letter for letter, upper and lower case alike, with what is no letter or digit left off its ends (`#W2378156`); where it stands no letter or
                digit touches it, so `4183` does not stand in `41830`, `A4183` or `4,183.5`
    number      by its value, without its sign, in digits: `1,014`, `1014.0` and `$1,014` are 1014. `1.014` is not, nor is `two`
    date        `2024-05-20` also by its day alone: `May 20`, `May 20th`, `20 May`, `20th of May` (months in English, in full or three letters), `5/20`,
                `20/05/2024`, `20.5.2024`, `2024-05-20T10:00`

An id of more than eight runs of letters and digits (a long URL) is seen when each eight of them that follow each other are. Each character is read
a bounded number of times.
"""
from __future__ import annotations

import re

from ..formats.strict_json import read_json
from ..ground.canonical import canonical
from ..ground.errors import GatekitError
from ..text.characters import pinned
from ..text.views import CAREFUL, Part, fold, one_space

_RUN = r"[0-9]+(?:[.,][0-9]+)+(?![^\W_])|[^\W_]+"
_WIDEST = 8  # runs of letters and digits that are remembered as one
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
_SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
_ONLY_AS_JSON = "[0-9](?:,[0-9]|[eE][-+0-9])"
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = f"({'|'.join(_MONTHS)})(?:[a-z]{{1,6}})?"
_DATE = "([0-9]{4})-([0-9]{2})-([0-9]{2})"
_NAMED_DAY = rf"\b(?:{_MONTH}\.? ([0-9]{{1,2}})(?:st|nd|rd|th)?\b(?!:)|([0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH}\b)"
_SLASHED_DAY = r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})(?![0-9])"
_POINTED_DAY = r"(?<![0-9.])([0-9]{1,2})\.([0-9]{1,2})\.[0-9]{4}(?![0-9])"
_TIMED_DAY = "(?<![0-9])[0-9]{4}-([0-9]{2})-([0-9]{2})t[0-9]"


class Evidence:
    """The ids, numbers and dates of a conversation, each with the step at which it first stands there."""

    __slots__ = ("_ids", "_numbers", "_texts", "_days", "_digits", "_runs", "_is_number")

    def __init__(self, trace) -> None:
        self._ids: dict = {}
        self._numbers: dict = {}
        self._texts: list = []  # (step, text as it is compared)
        self._days: dict | None = None  # (month, day): made when a date is asked for
        self._digits, self._runs, self._is_number = re.compile("[0-9]+").finditer, re.compile(_RUN).finditer, re.compile(_NUMBER).fullmatch
        given = [(said.step, said.source.text) for role in ("system", "user") for said in trace.roles[role]]
        given += [(call.result_step, _value_of(call.result)) for call in trace.calls if call.answered]
        for step, value in sorted(given, key=_step):
            self._read(value, step)

    def shows(self, value: object, step: int) -> bool:
        """Whether an id or a number stands in the conversation before a step."""
        if not isinstance(value, str):
            return self._numbers.get(_number(_literal(value)), step) < step
        sought = re.sub(r"^[\W_]+|[\W_]+$", "", _folded(value))
        if sought.isdigit() and sought[0] != "0" and self._numbers.get(_number(sought), step) < step:
            return True
        date = re.fullmatch(_DATE, sought)
        if date and self._day(int(date.group(2)), int(date.group(3)), step) < step:
            return True
        return all(self._ids.get(window, step) < step for window in _windows(sought))

    def _read(self, value: object, step: int) -> None:
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                self._read_text(_folded(item), step)
            elif isinstance(item, dict):
                waiting += [*item, *item.values()]
            elif isinstance(item, (list, tuple)):
                waiting += item
            elif isinstance(item, (int, float)) and not isinstance(item, bool):
                literal = _literal(item)
                self._numbers.setdefault(_number(literal), step)
                self._ids.setdefault(literal, step)

    def _read_text(self, text: str, step: int) -> None:
        end = -1
        for digits in self._digits(text):
            start = digits.start()
            if start < end:
                continue  # in a chunk that was read already
            end = text.find(" ", start)
            end = len(text) if end < 0 else end
            self._read_chunk(text[text.rfind(" ", 0, start) + 1 : end], step)
        if end >= 0:
            self._texts.append((step, text))

    def _read_chunk(self, chunk: str, step: int) -> None:
        """Read a stretch without white space that holds a digit."""
        word = chunk.strip(_SIGNS)
        if word.isalnum():  # most are one run of letters and digits
            self._ids.setdefault(word, step)
            if word.isdecimal():
                self._numbers.setdefault(word if word[0] != "0" else _number(word), step)
            return
        runs = [run.span() for run in self._runs(word)]
        for place, (start, end) in enumerate(runs):
            if "0" <= word[start] <= "9":
                self._read_number(word[start:end], step)
            for _, last in runs[place : place + _WIDEST]:
                self._ids.setdefault(word[start:last], step)

    def _read_number(self, run: str, step: int) -> None:
        for part in (run,) if self._is_number(run) else run.split(","):
            if self._is_number(part):
                self._numbers.setdefault(_number(part.replace(",", "")), step)

    def _day(self, month: int, day: int, step: int) -> int:
        """The step at which a day of the year first stands in the conversation; the given one where it stands nowhere."""
        if self._days is None:
            self._days = {}
            for at, text in self._texts:
                for named in re.finditer(_NAMED_DAY, text):
                    name, number = (named.group(1), named.group(2)) if named.group(1) else (named.group(4), named.group(3))
                    self._days.setdefault((_MONTHS.index(name) + 1, int(number)), at)
                for one, other in re.findall(_SLASHED_DAY, text):
                    self._days.setdefault((int(one), int(other)), at)
                    self._days.setdefault((int(other), int(one)), at)
                for each, of_year in re.findall(_POINTED_DAY, text):
                    self._days.setdefault((int(of_year), int(each)), at)
                for of_year, each in re.findall(_TIMED_DAY, text):
                    self._days.setdefault((int(of_year), int(each)), at)
        return self._days.get((month, day), step)


def is_checked(value: object) -> bool:
    """Whether a value is an id or a number."""
    if isinstance(value, str):
        text = _folded(value)
        return " " not in text and re.search("[0-9]", text) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _value_of(result: object) -> object:
    """A result, as a JSON value where its text is one that cannot be read as words: `[100,200]` is two numbers, `1e3` is one, escapes are undone."""
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "[") and ("\\" in result or re.search(_ONLY_AS_JSON, result)):
        try:
            return read_json(result)
        except GatekitError:
            return result
    return result


def _step(pair: tuple) -> int:
    return pair[0]


def _folded(text: str) -> str:
    """A text in which ids are compared: typography, white space, digits and case evened out. Markup is left, as it may be part of an id."""
    if text.isascii():
        return one_space(text.lower())
    return pinned(fold(Part(text, 0, len(text), passed_over=True), CAREFUL))


def _windows(sought: str) -> list:
    """What must have been seen of an id: all of it, or each stretch of _WIDEST runs."""
    runs = [run.span() for run in re.finditer(_RUN, sought)]
    if len(runs) <= _WIDEST:
        return [sought]
    return [sought[runs[place][0] : runs[place + _WIDEST - 1][1]] for place in range(len(runs) - _WIDEST + 1)]


def _literal(number) -> str:
    return int.__repr__(number) if isinstance(number, int) and -1000000 < number < 1000000 else canonical(number)


def _number(literal: str) -> str:
    """A number by its value, without its sign: of a decimal literal, or a spelling of `canonical`."""
    if "e" in literal:
        return literal.lstrip("-")
    whole, _, fraction = literal.lstrip("-").partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + ("." + fraction if fraction else "")
