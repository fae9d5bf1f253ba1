r"""The regular expressions of JSON Schema, which are those of ECMA-262 (with the flag u), translated into Python's.

A pattern is read by the grammar below and written anew, in the part of Python's syntax that Python 3.9 to 3.14 read alike. What differs:

    ECMA-262          Python                          because
    $                 \Z                              Python's `$` also matches before a last line feed
    .                 [^\n\r\u2028\u2029]
    \d \w \b          the same, with the flag a       only ASCII
    \B                (?!\b)                          Python 3.14 changed `\B` in an empty text
    \s                a set                           white space and line terminators of ECMA-262, U+FEFF among them
    []  [^]           (?!)  [\s\S]
    \cX \uD83D\uDE00  a character's code
    (?<n>...) \k<n>   (?P<n>...), and a conditional   a group that did not take part matches the empty text when referred to
    \p{L}             a set                           general categories, of Unicode 13.0

More is read than the flag u allows where it can mean one thing only: a backslash before any character that is no letter or digit, and
`{`, `}` or `]` on their own. Not read: look-behinds of no fixed width, references to groups that do not stand before them, scripts and
other properties of Unicode that Python does not know.
"""
from __future__ import annotations

import re

from ...ground.errors import CaseError, nearest
from ...text.pattern_characters import DIGITS, CharacterReader
from ...text.patterns import DEEPEST, LARGEST, LONGEST
from ...text.quoting import visible
from .unicode_categories import CATEGORIES, complement, ranges_of

