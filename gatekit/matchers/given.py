"""What was given, as figures: the prices, numbers, dates and URLs of texts and JSON values (text/figures.py), and whether one more is among them.

A number that JSON holds cannot say its unit or its scale, a field's name says them: it is met by the same digits with any (`growth: 5` by `5%`,
`revenue_in_millions: 4.2` by `$4.2 million`), and the other way round. A date is met by the same day, of the same year where both say it: `May 20` by that of any
year, `2024-05-20` by `May 20` if the year 2024 stands somewhere in what was given; a month of a year by any day in it.
"""
from __future__ import annotations

from ..formats.strict_json import ValueReader
from ..ground.canonical import canonical
from ..text.figures import ANY, evened, figures, goes_with, values_of
from ..text.urls import url_key, without_scheme
from .places import inside


class Given:
    """The figures of what was read so far."""

    __slots__ = ("_numbers", "_unscaled", "_from_json", "_dates", "_urls", "_bare_urls")

    def __init__(self) -> None:
        self._numbers: dict = {}  # value: the units with which it stands somewhere
        self._unscaled: set = set()
        self._from_json: set = set()
        self._dates: dict = {}  # (year, month, day), None for what is not said: whether it was said so, or is part of what was
        self._urls: set = set()
        self._bare_urls: set = set()

    def read(self, value: object) -> None:
        """Take in a text or another JSON value; a text that is an object or array of JSON is read as that."""
        if isinstance(value, str):
            start = value[: len(value) - len(value.lstrip())]
            found = ValueReader(value).attempt(len(start)) if value[len(start) : len(start) + 1] in ("{", "[") else None
            if found is None or value[found[1] :].strip():
                self._read_text(value)
                return
            value = found[0]
        for _, item in inside(value):
            if isinstance(item, dict):
                for key in item:
                    self._read_text(key)
            elif isinstance(item, str):
                self._read_text(item)
            elif isinstance(item, (int, float)) and not isinstance(item, bool):
                for number in values_of(canonical(item)):
                    self._see(number, ANY)
                    self._from_json.add(number)

    def read_url(self, url: str) -> None:
        """Take in the URL of a source."""
        self._see_url(url_key(url))

    def shows(self, figure) -> bool:
        """Whether a figure of a text is among what was given, in one of its readings."""
        if figure.unscaled is not None and figure.unscaled in self._from_json:
            return True
        return any(all(self._shows(atom) for atom in reading) for reading in figure.readings)

    def shows_number(self, number: int | float) -> bool:
        """Whether a number of JSON is among what was given."""
        return any(value in self._numbers or value in self._unscaled for value in values_of(canonical(number)))

    def _read_text(self, text: str) -> None:
        for figure in figures(evened(text)):
            if figure.unscaled is not None:
                self._unscaled.add(figure.unscaled)
            for reading in figure.readings:
                for kind, *said in reading:
                    if kind == "number":
                        self._see(*said)
                    elif kind == "url":
                        self._see_url(*said)
                    else:
                        self._see_date(*said)

    def _see(self, value: object, unit: object) -> None:
        self._numbers.setdefault(value, set()).add(unit)

    def _see_url(self, key: str) -> None:
        self._urls |= {key, without_scheme(key)}
        if key[:2] == "//":
            self._bare_urls.add(key)

    def _see_date(self, year: int | None, month: int, day: int | None) -> None:
        self._dates.setdefault((None, month, day), False)
        self._dates.setdefault((year, month, None), False)
        self._dates[year, month, day] = True
        for part in (year, day):
            if part is not None:
                self._see(*values_of(str(part)), None)

    def _shows(self, atom: tuple) -> bool:
        kind, *said = atom
        if kind == "number":
            return any(goes_with(said[1], unit) for unit in self._numbers.get(said[0], ()))
        if kind == "url":
            return said[0] in self._urls or without_scheme(said[0]) in self._bare_urls
        year, month, day = said
        if (year, month, day) in self._dates:
            return True
        return year is not None and day is not None and self._dates.get((None, month, day), False) and values_of(str(year))[0] in self._numbers
