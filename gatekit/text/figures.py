r"""Figures of a text: prices, numbers, dates and URLs, each by what it says and not by how it is spelt.

    number    its digits, exactly: `1,014`, `1 014`, `1'014` and `1014.0` are one number; `1.014` is not, nor is `one`. The sign is not read:
              `-5%` says what `down 5%` does.
              With its scale: `4.2 million`, `4,200,000`, `4.2M`, `4.2e6`; `m`, `b` and `t` are scales beside a currency only, and there behind a space too
              in capitals (`EUR 4 M`). `5m` may be metres, minutes or months too. Fractions of one character count: `2\u00bd` is `2.5`
              With its unit: `%` is part of the value, so 5% is not 5. A currency or another unit that is known (units.py) must not be another one: `$5` is
              met by `5 USD` and by `5`, never by `5 EUR`; `14 days` by `14-day` and `14`, never by `14 weeks`
    price     a number with a currency
    date      `2024-05-20`, `2024/5/20`, `May 20, 2024`, `20th of May 2024`, `20-May-2024`, `20.5.2024`, `20-May-24`, `5/20/2024`, `20/05/24`,
              `May 20`, `May 20-22`, `May 2024`, `2024-05`, `05/2024` (months in English). The time of a timestamp is a part of it: what is not zero
              of its hour, minute and second are numbers
    URL       by its key (urls.py)

What can be read in two ways has both readings, and none is preferred:

    5/6/2024            a day in May, or in June
    5-10%  $5 to 10 m   the first number of a span by itself, or with what stands behind the second
    1.234               the same as this spelling alone: the point may be a decimal one, or divide thousands. `0.125` and `1.5` are sure
    1,5   14,15         the same as this spelling, or, without a unit, two numbers of a list. A comma that divides groups of three is sure
    FY24                24 and 2024
    2.1.3   1.234,56    the same as this spelling alone

Digits that touch a letter or `_` (`A4`, `gpt-4o`, `q3_2`) and stand for no known unit are a name and no figure; behind a hyphen and a word with a
capital (`COVID-19`, but not `Mid-2024`) they are one with the mark `name`. A text is read in one pass. Of hostile text each character is looked at a bounded
number of times.
"""
from __future__ import annotations

import re

from ..ground.exact import decimal_parts
from ..ground.record import Record
from .characters import category, pinned, spaceless_scripts
from .units import CAPITAL_SCALES, CODES, IN_FRONT, MONEY_SCALES, NAMELESS, SCALES, STRICT, SUFFIXES, UNITS
from .urls import URL, url_end, url_key
from .views import CAREFUL

