"""The structure of YAML: from the words of a document to its value.

One pass with a stack of the collections that are open, no recursion. Each collection has an `indent`: a block collection the column of
its keys or dashes, a flow collection that of the block collection around it. A value is put into its collection as soon as it begins, at
the frame's `key`; a key or item without value is null, so null is put there first and the frame is `waiting`.

A line of block structure is placed by the column of its first character:

    deeper than the innermost collection     it begins the value that this one is waiting for; else a fault
    a dash, at the column of a waiting key   it begins the list that is this key's value
    at the column of an open collection      it is the next key or item of that one; the deeper ones are closed
    elsewhere                                a fault

Within brackets a walk of steps as in JSON; each step expects something, and is named for it:

    entry     an item, a key, or the closer
    value     what follows a colon; null where a comma or the closer follows
    after     a comma, or the closer
"""
from __future__ import annotations

import re

from ..ground.canonical import MAX_DEPTH
from ..text.quoting import quote
from .json_lexis import Fault, line_and_column
from .yaml_tokens import BLANK, END, IN_BLOCK, IN_FLOW, PLAIN_KEY, TAB, Scanner

_MAX_KEY = 1024  # characters up to the colon (YAML 1.2.2, section 7.4.2)
_QUOTES = "\"'"
_OPENERS = "[{"
_KINDS = {"]": "list", "}": "mapping", "": "pair"}
_DASH_AMONG_KEYS = "a list item stands where a key should: indent it below a key that has no value yet, or put the text in quotes"
_KEY_AMONG_DASHES = "a key or text stands among list items: begin it with '- ', or indent it to make it part of the item above"
_COLON_IN_TEXT = "a colon and a space stand inside of a text: put the text in quotes, or begin the key on a line of its own"
_LONG_KEY = f"a key has at most {_MAX_KEY} characters: shorten it; or is its colon part of a text? Put that in quotes"
_KEY_IN_LIST = f"a key in a list stands on one line with its colon, in at most {_MAX_KEY} characters: quote the text, or add a comma"
_NO_COLON = "a key is missing its colon: write key: value, or indent the line to make it part of the value above"
_NO_SPACE = "a key is missing: a space must follow its colon, and no other text may stand before that"
_NO_TEXT = "a list or mapping stands where a key should: a key is a text"
_white = re.compile("[ \t]*").match
_spaces = re.compile(" *").match
_colon = re.compile(r"[ \t]*:(?=[ \t\n])[ \t]*").match


class _Frame:
    """A collection that is open. `closer` is empty for the pair of `[key: value]`, and None for a block collection."""

    __slots__ = ("container", "indent", "is_list", "key", "waiting", "closer", "start")

    def __init__(self, container, indent: int, closer: str | None, start: int) -> None:
        self.container = container
        self.indent = indent
        self.is_list = isinstance(container, list)
        self.key = -1 if self.is_list else None
        self.waiting = False
        self.closer = closer
        self.start = start


