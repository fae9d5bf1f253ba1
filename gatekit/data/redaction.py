"""The one room through which every string of a sample passes on its way out.

A secret becomes its kind, its length and a number: `[secret 1: github token, 40 characters]`. The same secret has the same number
in one run. What counts as a secret here is more than what a rule calls one, since nothing is judged by it: the known key shapes, whatever goes
on after a forbidden prefix of the run's rules, and long tokens that look random. A secret that was met anywhere in a sample is
hidden wherever it stands in that sample's strings, also where nothing around it gives it away.

Secrets are found in the text as it is, before anything is cut from it: a cut never shows half a key.
"""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..ground.record import Record
from ..text.characters import category
from ..text.quoting import quote
from ..text.views import CASED, WIDE
from .reading import Reading
from .sample import Sample

EXCERPT = 200
LONGEST = 600
_SHORTEST_LEARNED = 5
_IDS_AT_ONCE = 10000
_SHORTEST_KEY = 16
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
    """What is hidden in one run. `prefixes` are the forbidden prefixes of its rules, as spelt."""

    __slots__ = ("_prefixes", "_compiled", "_numbers")

    def __init__(self, prefixes: tuple = ()) -> None:
        self._prefixes = prefixes
        self._compiled = None
        self._numbers: dict = {}

    def of(self, sample: Sample) -> Curtain:
        """What is hidden in the strings of one sample."""
        return Curtain(self, sample)

    def text(self, text: str) -> str:
        """A text that belongs to no sample: a file's name, a message."""
        return _replaced(text, self.spans(text))

    def error(self, error: GatekitError) -> GatekitError:
        """An error with the secrets hidden that its words may repeat."""
        path = tuple(self.text(part) if isinstance(part, str) else part for part in error.path)
        return type(error)(self.text(error.message), file=error.file and self.text(error.file), line=error.line, column=error.column, path=path)

    def ids(self, statuses: dict) -> dict:
        """A mapping by id, with the ids that hold a known key shape made fit to be shown. Ids that only look random stay: they are ids."""
        shown, chunk = {}, []
        for name in statuses:
            if len(name) < _SHORTEST_KEY:
                continue
            chunk.append(name)
            if len(chunk) == _IDS_AT_ONCE:
                shown.update(self._ids(chunk))
                chunk = []
        if chunk:
            shown.update(self._ids(chunk))
        return {shown.get(name, name): status for name, status in statuses.items()} if shown else statuses

    def _ids(self, names: list) -> dict:
        if not self.spans("\n".join(names), random_too=False):
            return {}
        return {name: _replaced(name, self.spans(name, random_too=False)) for name in names}

    def label(self, secret: str, kind: str, length: int) -> str:
        """What stands in the place of a secret."""
        number = self._numbers.setdefault(secret, len(self._numbers) + 1)
        return f"[secret {number}: {kind}, {length} characters]"

    def spans(self, text: str, learned: dict | None = None, random_too: bool = True) -> list:
        """What is to be hidden in a text: `(start, end, label)`, in order and without overlap. `learned` maps secrets to kinds, and grows."""
        from ..packs.secret_shapes import find_key_like, find_secrets  # a run in which all passes hides nothing, and starts sooner

        found = []
        if len(text) >= _SHORTEST_LEARNED:
            reading = Reading(_NOTHING, text)
            cased = reading.view(CASED, True)
            secrets = [(secret.start, secret.end, secret.kind) for secret in find_secrets(cased.text)]
            if random_too:
                secrets += [(secret.start, secret.end, secret.kind) for secret in find_key_like(cased.text)]
            found = [_in_original(cased, *secret) for secret in secrets]
            if self._compiled is None:
                from ..text.prefixes import Prefix

                self._compiled = [Prefix(spelt) for spelt in self._prefixes]
            for prefix in self._compiled:
                wide = reading.view(WIDE, True)
                found += [_in_original(wide, *span, f"token beginning with {quote(prefix.spelt)}") for span in prefix.tokens(wide.text)]
        for secret, kind in (learned or {}).items():
            at = text.find(secret)
            while at >= 0:
                found.append((at, at + len(secret), secret, kind))
                at = text.find(secret, at + len(secret))
        merged = _merged(found)
        if learned is not None:
            for _, _, secret, kind in merged:
                if len(secret) >= _SHORTEST_LEARNED:
                    learned.setdefault(secret, kind)
        return [(start, end, self.label(secret, kind, end - start)) for start, end, secret, kind in merged]


class Curtain:
    """The redaction of one sample's strings: it knows the secrets that stand anywhere in it."""

    __slots__ = ("_redaction", "_sample", "_learned", "_spans")

    def __init__(self, redaction: Redaction, sample: Sample) -> None:
        self._redaction = redaction
        self._sample = sample
        self._learned: dict = {}
        self._spans: dict = {}
        for text in _texts_of(sample):
            self._hidden(text)

    def _hidden(self, text: str) -> list:
        if text not in self._spans:
            self._spans[text] = self._redaction.spans(text, self._learned)
        return self._spans[text]

    def text(self, text: str, limit: int = LONGEST) -> str:
        """A string with its secrets hidden, cut to at most `limit` characters."""
        shown = _replaced(text, self._hidden(text))
        return shown if len(shown) <= limit else f"{shown[:limit]}... ({len(shown)} characters)"

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
        whole = self._sample.output if isinstance(self._sample.output, str) else ""
        offset = part.start + (at if part.literal else 0)
        line = whole.count("\n", 0, offset) + 1
        column = offset - (whole.rfind("\n", 0, offset) + 1) + 1
        inside = None if part.literal and part.start == 0 else "a link's target" if part.literal else "a string of JSON"
        pieces = (_replaced(text, hidden, *bounds) for bounds in ((first, at), (at, to), (to, last)))
        return Where(line, column, *(piece if len(piece) <= LONGEST else piece[:LONGEST] + "..." for piece in pieces), inside)


def _texts_of(sample: Sample):
    """The strings of a sample that may hold secrets: its output as one text, and what else was recorded as text."""
    output = sample.output
    if output is not None:
        yield Reading(sample, output).text
    for name in ("error", "note", "sample", "case"):
        text = sample.recorded(name)
        if text:
            yield text


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
