"""What a caller gives in Python, and the errors about it: they are printed by a test that went red, so no secret of what was given is in them.

A message quotes what it is about, cut where that is long; so what was given is looked through as a whole, and a cut shows no half of a key.
"""
from __future__ import annotations

from ..formats import strict_json
from ..ground.errors import GatekitError
from .curtain import Curtain
from .redaction import Redaction
from .sample import Sample

_MOST = 10000  # strings that are looked through
_AROUND = 5000  # characters of a text around the place of what is wrong


def fit(error: GatekitError, given: object, redaction: Redaction | None = None) -> GatekitError:
    """An error about a value that was given, with the secrets hidden that its words may repeat."""
    return Curtain(redaction or Redaction(), [error.message, *_strings(given)]).error(error)


def sample_of(given: object) -> Sample:
    """As `Sample.of`: a sample from what a caller has at hand. Raises CaseError, fit to be shown."""
    try:
        return Sample.of(given)
    except GatekitError as error:
        raise fit(error, given) from None


def read_json(data: str | bytes) -> object:
    """The value of a JSON document, read strictly: a key that stands twice, NaN and numbers that cannot be kept are refused.

    Args:
        data: text, or bytes in UTF-8.
    Raises:
        FormatError: it is not such a document; with `line`, `column` and `path`.
    """
    return _read(strict_json.read_json, data)


def read_yaml(data: str | bytes) -> object:
    """The value of a YAML document in the strict subset of formats/strict_yaml.py, of the types that JSON has.

    Args:
        data: text, or bytes in UTF-8.
    Raises:
        FormatError: it is not YAML, or outside of that subset; with `line`, `column` and `path`.
    """
    from ..formats import strict_yaml

    return _read(strict_yaml.read_yaml, data)


def _read(read, data: str | bytes) -> object:
    try:
        return read(data)
    except GatekitError as error:
        raise fit(error, _around(data, error)) from None


def _around(data: object, error: GatekitError) -> str:
    """The text around the place of an error."""
    text = data if isinstance(data, str) else bytes(data).decode("utf-8", "replace") if isinstance(data, (bytes, bytearray)) else ""
    at = 0
    for _ in range((error.line or 1) - 1):
        at = text.find("\n", at) + 1
    at += error.column or 0
    return text[max(0, at - _AROUND) : at + _AROUND]


def _strings(given: object) -> list:
    """The strings in a value of any kind, keys included."""
    found: dict = {}
    waiting, left = [given.fields if isinstance(given, Sample) else given], _MOST  # a value may hold itself
    while waiting and left:
        item = waiting.pop()
        left -= 1
        if isinstance(item, str):
            found[item] = None
        elif isinstance(item, dict):
            waiting += [part for pair in item.items() for part in pair]
        elif isinstance(item, (list, tuple)):
            waiting += item
    return list(found)