ANY = "any"  # the unit of a number that cannot say it: one of JSON
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    "(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|[Mm]ar(?:ch)?|[Aa]pr(?:il)?|May|MAY|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?|[Ss]ept?(?:ember)?"
    "|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?"
    "|JAN|FEB|MAR|APR|JUN|JUL|AUG|SEP|OCT|NOV|DEC)"
)
_DAY = "(?:3[01]|[12][0-9]|0?[1-9])"
_NTH = "(?:st|nd|rd|th)?"
_EDGE, _END = r"(?<![^\W_])(?<![0-9][./-])", r"(?![0-9]|[./-][0-9])"
_YEAR = "(?:1[0-9]|20|21)[0-9]{2}"
_DATES = (
    rf"{_EDGE}(?P<iso>{_YEAR}(?P<isomark>[-/.])[0-9]{{1,2}}(?P=isomark)[0-9]{{1,2}})"
    rf"(?:[Tt ](?P<time>[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?)(?:\.[0-9]{{1,9}})?(?:[Zz]|[+-][0-9]{{2}}:?[0-9]{{2}})?)?{_END}",
    rf"{_EDGE}(?P<month>{_YEAR}-(?:0[1-9]|1[0-2])){_END}",
    rf"{_EDGE}(?P<month_first>(?:0?[1-9]|1[0-2])/{_YEAR}){_END}",
    rf"{_EDGE}(?P<short>{_DAY}-{_MONTH}-[0-9]{{2}})(?![^\W_]){_END}",
    rf"{_EDGE}(?P<numeric>[0-9]{{1,2}}(?:/[0-9]{{1,2}}(?:/(?:[0-9]{{4}}|[0-9]{{2}}))?|(?P<mark>[.-])[0-9]{{1,2}}(?P=mark)[0-9]{{4}})){_END}",
    rf"(?<![^\W_])(?P<named>{_MONTH})\.?[ -]{_DAY}{_NTH}(?: ?- ?{_DAY}{_NTH})?"
    rf"(?![^\W_]|[.,:/][0-9]|-[0-9]| (?:million|billion|percent)|%)(?:,?\s{{1,2}}{_YEAR}(?![^\W_]|[.,][0-9]))?",
    rf"(?<![^\W_])(?P<of_year>{_MONTH})\.?,?[ -]{_YEAR}(?![^\W_]|[.,][0-9])",
    rf"{_EDGE}(?P<day_first>(?:{_DAY}{_NTH} ?- ?)?{_DAY}{_NTH}\.?(?: of)?[ -]{_MONTH})(?![^\W_])\.?(?:,?[ -]{_YEAR}(?![^\W_]|[.,][0-9]))?",
)
_SIGNS = "".join(re.escape(sign) for sign in sorted({sign for sign in IN_FRONT if len(sign) == 1}))
_FRACTIONS = {
    "\u00bc": "25", "\u00bd": "5", "\u00be": "75", "\u2152": "1", "\u2155": "2", "\u2156": "4", "\u2157": "6", "\u2158": "8",
    "\u215b": "125", "\u215c": "375", "\u215d": "625", "\u215e": "875",
}  # fmt: skip
_POWERED = r"(?<![\w-])[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}(?![^\W_]|[.-][^\W_])"
_FRONT = "|".join(re.escape(sign.upper()) for sign in sorted(IN_FRONT, key=len, reverse=True) if len(sign) > 1)
_GROUPS = "[0-9]{1,3}(?: [0-9]{3}){1,6}(?![0-9]| [0-9])(?:[.,][0-9]+)?"
_DIGITS = rf"{_POWERED}|{_GROUPS}|[0-9]{{0,9}}[\u00bc-\u00be\u2150-\u215e]|[0-9]+(?:[.,'_][0-9]+)*|(?<![\w.])\.[0-9]+"
_NUMBER = rf"(?:(?<![^\W_])(?P<code>{_FRONT}|Rs|kr|K\u010d)\.?[ -]?|(?P<sign>[{_SIGNS}]) ?(?P<loss>\()?)?(?P<digits>{_DIGITS})"
_FIGURE = "|".join((rf"(?P<url>{URL})", *_DATES, _NUMBER))
_WORD = r"(?P<gap>[ \t\r\n-]{0,3})(?P<word>\u00b0?[^\W\d_]{1,16}|[%\u2030\u00b0" + _SIGNS + r"])"
_POINTS = r"\s{0,3}(?:percentage |%[ -]?)points?|\s{0,3}basis points?|\s{0,3}per cent\b"
_COMMAS = r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]+)?"  # groups of two are those of India
_MARKED = r"[0-9]{1,3}(?:(?P<mark>[ '_])[0-9]{3})(?:(?P=mark)[0-9]{3})*(?:\.[0-9]+)?"
_FISCAL = r"(?<![^\W_])[FC]Y\Z"  # a fiscal or a calendar year: FY2024
_SPAN = r" ?- ?| to | or | through "  # between two numbers that share a scale and a unit
_BETWEEN = r"(?i)\bbetween \Z"  # and with that in front, `and` is one too
_ALONE = frozenset("KMBT")
_BARE_M = UNITS["m"] | UNITS["min"] | UNITS["mo"]
_UNSURE = r"[1-9][0-9]{0,2}\.[0-9]{3}"


