"""Numbers of JSON as Python values that lose nothing: what the strict reader makes of a literal of the right grammar.

A NumberFault is raised from within the C scanner too, hence a ValueError; its text is the message for the user.
"""
from __future__ import annotations

from ..ground.exact import LiteralFloat, decimal_parts

MAX_DIGITS = 600


class NumberFault(ValueError):
    """A number of the right grammar that is not read."""


def integer(literal: str) -> int:
    """The integer that a literal without point and exponent says."""
    if len(literal) > MAX_DIGITS and len(literal.lstrip("-")) > MAX_DIGITS:
        raise NumberFault(f"an integer has at most {MAX_DIGITS} digits here: write a longer one as a text")
    return int(literal)


def real(literal: str) -> float:
    """The float that a literal with a point or an exponent says; a LiteralFloat where the float alone would lose digits."""
    value = float(literal)
    size = -value if value < 0 else value
    if len(literal) < 17 and 1e-300 < size < 1e300:  # at most 15 digits, and no subnormal: a float keeps them
        return value
    if len(literal) > MAX_DIGITS:
        raise NumberFault(f"a number is at most {MAX_DIGITS} characters long here: write a longer one as a text")
    if size - size != 0:
        raise NumberFault("the number is too large to be read: write it as a text")
    said = decimal_parts(literal)
    if value == 0 and said[0]:
        raise NumberFault("the number is too small to be read, it would become 0: write 0 or a text")
    return value if said == decimal_parts(float.__repr__(value)) else LiteralFloat(literal)
