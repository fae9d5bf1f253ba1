"""Secrets taken out of what is recorded.

A secret becomes its kind and its length, `[secret: github token, 40 characters]`: the same words wherever it stands, so that the key of a request
with a secret in it is the same on every run. What counts as one is what the pack of secrets finds; what was found once is hidden wherever it stands
from then on, with or without the name that gave it away. Long tokens that only look random stay: ids of calls are such. What a scenario masks stays too: the
agent is replayed on what it was told, and an order's number that became a label would be another input. Reports on a recording hide it.
"""
from __future__ import annotations

import re

from ..data.members import members, spellings
from ..data.redaction import Redaction
from ..formats.json_lexis import unescape
from ..ground.canonical import canonical, copied
from ..ground.errors import GatekitError

_SHORTEST, _LONGEST = 5, 5000
_ROUNDS = 5


class Scrubber:
    """Takes secrets out of JSON values, and remembers those that it met."""

    __slots__ = ("_redaction", "_find", "_known", "_clean")

    def __init__(self) -> None:
        self._redaction = Redaction()
        self._find = self._redaction.find
        self._known: dict = {}  # secret: its kind, or its kind and how long it is where it is not escaped
        self._clean: set = set()

    @property
    def known(self) -> int:
        """How many secrets are known by now."""
        return len(self._known)

    def trust(self, spelt: str) -> None:
        """Take a value's spelling for clean without another look: it stands in a recording, and that was looked through as a whole."""
        self._clean.add(spelt)

    def learn(self, text: str) -> bool:
        """Look for secrets in a text, and remember them. Whether there are any."""
        found, known = self._find(text, False), len(self._known)
        for start, end, secret, kind in found:
            as_it_stands = text[start:end]
            spellings = [secret, unescape(secret)]
            if secret not in unescape(as_it_stands):  # invisible characters stand in it, say
                spellings.append(as_it_stands)
            for spelling in spellings:
                if len(spelling) >= _SHORTEST:
                    self._known.setdefault(spelling, kind)
        if len(self._known) > known:
            self._clean.clear()  # what was clean may hold what is known by now
        return bool(found)

    def _learn_members(self, value: object) -> None:
        """Remember what stands under the name of a secret and has a quote in it: in a text it would end there. With a space in it it may be for an agent."""
        known = len(self._known)
        for name, member, levels in members(value):
            is_word = isinstance(member, str) and len(member) <= _LONGEST and not re.search(r"\s", member)
            if is_word and re.search(r"[\"'`\\]", member) and not _HIDDEN.search(member):
                kind = self._redaction.kept_whole(name, member)
                for spelt in spellings(member, levels) if kind else ():
                    self._known.setdefault(spelt, (kind, len(member)))
        if len(self._known) > known:
            self._clean.clear()

    def clean(self, value: object) -> object:
        """A value without secrets. Raises GatekitError where one cannot be taken out."""
        return self.cleaned(value)[0]

    def cleaned(self, value: object) -> tuple:
        """A value without secrets, and its canonical JSON. Raises GatekitError where one cannot be taken out."""
        for turn in range(_ROUNDS):
            spelt = canonical(value)
            if not turn and spelt not in self._clean:
                self._learn_members(value)
            if spelt in self._clean or not (self._stands_in(spelt) | self.learn(spelt)):
                self._clean.add(spelt)
                return value, spelt
            value = self._without(value)
        raise GatekitError("a secret cannot be taken out of what is to be recorded: keep it out of the agent's requests and answers")

    def clean_stream(self, chunks: list) -> list:
        """The chunks of a stream without secrets, those among them that came in pieces. Of such a one the first piece becomes the words for it."""
        chunks = copied(self.clean(chunks))
        for _ in range(_ROUNDS):
            changed = False
            for pieces in _pieces(chunks):
                text = "".join(text for _, text in pieces)
                self.learn(text)
                spans = _merged(self._known_in(text))
                if spans:
                    changed = True
                    for (place, _), piece in zip(pieces, _cut_out(pieces, spans)):
                        _put(chunks, place, piece)
            if not changed:
                return chunks
        raise GatekitError("a secret cannot be taken out of a stream that is to be recorded: keep it out of the agent's answers")

    def _stands_in(self, spelt: str) -> bool:
        return any(secret in spelt or canonical(secret)[1:-1] in spelt for secret in self._known)

    def _without(self, value: object) -> object:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self._text(key): self._without(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._without(item) for item in value]
        return value

    def _text(self, text: str) -> str:
        text = _replaced(text, self._known_in(text))
        # One that is not known as it stands here: spelt in escapes, say. Then all goes that it is a part of.
        return _replaced(text, [(start, end, kind) for start, end, _, kind in self._find(text, False)])


    def _known_in(self, text: str) -> list:
        spans = []
        for secret, kind in self._known.items():
            at = text.find(secret)
            while at >= 0:
                spans.append((at, at + len(secret), kind))
                at = text.find(secret, at + 1)
        return spans