_SPACES = (
    (9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F),
    (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_HEXADECIMAL = "0123456789abcdefABCDEF"
_QUANTIFIERS = {"*": "*", "+": "+", "?": "?"}
_OPENINGS = (("(?:", "(?:"), ("(?=", "(?="), ("(?!", "(?!"), ("(?<=", "(?<="), ("(?<!", "(?<!"))
_ASSERTIONS = ("(?=", "(?!", "(?<=", "(?<!")
_FOREIGN_ESCAPES = {
    "A": (r"'\A' is not known to ECMA-262", "write '^'"),
    "Z": (r"'\Z' is not known to ECMA-262", "write '$'"),
    "z": (r"'\z' is not known to ECMA-262", "write '$'"),
    "h": (r"'\h' is not known to ECMA-262", r"write '[ \t]'"),
    "Q": (r"'\Q' is not known to ECMA-262", "put a backslash before each special character instead"),
    "U": (r"'\U' is not known to ECMA-262", r"write '\u{...}' with the code in braces"),
}


def ecma_pattern(source: str) -> re.Pattern:
    """The Python pattern that finds what a pattern of ECMA-262 finds.

    Raises:
        CaseError: it is none, or Python cannot find it; with the column, counted from 1, and the mend.
    """
    translated = _Translator(source).translated()
    try:
        return re.compile(translated, re.A)
    except (re.error, ValueError, OverflowError, RecursionError):
        shown = visible(source[:60])
        mend = "let a look-behind have a fixed width, or write it in a simpler way"
        raise CaseError(f"the regex '{shown}' is refused: Python does not compile it; {mend}") from None


class _Translator(CharacterReader):
    """One pass over one pattern; each method gives the translation of what it reads."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._depth = 0
        self._groups = 0
        self._closed: set = set()
        self._names: dict = {}

    def translated(self) -> str:
        source = self.source
        if len(source) > LONGEST:
            raise CaseError(f"the regex has {len(source)} characters, and {LONGEST} are read; make several of it")
        if (len(source) - len(source.rstrip("\\"))) % 2:
            self.refuse(len(source) - 1, "a backslash at the end takes no character with it", r"write '\\' for the character itself")
        found = self._alternatives()
        if self.at < len(source):
            self.refuse(self.at, "')' closes no group", r"leave it out, or write '\)' for the character itself")
        return found

    def _alternatives(self) -> str:
        branches = [self._sequence()]
        while self.accept("|"):
            branches.append(self._sequence())
        return "|".join(branches)

    def _sequence(self) -> str:
        written = []
        while self.at < len(self.source) and self.next() not in "|)":
            start = self.at
            if self._quantifier() is not None:
                shown = self.source[start : self.at]
                self.refuse(start, f"'{shown}' has nothing to repeat", f"write '\\{shown}' for the character itself")
            atom, repeatable = self._atom()
            start = self.at
            quantifier = self._quantifier()
            if quantifier is not None:
                if not repeatable:
                    self.refuse(start, f"'{quantifier}' repeats what matches no characters", "leave it out")
                if self._is_quantifier():
                    mend = "leave one out, or put what is repeated in '(?:...)'"
                    self.refuse(self.at, f"'{self.next()}' follows another quantifier", mend)
                atom += quantifier
            written.append(atom)
        return "".join(written)

    def _is_quantifier(self) -> bool:
        start = self.at
        found = self._quantifier() is not None
        self.at = start
        return found

    def _quantifier(self) -> str | None:
        start = self.at
        written = _QUANTIFIERS.get(self.next())
        if written is not None:
            self.at += 1
        elif self.accept("{"):
            least = self.take(DIGITS)
            most = self.take(DIGITS) if self.accept(",") else least
            if not least or not self.accept("}"):
                self.at = start
                return None
            for digits in (least, most):
                if len(digits.lstrip("0")) > 5 or int(digits or "0") > LARGEST:
                    self.refuse(start, f"a count above {LARGEST}", "write a smaller one, or leave the upper one open: '{1,}'")
            if most and int(most) < int(least):
                shown = self.source[start : self.at]
                self.refuse(start, f"'{shown}' asks for at least {least} and at most {most}", "write the smaller count first")
            written = "{" + least + "," + most + "}"
        else:
            return None
        return written + ("?" if self.accept("?") else "")

    def _atom(self) -> tuple:
        """An item, and whether it can be repeated."""
        character = self.next()
        if character == "(":
            return self._group()
        if character == "[":
            return self._set(), True
        if character == "\\":
            return self._escape()
        self.at += 1
        if character == "^":
            return "^", False
        if character == "$":
            return r"\Z", False
        return (r"[^\n\r\u2028\u2029]" if character == "." else _written(ord(character))), True

    # Groups and references

    def _group(self) -> tuple:
        start = self.at
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(start, f"groups stand in each other more than {DEEPEST} deep", "write the pattern flatter")
        opening = next((written for spelt, written in _OPENINGS if self.accept(spelt)), None)
        number = 0
        if opening is None:
            opening, number = self._capture(start)
        inside = self._alternatives()
        if not self.accept(")"):
            self.refuse(start, "'(' is never closed", r"add ')', or write '\(' for the character itself")
        self._depth -= 1
        if number:
            self._closed.add(number)
        return opening + inside + ")", opening not in _ASSERTIONS

    def _capture(self, start: int) -> tuple:
        self._groups += 1
        if self.accept("(?<"):
            name = self._name(start)
            if name in self._names:
                self.refuse(start, f"the name '{name}' is given to two groups", "give each its own")
            self._names[name] = self._groups
        elif self.next(2) == "(?":
            shown = visible(self.source[start : start + 3])
            self.refuse(start, f"'{shown}' opens no group that ECMA-262 knows", r"write '(?:' for a group, '(\?' for the character '?'")
        else:
            self.at += 1
        return "(", self._groups  # names are of no use to us: nothing is done with what a group took

    def _name(self, start: int) -> str:
        end = self.source.find(">", self.at)
        name = self.source[self.at : end] if end >= 0 else ""
        if not (name.isascii() and name.replace("$", "_").isidentifier()):
            mend = "begin a name with an ASCII letter or '_', and go on with these and digits"
            self.refuse(start, "a group's name and '>' must follow", mend)
        self.at = end + 1
        return name

    def _referred(self, start: int, number: int | None) -> str:
        if number not in self._closed:
            shown = visible(self.source[start : self.at])
            self.refuse(start, f"'{shown}' refers to a group that is not closed before it", "refer to an earlier group, or leave it out")
        return f"(?:(?({number})\\{number}))"

    # Escapes and sets

    def _escape(self) -> tuple:
        start = self.at
        letter = self.next(2)[1]
        if letter in "bB":
            self.at += 2
            return (r"\b" if letter == "b" else r"(?!\b)"), False
        if letter in "123456789":
            self.at += 1
            return self._referred(start, int(self.take(DIGITS)[:3])), True
        if letter == "k":
            self.at += 2
            if not self.accept("<"):
                self.refuse(start, r"'\k' must be followed by '<name>'", r"write the name of an earlier group")
            name = self._name(start)
            return self._referred(start, self._names.get(name)), True
        found = self._member_escape()
        if letter in "dDwW":
            return found, True
        return (_in_set(found) if isinstance(found, str) else _written(found)), True

    def _member_escape(self):
        """An escape that may stand in a set: the code of its character, or what a class is inside of a set."""
        start = self.at
        letter = self.next(2)[1]
        self.at += 2
        if letter in "dDwW":
            return "\\" + letter
        if letter in "sS":
            return _listed(_SPACES if letter == "s" else complement(_SPACES))
        if letter in "pP":
            ranges = self._property(start)
            return _listed(ranges if letter == "p" else complement(ranges))
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "0" and (not self.next() or self.next() not in DIGITS):
            return 0
        if letter == "c" and self.next().isascii() and self.next().isalpha():
            self.at += 1
            return ord(self.source[self.at - 1]) % 32
        if letter in "xu":
            return self._code(start, letter)
        if letter.isalnum() or letter == "_":
            wrong, mend = f"'\\{letter}' has no meaning", f"write '{letter}' for the character, '\\\\{letter}' for a backslash before it"
            self.refuse(start, *_FOREIGN_ESCAPES.get(letter, (wrong, mend)))
        return ord(letter)

    def _code(self, start: int, letter: str) -> int:
        if letter == "u" and self.accept("{"):
            digits = self.take(_HEXADECIMAL).lstrip("0") or "0"
            if not self.accept("}") or len(digits) > 6 or int(digits, 16) > 0x10FFFF:
                self.refuse(start, r"'\u{' must go on with a code up to 10FFFF and '}'", "write the code in hexadecimal digits")
            return int(digits, 16)
        length = 2 if letter == "x" else 4
        digits = self.take(_HEXADECIMAL, length)
        if len(digits) < length:
            mend = f"put zeros before the code, or write '\\\\{letter}' for a backslash and a letter"
            self.refuse(start, f"'\\{letter}' needs {length} hexadecimal digits", mend)
        code = int(digits, 16)
        low = self.source[self.at + 2 : self.at + 6]
        if letter == "u" and 0xD800 <= code < 0xDC00 and self.next(2) == "\\u" and re.fullmatch("[dD][c-fC-F][0-9a-fA-F]{2}", low):
            self.at += 6
            return 0x10000 + (code - 0xD800) * 0x400 + int(low, 16) - 0xDC00
        return code

    def _property(self, start: int) -> tuple:
        end = self.source.find("}", self.at)
        name = self.source[self.at + 1 : end] if self.next() == "{" and end >= 0 else ""
        self.at = end + 1
        kind, equals, value = name.rpartition("=")
        ranges = ranges_of(value) if kind in ("", "gc", "General_Category") and (kind or not equals) else None
        if ranges is None:
            near = nearest(value, CATEGORIES)
            mend = r"write a general category such as '\p{L}', '\p{Lu}' or '\p{Letter}'"
            mend = f"did you mean '{near}'?" if near and near != value else mend
            self.refuse(start, "this property of Unicode is not known", mend)
        return ranges

    def _set(self) -> str:
        opening = self.at
        self.at += 1
        negated = self.accept("^")
        members = []
        while self.next() != "]":
            start = self.at
            low = self._member(opening)
            if self.next() != "-" or self.next(2) in ("-]", "-"):
                members.append(low if isinstance(low, str) else _written(low))
                continue
            self.at += 1
            high = self._member(opening)
            if isinstance(low, str) or isinstance(high, str) or high < low:
                shown = visible(self.source[start : self.at])
                self.refuse(start, f"'{shown}' is no range of characters", r"write the lower one first, or '\-' for the character")
            members.append(_written(low) + "-" + _written(high))
        self.at += 1
        return _in_set("".join(members), negated)

    def _member(self, opening: int):
        character = self.next()
        if not character:
            self.refuse(opening, "'[' is never closed", r"add ']', or write '\[' for the character itself")
        if character == "\\":
            if self.next(2)[1] == "b":
                self.at += 2
                return 8
            return self._member_escape()
        self.at += 1
        return ord(character)


def _written(code: int) -> str:
    """A character as it stands for itself anywhere in a pattern."""
    character = chr(code)
    if character.isascii() and (character.isalnum() or character == " "):
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_set(members: str, negated: bool = False) -> str:
    """A set of members; ECMA-262 also knows the empty one, which nothing is in."""
    if not members:
        return r"[\s\S]" if negated else "(?!)"
    return f"[^{members}]" if negated else f"[{members}]"


def _listed(ranges) -> str:
    """Ranges of codes as the members of a set; none of them as a set that nothing is in."""
    return "".join(_written(low) if low == high else _written(low) + "-" + _written(high) for low, high in ranges)
