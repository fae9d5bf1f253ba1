"""The one room through which every string of a sample passes on its way out.

A secret becomes its kind, its length and a number: `[secret 1: github token, 40 characters]`. The same secret has the same number
in one run. What counts as a secret here is more than what a rule calls one, since nothing is judged by it: the known key shapes, whatever goes
on after a forbidden prefix of the run's rules, what JSON keeps under the name of a secret, and long tokens that look random.

Secrets are found in the whole text, before anything is cut from it, and learned from all texts of a sample before any is shown. What is shown then
holds neither a secret nor `PIECE` characters in a row of one: not in another case, not at a cut, not picked out by a pattern.

What a project masks (patterns of its own, and the ready masks of packs/pii.py) is hidden in the same way, as `<order 1>`: read in the same view of a text,
learned from the whole sample, and numbered by identity. That of a pattern is what it found, as it is read: invisible characters and typography make no
other order. Where things to hide overlap, all of it goes, under the name of a secret before that of a mask, of a project's own mask before a ready one, of
a long one before a short one. (A token that only looks random is none to be named so, where a mask knows what it is.) The words that stand for
something hidden are never hidden again. The domain of a hidden address is not hidden where it stands by itself, whole: it names nobody.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical
from ..ground.errors import GatekitError
from ..ground.record import Record
from ..text.characters import category, pinned
from ..text.quoting import quote
from ..text.spans import covered, first_after, in_original, merged, replaced
from ..text.views import CASED, WIDE, Part, fold
from .reading import Reading
from .sample import Sample

EXCERPT = 200
LONGEST = 600
PIECE = 8
DEEPEST = 100  # levels that are shown of a value: a report around it is no deeper than what is read
_SHORTEST_LEARNED = 5
_LONGEST_LEARNED = 5000
_IDS_AT_ONCE = 10000
_SHORTEST_KEY = 16
_MOST_MEMBERS = 10000
_MOST_MET = 1000000
_RANDOM = "h7Kq2" "Zw9Xv4Rt"  # what any name that announces a secret makes one
_HIDDEN_PIECE = "[part of a secret]"
# What stands in place of a secret, here and in a recording, of a mask, and of a piece of either.
_LABEL = r"\[secret(?: [0-9]{1,6})?: ([^\[\]\n]{1,60}), [0-9]{1,7} characters\]|\[part of a secret\]|<(?:part of )?([A-Za-z][A-Za-z0-9_-]*)(?: [0-9]{1,6})?>"
_NO_SHAPE = ("token beginning with ", "key-like token")  # these go on to the end of a token, with whatever stands there beside a secret
_RAW_ESCAPE = r"\\(?:u[0-9A-Fa-f]{4}|[bfnrt])"
_MANY_LEARNED = 50
_SHORTEST_NUMBER = 100_000
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

    `prefixes` are the forbidden prefixes of its rules, as spelt; `masks` are `(name, pattern)`: what a pattern finds is shown as `<order 1>`, the same
    order with the same number. A ready mask (packs/pii.py) has None for its pattern.
    """

    __slots__ = ("prefixes", "masks", "_own", "_ready", "_compiled", "_numbers", "_met", "_met_size")

    def __init__(self, prefixes: tuple = (), masks: tuple = (), like: Redaction | None = None) -> None:
        """`like` is another one of the same run, whose numbers go on in this one."""
        self.prefixes = prefixes
        self.masks = masks
        self._own = tuple((name, re.compile(pattern)) for name, pattern in masks if pattern is not None)
        self._ready = tuple(dict.fromkeys(name for name, pattern in masks if pattern is None))
        self._compiled = None
        self._numbers: dict = {} if like is None else like._numbers
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
        return self.of_text(text).text(text, None)

    def error(self, error: GatekitError) -> GatekitError:
        """An error with the secrets hidden that its words may repeat."""
        return self.of_text(" ".join(str(part) for part in (error.message, error.file or "", *error.path))).error(error)

    def error_of_line(self, error: GatekitError, line: bytes, file: str, number: int) -> GatekitError:
        """An error about a line of a file, with its place, and with the secrets of that line hidden that its words may repeat."""
        column = error.column if error.line is not None else None
        hidden = self.of_text(line.decode("utf-8", "replace")).error(error)
        return type(error)(hidden.message, file=file, line=number, column=column, path=hidden.path)

    def id(self, name: str) -> str:
        """An id with the known key shapes in it hidden. One that only looks random stays: it is an id."""
        return replaced(name, self.numbered(self.find(name, False))) if len(name) >= _SHORTEST_KEY or self.masks else name

    def ids(self, names) -> dict:
        """What is shown of ids, where it is not the id itself: each differs from all others."""
        shown: dict = {}
        names = list(names)
        for first in range(0, len(names), _IDS_AT_ONCE):
            long = [name for name in names[first : first + _IDS_AT_ONCE] if len(name) >= _SHORTEST_KEY or self.masks]
            # What is masked is found in a name by itself: the one before it is no neighbour.
            if long and (self.masks or self.find("\n".join(long), False)):
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

        if len(text) < _SHORTEST_LEARNED:
            return merged(self._masked(text, None, {})[0])
        reading = Reading(_NOTHING, text)
        cased = reading.view(CASED, True)
        ways: dict = {}
        masked, spans = self._masked(text, cased, ways) if self.masks else ([], [])
        secrets = find_secrets(cased.text)
        if random_too:
            from ..packs.wrapped import find_wrapped

            secrets = secrets + find_wrapped(cased.text)
            secrets += [token for token in find_key_like(cased.text, secrets) if not _is_told(token, spans)]
        found = [(*in_original(cased, secret.start, secret.end, text, ways), cased.text[secret.start : secret.end], secret.kind) for secret in secrets]
        if self._compiled is None:
            self._compiled = _compiled(self.prefixes)
        for prefix in self._compiled:
            wide, wide_ways = reading.view(WIDE, True), {}
            for start, end in prefix.tokens(wide.text):
                found.append((*in_original(wide, start, end, text, wide_ways), wide.text[start:end], f"token beginning with {quote(prefix.spelt)}"))
        return self.merged(found + masked)

    def _masked(self, text: str, view, ways: dict) -> tuple:
        """What masks find, a project's own in the text as it stands and all of them in what a reader takes it for; and where it stands in that, in order."""
        labels = self.labels(text)
        found, spans = [], []
        for name, pattern in self._own:
            found += [(*at.span(), folded(at.group()), f"<{name}") for at in pattern.finditer(pinned(text)) if at.group()]
        if view is not None:
            seen = pinned(view.text)
            if "\\" in seen:  # an escape of JSON is no letter, in front of a name say
                seen = re.sub(_RAW_ESCAPE, _blank, seen)
            spans = [(*at.span(), folded(at.group()), f"<{name}") for name, pattern in self._own for at in pattern.finditer(seen) if at.group()]
            if self._ready:
                from ..packs.pii_shapes import find_personal

                spans += [(one.start, one.end, one.identity, f"<{one.name}") for one in find_personal(seen, self._ready)]
            found += [(*in_original(view, start, end, text, ways), identity, kind) for start, end, identity, kind in spans]
        return ([one for one in found if not covered(labels, one[0], one[1])] if labels else found), merged(spans)

    def labels(self, text: str) -> list:
        """Where in a text the words stand that stand for something hidden."""
        if "[secret" not in text and "[part of" not in text and "<" not in text:
            return []
        names = {name for name, _ in self.masks}
        return [at.span() for at in re.finditer(_LABEL, text) if (at.group(2) in names if at.group(2) else at.group(1) is None or self._is_kind(at.group(1)))]

    def _is_kind(self, words: str) -> bool:
        from ..packs.secret_shapes import kinds

        return words in kinds() or words.partition(" in ")[0] in kinds() or words in {f"token beginning with {quote(prefix)}" for prefix in self.prefixes}

    def merged(self, found: list) -> list:
        """Spans in order, those that overlap made one: the first secret with a shape of its own names the whole, without any the mask before others."""
        return merged(found, self._rank)

    def _rank(self, one: tuple) -> tuple:
        """What names a whole of several: the least."""
        start, end, _, kind = one
        if kind[0] != "<":
            return int(kind.startswith(_NO_SHAPE)), 0
        return (3 if kind[1:] in self._ready else 2), start - end

    def kept_under(self, name: str, value: str) -> str | None:
        """The kind of the secret that stands behind a name, or None."""
        return next((kind for _, _, _, kind in self.find(f"{name}: {value}", False) if kind[0] != "<"), None)

    def told_by(self, name: str, value: str) -> tuple | None:
        """The identity and the kind of what is masked because of the name before it: of a phone number without a sign in it. None where nothing is."""
        if "phone" in self._ready and 7 <= len(value) <= 40 and value[-1:].isdigit():
            for start, end, identity, kind in self.find(f"{name}: {value}", False):
                if kind == "<phone" and start <= len(name) + 2 and end == len(name) + 2 + len(value):
                    return identity, kind
        return None


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
        if not _SHORTEST_LEARNED <= len(spelt) <= _LONGEST_LEARNED or spelt in self._learned:
            return
        self._learned[spelt] = secret, kind
        if self._heads is not None:
            self._heads.setdefault(spelt[:_SHORTEST_LEARNED], set()).add(len(spelt))
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
            elif isinstance(value, str) and name and len(value) <= _LONGEST_LEARNED:
                self._learn_member(name, value)
            elif name and self._redaction.masks and _is_long_number(value):
                self._learn_member(name, canonical(value))

    def _learn_member(self, name: str, value: str) -> None:
        if self._redaction.kept_under(name, _RANDOM):
            kind = self._redaction.kept_under(name, value.translate(_DELIMITERS))  # what would end the value where it stands in a text is no end of it here
            if kind:
                self._learn(value, value, kind)
                self._learn(canonical(value)[1:-1], value, kind)
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
                self._heads.setdefault(spelt[:_SHORTEST_LEARNED], set()).add(len(spelt))
        for at in range(len(text) - _SHORTEST_LEARNED + 1):
            lengths = self._heads.get(text[at : at + _SHORTEST_LEARNED])
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


def folded(text: str) -> str:
    """What a reader takes a text for, in its own case: the identity of what a pattern found."""
    return fold(Part(text, 0, len(text)), CASED)


def _blank(match) -> str:
    return "\0" * len(match.group())


def _is_long_number(value: object) -> bool:
    """Whether a JSON number has so many digits that it could be somebody's."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= _SHORTEST_NUMBER


def _is_told(token, spans: list) -> bool:
    """Whether less than a piece of a token is left outside some spans, in order and without overlap."""
    left, place = token.end - token.start, first_after(spans, token.start)
    while place < len(spans) and spans[place][0] < token.end:
        left -= min(token.end, spans[place][1]) - max(token.start, spans[place][0])
        place += 1
    return left < PIECE
