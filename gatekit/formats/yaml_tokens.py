"""The words of YAML: what white space, comments and scalars stand at an offset of a text, and what the scalars say.

A scanner knows no structure. It is told the context of a scalar as two things, those of the specification (YAML 1.2.2, chapters 6 and 7):
- its `indent`: the column of the collection that it stands in, -1 for the document; each of its further lines begins with more spaces;
- whether it stands in a flow collection, where a plain scalar also ends at `, [ ] { }`.

The text ends in a line break, whether or not it was written, and a NUL, which no document holds: so looking at the next character needs
no test for the end.
"""
from __future__ import annotations

import re

from ..text.quoting import as_written, quote
from .json_lexis import Fault, line_and_column, masked
from .yaml_scalars import ScalarFault, plain_value
from .yaml_text import EscapeFault, block_text, first_bad_escape, folded, unescaped

END = "\0"
BLANK = " \t\n"
TAB = "a tab indents the line: write spaces"
_REPEATS = 200
_NO_PLAIN = {  # characters that begin no plain scalar
    "&": "anchors are not read: write the value out where it is used, or put the text in quotes",
    "*": "aliases are not read: write the value out, or put the text in quotes",
    "!": "tags are not read: drop it, or put the text in quotes",
    "%": "no plain text begins with %: put it in quotes",
    "@": "no plain text begins with @: put it in quotes",
    "`": "no plain text begins with a backtick: put it in quotes",
    "#": "a space must stand before the # of a comment: add it, or put the text in quotes",
    ",": "a comma stands where a value should: drop it, or put the text in quotes",
    "]": "']' closes nothing here: drop it, or put the text in quotes",
    "}": "'}' closes nothing here: drop it, or put the text in quotes",
    "-": "a list item stands where none can begin: begin it on a line of its own, below its key",
    "?": "explicit keys (? ) are not read: write key: value, or put the text in quotes",
    ":": "a key is missing before the colon: write it, or put the text in quotes",
    "|": "a block text cannot stand here: put the text in quotes",
    ">": "a block text cannot stand here: put the text in quotes",
    END: "the text ends where a value should stand: complete it, or look whether it was cut off",
}
_control = re.compile("[\0-\x08\x0b-\x1f]")
_QUOTED_ONLY = "[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+"  # no character of YAML, or a line end to YAML 1.1
_space = re.compile("[ \t\n]*")
_white = re.compile("[ \t]*")
_spaces = re.compile(" *")
_line_end = re.compile(r"[ \t]*(?:\n|(?<=[ \t])#[^\n]*\n)")
_quotes = re.compile("'+")
_marker = re.compile(r"(?:---|\.\.\.)(?=[ \t\n])")
_marker_line = re.compile(r"\n(?=(?:---|\.\.\.)[ \t\n]|\0)")
_header = re.compile(r"[|>](?:([1-9])([-+]?)|([-+])([1-9]?))?[ \t]*(?:(?<=[ \t])#[^\n]*)?\n")
_tab_line = re.compile(r" *\t[ \t]*\n")


def _rest(stops: str) -> str:
    """The pattern of what goes on of a plain scalar on its line; `stops` are the characters that end it wherever they stand."""
    return rf"[^:#\n{stops}]*(?:(?::(?![ \t\n{stops}])|(?<![ \t\n])#)[^:#\n{stops}]*){{0,{_REPEATS}}}"


def _first(stops: str) -> str:
    """The pattern of the first line of a plain scalar."""
    return rf"(?:[^ \t\n\0\-?:,\[\]{{}}#&*!|>'\"%@`]|[-?:](?![ \t\n{stops}])){_rest(stops)}"


_FLOW_STOPS = r",\[\]{}"
IN_BLOCK = (re.compile(_first("")).match, re.compile(_rest("")).match)
IN_FLOW = (re.compile(_first(_FLOW_STOPS)).match, re.compile(_rest(_FLOW_STOPS)).match)
PLAIN_KEY = re.compile(rf"({_first('')})(:(?=[ \t\n])[ \t]*)?").match  # the second group is missing where no key's colon follows


