"""What is wrong with a JSON text, where, and how to mend it: the single source of such messages.

A walk over the text by RFC 8259, one step per token, without recursion. Each step expects something, and is named for it:

    expected     may be followed by
    value        after; or first_key, first_item where it opens a container
    first_key    after, on `}`; else as key
    first_item   after, on `]`; else as value
    key          colon
    colon        value
    after        key or value on `,`; after, on the closer of the innermost container; the end, where no container is open

The walk reports the first fault in the order of the text. The module is loaded when the first text does not hold.
"""
from __future__ import annotations

import re

from ..ground.canonical import MAX_DEPTH
from ..text.quoting import quote
from .json_lexis import Fault, line_and_column, unescape
from .json_numbers import MAX_DIGITS, NumberFault, integer, real

_CLOSERS = {"{": "}", "[": "]"}
_KINDS = {"{": "object", "[": "array"}
_NOT_WORDS = {
    "NaN": "NaN is not JSON: write null or a text",
    "Infinity": "Infinity is not JSON: write null or a text",
    "True": "JSON writes true in small letters",
    "False": "JSON writes false in small letters",
    "None": "None is not JSON: write null",
    "undefined": "undefined is not JSON: write null",
}
_NOT_NUMBERS = (  # (what follows the number or stands in its place, what to say of it)
    (r"-?0[0-9]", "a number does not begin with further zeros: drop them, or write a text"),
    (r"-?0[xXoObB]", "a number is written in decimal digits"),
    (r"\+", "a number does not begin with a plus: drop it"),
    (r"-?\.[0-9]", "a number has a digit before its point: write 0.5, not .5"),
    (r"-?[0-9]+\.(?![0-9])", "a number has a digit after its point: write 1.0, not 1."),
    (r"-?[0-9.]+[eE](?![+-]?[0-9])", "an exponent has digits: write 1e5"),
    (r"-", "a minus stands before a digit"),
    (r"-?[0-9]", "a number ends here but what follows touches it: put a text in double quotes"),
)
_COMMENT = re.compile(r"//|/\*|#")
_blank = re.compile("[ \t\n\r]*")
_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_word = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_touching = re.compile(r"[A-Za-z0-9_.+$-]")
_characters = re.compile(r'(?:[^"\\\x00-\x1f]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,500}')
_items = re.compile(
    r"""(?x) (?: (?: -?(?:0|[1-9][0-9]{0,14}) | "[^"\\\x00-\x1f]*" | true | false | null )
        [\ \t\n\r]* , [\ \t\n\r]* (?= [-0-9"{\[tfn] ) ){1,500}"""
)  # a run of plain items of an array, each with its comma
_cut_escape = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")


def check_value(text: str, start: int, stop: int | None = None) -> int:
    """The end of the JSON value that begins at `start`, blanks before it allowed. Raises Fault."""
    walk = _Walk(text, len(text) if stop is None else stop)
    step, position = walk.value, start
    while step is not None:
        step, position = step(walk.skip(position))
    return position


def check_document(text: str, start: int = 0, stop: int | None = None) -> None:
    """Whether a text is one JSON value and nothing else. Raises Fault where it is not."""
    stop = len(text) if stop is None else stop
    position = _blank.match(text, check_value(text, start, stop), stop).end()
    if position == stop:
        return
    character = text[position]
    if character in "{[":
        message = "a second value follows the first: a JSON document is one value; put several in an array"
    elif character in "}]":
        message = f"one '{character}' too many: the value is already complete"
    elif character == ",":
        message = "a comma follows the complete value: drop it, or put several values in an array"
    elif _COMMENT.match(text, position, stop):
        message = "JSON has no comments: drop it"
    else:
        message = f"text follows the complete value, from {quote(text[position:min(stop, position + 20)])}: drop it"
    raise Fault(position, message)


