"""Dates of an audit trail, as text: a day, or a day with a time and its zone; and which of two is earlier.

    2026-01-31                      a day
    2026-01-31T09:30Z               a time of it; seconds and their fraction may follow
    2026-01-31 09:30:15.5+02:00     a blank may stand for the T, and a difference from UTC for the Z (+02 and +0200 too)

A time without a zone is no instant, and is refused. A day stands for all of its instants (in UTC): what is of one day is not before it.
"""
from __future__ import annotations

import re

_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2}))?))?"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY, _NANO = 86400, 10**9


def is_date(text: str) -> bool:
    """Whether a text is a date, with or without a time, that the calendar has."""
    return _span(text) is not None


def is_before(text: str, other: str) -> bool:
    """Whether the whole of one date lies before the other; never, where one of them is no date."""
    first, second = _span(text), _span(other)
    return first is not None and second is not None and first[1] < second[0]


def instant(text: str) -> int | None:
    """The instant of a date with a time, in nanoseconds from a fixed one; None for what is no such date. Exact: instants compare as integers do."""
    span = _span(text)
    return span[0] if span is not None and span[0] == span[1] else None


def _span(text: str) -> tuple | None:
    """The first and the last instant of a date, in nanoseconds; None for what is no date."""
    found = re.fullmatch(_DATE, text)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.group(1, 2, 3))
    if not (year and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + (month == 2 and _is_leap(year))):
        return None
    start = (_days_before(year, month) + day) * _DAY
    if found.group(4) is None:
        return start * _NANO, (start + _DAY) * _NANO - 1
    hour, minute, second = (int(part or 0) for part in found.group(4, 5, 6))
    shift_hours, shift_minutes = (int(part or 0) for part in found.group(9, 10))
    if hour > 23 or minute > 59 or second > 59 or shift_hours > 23 or shift_minutes > 59:
        return None
    shift = (shift_hours * 3600 + shift_minutes * 60) * (-1 if found.group(8) == "-" else 1)
    instant = (start + hour * 3600 + minute * 60 + second - shift) * _NANO + int((found.group(7) or "").ljust(9, "0"))
    return instant, instant


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_before(year: int, month: int) -> int:
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + sum(_DAYS[: month - 1]) + (month > 2 and _is_leap(year))
