"""One spelling for each JSON value, its digest, and the equality of two values.

Rules of the spelling:
- keys are sorted by code point; `", "` and `": "` separate; nothing is escaped but what JSON must (quotes, backslashes, control
  characters) and lone surrogates, which UTF-8 could not carry;
- a number has one spelling whatever its type: 1, 1.0 and 1e0 are `1`. It is written out in full, unless that takes more than 20 zeros
  at its end or after its point: then it is `1.5e300`. No float is computed with, so that big integers stay what they are;
- what JSON does not have (NaN, a key that is no text, a foreign type) is refused.

So two values are the same JSON value if and only if their spellings are the same text: true is not 1, "1" is not 1, 1 is 1.0.
"""
from __future__ import annotations

import json
import re

from .errors import CaseError
from .exact import MAX_DIGITS, LiteralFloat, decimal_parts

MAX_DEPTH = 200
_MAX_PADDING = 20
_PLAIN = 10 ** 15
_MAX_INTEGER = 10 ** MAX_DIGITS
_NAMES = ((dict, "an object"), ((list, tuple), "an array"), (str, "a text"), (bool, "true or false"), ((int, float), "a number"))
_CONSTANTS = {None: "null", True: "true", False: "false"}
_SURROGATE = "[\ud800-\udfff]"
_encode = json.JSONEncoder(ensure_ascii=False).encode


def canonical(value) -> str:
    """The one spelling of a JSON value.

    Args:
        value: None, a bool, an int, a float, a str, a list or tuple of such, or a dict from str to such.
    Raises:
        CaseError: it is no JSON value, nests deeper than MAX_DEPTH, or holds an integer of too many digits; `path` says where.
    """
    return _spell(value, MAX_DEPTH)


def same(left, right) -> bool:
    """Whether two values are the same JSON value. Raises CaseError where what decides it is no JSON value."""
    return _same(left, right, MAX_DEPTH)


def _same(left, right, levels: int) -> bool:
    """Equality without the spelling of what is of one type and shows at once whether it is equal."""
    kind = type(left)
    if kind is type(right):
        if kind is str or kind is bool:
            return left == right
        if kind is int and -_PLAIN < left < _PLAIN and -_PLAIN < right < _PLAIN:
            return left == right
        if kind is dict and levels and {*map(type, left), *map(type, right)} == {str}:
            return left.keys() == right.keys() and all(_same(item, right[key], levels - 1) for key, item in left.items())
        if kind is list and levels:
            return len(left) == len(right) and all(_same(item, other, levels - 1) for item, other in zip(left, right))
    return _spell(left, levels) == _spell(right, levels)


def digest(value) -> str:
    """`sha256:` and the hexadecimal SHA-256 of a text as it stands, or of any other JSON value's spelling, as UTF-8."""
    import hashlib  # few runs need a digest, and its import takes a tenth of the start-up

    text = value if isinstance(value, str) else canonical(value)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def copied(value):
    """A copy of plain data with nothing in it that somebody else could still change; tuples become lists, and what is no plain data stays itself."""
    if isinstance(value, (list, tuple)):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def json_copy(value):
    """A copy of a JSON value with nothing in it that somebody else could still change; tuples become lists.

    Raises:
        CaseError: it is no JSON value, or nests deeper than MAX_DEPTH; `path` says where.
    """
    return _json_copy(value, MAX_DEPTH)


def json_kind(value) -> str:
    """What a value is called in JSON, for messages: `an object`, `a number`, `null`."""
    if value is None:
        return "null"
    for kinds, name in _NAMES:
        if isinstance(value, kinds):
            return name
    return f"a Python {type(value).__name__}"


def _json_copy(value, levels: int):
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is dict or kind is list:
        if not levels:
            raise _too_deep()
        copy = value.copy()
        for key, item in value.items() if kind is dict else enumerate(value):
            if kind is dict and type(key) is not str:
                raise _no_key(key)
            if type(item) is not str and item is not None:
                try:
                    copy[key] = _json_copy(item, levels - 1)
                except CaseError as error:
                    raise error.located(path=(key,)) from None
        return copy
    if isinstance(value, (int, float, str)):
        _spell(value, 0)
        return str.__str__(value) if isinstance(value, str) else value
    if isinstance(value, dict):
        return _json_copy(dict(value), levels)
    if isinstance(value, (list, tuple)):
        return _json_copy(list(value), levels)
    raise _no_json(value)


def _too_deep() -> CaseError:
    return CaseError(f"the value nests deeper than {MAX_DEPTH} levels: flatten it")


def _no_key(key) -> CaseError:
    return CaseError(f"a key of an object is a text, not a {type(key).__name__}: put it in quotes")


def _no_json(value) -> CaseError:
    return CaseError(f"{json_kind(value)} is not a JSON value: use None, bool, int, float, str, list or dict")


def _spell(value, levels: int) -> str:
    if isinstance(value, str):
        return _spell_text(value)
    if value is None or value is True or value is False:
        return _CONSTANTS[value]
    if isinstance(value, (int, float)):
        return _spell_number(value)
    if not isinstance(value, (dict, list, tuple)):
        raise _no_json(value)
    if not levels:
        raise _too_deep()
    members = isinstance(value, dict)
    if members:
        for key in value:
            if not isinstance(key, str):
                raise _no_key(key)
    pieces = []
    try:
        for key, item in ((key, value[key]) for key in sorted(value)) if members else enumerate(value):
            spelt = _spell(item, levels - 1)
            pieces.append(_spell_text(key) + ": " + spelt if members else spelt)
    except CaseError as error:
        raise error.located(path=(key,)) from None
    return ("{" if members else "[") + ", ".join(pieces) + ("}" if members else "]")


def _spell_text(text: str) -> str:
    spelt = _encode(text)
    return spelt if spelt.isascii() else re.sub(_SURROGATE, lambda found: f"\\u{ord(found.group()):04x}", spelt)


def _spell_number(value) -> str:
    if isinstance(value, int):
        if -_PLAIN < value < _PLAIN:
            return int.__repr__(value)
        if not -_MAX_INTEGER < value < _MAX_INTEGER:
            raise CaseError(f"an integer of more than {MAX_DIGITS} digits is not read: shorten it or make it a text")
        literal = int.__repr__(value)
    elif value - value != 0:
        raise CaseError("NaN and infinity are not JSON numbers: use null or a text")
    else:
        literal = value.literal if isinstance(value, LiteralFloat) else float.__repr__(value)
    digits, exponent = decimal_parts(literal)
    sign, digits = ("-", digits[1:]) if digits[:1] == "-" else ("", digits or "0")
    point = len(digits) + exponent  # where the decimal point stands, counted from the first digit
    if 0 <= exponent <= _MAX_PADDING:
        return sign + digits + "0" * exponent
    if exponent < 0 < point:
        return sign + digits[:point] + "." + digits[point:]
    if -_MAX_PADDING <= point <= 0:
        return sign + "0." + "0" * -point + digits
    return f"{sign}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{point - 1}"
