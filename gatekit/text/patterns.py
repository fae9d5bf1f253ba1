r"""A user's regular expression: read before it is compiled, so that it means one thing on every Python, or is refused.

The `re` module changes. A Python warns where the next one raises an error (flags inside the pattern), newer ones read what older ones
refuse (possessive quantifiers, atomic groups, `\z`), and one assertion means something else since 3.14 (`\B` in an empty text). A rule
must not pass on one machine and fail on another, and the text of an error must not depend on the machine either. So a pattern is first
read here, in one pass, by the grammar below, which is the part that Python 3.9 to 3.14 read alike; what it leaves out is refused in our
own words, with the column and the mend. Only then is it compiled, without a warning.

    pattern      = ["(?" flags ")"]... alternatives        the flags of the whole pattern, at its very start
    alternatives = sequence ["|" sequence]...
    sequence     = [item [quantifier]]...                  no quantifier after an anchor or after another quantifier
    quantifier   = ("*" | "+" | "?" | "{" [m] "," [n] "}" | "{" m "}") ["?"]       other braces are characters
    item         = character | "." | set | escape | anchor | reference | group
    anchor       = "^" | "$" | "\A" | "\Z" | "\b"
    reference    = "\" number | "(?P=" name ")"            to a group that is closed, and not of the same look-behind
    group        = "(" alternatives ")" | "(?:" alternatives ")" | "(?P<" name ">" alternatives ")"
                 | "(?=" alternatives ")" | "(?!" alternatives ")"
                 | "(?<=" alternatives ")" | "(?<!" alternatives ")"               of one fixed width
                 | "(?(" (number | name) ")" sequence ["|" sequence] ")"
                 | "(?" [flags] ["-" flags] ":" alternatives ")"
                 | "(?#" comment ")"                       no item: what follows applies to the item before it
    set          = "[" ["^"] (member | member "-" member)... "]"                   "]" first is a character
    flags        = "i" | "m" | "s" | "x" | "a" | "u" ...   not "a" and "u" together
    name         = an identifier in ASCII

Under the flag x white space and `#` to the end of the line are skipped between items, and nowhere else. A backslash always takes the
next character with it, in a comment too.

Each item is known by four things, worked out from its parts: the widths that it can match, for look-behinds; and whether it can match
the empty string at the start of any text, and at the end of any text, for `matches_empty`.
"""
from __future__ import annotations

import re

from ..ground.errors import CaseError
from .characters import unknown_characters
from .pattern_characters import DIGITS, CharacterReader
from .quoting import visible

LONGEST = 20_000  # characters of a pattern
DEEPEST = 50  # groups within groups: `re` reads and compiles by recursion
LARGEST = 65_535  # a repetition's count, and a look-behind's width; the bound of PCRE2
_UNBOUNDED = 1 << 32

_FLAGS = {"i": int(re.I), "m": int(re.M), "s": int(re.S), "x": int(re.X), "a": int(re.A), "u": int(re.U)}
_FLAG_LETTERS = "".join(_FLAGS)
_WHITE_SPACE = " \t\n\r\v\f"
_QUANTIFIERS = {"*": (0, _UNBOUNDED), "+": (1, _UNBOUNDED), "?": (0, 1)}

# What can stand after "(?" elsewhere: the beginning, what it is, and the mend.
_FOREIGN_GROUPS = (
    ("(?>", "'(?>' opens an atomic group, which Pythons before 3.11 refuse", "write '(?:'"),
    ("(?P>", "'(?P>' calls a group, which Python does not know", "write the group's pattern again"),
    ("(?P", "'(?P' must go on as '(?P<name>' or '(?P=name)'", "write one of them"),
    ("(?<", "'(?<' must go on as '(?<=' or '(?<!'", "for a name write '(?P<name>', for the character '<' write '(<'"),
    ("(?'", "a name in quotes is not known to Python", "write '(?P<name>'"),
    ("(?|", "'(?|' is not known to Python", "write '(?:', and give each alternative its own groups"),
    ("(?R", "'(?R' calls the pattern itself, which Python does not know", "write out as many levels as are needed"),
    ("(?L", "the flag 'L' is for bytes, not for text", "leave it out"),
    ("(?t", "the flag 't' is gone since Python 3.13", "leave it out"),
)