class _Walk:
    """One walk. A container on the stack is [where it opened, its keys so far or None, the key or index now]."""

    __slots__ = ("text", "stop", "stack")

    def __init__(self, text: str, stop: int) -> None:
        self.text = text
        self.stop = stop
        self.stack: list = []

    def skip(self, position: int) -> int:
        return _blank.match(self.text, position, self.stop).end()

    def value(self, position: int):
        if self.stack and self.stack[-1][1] is None:
            items = _items.match(self.text, position, self.stop)
            if items:
                self.stack[-1][2] += "".join(items.group().split('"')[::2]).count(",")  # those between strings, not in them
                position = items.end()
        character = self._at(position)
        if character == '"':
            return self._done(self._string(position))
        if character in _CLOSERS:
            if len(self.stack) == MAX_DEPTH:
                raise self._fault(position, f"the value nests deeper than {MAX_DEPTH} levels: flatten it", readable=True)
            self.stack.append([position, set(), None] if character == "{" else [position, None, 0])
            return (self.first_key if character == "{" else self.first_item), position + 1
        number = _number.match(self.text, position, self.stop)
        if number and not _touching.match(self.text, number.end(), self.stop):
            literal = number.group()
            try:
                (integer if literal.lstrip("-").isdigit() else real)(literal)
            except NumberFault as fault:
                raise self._fault(position, str(fault), readable=True) from None
            return self._done(number.end())
        word = _word.match(self.text, position, self.stop)
        if word and word.group() in ("true", "false", "null"):
            return self._done(word.end())
        raise self._no_value(position, word)

    def first_item(self, position: int):
        return self._close(position) if self._at(position) == "]" else self.value(position)

    def first_key(self, position: int):
        return self._close(position) if self._at(position) == "}" else self.key(position)

    def key(self, position: int):
        character = self._at(position)
        if character != '"':
            raise self._no_key(position, character)
        end = self._string(position)
        key = unescape(self.text[position + 1:end - 1])
        frame = self.stack[-1]
        frame[2] = key
        if key in frame[1]:
            message = f"the key {_shown(key)} stands twice in one object: keep one, programs differ in which they read"
            raise self._fault(position, message, readable=True)
        frame[1].add(key)
        return self.colon, end

    def colon(self, position: int):
        if self._at(position) == ":":
            return self.value, position + 1
        raise self._missing(position, f"a colon is missing after the key {_shown(self.stack[-1][2])}")

    def after(self, position: int):
        character = self._at(position)
        frame = self.stack[-1]
        opener = self.text[frame[0]]
        if character == _CLOSERS[opener]:
            return self._close(position)
        if character == ",":
            following = self._at(self.skip(position + 1))
            if following and following in "}],":
                extra = "another comma: drop one" if following == "," else f"'{following}': drop it"
                raise self._fault(position, f"a comma stands before {extra}")
            if frame[1] is None:
                frame[2] += 1
                return self.value, position + 1
            frame[2] = None
            return self.key, position + 1
        if character and character in "}]":
            raise self._fault(position, f"'{character}' does not close the {self._innermost()}: write '{_CLOSERS[opener]}'")
        raise self._missing(position, f"a comma or '{_CLOSERS[opener]}' is missing in the {self._innermost()}")

    def _at(self, position: int) -> str:
        return self.text[position] if position < self.stop else ""

    def _done(self, position: int):
        return (self.after if self.stack else None), position

    def _close(self, position: int):
        self.stack.pop()
        return self._done(position + 1)

    def _string(self, position: int) -> int:
        start, position = position, position + 1
        while True:
            end = _characters.match(self.text, position, self.stop).end()
            character = self._at(end)
            if character == '"':
                return end + 1
            if character == "" or character == "\\" and _cut_escape.match(self.text, end, self.stop).end() == self.stop:
                raise self._cut(f"a string that begins at {self._place(start)}", "close its quote")
            if character == "\\" and end == position:
                raise self._fault(end, self._bad_escape(end))
            if character < " ":
                escape = quote(character)[1:-1] if character in "\n\r\t" else f"\\u{ord(character):04x}"
                raise self._fault(end, f"a control character stands in a string: write it as {escape}")
            position = end

    def _bad_escape(self, position: int) -> str:
        if self._at(position + 1) == "u":
            return "four hexadecimal digits follow \\u: complete them, or write \\\\ for a backslash"
        return f"{quote(self.text[position + 1])} cannot be escaped in JSON: write \\\\ for a backslash"

    def _no_value(self, position: int, word) -> Fault:
        character = self._at(position)
        if not character:
            return self._cut(f"the {self._innermost()}" if self.stack else "", "give a value")
        rest = self.text[position:min(self.stop, position + MAX_DIGITS)]
        if word:
            name = word.group()
            if word.end() == self.stop and any(whole.startswith(name) for whole in ("true", "false", "null")):
                return self._cut(f"the word {quote(name)}", "complete it")
            message = _NOT_WORDS.get(name, f"the word {_shown(name)} is not a JSON value: put it in double quotes")
            return self._fault(position, message, readable=name in ("NaN", "Infinity"))
        if rest.startswith("-Infinity"):
            return self._fault(position, _NOT_WORDS["Infinity"], readable=True)
        for shape, message in _NOT_NUMBERS:
            if re.match(shape, rest):
                return self._fault(position, message)
        if character == ",":
            return self._fault(position, "a comma stands where a value should: drop it or give the value")
        if character in "}]":
            return self._fault(position, f"'{character}' stands where a value should: give the value")
        return self._missing(position, "a value is missing")

    def _no_key(self, position: int, character: str) -> Fault:
        if character == ",":
            return self._fault(position, "a comma stands where a key should: drop it")
        if character == "]":
            return self._fault(position, f"']' does not close the {self._innermost()}: write '}}'")
        if character and _word.match(self.text, position, self.stop):
            return self._fault(position, "a key stands in double quotes: quote it")
        return self._missing(position, "a key in double quotes is missing")

    def _missing(self, position: int, what: str) -> Fault:
        character = self._at(position)
        if not character:
            return self._cut(f"the {self._innermost()}" if self.stack else "", "complete it")
        if _COMMENT.match(self.text, position, self.stop):
            return self._fault(position, "JSON has no comments: drop it")
        if character == "'":
            return self._fault(position, "JSON has double quotes, not single ones: write \"")
        if character in "\u2018\u2019\u201c\u201d\u201e":
            return self._fault(position, f"{quote(character)} is a typographic quote: write \"")
        return self._fault(position, f"{what}: found {quote(character)}")

    def _cut(self, inside: str, mend: str) -> Fault:
        message = "the text is empty where a JSON value should stand"
        if inside:
            message = f"the text ends inside {inside}: {mend}, or look whether it was cut off"
        return self._fault(self.stop, message, cut=True)

    def _innermost(self) -> str:
        start = self.stack[-1][0]
        return f"{_KINDS[self.text[start]]} that opens at {self._place(start)}"

    def _place(self, offset: int) -> str:
        return "line %d, column %d" % line_and_column(self.text, offset)

    def _fault(self, offset: int, message: str, *, cut: bool = False, readable: bool = False) -> Fault:
        path = tuple(frame[2] for frame in self.stack if frame[2] is not None)
        return Fault(offset, message, path, cut=cut, readable=readable)


def _shown(text: str) -> str:
    return quote(text if len(text) <= 40 else text[:40] + "...")