class Scanner:
    """Reads the words of one document. `stack` holds the open collections, for the paths of faults."""

    def __init__(self, text: str) -> None:
        found = _control.search(text)
        self.stack: list = []
        if found:
            shown = quote(found.group())[1:-1]
            raise Fault(found.start(), f"a control character ({shown}) stands in the text: write it as an escape in double quotes")
        self.text = text + (END if text[-1:] == "\n" else "\n" + END)
        self.stop = len(self.text) - 1
        self._odd = None if text.isascii() and "\x7f" not in text else []  # the quoted scalars of a text with odd characters
        self._mask = None

    def fault(self, offset: int, message: str) -> Fault:
        """A fault in the value that is being read, or, where none is, in the collection whose next entry is."""
        open_places = self.stack[1:] if self.stack[-1].waiting else self.stack[1:-1]
        return Fault(offset, message, tuple(frame.key for frame in open_places))

    def check_characters(self) -> None:
        """Raise for a character that may stand in quotes only and stands elsewhere. To be asked when all is read."""
        if self._odd is None:
            return
        spans, number = sorted(self._odd), 0
        for found in re.finditer(_QUOTED_ONLY, self.text):
            while number < len(spans) and spans[number][1] < found.start():
                number += 1
            if number == len(spans) or found.start() < spans[number][0]:
                point = f"{ord(found.group()[0]):04X}"
                mend = f"put the text in double quotes, with \\u{point} for it"
                raise Fault(found.start(), f"the character U+{point} is not read outside of quotes: {mend}")

    def skip(self, at: int) -> int:
        """The offset of what comes next, behind white space, line ends and comments."""
        text, space = self.text, _space.match
        end = space(text, at).end()
        while text[end] == "#":
            if end and text[end - 1] not in BLANK:
                raise self.fault(end, _NO_PLAIN["#"])
            end = space(text, text.index("\n", end)).end()
        return end

    def line_start(self, start: int, at: int) -> int:
        """Where the line of `at` begins, no earlier than at `start`."""
        return max(start, self.text.rfind("\n", start, at) + 1)

    def spaces(self, line: int) -> int:
        """How many spaces a line begins with."""
        return _spaces.match(self.text, line).end() - line

    def is_marker(self, at: int) -> bool:
        """Whether `---` or `...` stands at the start of a line, which ends whatever is open."""
        return self.text[at] in "-." and _marker.match(self.text, at) is not None

    def skip_in_flow(self, at: int, indent: int) -> int:
        """As `skip`, within a flow collection or scalar: the line that is reached must be indented."""
        text = self.text
        if text[at] not in " \t\n#":
            return at
        end = _white.match(text, at).end()
        if text[end] not in "\n#":
            return end
        end = self.skip(end)
        line = self.line_start(at, end)
        if line > at and end < self.stop:
            self.check_indent(line, end, indent)
        return end

    def check_indent(self, line: int, at: int, indent: int) -> None:
        """Raise where a further line of a flow collection or quoted scalar, with something at `at`, is not indented."""
        spaces = self.spaces(line)
        if spaces <= indent:
            if self.text[line + spaces] == "\t":
                raise self.fault(line + spaces, TAB)
            raise self.fault(at, f"the line is part of what opened above: indent it by {indent + 1} spaces or more, or close that")
        if self.is_marker(line):
            raise self.fault(line, "a document marker stands inside of brackets or quotes: close them, or indent the line")

    def end_of_line(self, at: int) -> int:
        """The start of the next line, where nothing but white space and a comment follows what ends at `at`."""
        found = _line_end.match(self.text, at)
        if found:
            return found.end()
        at = _white.match(self.text, at).end()
        if self.text[at] == "#":
            raise self.fault(at, _NO_PLAIN["#"])
        if self.text[at] == ":":
            raise self.fault(at, "a key is a text on one line: put it in quotes, or give the value a line of its own")
        found = quote(self.text[at])
        raise self.fault(at, f"{found} follows the end of the value on its line: put the whole value in quotes, or drop the rest")

    # Plain scalars

    def plain_end(self, at: int, context: tuple, first: bool = True) -> int:
        """Where the plain scalar that begins at `at` (or, not `first`, goes on there) ends on its line; `at` itself where it does not."""
        found = context[0 if first else 1](self.text, at)
        if found is None:
            return at
        end = found.end()
        while end - at >= _REPEATS:  # a long line is read in pieces, so that the pattern need not remember many
            more = context[1](self.text, end).end()
            if more == end:
                break
            end = more
        return end

    def plain(self, at: int, indent: int, context: tuple) -> tuple:
        """The text of the plain scalar that begins at `at`, and the offset of what ended it: a break, a comment, a colon, a bracket."""
        text, found = self.text, context[0](self.text, at)
        if found is None:
            raise self.no_plain(at)
        end = found.end()
        if end - at >= _REPEATS:
            end = self.plain_end(at, context)
        line = text[at:end].rstrip(" \t")
        if text[end] != "\n":
            return line, end
        start = _spaces.match(text, end + 1).end()
        if start - end - 1 <= indent and text[start] not in "\t\n":
            return line, end
        pieces = [line]
        while text[end] == "\n":
            start = _space.match(text, end).end()
            line = text.rfind("\n", end, start) + 1
            if self.spaces(line) <= indent or text[start] in "#\0" or start == line and self.is_marker(line):
                break
            stop = self.plain_end(start, context, False)
            if stop == start:
                break
            pieces.append("\n" * (text.count("\n", end, start) - 1) or " ")
            pieces.append(text[start:stop].rstrip(" \t"))
            end = stop
        return "".join(pieces), end

    def no_plain(self, at: int) -> Fault:
        """Why no plain scalar begins at `at`."""
        return self.fault(at, _NO_PLAIN.get(self.text[at], "a value is missing: write it"))

    def resolved(self, text: str, at: int) -> object:
        """What the plain scalar at `at` means."""
        try:
            return plain_value(text)
        except ScalarFault as fault:
            raise self.fault(at, str(fault)) from None

    def plain_key(self, text: str, at: int) -> str:
        """The key that the plain scalar at `at` says."""
        key = self.resolved(text, at)
        if not isinstance(key, str):
            shown = f'write "{text}"' if len(text) <= 40 else "put it"
            raise self.fault(at, f"a key is a text, and {quote(text[:40])} is none: {shown} in quotes")
        return key

    # Quoted scalars

    def closing_quote(self, at: int) -> int:
        """The offset of the quote that closes the one at `at`."""
        text = self.text
        end = self._closing_double(at) if text[at] == '"' else self._closing_single(at)
        if end < 0:
            line, column = line_and_column(text, at)
            raise self.fault(at, f"the quote that opens at line {line}, column {column} is not closed: close it")
        return end

    def _closing_double(self, at: int) -> int:
        end = self.text.find('"', at + 1)
        if end < 0 or self.text.find("\\", at, end) < 0:
            return end
        if self._mask is None:
            self._mask = masked(self.text)
        return self._mask.find('"', at + 1)

    def _closing_single(self, at: int) -> int:
        end = self.text.find("'", at + 1)
        while end >= 0 and self.text[end + 1] == "'":  # a quote is doubled within: an odd run ends in the one that closes
            run = _quotes.match(self.text, end).end()
            if (run - end) % 2:
                return run - 1
            end = self.text.find("'", run)
        return end

    def quoted(self, at: int, indent: int) -> tuple:
        """The text of the quoted scalar that opens at `at`, and the offset behind it."""
        end = self.closing_quote(at)
        said, double = self.text[at + 1:end], self.text[at] == '"'
        if self._odd is not None:
            self._odd.append((at, end))
        if "\n" in said:
            said = self._unfolded(said, at + 1, indent, double)
        if not double:
            return said.replace("''", "'"), end + 1
        if "\\" in said:
            try:
                said = unescaped(said)
            except EscapeFault as fault:
                bad = at + 1 + first_bad_escape(self.text[at + 1:end])
                mend = "put the text in single quotes, where a backslash stands for itself, or write \\\\ for it"
                raise self.fault(bad, f"{as_written(str(fault))} is no escape of YAML: {mend}") from None
        return said, end + 1

    def _unfolded(self, said: str, start: int, indent: int, double: bool) -> str:
        lines = said.split("\n")
        offset = start + len(lines[0]) + 1
        for number, line in enumerate(lines[1:], 2):
            bare = line.lstrip(" \t")
            if bare or number == len(lines):
                self.check_indent(offset, offset + len(line) - len(bare), indent)
            offset += len(line) + 1
        return folded(lines, double)

    # Block scalars

    def block_scalar(self, at: int, indent: int) -> tuple:
        """The text of the block scalar whose header stands at `at`, and the start of the line behind it."""
        text, header = self.text, _header.match(self.text, at)
        if header is None:
            raise self.fault(at, "behind | or > stand at most a digit from 1 to 9, and - or +: begin the text on the next line")
        start = header.end()
        digit, chomping = header.group(1) or header.group(4), header.group(2) or header.group(3) or ""
        if digit and indent < 0 and start < self.stop:
            raise self.fault(at, "a digit here means one indentation to some readers and another to others: drop it, or use quotes")
        width = indent + int(digit) if digit else self._found_width(start, indent)
        if width > 0:
            end = re.compile(r"\n(?! {%d}| *\n)" % width).search(text, start - 1).end()
        else:
            end = _marker_line.search(text, start - 1).end()
        if _tab_line.match(text, end):
            raise self.fault(end, "a tab stands in a line below a block text: write spaces, or leave the line empty")
        lines = [line[width:] for line in text[start:end - 1].split("\n")] if end > start else []
        return block_text(lines, text[at] == ">", chomping), end

    def _found_width(self, start: int, indent: int) -> int:
        """By how many spaces the first line of a block scalar is indented that has more than spaces."""
        text = self.text
        first = start
        while True:
            first = _spaces.match(text, first).end()
            if text[first] != "\n":
                break
            first += 1
        line = self.line_start(start, first)
        width = first - line
        if width <= indent or first == self.stop:  # there is none
            return max(indent + 1, *map(len, text[start:line].split("\n")), 1)
        for blank in text[start:line].split("\n")[:-1]:
            if len(blank) > width:
                what = f"a blank line above the first of a block text has more spaces ({len(blank)}) than it ({width})"
                raise self.fault(start, f"{what}: drop them, or say the indentation, as in |2")
        return width
