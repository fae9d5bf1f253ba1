"""What is hidden in every string of a sample on its way out: what counts as a secret, what stands in its place, and which number it has.

A secret becomes its kind, its length and a number: `[secret 1: github token, 40 characters]`. The same secret has the same number
in one run. What counts as a secret here is more than what a rule calls one, since nothing is judged by it: the known key shapes, whatever goes
on after a forbidden prefix of the run's rules, what JSON keeps under the name of a secret, and long tokens that look random.

What is found in a text here is hidden by a Curtain (curtain.py) wherever it stands in the strings that belong together.

What a project masks (patterns of its own, and the ready masks of packs/pii.py) is hidden in the same way, as `<order 1>`: read in the same view of a text,
learned from the whole sample, and numbered by identity. That of a pattern is what it found, as it is read: invisible characters and typography make no
other order. Where things to hide overlap, all of it goes, under the name of a secret before that of a mask, of a project's own mask before a ready one, of
a long one before a short one. (A token that only looks random is none to be named so, where a mask knows what it is.) The words that stand for
something hidden are never hidden again. The domain of a hidden address is not hidden where it stands by itself, whole: it names nobody.
"""
from __future__ import annotations

import re

from ..ground.errors import GatekitError
from ..text.characters import pinned
from ..text.quoting import quote
from ..text.spans import covered, first_after, in_original, merged, replaced
from ..text.views import CASED, WIDE, folded
from .reading import Reading
from .sample import Sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .curtain import Curtain

_IDS_AT_ONCE = 10000
_SHORTEST_KEY = 16
_MOST_MET = 1000000
_NO_SHAPE = ("token beginning with ", "key-like token")  # these go on to the end of a token, with whatever stands there beside a secret
_RAW_ESCAPE = r"\\(?:u[0-9A-Fa-f]{4}|[bfnrt])"
_DELIMITERS = dict.fromkeys(map(ord, " \t\n\r\"'`\\"))
_NOTHING = Sample("")


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

    def afresh(self) -> Redaction:
        """What hides the same, with numbers that begin at 1."""
        if self._compiled is None:
            self._compiled = _compiled(self.prefixes)
        other = Redaction(self.prefixes, self.masks)
        other._compiled = self._compiled
        return other

    def of(self, sample: Sample) -> Curtain:
        """What is hidden in the strings of one sample."""
        return self._curtain(_texts_of(sample), _values_of(sample))

    def of_text(self, text: str) -> Curtain:
        """What is hidden in whatever is said of a text: of a line that could not be read, say."""
        return self._curtain((text,))

    def of_value(self, value: object) -> Curtain:
        """What is hidden in a JSON value that belongs to no sample: a request to a model, say."""
        return self._curtain(_texts_in(value), (value,))

    def _curtain(self, texts, values: tuple = ()) -> Curtain:
        from .curtain import Curtain  # a run in which all passes shows little

        return Curtain(self, texts, values)

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
        from .curtain import SHORTEST_LEARNED

        if len(text) < SHORTEST_LEARNED:
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
        from ..text.labels import LABEL

        names = {name for name, _ in self.masks}
        return [at.span() for at in re.finditer(LABEL, text) if (at["mask"] in names if at["mask"] else at["kind"] is None or self._is_kind(at["kind"]))]

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

    def kept_whole(self, name: str, value: str) -> str | None:
        """As `kept_under`, of all that a member of JSON holds: what would end it where it stands in a text is no end of it there."""
        return self.kept_under(name, value.translate(_DELIMITERS))

    def told_by(self, name: str, value: str) -> tuple | None:
        """The identity and the kind of what is masked because of the name before it: of a phone number without a sign in it. None where nothing is."""
        if "phone" in self._ready and 7 <= len(value) <= 40 and value[-1:].isdigit():
            for start, end, identity, kind in self.find(f"{name}: {value}", False):
                if kind == "<phone" and start <= len(name) + 2 and end == len(name) + 2 + len(value):
                    return identity, kind
        return None


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


def _blank(match) -> str:
    return "\0" * len(match.group())


def _is_told(token, spans: list) -> bool:
    """Whether less than a piece of a token is left outside some spans, in order and without overlap."""
    from .curtain import PIECE

    left, place = token.end - token.start, first_after(spans, token.start)
    while place < len(spans) and spans[place][0] < token.end:
        left -= min(token.end, spans[place][1]) - max(token.start, spans[place][0])
        place += 1
    return left < PIECE