class Figure(Record):
    """One figure of a text.

    kind: `price`, `number`, `date` or `url`.
    start, end: where it stands, unit and currency included.
    readings: what it may say: each a tuple of atoms, all of which it then says: `("number", value, unit)`, `("date", year, month, day)` (None for what is not
        said) or `("url", key)`.
    name: whether it may be part of a name.
    unscaled: the value of its digits alone, where a scale stands behind them (4.2 of `4.2 million`); else None.
    """

    __slots__ = ("kind", "start", "end", "readings", "name", "unscaled")

    def __init__(self, kind: str, start: int, end: int, readings: tuple, name: bool = False, unscaled: object = None) -> None:
        self._set(kind, start, end, readings, name, unscaled)

    def is_of(self, kinds) -> bool:
        """Whether it is, or may be read as, one of some kinds."""
        return self.kind in kinds or "number" in kinds and self.kind == "date" and any(atom[0] == "number" for reading in self.readings for atom in reading)


def evened(text: str) -> str:
    """A text of the same length with digits, spaces, dashes and signs of every script as their ASCII forms; letters stay as they are."""
    if text.isascii():
        return text
    text, table = pinned(text), {}
    for character in set(text):
        if character >= "\x80":
            meaning = CAREFUL.read_as(character)
            # Of a letter, folding its case would lose what it is written in.
            if len(meaning) == 1 and (category(character)[0] != "L" or "\uff01" <= character <= "\uff5e"):
                table[ord(character)] = chr(ord(character) - 0xFEE0) if "\uff21" <= character <= "\uff5a" else meaning
    return text.translate(table) if table else text


def figures(text: str) -> list:
    """The figures of a text that was evened, in order and without overlap."""
    found: list = []
    position, last = 0, None  # the number that was found last, while nothing else was found behind it
    search = re.compile(_FIGURE).search
    while True:
        match = search(text, position)
        if match is None:
            return found
        position = match.end()
        readings = None if match["digits"] or match["url"] else _dates(match)
        if match["url"] or readings:
            end = url_end(text, *match.span()) if match["url"] else position
            kind, readings = ("date", readings) if readings else ("url", ((("url", url_key(text[match.start() : end])),),))
            found.append(Figure(kind, match.start(), end, readings))
            last = None
            continue
        if match["digits"] is None:  # it looked like a date, and the calendar has none such
            match = re.compile(_NUMBER).search(text, match.start(), match.end())
            position = match.end()
        number = _number(text, match)
        if number is not None:
            if last is not None:
                found[-1] = _shared(text, last, number)
            found.append(number[0])
            position = max(position, number[0].end)
        last = number


def values_of(literal: str) -> tuple:
    """What the value of a decimal literal, as JSON writes it, may be in a text: the value, and where its spelling might be read otherwise that too."""
    plain = literal.lstrip("-")
    return (_value(literal), plain) if re.fullmatch(_UNSURE, plain) else (_value(literal),)


def goes_with(unit: object, other: object) -> bool:
    """Whether numbers with these units may be one: the units share a meaning, or one of them is not written and is no part of the value."""
    if unit is ANY or other is ANY:
        return True
    if unit is None or other is None:
        written = unit or other
        return written is None or not written & STRICT
    return bool(unit & other)


def _value(literal: str, scale: int = 0) -> tuple:
    if literal.isdigit():
        whole = literal.lstrip("0")
        digits = whole.rstrip("0")
        return digits, len(whole) - len(digits) + scale if digits else 0
    digits, exponent = decimal_parts(literal)
    return digits.lstrip("-"), exponent + scale if digits else 0


def _number(text: str, match) -> tuple | None:
    """The figure of a number, with its digits, scale and unit; None where it is part of a name."""
    start, end = match.span("digits")
    spelt = match["digits"]
    before = text[start - 1 : start] if match.start() == start else ""
    fiscal = bool(before) and re.compile(_FISCAL).search(text, max(0, start - 3), start) is not None
    touches = before and (_joins(text, start - 1, -1) if before == "_" else _is_letter(before)) and not fiscal
    if touches or text[end : end + 1] == "_" and _joins(text, end, 1):
        return None
    in_front = match["code"] or match["sign"]
    unit = UNITS[in_front.lower()] if in_front else None
    if match["loss"] and text[end : end + 1] == ")":  # $(1.2) million, as losses are written
        end += 1
    scales, unit, last, touching = _tail(text, end, unit)
    if touching:
        return None
    name = before == "-" and _is_named(text, start)
    readings = _readings(spelt, scales[0], unit)
    if len(scales) > 1:  # a unit, or millions
        readings += _readings(spelt, 0, _BARE_M)
    if fiscal and len(spelt) == 2 and spelt.isdigit():
        readings += _readings("20" + spelt, 0, None)
    kind = "price" if unit and unit & CODES and (in_front or unit <= CODES) else "number"
    unscaled = _readings(spelt, 0, None)[0][0][1] if scales[0] else None
    return Figure(kind, match.start(), last, readings, name, unscaled), spelt, scales[0], unit