class Reader(Scanner):
    """Reads one document. `places`, where it is given, receives the offset of each key and item by (id of the collection, key)."""

    def __init__(self, text: str, places: dict | None = None) -> None:
        super().__init__(text)
        root = _Frame([None], -1, None, 0)
        root.key, root.waiting = 0, True
        self.stack = [root]
        self.places = places

    def document(self) -> object:
        """The value of the document. Raises Fault."""
        at = self.skip(0)
        if at == self.stop:
            raise Fault(0, "the document is empty: write a value, or null")
        line = self.line_start(0, at)
        if self.text[line] == "%":
            raise Fault(line, "directives are not read: drop the line, or put the text in quotes")
        if line == at and self.text.startswith("---", at) and self.is_marker(at):
            line = self._first_line(_white(self.text, at + 3).end())
        self._lines(line)
        self.check_characters()
        return self.stack[0].container[0]

    def _first_line(self, at: int) -> int:
        """What stands behind `---`."""
        return self.end_of_line(at) if self.text[at] in "\n#" else self._value(at, -1)

    # Block structure

    def _lines(self, at: int) -> None:
        text, stack = self.text, self.stack
        while True:
            line, first = at, _spaces(text, at).end()
            tab = False
            if text[first] in "\t\n#\0":
                first = self.skip(first)
                if first == self.stop:
                    return
                line = self.line_start(at, first)
                tab = text.find("\t", line, first) >= 0
            column = first - line
            if not column and text[first] in "-." and self.is_marker(first):
                self._end(first)
                return
            top = stack[-1]
            dash = text[first] == "-" and text[first + 1] in BLANK
            if tab:
                at = self._tabbed(first, self.spaces(line))
            elif top.waiting and (column > top.indent or dash and column == top.indent and not top.is_list):
                if dash:
                    self._open([], column, first)
                    at = self._item(first, column)
                else:
                    at = self._node(first, top.indent, column)
            else:
                self._return_to(column, dash, first)
                at = self._item(first, column) if dash else self._member(first)

    def _tabbed(self, at: int, spaces: int) -> int:
        """A line with a tab before its content: it can be the value that is waited for, if spaces before the tab indent it enough."""
        top = self.stack[-1]
        if not top.waiting or spaces <= top.indent or self._key(at) is not None:
            raise self.fault(self.text.index("\t", self.text.rfind("\n", 0, at) + 1), TAB)
        return self._value(at, top.indent)

    def _end(self, at: int) -> None:
        """A marker on a line of its own: nothing may follow it."""
        root = self.stack[0]
        if self.text[at] == ".":
            if root.waiting:
                raise Fault(at, "the document ends before it has a value: write it, or null")
            at = self.end_of_line(at + 3)
        if self.skip(at) != self.stop:
            raise Fault(self.skip(at), "a second document begins: write one document in a file")

    def _return_to(self, column: int, dash: bool, at: int) -> None:
        """Close what is deeper than a line at `column`, so that the collection whose next entry it is comes to the top."""
        stack = self.stack
        innermost = stack[-1]
        while stack[-1].indent > column:
            stack.pop()
        top = stack[-1]
        if top.is_list and not dash and top.indent == column and stack[-2].indent == column:
            stack.pop()  # a list at the column of its key ends where the next key begins
            top = stack[-1]
        top.waiting = False
        if top.indent == column and top.is_list == dash:
            return
        if top.indent == column:
            raise self.fault(at, _DASH_AMONG_KEYS if dash else _KEY_AMONG_DASHES)
        if len(stack) == 1:
            raise self.fault(at, "a second value begins at the top of the document: write one, or put a text in quotes")
        if top is innermost:
            what = "the line is indented deeper than the one it belongs to, which is complete"
            raise self.fault(at, f"{what}: indent it by {top.indent} spaces, or put a text over several lines in quotes")
        raise self.fault(at, f"the indentation of {column} spaces fits no line above: it is between {top.indent} and deeper ones")

    def _open(self, container, indent: int, at: int, closer: str | None = None) -> None:
        stack = self.stack
        top = stack[-1]
        if len(stack) > MAX_DEPTH:
            raise self.fault(at, f"the document nests deeper than {MAX_DEPTH} levels: flatten it")
        top.container[top.key] = container
        top.waiting = False
        stack.append(_Frame(container, indent, closer, at))

    def _item(self, at: int, column: int) -> int:
        """Read the item whose dash stands at `at`, for the list on top. Lists may begin behind the dash: `- - x`."""
        text, top = self.text, self.stack[-1]
        while True:
            top.container.append(None)
            top.key += 1
            top.waiting = True
            start = _white(text, at + 1).end()
            nothing = text[start] in "\n#"
            if self.places is not None:
                self.places[id(top.container), top.key] = at if nothing else start
            if nothing:
                return self.end_of_line(at + 1)
            tab = text.find("\t", at, start) >= 0
            if text[start] != "-" or text[start + 1] not in BLANK:
                if tab:
                    return self._tabbed(start, top.indent + 1)
                return self._node(start, column, column + start - at)
            if tab:
                raise self.fault(at + 1, TAB)
            column += start - at
            at = start
            self._open([], column, at)
            top = self.stack[-1]

    def _node(self, at: int, indent: int, column: int) -> int:
        """Read a value that may be a mapping, whose first key then stands at `at`. Returns the start of the next line."""
        found = self._key(at)
        if found is None:
            return self._value(at, indent)
        self._open({}, column, at)
        return self._entry_of_mapping(at, *found)

    def _member(self, at: int) -> int:
        """Read the next key at `at`, and its value, for the mapping on top."""
        found = self._key(at)
        if found is None:
            self._no_key(at)
        return self._entry_of_mapping(at, *found)

    def _key(self, at: int) -> tuple | None:
        """The key that stands on the line at `at`, and the offset behind its colon and the blanks there; None where there is none."""
        text = self.text
        if text[at] in _QUOTES:
            end = self.closing_quote(at)
            colon = _colon(text, end + 1)
            if colon is None or text.find("\n", at, end) >= 0:
                return None
            key = self.quoted(at, -1)[0]
        else:
            colon = PLAIN_KEY(text, at)
            if colon is None or not colon.group(2):
                return None
            end = colon.end(1)
            key = self.plain_key(text[at:end].rstrip(" \t"), at)
        if end - at >= _MAX_KEY:
            raise self.fault(at, _LONG_KEY)
        return key, colon.end()

    def _no_key(self, at: int) -> None:
        text = self.text
        if text[at] not in _QUOTES + _OPENERS and self.plain_end(at, IN_BLOCK) == at:
            raise self.no_plain(at)
        end = text.index("\n", at)
        if text[at] in _OPENERS:
            raise self.fault(at, _NO_TEXT)
        raise self.fault(at, _NO_SPACE if text.find(":", at, end) > 0 else _NO_COLON)

    def _entry_of_mapping(self, at: int, key: str, start: int) -> int:
        """Enter a key that stands at `at` into the mapping on top, and read its value, which begins on the line at `start`, if at all."""
        top = self.stack[-1]
        self._enter(top, key, at)
        if self.text[start] == "\n":
            return start + 1
        return self.end_of_line(start) if self.text[start] == "#" else self._value(start, top.indent)

    def _enter(self, top: _Frame, key: str, at: int) -> None:
        top.key = key
        top.waiting = True
        if key in top.container:
            raise self.fault(at, f"the key {_shown(key)} stands twice in one mapping: keep one")
        top.container[key] = None
        if self.places is not None:
            self.places[id(top.container), key] = at

    def _value(self, at: int, indent: int) -> int:
        """Read a value that is no block collection, for the place that waits on top. Returns the start of the next line."""
        text, top = self.text, self.stack[-1]
        first = text[at]
        if first in _OPENERS:
            return self.end_of_line(self._flow(at, indent))
        if first in _QUOTES:
            value, end = self.quoted(at, indent)
            end = self.end_of_line(end)
        elif first in "|>":
            value, end = self.block_scalar(at, indent)
        else:
            said, end = self.plain(at, indent, IN_BLOCK)
            if text[end] == ":":
                raise self.fault(end, _COLON_IN_TEXT)
            value = self.resolved(said, at)
            end = end + 1 if text[end] == "\n" else text.index("\n", end) + 1
        top.container[top.key] = value
        top.waiting = False
        return end

    # Flow structure

    def _flow(self, at: int, indent: int) -> int:
        """Read the flow collection that opens at `at`. Returns the offset behind it."""
        floor = len(self.stack)
        step, at = self._flow_open(at, indent)
        while len(self.stack) > floor:
            at = self.skip_in_flow(at, indent)
            if self.text[at] == END:
                frame = self.stack[floor]
                line, column = line_and_column(self.text, frame.start)
                opened = f"the {_KINDS[frame.closer]} that opens at line {line}, column {column}"
                raise self.fault(frame.start, f"{opened} is not closed: write '{frame.closer}'")
            step, at = step(at, indent)
        return at

    def _flow_open(self, at: int, indent: int) -> tuple:
        if self.text[at] == "[":
            self._open([], indent, at, "]")
        else:
            self._open({}, indent, at, "}")
        return self._flow_entry, at + 1

    def _flow_entry(self, at: int, indent: int) -> tuple:
        text, top = self.text, self.stack[-1]
        first = text[at]
        if first in "]}":
            return self._flow_after(at, indent)
        if first in _OPENERS and not top.is_list:
            raise self.fault(at, _NO_TEXT)
        if top.is_list:
            top.container.append(None)
            top.key += 1
            top.waiting = True
            if self.places is not None:
                self.places[id(top.container), top.key] = at
            if first in _OPENERS:
                return self._flow_open(at, indent)
        said, end = self._flow_scalar(at, indent)
        is_plain = first not in _QUOTES
        colon = _white(text, end).end() if top.is_list else self.skip_in_flow(end, indent)
        if top.is_list and text[colon] != ":":
            top.container[top.key] = self.resolved(said, at) if is_plain else said
            return self._flow_after, end
        if top.is_list:
            if text.find("\n", at, colon) >= 0 or colon - at > _MAX_KEY:
                raise self.fault(colon, _KEY_IN_LIST)
            self._open({}, indent, at, "")
            top = self.stack[-1]
        self._enter(top, self.plain_key(said, at) if is_plain else said, at)
        if text[colon] == ":":
            return self._flow_value, colon + 1
        if is_plain and ":" in said:  # most likely {a:b}, which means {"a:b": null}
            mend = "write a space, or put the key in quotes"
            raise self.fault(at, f"no space follows the colon in {_shown(said)}, so all of it would be a key: {mend}")
        return self._flow_after, colon

    def _flow_scalar(self, at: int, indent: int) -> tuple:
        return self.quoted(at, indent) if self.text[at] in _QUOTES else self.plain(at, indent, IN_FLOW)

    def _flow_value(self, at: int, indent: int) -> tuple:
        first, top = self.text[at], self.stack[-1]
        if first in ",]}":
            return self._flow_after(at, indent)
        if first in _OPENERS:
            return self._flow_open(at, indent)
        said, end = self._flow_scalar(at, indent)
        top.container[top.key] = said if first in _QUOTES else self.resolved(said, at)
        return self._flow_after, end

    def _flow_after(self, at: int, indent: int) -> tuple:
        mark, stack = self.text[at], self.stack
        if mark in ",]}" and not stack[-1].closer:
            stack.pop()  # a pair ends with its value
        top = stack[-1]
        if mark == ",":
            top.waiting = False
            return self._flow_entry, at + 1
        if mark == top.closer:
            stack.pop()
            return self._flow_after, at + 1
        if mark == ":":
            raise self.fault(at, "a colon stands behind a value: a key is a text, and has one value")
        if mark in "]}":
            line, column = line_and_column(self.text, top.start)
            opened = f"the {_KINDS[top.closer]} that opens at line {line}, column {column}"
            raise self.fault(at, f"'{mark}' does not close {opened}: write '{top.closer}'")
        raise self.fault(at, f"a comma or '{top.closer or ']'}' is missing: found {quote(mark)}")


def _shown(text: str) -> str:
    return quote(text if len(text) <= 40 else text[:40] + "...")
