r"""Characters, escapes and sets of a regular expression: the lower half of the reader in patterns.py, whose grammar holds here.

What an escape or a set stands for matters only as far as it decides whether a pattern is well-formed: the ends of a range.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from .quoting import visible

DIGITS = "0123456789"
_OCTAL = "01234567"
_HEXADECIMAL = "0123456789abcdefABCDEF"
_CLASSES = "dDsSwW"
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_CODED = {"x": 2, "u": 4, "U": 8}

# Escapes that other engines, or some Pythons, know: what each is, and the mend.
_FOREIGN_ESCAPES = {
    "z": (r"'\z' is read by Python 3.14 only", r"write '\Z'"),
    "B": (r"'\B' in an empty text is another thing since Python 3.14", r"write '(?!\b)'"),
    "N": (r"'\N' depends on the Unicode version of the Python", r"write the character itself, or '\uXXXX'"),
    "p": (r"'\p' is not known to Python", r"write a set, such as '[^\W\d_]' for any letter"),
    "P": (r"'\P' is not known to Python", r"write a set, such as '[\W\d_]' for all but letters"),
    "h": (r"'\h' is not known to Python", r"write '[ \t]'"),
    "R": (r"'\R' is not known to Python", r"write '(?:\r\n|\r|\n)'"),
    "e": (r"'\e' is not known to Python", r"write '\x1b'"),
    "c": (r"'\c' is not known to Python", r"write the character's code, such as '\x03'"),
    "k": (r"'\k' is not known to Python", "write '(?P=name)'"),
    "g": (r"'\g' is not known in a pattern", "write '(?P=name)' or the group's number"),
    "Q": (r"'\Q' is not known to Python", "put a backslash before each special character instead"),
    "E": (r"'\E' is not known to Python", "put a backslash before each special character instead"),
}


class CharacterReader:
    """A place in a pattern, which moves on as characters, escapes and sets are read. `at` counts from 0, a message's column from 1."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def refuse(self, at: int, wrong: str, mend: str) -> None:
        """Raises the CaseError that says what is wrong at a place, and the mend."""
        first, last = max(0, at - 30), at + 30
        shown = visible(self.source[first:last])
        shown = ("..." if first else "") + shown + ("..." if last < len(self.source) else "")
        raise CaseError(f"the regex '{shown}' is refused at column {at + 1}: {wrong}; {mend}")

    def next(self, length: int = 1) -> str:
        """The next characters, without moving on; fewer at the end of the pattern."""
        return self.source[self.at : self.at + length]

    def accept(self, expected: str) -> bool:
        """Whether this stands here; if so, moves past it."""
        found = self.source.startswith(expected, self.at)
        if found:
            self.at += len(expected)
        return found

    def take(self, characters: str, most: int | None = None) -> str:
        """The characters from here on that are among `characters`, `most` of them at most."""
        start, end = self.at, len(self.source)
        if most is not None:
            end = min(end, start + most)
        while self.at < end and self.source[self.at] in characters:
            self.at += 1
        return self.source[start : self.at]

    def octal(self, start: int, digits: str) -> int:
        """The code of an octal escape that began at `start`."""
        if int(digits, 8) > 0o377:
            self.refuse(start, f"'\\{digits}' is above the largest octal code, 377", r"write '\xXX' or '\uXXXX'")
        return int(digits, 8)

    def escape(self, in_set: bool) -> int | None:
        """Reads an escape, and gives the code of its character; None for a class such as `\\d`."""
        start = self.at
        letter = self.next(2)[1]
        self.at += 2
        if letter in _CLASSES:
            return None
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "b" and in_set:
            return 8
        if letter in _CODED:
            return self._coded(start, letter)
        if letter in DIGITS:
            self.at -= 1
            digits = self.take(_OCTAL, 3)
            if not digits:
                self.refuse(start, f"'\\{letter}' in a set is no octal code, and a set has no references", r"write '\xXX'")
            return self.octal(start, digits)
        if letter.isascii() and letter.isalpha():
            wrong, mend = f"'\\{letter}' has no meaning", f"write '{letter}' for the letter, '\\\\{letter}' for a backslash before it"
            if in_set and letter in "AZ":
                wrong, mend = f"'\\{letter}' has no meaning in a set", "write it outside, as an alternative: '(?:...|\\Z)'"
            self.refuse(start, *_FOREIGN_ESCAPES.get(letter, (wrong, mend)))
        return ord(letter)

    def _coded(self, start: int, letter: str) -> int:
        digits = self.take(_HEXADECIMAL, _CODED[letter])
        if len(digits) < _CODED[letter]:
            mend = f"put zeros before the code, or write '\\\\{letter}' for a backslash and a letter"
            self.refuse(start, f"'\\{letter}' needs {_CODED[letter]} hexadecimal digits", mend)
        if int(digits, 16) > 0x10FFFF:
            self.refuse(start, f"'\\{letter}{digits}' is above the last character, 10FFFF", "write a smaller code")
        return int(digits, 16)

    def set(self) -> None:
        """Reads a set, from its '[' to its ']'."""
        opening = self.at
        self.at += 1
        if self.next() == "[":
            self._nested(self.at)
        self.accept("^")
        empty = True
        while empty or self.next() != "]":
            start = self.at
            low = self._member(opening)
            empty = False
            if self.next() != "-" or self.next(2) == "-]":
                continue
            self.at += 1
            if self.next() == "-":
                self._doubled(self.at - 1, "-")
            high = self._member(opening)
            if low is None or high is None or high < low:
                shown = visible(self.source[start : self.at])
                self.refuse(start, f"'{shown}' is no range of characters", r"write the lower one first, or '\-' for the character")
        self.at += 1

    def _member(self, opening: int) -> int | None:
        character = self.next()
        if not character:
            self.refuse(opening, "'[' is never closed", r"add ']', or write '\[' for the character itself")
        if character == "\\":
            return self.escape(True)
        if character in "-&~|" and self.next(2) == character * 2:
            self._doubled(self.at, character)
        if character == "[" and self._is_named_class():
            self._nested(self.at)
        self.at += 1
        return ord(character)

    def _is_named_class(self) -> bool:
        last = self.source.find(":]", self.at + 2, self.at + 12)
        return self.next(2) == "[:" and self.source[self.at + 2 : max(last, 0)].isalpha()

    def _nested(self, at: int) -> None:
        named = self._is_named_class()
        wrong = "named classes such as '[:alpha:]' are not known to Python" if named else "'[[' may open a set within a set one day"
        mend = r"write '[^\W\d_]' for letters, '0-9' for digits" if named else r"write '[\[' for the character itself"
        self.refuse(at, wrong, mend)

    def _doubled(self, at: int, character: str) -> None:
        wrong = f"'{character * 2}' in a set may be an operation on sets one day"
        self.refuse(at, wrong, f"write '\\{character}' for the character itself, once")
