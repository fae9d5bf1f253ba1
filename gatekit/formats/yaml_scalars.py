"""What a plain (unquoted) scalar of YAML means, where the readers of YAML agree on it.

The theory: the same characters are resolved by two sets of patterns that are both in wide use, the types of YAML 1.1 (the type repository
of 2005, as PyYAML, libyaml's bindings and Psych have them) and the core schema of YAML 1.2 (section 10.3.2 of its specification). A file
does not say which one will read it. So a plain scalar is read where both make the same value of it, and refused where they do not: `no`
is false to the one and a text to the other, `0123` is 83 and 123, `12:30` is 750 and a text. In quotes a scalar is a text to everyone.

Refused as well is what JSON cannot say: not-a-number and infinity, in YAML's spelling and in that of other languages.

A row of NUMBERS is tried on what begins like a number; the first row that matches the whole scalar decides.
"""
from __future__ import annotations

import re

from ..text.quoting import quote
from .json_numbers import MAX_DIGITS, NumberFault, integer, real

CONSTANTS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_TRUTH, _NUMBER, _OCTAL, _SIXTY, _TEXT = "true or false", "a number", "an octal number", "a number in base 60", "text"
_MEANT = {  # what to write where the other meaning was meant
    _TRUTH: ", or true or false",
    _NUMBER: ", or the number in plain digits (1000, 0.5)",
    _OCTAL: ", or the number in decimal digits without zeros in front",
    _SIXTY: ", or the number in decimal digits",
}
_WORDS = (  # (scalars, what YAML 1.1 takes them for)
    ("y Y yes Yes YES n N no No NO on On ON off Off OFF", _TRUTH),
    ("<<", "a merge of mappings"),
    ("=", "a default value"),
)
_NOT_JSON = ".inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF .nan .NaN .NAN NaN Infinity +Infinity -Infinity"


def _decimal(literal: str) -> int:
    return integer(literal.lstrip("+"))


def _hexadecimal(literal: str) -> int:
    return integer(int.__repr__(int(literal, 16)))


def _float(literal: str) -> float:
    """YAML leaves out digits that JSON must have: they are put in, so that the literal can be kept."""
    mantissa, _, exponent = literal.lstrip("+").lower().partition("e")
    if mantissa[0] == ".":
        mantissa = "0" + mantissa
    if mantissa[-1] == ".":
        mantissa += "0"
    return real(f"{mantissa}e{exponent}" if exponent else mantissa)


NUMBERS = (  # (pattern, what both make of it) or (pattern, what YAML 1.1 takes it for, what YAML 1.2 takes it for)
    (r"[-+]?(?:0|[1-9][0-9]*|0+[0-7])", _decimal),
    (r"(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?", _float),
    (r"0x[0-9a-fA-F]+", _hexadecimal),
    (r"[-+]?0[0-7]+", _OCTAL, "a decimal number"),
    (r"0o[0-7]+", _TEXT, _OCTAL),
    (r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", _TEXT, _NUMBER),
    (r"[-+]?0b[01_]+|[-+]?0x[0-9a-fA-F_]+", _NUMBER, _TEXT),
    (r"(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?", _NUMBER, _TEXT),
    (r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,600}(?:\.[0-9_]*)?", _SIXTY, _TEXT),
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date", _TEXT),
    (
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
        r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?",
        "a date",
        _TEXT,
    ),
)
_TABLE = "|".join(f"({row[0]})" for row in NUMBERS)  # compiled when the first scalar asks for it
_LONGEST = 1 + MAX_DIGITS
_usual = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?")  # what the first rows of the table would say of most numbers
_maybe = re.compile(r"[-+.:_0-9a-fA-FxotTZ \t]*")  # the characters of all rows
_long = re.compile(r"[-+.:_0-9a-fA-Fxo]*")
_CONTESTED = {word: meaning for words, meaning in _WORDS for word in words.split()}
_CONTESTED.update(dict.fromkeys(_NOT_JSON.split()))
_NO_TEXTS = {*CONSTANTS, *_CONTESTED}


class ScalarFault(ValueError):
    """A plain scalar that is not read; its text is the message for the user."""


def plain_value(text: str) -> object:
    """The value of a plain scalar, as it stands without the white space around it.

    Raises:
        ScalarFault: readers of YAML differ on it, or JSON has no such value, or it is too long a number.
    """
    if text in _NO_TEXTS:
        if text in CONSTANTS:
            return CONSTANTS[text]
        raise ScalarFault(_contested(text, _CONTESTED[text], _TEXT))
    if text[0] not in "0123456789+-." or _maybe.fullmatch(text) is None:
        return text
    if len(text) > _LONGEST and _long.fullmatch(text):
        raise ScalarFault(f"a number is at most {MAX_DIGITS} characters long here: put a longer one, or a text, in quotes")
    return _number(text)


def _number(text: str) -> object:
    """What the table says of a scalar."""
    usual = _usual.fullmatch(text)
    if usual is None:
        found = re.compile(_TABLE).fullmatch(text)
        if found is None:
            return text
        row = NUMBERS[found.lastindex - 1]
    else:
        row = NUMBERS[1 if usual.group(1) else 0]
    if len(row) == 3:
        raise ScalarFault(_contested(text, row[1], row[2]))
    try:
        return row[1](text)
    except NumberFault as fault:
        raise ScalarFault(str(fault)) from None


def _contested(text: str, old: str | None, new: str) -> str:
    short = len(text) <= 40
    shown, mend = (text, f'write "{text}" in quotes') if short else (quote(text[:40] + "..."), "put it in quotes")
    if old is None:
        return f"{shown} is no value of JSON: write null, or {mend}"
    return f"{shown} is {old} to YAML 1.1 and {new} to YAML 1.2: {mend}{_MEANT.get(old, _MEANT.get(new, ''))}"
