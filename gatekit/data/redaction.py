"""The one room through which every string of a sample passes on its way out.

A secret becomes its kind, its length and a number: `[secret 1: github token, 40 characters]`. The same secret has the same number
in one run. What counts as a secret here is more than what a rule calls one, since nothing is judged by it: the known key shapes, whatever goes
on after a forbidden prefix of the run's rules, what JSON keeps under the name of a secret, and long tokens that look random.

Secrets are found in the whole text, before anything is cut from it, and learned from all texts of a sample before any is shown. What is shown then
holds neither a secret nor `PIECE` characters in a row of one: not in another case, not at a cut, not picked out by a pattern.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical
from ..ground.errors import GatekitError
from ..ground.record import Record
from ..text.characters import category, pinned
from ..text.quoting import quote
from ..text.views import CASED, WIDE
from .reading import Reading
from .sample import Sample

EXCERPT = 200
LONGEST = 600
PIECE = 8
_SHORTEST_LEARNED = 5
_LONGEST_LEARNED = 5000
_IDS_AT_ONCE = 10000
_SHORTEST_KEY = 16
_MOST_MEMBERS = 10000
_MOST_MET = 1000000
_RANDOM = "h7Kq2" "Zw9Xv4Rt"  # what any name that announces a secret makes one
_HIDDEN_PIECE = "[part of a secret]"
_ASCII_LOWER = {upper: upper + 32 for upper in range(65, 91)}
_DELIMITERS = dict.fromkeys(map(ord, " \t\n\r\"'`\\"))
_NOTHING = Sample("")


class Where(Record):
    """The place of a hit: line and column (from 1, in characters) in the output, and the sentence around it, cut in three.

    `inside` says where the hit stands if not in the plain text: a string of JSON, a link's target.
    """

    __slots__ = ("line", "column", "before", "hit", "after", "inside")
    line: int
    column: int
    before: str
    hit: str
    after: str
    inside: str | None

    def __init__(self, line: int, column: int, before: str, hit: str, after: str, inside: str | None = None) -> None:
        self._set(line, column, before, hit, after, inside)


class Redaction:
    """What is hidden in one run.

    `prefixes` are the forbidden prefixes of its rules, as spelt; `masks` a project's own: `(name, pattern)`, what a pattern finds is shown as
    `<order 1>`, the same order with the same number.
    """

    __slots__ = ("prefixes", "masks", "_compiled", "_numbers", "_met", "_met_size")

    def __init__(self, prefixes: tuple = (), masks: tuple = ()) -> None:
        self.prefixes = prefixes
        self.masks = tuple((name, re.compile(pattern)) for name, pattern in masks)
        self._compiled = None
        self._numbers: dict = {}
        self._met: dict = {}  # what was found in texts that were met: a set's conversations begin alike
        self._met_size = 0

    def of(self, sample: Sample) -> Curtain:
        """What is hidden in the strings of one sample."""
        return Curtain(self, _texts_of(sample), _values_of(sample))

    def of_text(self, text: str) -> Curtain:
        """What is hidden in whatever is said of a text: of a line that could not be read, say."""
        return Curtain(self, (text,))

    def of_value(self, value: object) -> Curtain:
        """What is hidden in a JSON value that belongs to no sample: a request to a model, say."""
        return Curtain(self, _texts_in(value), (value,))

    def text(self, text: str) -> str:
        """A text that belongs to no sample: a file's name, a message."""
        return self.of_text(text).text(text, len(text) + 1)

    def error(self, error: GatekitError) -> GatekitError:
        """An error with the secrets hidden that its words may repeat."""
        return self.of_text(" ".join(str(part) for part in (error.message, error.file or "", *error.path))).error(error)

    def id(self, name: str) -> str:
        """An id with the known key shapes in it hidden. One that only looks random stays: it is an id."""
        return _replaced(name, self.numbered(self.find(name, False))) if len(name) >= _SHORTEST_KEY or self.masks else name

    def ids(self, names) -> dict:
        """What is shown of ids, where it is not the id itself: each differs from all others."""
        shown: dict = {}
        names = list(names)
        for first in range(0, len(names), _IDS_AT_ONCE):
            long = [name for name in names[first : first + _IDS_AT_ONCE] if len(name) >= _SHORTEST_KEY or self.masks]
            if long and self.find("\n".join(long), False):
                shown.update((name, self.id(name)) for name in long)
        shown = {name: text for name, text in shown.items() if text != name}
        taken = set(names) - shown.keys() if shown else set()
        for name, text in shown.items():
            unique, number = text, 2
            while unique in taken:
                unique, number = f"{text} ({number})", number + 1
            taken.add(unique)
            shown[name] = unique
        return shown

    def numbered(self, found: list) -> list:
        """Found secrets as `(start, end, label)`."""
        return [(start, end, self.label(secret, kind, end - start)) for start, end, secret, kind in found]

    def label(self, secret: str, kind: str, length: int) -> str:
        """What stands in the place of a secret."""
        numbers = self._numbers.setdefault(kind if kind[0] == "<" else "", {})
        number = numbers.setdefault(secret, len(numbers) + 1)
        return f"{kind} {number}>" if kind[0] == "<" else f"[secret {number}: {kind}, {length} characters]"

    def find(self, text: str, random_too: bool = True) -> list:
        """The secrets in a text: `(start, end, the secret as it is read, kind)`, in order and without overlap."""
        found = self._met.get((text, random_too))
        if found is None:
            self._met_size += len(text) + 100
            if self._met_size > _MOST_MET:
                self._met, self._met_size = {}, len(text) + 100
            found = self._met[text, random_too] = self._find(text, random_too)
        return found

    def _find(self, text: str, random_too: bool) -> list:
        from ..packs.secret_shapes import find_key_like, find_secrets  # a run in which all passes hides nothing, and starts sooner

        masked = [(*at.span(), at.group(), f"<{name}") for name, pattern in self.masks for at in pattern.finditer(pinned(text)) if at.group()]
        if len(text) < _SHORTEST_LEARNED:
            return _merged(masked)
        reading = Reading(_NOTHING, text)
        cased = reading.view(CASED, True)
        secrets = find_secrets(cased.text)
        if random_too:
            from ..packs.wrapped import find_wrapped

            secrets = secrets + find_wrapped(cased.text) + find_key_like(cased.text)
        found = [_in_original(cased, secret.start, secret.end, secret.kind) for secret in secrets]
        if self._compiled is None:
            self._compiled = _compiled(self.prefixes)
        for prefix in self._compiled:
            wide = reading.view(WIDE, True)
            found += [_in_original(wide, *span, f"token beginning with {quote(prefix.spelt)}") for span in prefix.tokens(wide.text)]
        return _merged(found + masked)