# Patterns between two anchors that take any text whole, without and with the flag s or m.
_ANY_CHARACTERS = r"(?:\[\\s\\S\]|\[\\S\\s\]|\[\\w\\W\]|\[\\W\\w\]|\[\\d\\D\]|\[\\D\\d\]"
_ANY_TEXT = tuple(rf"(?:\(\?[a-z]+\))?(?:\^|\\A)\(?(?:\?:)?{_ANY_CHARACTERS}{dot})\*\??\)?(?:\$|\\Z)" for dot in ("", r"|\."))


def compile_pattern(source: str, flags: int = 0) -> re.Pattern:
    """The compiled pattern, if every Python reads it, and reads it alike.

    `flags` is a sum of `re.A`, `re.I`, `re.M`, `re.S`, `re.U`, `re.X`. Raises CaseError, whose message names the column (counted from 1,
    in characters) and the mend.
    """
    _Reader(source, flags).read()
    for place, character in enumerate(source):
        if character >= "\x80" and character in unknown_characters:
            shown = visible(source[:60])
            raise CaseError(f"the regex '{shown}' is refused at column {place + 1}: the character is newer than Unicode 13.0, and Pythons differ on it; leave it out")
    try:
        return re.compile(source, flags)
    except (re.error, ValueError, OverflowError, RecursionError):
        shown = visible(source[:60])
        raise CaseError(f"the regex '{shown}' is refused: Python does not compile it; write it in a simpler way") from None


def matches_empty(pattern: re.Pattern) -> bool:
    """Whether a search for the pattern succeeds in every text, because it can match the empty string at the start or end of any.

    So it is with `.*`, `x?`, `^a*`, `|b` and `(?!x)`, and with what takes any text whole (`(?s)^.*$`); a rule that asks for such a match checks
    nothing. Not so with `^$`, `^[^x]*$` and `(?s)^(?!.*x)`. The answer is read off the pattern's form: True is certain, False may be too
    careful where an assertion happens to hold always.
    """
    item = _Reader(pattern.pattern, pattern.flags).read()
    return item.at_start or item.at_end or re.fullmatch(_ANY_TEXT[bool(pattern.flags & (re.S | re.M))], pattern.pattern) is not None


def never_matches(pattern: re.Pattern) -> bool:
    """Whether a part of the pattern can plainly never match: a `$` before a letter or digit, a `^` behind one, `(?!)`.

    So it is where a backslash was forgotten (`$5` for `\\$5`): a ban of it would ban nothing. True is certain for that part.
    """
    source, at, in_set = pattern.pattern, 0, False
    if pattern.flags & (re.M | re.X) or "(?m" in source:
        return False
    while at < len(source):
        character = source[at]
        if character == "\\":
            at += 2
            continue
        if in_set:
            in_set = character != "]"
        elif character == "[":
            in_set = True
            at += source.startswith(("[^]", "[]"), at) and (2 if source.startswith("[^]", at) else 1)
        elif character == "$" and source[at + 1 : at + 2].isalnum() or source.startswith("(?!)", at):
            return True
        elif character == "^" and at and source[at - 1].isalnum() and source[at - 2 : at - 1] != "\\":
            return True
        at += 1
    return False


class _Item:
    """A part of a pattern: its least and greatest width, and whether it matches nothing at the start, and at the end, of any text."""

    __slots__ = ("low", "high", "at_start", "at_end", "kind")

    def __init__(self, low: int, high: int, at_start: bool = False, at_end: bool = False, kind: str = "item") -> None:
        self.low, self.high = min(low, _UNBOUNDED), min(high, _UNBOUNDED)
        self.at_start, self.at_end = at_start, at_end
        self.kind = kind  # "anchor" and "repeated" take no quantifier