def _shared(text: str, first: tuple, second: tuple) -> Figure:
    """The first of two numbers, with the readings that it has as the beginning of a span: `5-10%`, `$5 to 10 million`."""
    figure, spelt, scale, unit = first
    other, _, other_scale, other_unit = second
    gains = other_scale and not scale or other_unit is not None and unit is None
    joined = gains and (re.compile(_SPAN).fullmatch(text, figure.end, other.start) or _is_between(text, figure, other))
    if not joined:
        return figure
    shared = _readings(spelt, scale or other_scale, other_unit if unit is None else unit)
    return Figure(figure.kind, figure.start, figure.end, figure.readings + shared, figure.name, figure.unscaled)


def _tail(text: str, end: int, unit: frozenset | None) -> tuple:
    """What follows the digits: the scales that may be meant, the unit, where it ends, and whether letters touch the digits that are none of these."""
    points = re.compile(_POINTS).match(text, end)
    if points:
        return (0,), UNITS["bp" if "basis" in points.group() else "%" if "cent" == points.group()[-4:] else "pp"], points.end(), False
    scales, last = (0,), end
    for _ in range(2):
        found = re.compile(_WORD).match(text, last)
        if found is None:
            break
        gap, word = found.group("gap", "word")
        small = word.lower()
        if small == "\u00b0":
            break
        if "\n" in gap and "-" in gap:
            break
        if len(small) == 1 and gap and small.isalpha() and not (gap == " " and scales == (0,) and last == end and _is_alone(word, unit, text, found.end())):
            break
        if scales == (0,) and last == end:
            meant = _scales(word, small, gap, unit, text, found.end())
            if meant:
                scales, last = meant, found.end()
                if len(meant) > 1:
                    break
                continue
        if small in UNITS and (unit is None or unit & UNITS[small]):
            unit, last = UNITS[small] if unit is None else unit & UNITS[small], found.end()
        elif not gap and word[0].isalpha() and last == end and small not in SUFFIXES and word[0] not in spaceless_scripts:
            return scales, unit, last, True
        break
    return scales, unit, last, False


def _scales(word: str, small: str, gap: str, unit: frozenset | None, text: str, end: int) -> tuple:
    """The powers of ten that a word behind a number may mean; nothing where it is no scale."""
    if small in SCALES and (small != "k" or not gap):
        return (SCALES[small],)
    if small in MONEY_SCALES and (unit and unit & CODES or _currency_follows(text, end)):
        return (MONEY_SCALES[small],)
    if not gap and word in CAPITAL_SCALES:
        return (CAPITAL_SCALES[word],)
    return (6, 0) if not gap and word == "m" else ()


def _is_alone(word: str, unit: frozenset | None, text: str, end: int) -> bool:
    """Whether a capital that stands by itself behind an amount of money is a scale: `EUR 4 M`, `4 M EUR`."""
    if word not in _ALONE or text[end : end + 1] in ("-", "'", "&", "/"):
        return False
    return bool(unit and unit & CODES) or _currency_follows(text, end)


def _joins(text: str, place: int, step: int) -> bool:
    """Whether underscores beside a number make it a part of a name (`q3_2`), and are no emphasis around it (`_3_`)."""
    for _ in range(3):
        if text[place : place + 1] != "_" or place < 0:
            break
        place += step
    beyond = text[place : place + 1] if place >= 0 else ""
    return beyond == "_" or bool(beyond) and _is_letter(beyond)


def _is_between(text: str, figure: Figure, other: Figure) -> bool:
    return text[figure.end : other.start] == " and " and re.search(_BETWEEN, text[max(0, figure.start - 9) : figure.start]) is not None


