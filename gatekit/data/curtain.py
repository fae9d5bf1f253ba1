"""Hides in the strings that belong together the secrets that stand in any of them, and cuts what is shown of them.

Secrets are found in the whole text, before anything is cut from it, and learned from all texts of a sample before any is shown. What is shown then
holds neither a secret nor `PIECE` characters in a row of one: not in another case, not at a cut, not picked out by a pattern.

What is a secret, and what stands in its place, a Redaction says (redaction.py).
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..ground.errors import GatekitError
from ..ground.record import Record
from ..text.characters import category
from ..text.spans import covered, replaced
from ..text.views import folded
from .members import members, spellings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .redaction import Redaction

EXCERPT = 200
LONGEST = 600
PIECE = 8
DEEPEST = 100  # levels that are shown of a value: a report around it is no deeper than what is read
SHORTEST_LEARNED = 5
_LONGEST_LEARNED = 5000
_MANY_LEARNED = 50
_SHORTEST_NUMBER = 100_000
_RANDOM = "h7Kq2" "Zw9Xv4Rt"  # what any name that announces a secret makes one
_HIDDEN_PIECE = "[part of a secret]"
_ASCII_LOWER = {upper: upper + 32 for upper in range(65, 91)}


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


class Curtain:
    """The redaction of the strings that belong together: it knows the secrets that stand anywhere in some texts or a JSON value."""

    __slots__ = ("_redaction", "_output", "_learned", "_heads", "_pieces", "_open", "_found")

    def __init__(self, redaction: Redaction, texts, values: tuple = ()) -> None:
        """`values` are texts and JSON values whose members may keep a secret under its name; the first is what places are counted in."""
        self._redaction = redaction
        self._output = values[0] if values and isinstance(values[0], str) else ""
        self._learned: dict = {}  # as it is spelt: its identity and its kind
        self._heads: dict | None = None
        self._pieces: dict = {}  # a piece: what stands in its place
        self._open: set = set()  # domains
        self._found: dict = {}
        for text in texts:
            self._found[text] = found = redaction.find(text)
            self._learn_found(text, found)
        for value in values:
            self._learn_members(value)
        for text in texts:
            self._found[text] = self._with_learned(text, self._found[text])

    def _learn_found(self, text: str, found: list) -> None:
        for start, end, secret, kind in found:
            self._learn(text[start:end], secret, kind)
            self._learn(secret, secret, kind)
            if kind[0] == "<":
                self._learn(folded(text[start:end]), secret, kind)

    def _learn(self, spelt: str, secret: str, kind: str) -> None:
        """Learn a spelling of a secret."""
        if kind == "<phone":
            spelt = spelt.partition(";")[0]
        if not SHORTEST_LEARNED <= len(spelt) <= _LONGEST_LEARNED or spelt in self._learned:
            return
        self._learned[spelt] = secret, kind
        if self._heads is not None:
            self._heads.setdefault(spelt[:SHORTEST_LEARNED], set()).add(len(spelt))
        low = spelt.translate(_ASCII_LOWER)
        hidden = f"<part of {kind[1:]}>" if kind[0] == "<" else _HIDDEN_PIECE
        if kind == "<email":
            self._open.add(low.rpartition("@")[2])
        pieces = {low[at : at + PIECE] for at in range(len(low) - PIECE + 1)}
        for piece in pieces:
            if not any(piece in prefix.lower() for prefix in self._redaction.prefixes):
                self._pieces.setdefault(piece, hidden)

    def _learn_members(self, value: object) -> None:
        """Learn what JSON keeps under the name of a secret, however it is escaped there."""
        for name, member, levels in members(value):
            if isinstance(member, str):
                if len(member) <= _LONGEST_LEARNED:
                    self._learn_member(name, member, levels)
            elif self._redaction.masks and _is_long_number(member):
                self._learn_member(name, canonical(member), levels)

    def _learn_member(self, name: str, value: str, levels: int) -> None:
        if self._redaction.kept_under(name, _RANDOM):
            kind = self._redaction.kept_whole(name, value)
            for spelt in spellings(value, levels) if kind else ():
                self._learn(spelt, value, kind)
        elif self._redaction.masks:
            known = self._redaction.told_by(name, value)
            if known:
                self._learn(value, *known)

    def _with_learned(self, text: str, found: list) -> list:
        if not self._learned:
            return found
        spans = sorted(one[:2] for one in found)
        more = [(start, end, *self._learned[text[start:end]]) for start, end in self._places_of_learned(text) if not covered(spans, start, end)]
        return self._redaction.merged(found + more) if more else found

    def _places_of_learned(self, text: str):
        """Yield the span of each learned spelling wherever it stands."""
        if len(self._learned) <= _MANY_LEARNED:
            for spelt in self._learned:
                at = text.find(spelt)
                while at >= 0:
                    yield at, at + len(spelt)
                    at = text.find(spelt, at + len(spelt))
            return
        if self._heads is None:
            self._heads = {}
            for spelt in self._learned:
                self._heads.setdefault(spelt[:SHORTEST_LEARNED], set()).add(len(spelt))
        for at in range(len(text) - SHORTEST_LEARNED + 1):
            lengths = self._heads.get(text[at : at + SHORTEST_LEARNED])
            for length in lengths or ():
                if text[at : at + length] in self._learned:
                    yield at, at + length

    def _hidden(self, text: str) -> list:
        if text not in self._found:
            found = self._redaction.find(text)
            self._learn_found(text, found)  # a name that gives a secret away may stand by one of its places alone
            self._found[text] = self._with_learned(text, found)
        return self._redaction.numbered(self._found[text])

    def _without_pieces(self, text: str) -> str:
        """The text without any run of characters that stands in a learned secret."""
        if not self._pieces:
            return text
        low, kept, at = text.translate(_ASCII_LOWER), [], 0
        place, labels = 0, None
        while place <= len(low) - PIECE:
            hidden = self._pieces.get(low[place : place + PIECE])
            if hidden is None:
                place += 1
                continue
            end = place + PIECE
            while end < len(low) and low[end - PIECE + 1 : end + 1] in self._pieces:
                end += 1
            if labels is None:
                labels = self._redaction.labels(text)
            if covered(labels, place, end) or self._is_open(low, place, end):
                place = end - PIECE + 1
                continue
            kept += (text[at:place], hidden)
            at = place = end
        return "".join([*kept, text[at:]])

    def _is_open(self, low: str, start: int, end: int) -> bool:
        """Whether a domain stands there by itself, whole."""
        if not self._open:
            return False
        begins, ends = low[max(0, start - 1) : start], low[end : end + 1]
        return low[start:end] in self._open and not (begins.isalnum() or begins in ("-", "_", "@")) and not (ends.isalnum() or ends in ("-", "_"))

    def text(self, text: str, limit: int | None = LONGEST) -> str:
        """A string with its secrets hidden, cut to at most `limit` characters, None for all of them."""
        shown = replaced(text, self._hidden(text))
        if limit is None:
            return self._without_pieces(shown)
        length = len(shown)
        shown = self._without_pieces(shown[:limit])
        return shown if length <= limit else f"{shown}... ({length} characters)"

    def hidden(self, text: str) -> str:
        """A whole text with its secrets hidden, to be compared with another; what is shown of it is a `stretch`."""
        return replaced(text, self._hidden(text))

    def stretch(self, hidden: str, start: int, end: int) -> str:
        """What may be shown of a stretch of a text whose secrets are hidden."""
        return self._without_pieces(hidden[start:end])

    def error(self, error: GatekitError) -> GatekitError:
        """An error with the secrets hidden that its words may repeat, whole or in part."""
        path = tuple(self.text(part) if isinstance(part, str) else part for part in error.path)
        message, file = self.text(error.message, None), error.file and self.text(error.file)
        return type(error)(message, file=file, line=error.line, column=error.column, path=path)

    def value(self, value: object, limit: int = LONGEST) -> object:
        """A JSON value with the secrets in its strings hidden; one that is too long to be shown becomes text."""
        if isinstance(value, str):
            return self.text(value, limit)
        shown, _ = self._value(value, limit)
        return shown

    def _value(self, value: object, room: int, levels: int = DEEPEST) -> tuple:
        room *= levels > 0
        if isinstance(value, str):
            text = self.text(value, max(40, room))
            return text, room - len(text)
        if self._redaction.masks and _is_long_number(value):
            spelt = canonical(value)
            text = self.text(spelt)
            return (value if text == spelt else text), room - len(text)
        if isinstance(value, (list, tuple)):
            items: list = []
            for item in value:
                if room <= 0:
                    items.append(f"... ({len(value)} items)")
                    break
                shown, room = self._value(item, room - 2, levels - 1)
                items.append(shown)
            return items, room
        if isinstance(value, dict):
            shown_object: dict = {}
            for key in sorted(value):
                if room <= 0:
                    shown_object["..."] = f"{len(value)} keys"
                    break
                shown, room = self._value(value[key], room - len(key) - 4, levels - 1)
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
        pieces = (replaced(text, hidden, *bounds) for bounds in ((first, at), (at, to), (to, last)))
        shown = (self._without_pieces(piece if len(piece) <= LONGEST else piece[:LONGEST] + "...") for piece in pieces)
        return Where(line, column, *shown, inside)


def _is_long_number(value: object) -> bool:
    """Whether a JSON number has so many digits that it could be somebody's."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= _SHORTEST_NUMBER
