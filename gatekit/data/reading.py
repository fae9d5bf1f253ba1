"""A sample as the matchers read it: each view is made once, when it is first asked for.

Who reads what:

    text     the whole output; of a JSON output its canonical serialisation. Never-rules read it
    answer   the output without reasoning (`<think>...</think>` and its kin). Facts, patterns and JSON read it

A conversation is read in pieces: facts read the assistant's last words, never-rules all that it produced (words, refusals, reasoning, the arguments of
calls), each piece by itself, so that no phrase is found across two of them.

Of each there is a view at every level of views.py. A case may set `reasoning` to `keep` (the answer is the whole text) or to `strip`
(never-rules read only the answer too). Every string that JSON in the text holds is a part of a view by itself, so that a phrase is
found however it is escaped. (What reads JSON in prose is imported by the first text that may hold some: many runs have none.)
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..text.views import CAREFUL, WIDE, Level, Part, View, fold, has_markup
from .sample import Sample

REASONING = ("keep", "strip")
BREAK = "\n\n"  # between the texts of several messages
_FIRST = 500


class Piece:
    """One of the texts that make up what is read: `source` says where it stands ("message 4", None for the output); `is_reasoning` that all of it is reasoning; `turn` is that of a conversation."""

    __slots__ = ("text", "source", "is_reasoning", "turn")

    def __init__(self, text: str, source: str | None, is_reasoning: bool = False, turn: int | None = None) -> None:
        self.text, self.source, self.is_reasoning, self.turn = text, source, is_reasoning, turn


class Reading:
    """One value to be judged: a sample's output, or a field of it.

    `explains` asks matchers for the place of what they found even where a rule holds. `views` holds the views that were made, by the place of their
    level, four further on those of never-rules: a check that runs for every sample looks there first.
    """

    __slots__ = ("sample", "value", "reasoning", "allow_empty", "explains", "pieces", "never_pieces", "given", "_text", "_spans", "_answer", "views", "_decoded", "_json")

    def __init__(
        self,
        sample: Sample,
        value: object,
        reasoning: str | None = None,
        allow_empty: bool = False,
        explains: bool = False,
        pieces: tuple | None = None,
        never_pieces: tuple | None = None,
        given: object = None,
    ) -> None:
        """`pieces` make up the value where it is several texts, `never_pieces` what never-rules read instead of it; both are `Piece`s.

        `given` is what the agent was given: the input of the case, or None where none is known.
        """
        self.sample = sample
        self.value = value
        self.pieces = pieces
        self.never_pieces = never_pieces
        self.given = given
        self.reasoning = reasoning
        self.allow_empty = allow_empty
        self.explains = explains
        self._text = value if type(value) is str else None
        self._spans = self._answer = self._decoded = self._json = None
        self.views: list = [None] * 8

    @classmethod
    def of(cls, sample: Sample, reasoning: str | None = None, allow_empty: bool = False, explains: bool = False, given: object = None) -> Reading:
        """The reading of what a sample is judged by: its output, or its conversation."""
        answer = sample.answer
        value = "" if answer is None else answer
        if sample.conversation is None:
            return cls(sample, value, reasoning, allow_empty, explains, given=given)
        produced = produced_by(sample.conversation)
        if sample.output is not None:
            return cls(sample, value, reasoning, allow_empty, explains, None, (Piece(sample.text, None), *produced), given)
        last = sample.conversation.last_spoken
        spoken = (Piece(value, place_words(last), turn=last.turn),) if last is not None else ()
        return cls(sample, value, reasoning, allow_empty, explains, spoken, produced, given)

    @classmethod
    def of_pieces(cls, around: Reading, pieces: tuple) -> Reading:
        """The reading of some texts of a conversation, by every rule."""
        value = BREAK.join(piece.text for piece in pieces)
        return cls(around.sample, value, around.reasoning, around.allow_empty, around.explains, pieces, pieces, around.given)

    @property
    def conversation(self):
        """The sample's Conversation; None where no messages were recorded."""
        return self.sample.conversation

    @property
    def text(self) -> str:
        """The whole text, reasoning included."""
        if self._text is None:
            self._text = self.value if isinstance(self.value, str) else canonical(self.value)
        return self._text

    @property
    def reasoning_spans(self) -> list:
        """Where in the text reasoning stands."""
        if self._spans is None:
            self._spans = _reasoning_in(self.value) if isinstance(self.value, str) else []
        return self._spans

    @property
    def answer(self) -> str:
        """The text without reasoning, unless the case keeps it."""
        if self._answer is None:
            if self.pieces is not None:
                strips = self.reasoning != "keep"
                texts = (_without(piece.text, _reasoning_in(piece.text)) if strips else piece.text for piece in self.pieces if not (strips and piece.is_reasoning))
                self._answer = BREAK.join(text for text in texts if text)
            else:
                gaps = self._gaps(False)
                self._answer = _without(self.text, gaps) if gaps else self.text
        return self._answer

    def _gaps(self, never: bool) -> list:
        strips = self.reasoning == "strip" if never else self.reasoning != "keep"
        return self.reasoning_spans if strips else []

    def view(self, level: Level, never: bool = False) -> View:
        """The text at a level: of the answer, or of all that a never-rule reads."""
        at = level.place + 4 if never else level.place
        view = self.views[at]
        if view is None:
            view = self.views[at] = self._make(level, never)
        return view

    def _make(self, level: Level, never: bool) -> View:
        pieces = self.never_pieces if never else self.pieces
        if pieces is not None:
            return self._make_of(pieces, level, never)
        text = self.text
        if self.never_pieces is None and (level is CAREFUL or level is WIDE) and _is_plain(text):
            # Of such a text all views that fold case are the same: one is made for all.
            view = View.of_plain(level, text)
            for at in (CAREFUL.place, WIDE.place):
                self.views[at] = self.views[at + 4] = view
            return view
        gaps = tuple(self._gaps(never))
        parts = [Part(text, 0, len(text), gaps=gaps)]
        if "{" in text or "[" in text or "\\" in text:
            if self._decoded is None:
                self._decoded = _decoded(text)
            parts += _outside(self._decoded, gaps)
        return View(level, parts)

    def _make_of(self, pieces: tuple, level: Level, never: bool) -> View:
        """The view of several texts, each a part by itself, and then the strings of JSON in each."""
        strips = self.reasoning == "strip" if never else self.reasoning != "keep"
        parts, strings = [], []
        for piece in pieces:
            text = piece.text
            if strips and piece.is_reasoning:
                continue
            gaps = tuple(_reasoning_in(text)) if strips else ()
            parts.append(Part(text, 0, len(text), True, gaps, False, piece))
            if "{" in text or "[" in text or "\\" in text:
                strings += _outside(_decoded(text, piece), gaps)
        return View(level, (parts or [Part("", 0, 0)]) + strings, max(1, len(parts)))

    def json(self, kind: str = "any"):
        """The JSON of the answer: a `Found` or a `Failure` of json_in_prose. `kind` is `any`, `object` or `array`."""
        if self._json is None:
            self._json = {}
        if kind not in self._json:
            value = self.value
            if self.pieces is None and (kind != "array" and value.__class__ is dict or kind != "object" and value.__class__ is list):
                self._json[kind] = _Whole(self, value)
            else:
                from ..text.json_in_prose import find_json

                self._json[kind] = find_json(self.answer, kind)
        return self._json[kind]

    def at(self, value: object) -> Reading:
        """A reading of a value inside this one. No reasoning is looked for in it: that stands around a JSON output, not in it."""
        return Reading(self.sample, value, "keep", self.allow_empty, self.explains, given=self.given)