class Curtain:
    """The redaction of the strings that belong together: it knows the secrets that stand anywhere in some texts or a JSON value."""

    __slots__ = ("_redaction", "_output", "_learned", "_pieces", "_found")

    def __init__(self, redaction: Redaction, texts, values: tuple = ()) -> None:
        """`values` are texts and JSON values whose members may keep a secret under its name; the first is what places are counted in."""
        self._redaction = redaction
        self._output = values[0] if values and isinstance(values[0], str) else ""
        self._learned: dict = {}
        self._pieces: set = set()
        self._found: dict = {}
        for text in texts:
            self._found[text] = found = redaction.find(text)
            for start, end, secret, kind in found:
                self._learn(text[start:end], kind)
                self._learn(secret, kind)
        for value in values:
            self._learn_members(value)
        for text in texts:
            self._found[text] = self._with_learned(text, self._found[text])

    def _learn(self, secret: str, kind: str) -> None:
        if not _SHORTEST_LEARNED <= len(secret) <= _LONGEST_LEARNED:
            return
        self._learned.setdefault(secret, kind)
        low = secret.translate(_ASCII_LOWER)
        pieces = {low[at : at + PIECE] for at in range(len(low) - PIECE + 1)}
        self._pieces |= {piece for piece in pieces if not any(piece in prefix.lower() for prefix in self._redaction.prefixes)}

    def _learn_members(self, value: object) -> None:
        """Learn what JSON keeps under the name of a secret, however it is escaped there."""
        if isinstance(value, str):
            if "{" not in value:
                return
            from ..text.json_in_prose import all_json

            value = [found for _, _, found in all_json(value)]
        waiting, left = [("", value)], _MOST_MEMBERS
        while waiting and left:
            name, value = waiting.pop()
            left -= 1
            if isinstance(value, dict):
                waiting += value.items()
            elif isinstance(value, list):
                waiting += [(name, item) for item in value]
            elif isinstance(value, str) and name and len(value) <= _LONGEST_LEARNED and self._redaction.find(f"{name}: {_RANDOM}", False):
                bare = value.translate(_DELIMITERS)  # what would end the value where it stands in a text is no end of it here
                for _, _, _, kind in self._redaction.find(f"{name}: {bare}", False)[:1]:
                    self._learn(value, kind)
                    self._learn(canonical(value)[1:-1], kind)

    def _with_learned(self, text: str, found: list) -> list:
        known = {secret for _, _, secret, _ in found}
        more = []
        for secret, kind in self._learned.items():
            if secret in known:
                continue
            at = text.find(secret)
            while at >= 0:
                more.append((at, at + len(secret), secret, kind))
                at = text.find(secret, at + len(secret))
        return _merged(found + more) if more else found

    def _hidden(self, text: str) -> list:
        if text not in self._found:
            self._found[text] = self._with_learned(text, self._redaction.find(text))
        return self._redaction.numbered(self._found[text])

    def _without_pieces(self, text: str) -> str:
        """The text without any run of characters that stands in a learned secret."""
        if not self._pieces:
            return text
        low, kept, at = text.translate(_ASCII_LOWER), [], 0
        place = 0
        while place <= len(low) - PIECE:
            if low[place : place + PIECE] not in self._pieces:
                place += 1
                continue
            end = place + PIECE
            while end < len(low) and low[end - PIECE + 1 : end + 1] in self._pieces:
                end += 1
            kept += (text[at:place], _HIDDEN_PIECE)
            at = place = end
        return "".join([*kept, text[at:]])

    def text(self, text: str, limit: int = LONGEST) -> str:
        """A string with its secrets hidden, cut to at most `limit` characters."""
        shown = _replaced(text, self._hidden(text))
        length = len(shown)
        shown = self._without_pieces(shown[:limit])
        return shown if length <= limit else f"{shown}... ({length} characters)"

    def hidden(self, text: str) -> str:
        """A whole text with its secrets hidden, to be compared with another; what is shown of it is a `stretch`."""
        return _replaced(text, self._hidden(text))

    def stretch(self, hidden: str, start: int, end: int) -> str:
        """What may be shown of a stretch of a text whose secrets are hidden."""
        return self._without_pieces(hidden[start:end])

    def error(self, error: GatekitError) -> GatekitError:
        """An error with the secrets hidden that its words may repeat, whole or in part."""
        path = tuple(self.text(part) if isinstance(part, str) else part for part in error.path)
        message, file = self.text(error.message, len(error.message) + 1), error.file and self.text(error.file)
        return type(error)(message, file=file, line=error.line, column=error.column, path=path)

    def value(self, value: object, limit: int = LONGEST) -> object:
        """A JSON value with the secrets in its strings hidden; one that is too long to be shown becomes text."""
        if isinstance(value, str):
            return self.text(value, limit)
        shown, _ = self._value(value, limit)
        return shown

    def _value(self, value: object, room: int) -> tuple:
        if isinstance(value, str):
            text = self.text(value, max(40, room))
            return text, room - len(text)
        if isinstance(value, (list, tuple)):
            items: list = []
            for item in value:
                if room <= 0:
                    items.append(f"... ({len(value)} items)")
                    break
                shown, room = self._value(item, room - 2)
                items.append(shown)
            return items, room
        if isinstance(value, dict):
            shown_object: dict = {}
            for key in sorted(value):
                if room <= 0:
                    shown_object["..."] = f"{len(value)} keys"
                    break
                shown, room = self._value(value[key], room - len(key) - 4)
                shown_object[self.text(key, 80)] = shown
            return shown_object, room
        return value, room - 4

    def where(self, view, start: int, end: int) -> Where:
        """The place of a span of a view, with the sentence around it."""
        from ..text.sentences import sentence_around

        part, at, to = view.place(start, end)
        text = part.text
        while to < len(text) and category(text[to])[0] == "M":  # what lies over the last letter belongs to it
            to += 1
        first, last = sentence_around(text, at, to, EXCERPT)
        hidden = [span for span in self._hidden(text) if span[0] < last and span[1] > first]
        if hidden:
            first, last = min(first, hidden[0][0]), max(last, hidden[-1][1])
        # A hit inside a secret is shown as that whole secret.
        for begin, stop, _ in hidden:
            if begin < to and stop > at:
                at, to = min(at, begin), max(to, stop)
        whole = self._output if part.piece is None or part.piece.source is None else part.piece.text
        offset = part.start + (at if part.literal else 0)
        line = whole.count("\n", 0, offset) + 1
        column = offset - (whole.rfind("\n", 0, offset) + 1) + 1
        inside = None if part.literal and part.start == 0 else "a link's target" if part.literal else "a string of JSON"
        if part.piece is not None and part.piece.source is not None:
            inside = self.text(f"{inside}, {part.piece.source}" if inside else part.piece.source)
        pieces = (_replaced(text, hidden, *bounds) for bounds in ((first, at), (at, to), (to, last)))
        shown = (self._without_pieces(piece if len(piece) <= LONGEST else piece[:LONGEST] + "...") for piece in pieces)
        return Where(line, column, *shown, inside)