_CHARACTER = _Item(1, 1)
_NOTHING = _Item(0, 0, True, True)
_ANCHORS = {
    "^": _Item(0, 0, True, False, "anchor"),
    "$": _Item(0, 0, False, True, "anchor"),
    "\\A": _Item(0, 0, True, False, "anchor"),
    "\\Z": _Item(0, 0, False, True, "anchor"),
    "\\b": _Item(0, 0, False, False, "anchor"),
}


def _in_sequence(items: list) -> _Item:
    return _Item(
        sum(item.low for item in items),
        sum(item.high for item in items),
        all(item.at_start for item in items),
        all(item.at_end for item in items),
    )


def _either(items: list) -> _Item:
    return _Item(
        min(item.low for item in items),
        max(item.high for item in items),
        any(item.at_start for item in items),
        any(item.at_end for item in items),
    )


class _Reader(CharacterReader):
    """One pass over one pattern. The argument `verbose` says whether the flag x holds."""

    def __init__(self, source: str, flags: int) -> None:
        super().__init__(source)
        self._flags = int(flags)
        self._depth = 0
        self._groups: list = [None]  # by number; None while a group is open
        self._names: dict = {}
        self._behind = 0  # in a look-behind: the number of the first group that it may not refer to

    def read(self) -> _Item:
        source = self.source
        if not source:
            raise CaseError("the regex is empty, and would match every text; write what must, or must not, be found")
        if len(source) > LONGEST:
            raise CaseError(f"the regex has {len(source)} characters, and {LONGEST} are read; make several rules of it")
        if (len(source) - len(source.rstrip("\\"))) % 2:
            self.refuse(len(source) - 1, "a backslash at the end takes no character with it", r"write '\\' for the character itself")
        self._flags_of_all()
        item = self._alternatives(bool(self._flags & re.X))
        if self.at < len(source):
            self.refuse(self.at, "')' closes no group", r"leave it out, or write '\)' for the character itself")
        return item

    # Sequences and quantifiers

    def _alternatives(self, verbose: bool) -> _Item:
        branches = [self._sequence(verbose)]
        while self.accept("|"):
            branches.append(self._sequence(verbose))
        return _either(branches)

    def _sequence(self, verbose: bool) -> _Item:
        items: list = []
        while self.at < len(self.source) and self.next() not in "|)":
            start = self.at
            if verbose and self._skipped():
                continue
            counts = self._quantifier()
            if counts is not None:
                self._repeat(items, start, counts)
                continue
            item = self._item(verbose)
            if item is not None:
                items.append(item)
        return _in_sequence(items)

    def _skipped(self) -> bool:
        if self.take(_WHITE_SPACE):
            return True
        if not self.accept("#"):
            return False
        self._skip_to("\n")
        return True

    def _skip_to(self, end: str) -> bool:
        while self.at < len(self.source):
            character = self.next()
            self.at += 2 if character == "\\" else 1
            if character == end:
                return True
        return False

    def _quantifier(self) -> tuple | None:
        start = self.at
        counts = _QUANTIFIERS.get(self.next())
        if counts is not None:
            self.at += 1
            return counts
        if not self.accept("{"):
            return None
        least = most = self.take(DIGITS)
        comma = self.accept(",")
        if comma:
            most = self.take(DIGITS)
        if not (least or comma) or not self.accept("}"):
            self.at = start
            return None
        return self._count(start, least, 0), self._count(start, most, _UNBOUNDED)

    def _count(self, start: int, digits: str, default: int) -> int:
        if not digits:
            return default
        digits = digits.lstrip("0") or "0"
        if len(digits) > 5 or int(digits) > LARGEST:
            self.refuse(start, f"a count above {LARGEST}", "write a smaller one, or leave the upper one open: '{1,}'")
        return int(digits)

    def _repeat(self, items: list, start: int, counts: tuple) -> None:
        least, most = counts
        quantifier = self.source[start : self.at]
        if most < least:
            self.refuse(start, f"'{quantifier}' asks for at least {least} and at most {most}", "write the smaller count first")
        if not items or items[-1].kind == "anchor":
            self.refuse(start, f"'{quantifier}' has nothing to repeat", f"write '\\{quantifier}' for the character itself")
        if items[-1].kind == "repeated":
            self.refuse(start, f"'{quantifier}' follows another quantifier", "leave one out, or put what is repeated in '(?:...)'")
        if self.next() == "+":
            self.refuse(self.at, f"'{quantifier}+' is a possessive quantifier, which Pythons before 3.11 refuse", "leave the '+' out")
        self.accept("?")
        item = items[-1]
        items[-1] = _Item(item.low * least, item.high * most, item.at_start or not least, item.at_end or not least, "repeated")

    # Items

    def _item(self, verbose: bool) -> _Item | None:
        character = self.next()
        if character == "(":
            return self._group(verbose)
        if character == "[":
            self.set()
            return _CHARACTER
        anchor = _ANCHORS.get(self.next(2) if character == "\\" else character)
        if anchor is not None:
            self.at += 2 if character == "\\" else 1
            return anchor
        if character == "\\":
            if self.next(2)[1] in "123456789":
                return self._number()
            self.escape(False)
            return _CHARACTER
        self.at += 1
        return _CHARACTER

    def _number(self) -> _Item:
        start = self.at
        self.at += 1
        digits = self.take(DIGITS, 3)
        if len(digits) == 3 and not digits.strip("01234567"):
            self.octal(start, digits)
            return _CHARACTER
        self.at = start + 1 + len(digits[:2])
        return self._referred(start, int(digits[:2]), f"'\\{digits[:2]}'")

    def _referred(self, start: int, number: int, shown: str) -> _Item:
        if number >= len(self._groups):
            self.refuse(start, f"{shown} refers to a group that does not stand before it", "refer to an earlier group, or leave it out")
        group = self._groups[number]
        if group is None:
            self.refuse(start, f"{shown} refers to the group that it stands in", "refer to an earlier group, or leave it out")
        if self._behind and number >= self._behind:
            self.refuse(start, f"{shown} refers to a group of the same look-behind", "write the group's pattern again")
        return _Item(group.low, group.high)

    # Groups

    def _group(self, verbose: bool) -> _Item | None:
        start = self.at
        if self.accept("(?#"):
            if not self._skip_to(")"):
                self.refuse(start, "the comment '(?#' is never closed", "add ')'")
            return None
        if self.accept("(?P="):
            name = self._name(start, ")")
            return self._referred(start, self._numbered(start, name), f"'{name}'")
        if self._depth == DEEPEST:
            self.refuse(start, f"groups stand in each other more than {DEEPEST} deep", "write the pattern flatter, or make several rules")
        self._depth += 1
        item = self._open(start, verbose)
        self._depth -= 1
        return item

    def _open(self, start: int, verbose: bool) -> _Item:
        if self.accept("(?P<"):
            name = self._name(start, ">")
            if name in self._names:
                self.refuse(start, f"the name '{name}' is given to two groups", "give each its own")
            self._names[name] = len(self._groups)
            return self._capture(start, verbose)
        if self.accept("(?:"):
            return self._closed(start, verbose)
        for opening in ("(?<=", "(?<!"):
            if self.accept(opening):
                return self._look_behind(start, opening, verbose)
        for opening in ("(?=", "(?!"):
            if self.accept(opening):
                return self._assertion(self._closed(start, verbose), opening)
        if self.accept("(?("):
            return self._conditional(start, verbose)
        if self.next(2) == "(?":
            return self._closed(start, self._flags_of_group(start, verbose))
        self.at += 1
        return self._capture(start, verbose)

    def _capture(self, start: int, verbose: bool) -> _Item:
        number = len(self._groups)
        self._groups.append(None)
        self._groups[number] = self._closed(start, verbose)
        return self._groups[number]

    def _closed(self, start: int, verbose: bool) -> _Item:
        item = self._alternatives(verbose)
        self._close(start)
        return item

    def _close(self, start: int) -> None:
        if not self.accept(")"):
            self.refuse(start, "'(' is never closed", r"add ')', or write '\(' for the character itself")

    def _look_behind(self, start: int, opening: str, verbose: bool) -> _Item:
        before = self._behind
        self._behind = before or len(self._groups)
        item = self._closed(start, verbose)
        self._behind = before
        if item.low != item.high:
            self.refuse(start, f"what '{opening}' looks back at has no fixed width", "let all its alternatives match as many characters")
        if item.high > LARGEST:
            self.refuse(start, f"'{opening}' looks back more than {LARGEST} characters", "write a smaller count")
        return self._assertion(item, opening)

    def _assertion(self, item: _Item, opening: str) -> _Item:
        if opening[-1] == "=":
            return _Item(0, 0, item.at_start, item.at_end)
        # What takes a character is found neither behind the end of a text nor before its start, so its negation holds there.
        behind = "<" in opening
        return _Item(0, 0, behind and item.low > 0, not behind and item.low > 0)

    def _conditional(self, start: int, verbose: bool) -> _Item:
        name = self._name(start, ")", numbers=True)
        number = int(name[:6]) if name[0] in DIGITS else self._numbered(start, name)
        self._referred(start, number, f"'{name}'")
        branches = [self._sequence(verbose)]
        branches.append(self._sequence(verbose) if self.accept("|") else _NOTHING)
        if self.next() == "|":
            self.refuse(self.at, f"'(?({name})' has more than two branches", "put alternatives in '(?:...)'")
        self._close(start)
        low, high = min(branch.low for branch in branches), max(branch.high for branch in branches)
        return _Item(low, high, all(branch.at_start for branch in branches), all(branch.at_end for branch in branches))

    def _name(self, start: int, end: str, numbers: bool = False) -> str:
        last = self.source.find(end, self.at)
        name = self.source[self.at : last] if last >= 0 else ""
        if numbers and name and not name.strip(DIGITS) and name[0] != "0":
            self.at = last + 1
        elif name.isascii() and name.isidentifier():
            self.at = last + 1
        else:
            kinds = "a group's number (from 1) or name" if numbers else "a group's name"
            wrong = f"'{self.source[start : self.at]}' must be followed by {kinds} and '{end}'"
            self.refuse(start, wrong, "begin a name with an ASCII letter or '_', and go on with these and digits")
        return name

    def _numbered(self, start: int, name: str) -> int:
        if name not in self._names:
            self.refuse(start, f"no group before it has the name '{name}'", "write the name of an earlier group")
        return self._names[name]

    # Flags

    def _flags_of_all(self) -> None:
        while self.accept("(?"):
            start = self.at - 2
            letters = self.take(_FLAG_LETTERS)
            if not letters or not self.accept(")"):
                self.at = start
                return
            for letter in letters:
                self._flags |= _FLAGS[letter]
            if self._flags & re.A and (self._flags & re.U or "u" in letters):
                self.refuse(start, "the flags 'a' and 'u' exclude each other", "leave one out")

    def _flags_of_group(self, start: int, verbose: bool) -> bool:
        """Reads `(?i-x:`; the answer is whether the flag x holds in the group."""
        self.at += 2
        on = self.take(_FLAG_LETTERS)
        if on and self.next() == ")":
            shown = self.source[start : self.at + 1]
            self.refuse(start, f"'{shown}' sets flags for the whole pattern, and does not stand at its very start",
                         f"move it there, or write '(?{on}:...)' around what it is for")
        minus = self.accept("-")
        off = self.take("imsx") if minus else ""
        if not self.accept(":") or not (on or off) or (minus and not off):
            for opening, wrong, mend in _FOREIGN_GROUPS:
                if self.source.startswith(opening, start):
                    self.refuse(start, wrong, mend)
            if on or minus:
                self.refuse(start, "this is no list of flags", f"write letters out of '{_FLAG_LETTERS}', as in '(?i:...)' or '(?i-s:...)'")
            shown = visible(self.source[start : start + 3])
            self.refuse(start, f"'{shown}' opens no group that Python knows", "write '(?:' for a group, '(\\?' for the character '?'")
        if "a" in on and "u" in on:
            self.refuse(start, "the flags 'a' and 'u' exclude each other", "leave one out")
        if set(on) & set(off):
            self.refuse(start, "a flag is turned on and off at once", "leave it out on one side")
        return (verbose or "x" in on) and "x" not in off