class _Whole:
    """A JSON output as what is found in itself: it need not be spelt to be read, and where it ends is worked out where that is asked for."""

    __slots__ = ("value", "_reading")
    failed = False
    start = 0

    def __init__(self, reading: Reading, value: object) -> None:
        self.value = value
        self._reading = reading

    @property
    def end(self) -> int:
        return len(self._reading.answer)


def produced_by(conversation) -> tuple:
    """All that the assistant produced in a conversation, as pieces: words, refusals, reasoning, and the arguments of calls."""
    pieces: list = []
    for message in conversation.messages:
        if message.role != "assistant":
            continue
        source = place_words(message)
        if message.reasoning:
            pieces.append(Piece(message.reasoning, "the reasoning of " + source, True, message.turn))
        pieces += [Piece(text, source, turn=message.turn) for text in (message.text, message.refusal) if text]
        for call in message.calls:
            arguments = call.arguments if isinstance(call.arguments, str) else canonical(call.arguments)
            pieces.append(Piece(arguments, f"the arguments of {call.name}, {place_words(call)}", turn=call.turn))
    return tuple(pieces)


def place_words(part) -> str:
    """Where a message or call of a conversation stands, in words: by the place of the message in the list, from 0."""
    return f"message {part.message} (turn {part.turn})"


def _reasoning_in(text: str) -> list:
    """Where in a text reasoning stands."""
    if "<" in text or "[" in text or "\u25c1" in text:
        from ..text.reasoning import reasoning_spans

        return reasoning_spans(text)
    return []


def _decoded(text: str, piece: Piece | None = None) -> list:
    """The strings of all JSON in a text, broken or not, as parts, each as it reads once its escapes are undone."""
    from ..formats.json_lexis import escaped_places, string_places
    from ..text.json_in_prose import all_json

    stretches = [(start, end) for start, end, _ in all_json(text)]
    if not stretches and text.lstrip()[:1] in ("{", "["):
        stretches = [(0, len(text))]
    places = [place for stretch in stretches for place in string_places(text, *stretch)]
    return [Part(string, start, end, False, (), False, piece) for start, end, string in dict.fromkeys(places + escaped_places(text))]


def _outside(parts: list, gaps: tuple) -> list:
    return [part for part in parts if not any(start <= part.start < end for start, end in gaps)] if gaps else parts


def is_blank(value: object) -> bool:
    """Whether nothing was returned: null, or a text of white space and characters that show nothing. Markup around nothing is something."""
    if value is None:
        return True
    if not isinstance(value, str):
        return False
    rest = value.lstrip()
    if not rest or rest[0] < "\x80":
        return not rest
    # Most such texts show something soon: only one that does not is read to its end.
    return _shows_nothing(rest[:_FIRST]) and (len(rest) <= _FIRST or _shows_nothing(rest))


def _shows_nothing(text: str) -> bool:
    return not fold(Part(text, 0, len(text)), WIDE, is_phrase=True)


def _is_plain(text: str) -> bool:
    return text.isascii() and not has_markup(text) and "{" not in text and "[" not in text and "<" not in text


def _without(text: str, gaps: list) -> str:
    pieces, at = [], 0
    for start, end in [*gaps, (len(text), len(text))]:
        pieces.append(text[at:start])
        at = end
    return "\n".join(piece.strip() for piece in pieces if not piece.isspace() and piece)