def _compiled(prefixes: tuple) -> list:
    if not prefixes:
        return []
    from ..text.prefixes import Prefix

    return [Prefix(spelt) for spelt in prefixes]


def _texts_of(sample: Sample) -> list:
    """The strings of a sample that may hold secrets: its output as one text, and what else was recorded as text."""
    texts = [sample.text] if sample.output is not None else []
    if sample.conversation is not None:
        texts += _texts_in(sample.fields["messages"])
    return texts + [text for text in map(sample.fields.get, ("error", "note", "model", "prompt_version")) if text]


def _values_of(sample: Sample) -> tuple:
    """What members are looked for in: the output, and each message that was recorded."""
    return (sample.output, *sample.fields.get("messages", ()))


def _texts_in(value: object) -> list:
    """The strings in a JSON value, each once; so many that no recording is too long, and in the order in which they stand."""
    found: dict = {}
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found[item] = None
        elif isinstance(item, (list, dict)):
            waiting += reversed(list(item.values()) if isinstance(item, dict) else item)
    return list(found)


def _in_original(view, start: int, end: int, kind: str) -> tuple:
    part, at, to = view.place(start, end)
    secret = view.text[start:end]
    if part.literal:
        return part.start + at, part.start + to, secret, kind
    return part.start, part.end, secret, kind


def _merged(found: list) -> list:
    """Spans in order, those that overlap made one; the kind of the first found names the whole."""
    merged: list = []
    for start, end, secret, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end, *merged[-1][2:])
        else:
            merged.append((start, end, secret, kind))
    return merged


def _replaced(text: str, spans: list, first: int = 0, last: int | None = None) -> str:
    last = len(text) if last is None else last
    pieces, at = [], first
    for start, end, label in spans:
        if start >= first and end <= last:
            pieces += (text[at:start], label)
            at = end
    pieces.append(text[at:last])
    return "".join(pieces)
