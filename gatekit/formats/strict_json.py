"""JSON read strictly: RFC 8259, and nothing that two readers could take for different values.

Refused beyond the grammar, since a gate must not judge what another program would read otherwise:
- a key that stands twice in one object; NaN and Infinity;
- a number that no float can hold (1e999), or that would silently become zero (1e-999);
- more than MAX_DEPTH levels, MAX_DIGITS digits of one number, MAX_SIZE bytes or characters;
- bytes that are not UTF-8. One byte-order mark at the start is dropped.

Integers stay exact. A literal with more digits than a float keeps is a float that remembers it (`LiteralFloat`). A lone surrogate that
an escape spells is read.

Good text is read by the C scanner of the json module. Where it refuses a text, its words are not used: `json_faults` walks the text and
says what is wrong, so that words and places are the same on every Python.
"""
from __future__ import annotations

import json

from ..ground.canonical import MAX_DEPTH, json_kind
from ..ground.errors import FormatError
from .json_lexis import Fault, line_and_column, masked, nests_within, stretch_end
from .json_numbers import integer, real

MAX_SIZE = 64 * 1024 * 1024
ONE_A_LINE = "the file has one JSON value on each line, so write each object on a line by itself, with no list around them"
_BLANK = " \t\n\r"
_NO_ROOM = "the JSON holds, but no room is left on the stack to read it: call from a place that is less deep"


class _Refused(ValueError):
    """Raised within the C scanner; what is wrong is found out by walking the text."""


def _object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def _constant(name):
    raise _Refused


# The scanner itself, without the decoder around it: it raises StopIteration where no value begins.
_scan = json.JSONDecoder(object_pairs_hook=_object, parse_int=integer, parse_float=real, parse_constant=_constant).scan_once


def object_of_line(line: bytes, number: int) -> dict | None:
    """The object in a line of JSON Lines (jsonlines.org), None for a blank one. `number` is that of the line, from 1: the first may begin with a byte-order mark.

    Raises:
        FormatError: the line is no JSON object.
    """
    if number == 1 and line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
    if not line or line.isspace():
        return None
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line  # read_json says what is wrong with the bytes
    value = read_json(text)
    if type(value) is not dict:
        raise FormatError(f"a line is a JSON object, not {json_kind(value)}: {ONE_A_LINE}")
    return value


def read_json(data: str | bytes) -> object:
    """The value of a JSON document.

    Args:
        data: text, or bytes in UTF-8.
    Raises:
        FormatError: it is not JSON, or one of the module's rules refuses it; with `line`, `column` and `path`.
    """
    if data.__class__ is str and len(data) <= MAX_SIZE and data.count("{") + data.count("[") <= MAX_DEPTH:
        # Most documents are read at once: an object that begins where the text does. Of all others it is worked out what they are.
        try:
            value, end = _scan(data, 0)
            if end == len(data) or not data[end:].strip(_BLANK):
                return value
        except (ValueError, StopIteration, RecursionError):
            pass
    text = document_text(data, "JSON")
    body = text.strip(_BLANK)
    if nests_within(body, MAX_DEPTH):
        try:
            value, end = _scan(body, 0)
            if end == len(body):
                return value
        except (ValueError, StopIteration, RecursionError):
            pass
    raise format_error(text, ValueReader(text).fault(0, len(text)))


def scan_value(text: str, start: int) -> tuple:
    """The JSON value that begins exactly at an offset of a longer text: (value, its end).

    Raises:
        FormatError: none begins there, or it does not hold; the place is that in the whole text.
    """
    reader = ValueReader(text)
    found = reader.attempt(start)
    if found is None:
        raise format_error(text, reader.fault(start))
    return found


class ValueReader:
    """Reads JSON values at offsets of one text. What is known of the whole text is found out once, so that many reads stay linear."""

    __slots__ = ("text", "_shallow", "_mask", "_asked", "_end")

    def __init__(self, text: str) -> None:
        self.text = text
        self._shallow = text.count("{") + text.count("[") <= MAX_DEPTH  # in prose no quote can be trusted to tell strings apart
        self._mask = None
        self._asked = self._end = None

    def attempt(self, start: int, stop: int | None = None) -> tuple | None:
        """(value, end) of the value that begins at `start` and ends by `stop`, or None where there is none."""
        try:
            if self._shallow or self.text[start:start + 1] not in ("{", "["):
                value, end = _scan(self.text, start)
                return (value, end) if stop is None or end <= stop else None
            end = self.stretch_end(start, stop)
            return None if end is None else (_scan(self.text[start:end], 0)[0], end)
        except (ValueError, StopIteration, RecursionError):
            return None

    def fault(self, start: int, stop: int | None = None) -> Fault:
        """Why no value begins at `start`, or, where a `stop` is given, why none goes on to there."""
        from .json_faults import check_document, check_value

        try:
            check_value(self.text, start) if stop is None else check_document(self.text, start, stop)
        except Fault as fault:
            return fault
        return Fault(start, _NO_ROOM)

    def stretch_end(self, start: int, stop: int | None = None) -> int | None:
        """Where the bracket at `start` closes, None where it does not by `stop`, or nests too deep."""
        if self._mask is None:
            self._mask = masked(self.text)
        if self._asked != (start, stop):  # a failed attempt and its caller ask the same, and it may be a long way
            self._asked = (start, stop)
            self._end = stretch_end(self._mask, start, len(self.text) if stop is None else stop, MAX_DEPTH)
        return self._end


def format_error(text: str, fault: Fault) -> FormatError:
    """A fault as the error that a user sees."""
    line, column = line_and_column(text, fault.offset)
    return FormatError(fault.message, line=line, column=column, path=fault.path)


def document_text(data: str | bytes, name: str) -> str:
    """A document of the format `name` as text, without a byte-order mark. Raises FormatError where it is too long or not UTF-8."""
    text = data if isinstance(data, str) else _decoded(data, name)
    if len(text) > MAX_SIZE:
        raise FormatError(f"the document is longer than {MAX_SIZE} characters: split it")
    return text[1:] if text[:1] == "\ufeff" else text


def _decoded(data, name: str) -> str:
    if not isinstance(data, (bytes, bytearray)):
        raise FormatError(f"{name} is read from text or bytes, not from a {type(data).__name__}: pass the document itself")
    if len(data) > MAX_SIZE:
        raise FormatError(f"the document is longer than {MAX_SIZE} bytes: split it")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        raise FormatError("the bytes are UTF-16 or UTF-32: save the document as UTF-8", line=1, column=1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[:error.start].decode("utf-8")
        line, column = line_and_column(before, len(before))
        byte = f"0x{data[error.start]:02x}"
        raise FormatError(f"the bytes are not UTF-8, from byte {byte} on: save the document as UTF-8", line=line, column=column) from None