def _currency_follows(text: str, end: int) -> bool:
    found = re.compile(_WORD).match(text, end)
    return found is not None and bool(UNITS.get(found["word"].lower(), frozenset()) & CODES)


def _readings(spelt: str, scale: int, unit: frozenset | None) -> tuple:
    """What a run of digits and marks may say."""
    if spelt.isdigit():
        return ((("number", _value(spelt, scale), unit),),)
    if spelt[-1] in _FRACTIONS:
        return ((("number", _value(f"{spelt[:-1] or 0}.{_FRACTIONS[spelt[-1]]}", scale), unit),),)
    if "e" in spelt or "E" in spelt:
        return ((("number", _value(spelt, scale), unit),),)
    if re.fullmatch(_UNSURE, spelt) and not scale:
        return ((("number", spelt, unit),),)
    marked = re.fullmatch(_MARKED, spelt)
    if re.fullmatch(_COMMAS, spelt) or marked:
        whole = (("number", _value(re.sub("[ ,'_]", "", spelt), scale), unit),)
        # Numbers in a row may look like one in groups.
        return (whole, _pieces(spelt, unit)) if marked and marked["mark"] in " _" else (whole,)
    if re.fullmatch(r"[0-9]*\.?[0-9]+", spelt):
        return ((("number", _value(spelt, scale), unit),),)
    same = (("number", spelt + (f"e{scale}" if scale else ""), unit),)
    # An amount is no list: `€40,50` is not 40 and 50.
    return (same, _pieces(spelt, unit)) if unit is None and re.fullmatch("[0-9]+(?:[,'_][0-9]+)+", spelt) and not scale else (same,)


def _pieces(spelt: str, unit: frozenset | None) -> tuple:
    return tuple(("number", _value(piece), unit) for piece in re.split("[ ,'_]", spelt))


def _dates(match) -> tuple:
    """The readings of what looks like a date; none where the calendar has no such day."""
    numbers = [(int(number), len(number)) for number in re.findall("[0-9]+", match.group())]
    words = [word.lower()[:3] for word in re.findall(_MONTH, match.group())]
    values = [number for number, _ in numbers]
    time: tuple = ()
    if match["iso"]:
        dates = [tuple(values[:3])]
        time = tuple(("number", _value(part), None) for part in (match["time"] or "").split(":") if part.strip("0"))
    elif match["month_first"]:
        dates = [(values[1], values[0], None)]
    elif match["month"]:
        dates = [(values[0], values[1], None)]
    elif match["numeric"]:
        year = values[2] + (2000 if numbers[2][1] == 2 else 0) if len(values) > 2 else None
        dates = [(year, values[1], values[0])] + ([] if match["mark"] == "." else [(year, values[0], values[1])])
    else:
        month = MONTHS.index(words[0]) + 1
        if match["of_year"]:
            return (("date", values[0], month, None),),
        year = values.pop() if len(values) > 1 and (numbers[-1][1] == 4 or match["short"]) else None
        year = year + 2000 if match["short"] else year
        days = [(year, month, day) for day in values]  # of a span, both ends
        return (tuple(("date", *day) for day in days),) if all(_is_day(*day) for day in days) else ()
    readings = [(("date", *date), *time) for date in dict.fromkeys(dates) if _is_day(*date)]
    if readings and (match["month"] or match["month_first"] or match["numeric"] and len(values) == 2):  # a span of numbers, or a fraction
        readings.append(tuple(("number", _value(str(value)), None) for value in values))
    return tuple(readings)


def _is_day(year: int | None, month: int, day: int | None) -> bool:
    if not 1 <= month <= 12 or day is not None and not 1 <= day <= (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]:
        return False
    return (month, day) != (2, 29) or year is None or year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _is_letter(character: str) -> bool:
    return character.isalnum() if character < "\x80" else category(character)[0] in "LNM" and character not in spaceless_scripts


def _is_named(text: str, start: int) -> bool:
    """Whether the hyphen before a number joins it to a word with a capital."""
    word = re.search(r"[^\W_]*\Z", text[max(0, start - 24) : start - 1]).group()
    return any(character.isupper() for character in word) and word.lower() not in NAMELESS
