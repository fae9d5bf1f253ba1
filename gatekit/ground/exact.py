"""Exact numbers: fractions of integers, never floats.

A float is read as the decimal that it prints as: 0.1 is one tenth, not the binary number nearest to it, since a tenth is what was
written. So every number that a person, a file or a model can write is a fraction, and comparing two of them is integer arithmetic:
1 failure in 100 is not above 0.01, and 4.02 is a multiple of 0.01.

Bounds keep hostile numbers cheap: at most 640 significant digits, and a magnitude between 10^-400 and 10^640 (or zero).
(640 is also the smallest limit to which a Python may be set for reading integers from text.)
"""
from __future__ import annotations

import re

from .errors import CaseError
from .record import Record

MAX_DIGITS = 640
MIN_EXPONENT = -400
_QUOTED = 40
_MAX_INTEGER = 10 ** MAX_DIGITS
_DECIMAL = r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*[0-9]{1,9})?"


class LiteralFloat(float):
    """A float that remembers how it was written, for a literal of more digits than a float keeps. Everywhere else it is that float."""

    __slots__ = ("literal",)

    def __new__(cls, literal: str):
        number = super().__new__(cls, literal)
        number.literal = literal
        return number

    def __reduce__(self):
        return LiteralFloat, (self.literal,)


class Exact(Record):
    """A fraction in lowest terms. Two of them compare and subtract exactly.

    Args:
        numerator: carries the sign.
        denominator: not zero.
    """

    __slots__ = ("numerator", "denominator")

    def __init__(self, numerator: int, denominator: int = 1) -> None:
        divisor, rest = denominator, numerator
        while rest:  # Euclid's algorithm
            divisor, rest = rest, divisor % rest
        if (divisor < 0) != (denominator < 0):
            divisor = -divisor  # the sign goes to the numerator
        self._set(numerator // divisor, denominator // divisor)

    def __lt__(self, other: Exact) -> bool:
        return self.numerator * other.denominator < other.numerator * self.denominator

    def __le__(self, other: Exact) -> bool:
        return not other < self

    def __gt__(self, other: Exact) -> bool:
        return other < self

    def __ge__(self, other: Exact) -> bool:
        return not self < other

    def __sub__(self, other: Exact) -> Exact:
        return Exact(self.numerator * other.denominator - other.numerator * self.denominator, self.denominator * other.denominator)

    def __abs__(self) -> Exact:
        return self if self.numerator >= 0 else Exact(-self.numerator, self.denominator)

    def is_multiple_of(self, step: Exact) -> bool:
        """Whether an integer times `step` (not zero) is this number."""
        return self.numerator * step.denominator % (self.denominator * step.numerator) == 0

    def is_integer(self) -> bool:
        return self.denominator == 1

    def decimal(self, places: int, rounding: str = "half_up") -> str:
        """The number with that many decimal places. `rounding` of its magnitude: `half_up`, `up` (away from zero) or `down`."""
        scaled, rest = divmod(abs(self.numerator) * 10 ** places, self.denominator)
        if rounding == "up" and rest or rounding == "half_up" and 2 * rest >= self.denominator:
            scaled += 1
        digits = str(scaled).rjust(places + 1, "0")
        sign = "-" if self.numerator < 0 and scaled else ""
        return sign + digits[: len(digits) - places] + ("." + digits[len(digits) - places:] if places else "")

    def percent(self, places: int = 2, rounding: str = "half_up") -> str:
        """The number in percent: 1/98 is `1.02%`."""
        return Exact(self.numerator * 100, self.denominator).decimal(places, rounding) + "%"

    def __str__(self) -> str:
        """In full where it is a decimal of at most 20 places, else as a fraction: `0.01`, `1/98`."""
        places = 0
        while places < 20 and 10 ** places % self.denominator:
            places += 1
        return f"{self.numerator}/{self.denominator}" if 10 ** places % self.denominator else self.decimal(places)


def decimal_parts(literal: str) -> tuple:
    """What a decimal literal says, however it is written: (digits, exponent), where the number is digits times 10^exponent.

    The digits have no zeros at either end, and a `-` in front where they are negative; zero is `("", 0)`.
    """
    mantissa, _, exponent = literal.lower().partition("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa[:1] == "-" else ("", mantissa)
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    if not kept:
        return "", 0
    return sign + kept, int(exponent or "0") - len(fraction) + len(digits) - len(kept)


def exact(value) -> Exact:
    """The exact number that a value is.

    Args:
        value: an integer, a float (the decimal that it prints as), or a decimal text such as `0.01` or `1e-2`.
    Raises:
        CaseError: it is no number (true and false are none), not finite, or out of bounds.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if -_MAX_INTEGER < value < _MAX_INTEGER:
            return Exact(value)
        raise CaseError(f"an integer of more than {MAX_DIGITS} digits is not compared: shorten it or make it a text")
    if isinstance(value, float):
        literal = value.literal if isinstance(value, LiteralFloat) else float.__repr__(value)
    elif isinstance(value, str):
        literal = value.strip()
    else:
        raise CaseError(f"{_named(value)} is not a number: write an integer or a decimal such as 0.01")
    if len(literal) > 2 * MAX_DIGITS or not re.fullmatch(_DECIMAL, literal):
        raise CaseError(f"{_quoted(literal)} is not a number: write an integer or a decimal such as 0.01")
    digits, exponent = decimal_parts(literal)
    magnitude = exponent + len(digits.lstrip("-"))
    if digits and (len(digits) > MAX_DIGITS + 1 or not MIN_EXPONENT < magnitude <= MAX_DIGITS):
        bounds = f"at most {MAX_DIGITS} digits, from 1e{MIN_EXPONENT} to 1e{MAX_DIGITS}"
        raise CaseError(f"the number {ascii(literal[:40])} is out of bounds: write one of {bounds}")
    number = int(digits or "0")
    return Exact(number * 10 ** exponent) if exponent >= 0 else Exact(number, 10 ** -exponent)


def parse_rate(value) -> Exact:
    """A rate from 0 to 1: `0.01`, `"0.01"`, `"1%"`.

    Raises:
        CaseError: anything else; a 5 might mean five percent or five of one, so percent must be said.
    """
    mend = "write a rate from 0 to 1 such as 0.01, or a percentage such as 1%"
    spelt = value.strip() if isinstance(value, str) else value
    in_percent = isinstance(spelt, str) and spelt.endswith("%")
    try:
        number = exact(spelt[:-1] if in_percent else spelt)
    except CaseError:
        raise CaseError(f"{_named(value)} is not a rate: {mend}") from None
    rate = Exact(number.numerator, number.denominator * 100) if in_percent else number
    if not 0 <= rate.numerator <= rate.denominator:
        raise CaseError(f"the rate {_named(value)} is not between 0 and 1: {mend}")
    return rate


def _quoted(text: str) -> str:
    """A text in a message: one that is long is no number, and may be a secret, of which a cut would show a half."""
    return ascii(text) if len(text) <= _QUOTED else f"a text of {len(text)} characters"


def _named(value) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, int):
        return int.__repr__(value) if -_MAX_INTEGER < value < _MAX_INTEGER else "the integer"
    return f"a {type(value).__name__}"