class AsItIs:
    """In the place of a Scrubber, where nothing is written that others read: values stay whole, so that a check sees the secrets in them."""

    __slots__ = ()

    def clean(self, value: object) -> object:
        """The value."""
        return value

    def cleaned(self, value: object) -> tuple:
        """The value, and its canonical JSON."""
        return value, canonical(value)


def _pieces(chunks: list) -> list:
    """The texts that the chunks of a stream may make together: for each place in a chunk `[((chunk, *place), text)]`, where they differ."""
    found: dict = {}
    for number, chunk in enumerate(chunks):
        waiting: list = [((), chunk)]
        while waiting:
            place, value = waiting.pop()
            if isinstance(value, str):
                found.setdefault(place, []).append(((number, *place), value))
            elif isinstance(value, (dict, list)):
                waiting += [((*place, key), item) for key, item in (value.items() if isinstance(value, dict) else enumerate(value))]
    return [pieces for pieces in found.values() if len({text for _, text in pieces}) > 1]


def _cut_out(pieces: list, spans: list) -> list:
    """The texts of pieces once spans of their joined text are taken out: the words for a span stand in the piece that it begins in."""
    made, at = [], 0
    for _, text in pieces:
        end = at + len(text)
        kept, here = [], at
        for start, stop, kind in spans:
            if stop <= at or start >= end:
                continue
            kept.append(text[here - at : max(start - at, 0)])
            if start >= at:
                kept.append(_label(kind, stop - start))
            here = max(here, min(stop, end))
        made.append("".join([*kept, text[here - at :]]))
        at = end
    return made


def _put(chunks: list, place: tuple, text: str) -> None:
    holder = chunks
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = text


def _label(kind: object, length: int) -> str:
    """The words for a secret: the same ones for one that is escaped."""
    kind, length = (kind, length) if isinstance(kind, str) else kind
    return f"[secret: {kind}, {length} characters]"


def _replaced(text: str, spans: list) -> str:
    pieces, at = [], 0
    for start, end, kind in _merged(spans):
        pieces += (text[at:start], _label(kind, end - start))
        at = end
    return "".join([*pieces, text[at:]])


def _merged(spans: list) -> list:
    """Spans in order, those that overlap made one, so that no end of a secret is left behind another."""
    merged: list = []
    for start, end, kind in sorted(spans, key=lambda span: (*span[:2], str(span[2]))):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1]), merged[-1][2]
        else:
            merged.append((start, end, kind))
    return merged


_HIDDEN = re.compile(r"\[secret: [^\[\]]{1,60}, ([0-9]{1,8}) characters\]")


def stands_for(clean: str, text: str) -> bool:
    """Whether a text without secrets is another one but for what was taken out of it: a secret may have been known by what was said later alone."""
    at = start = 0
    for hidden in _HIDDEN.finditer(clean):
        before = clean[start : hidden.start()]
        if not text.startswith(before, at):
            return False
        at += len(before)
        # Taken out of both, or of the one alone.
        at += len(hidden.group()) if text.startswith(hidden.group(), at) else int(hidden.group(1))
        start = hidden.end()
    return text[at:] == clean[start:]


def holds_secret(text: str) -> str | None:
    """The kind of the first secret that stands in a text, or None."""
    found = Redaction().find(text, False)
    return found[0][3] if found else None


def stream_holds_secret(chunks: list) -> str | None:
    """The kind of a secret that stands in pieces in the chunks of a stream, or None."""
    return next(filter(None, (holds_secret("".join(text for _, text in pieces)) for pieces in _pieces(chunks))), None)
