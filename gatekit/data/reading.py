"""A sample as the matchers read it: each view is made once, when it is first asked for.

Who reads what:

    text     the whole output; of a JSON output its canonical serialisation. Never-rules read it
    answer   the output without reasoning (`<think>...</think>` and its kin). Facts, patterns and JSON read it

and of each there is a view at every level of views.py. A case may set `reasoning` to `keep` (the answer is the whole text) or to `strip`
(never-rules read only the answer too). Every string that JSON in the text holds is a part of a view by itself, so that a phrase is
found however it is escaped. (What reads JSON in prose is imported by the first text that may hold some: many runs have none.)
"""
from __future__ import annotations

from ..ground.canonical import canonical
from ..text.views import CAREFUL, WIDE, Level, Part, View, fold, has_markup
from .sample import Sample

REASONING = ("keep", "strip")
_FIRST = 500


class Reading:
    """One value to be judged: a sample's output, or a field of it.

    `explains` asks matchers for the place of what they found even where a rule holds. `views` holds the views that were made, by the place of their
    level, four further on those of never-rules: a check that runs for every sample looks there first.
    """

    __slots__ = ("sample", "value", "reasoning", "allow_empty", "explains", "_text", "_spans", "_answer", "views", "_decoded", "_json")

    def __init__(self, sample: Sample, value: object, reasoning: str | None = None, allow_empty: bool = False, explains: bool = False) -> None:
        self.sample = sample
        self.value = value
        self.reasoning = reasoning
        self.allow_empty = allow_empty
        self.explains = explains
        self._text = value if type(value) is str else None
        self._spans = self._answer = self._decoded = self._json = None
        self.views: list = [None] * 8

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
            self._spans = []
            if isinstance(self.value, str) and ("<" in self.value or "[" in self.value or "\u25c1" in self.value):
                from ..text.reasoning import reasoning_spans

                self._spans = reasoning_spans(self.value)
        return self._spans

    @property
    def answer(self) -> str:
        """The text without reasoning, unless the case keeps it."""
        if self._answer is None:
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
        text = self.text
        if (level is CAREFUL or level is WIDE) and _is_plain(text):
            # Of such a text all views that fold case are the same: one is made for all.
            view = View.of_plain(level, text)
            for at in (CAREFUL.place, WIDE.place):
                self.views[at] = self.views[at + 4] = view
            return view
        gaps = tuple(self._gaps(never))
        parts = [Part(text, 0, len(text), gaps=gaps)]
        if "{" in text or "[" in text or "\\" in text:
            parts += [part for part in self._strings() if not any(start <= part.start < end for start, end in gaps)]
        return View(level, parts)

    def _strings(self) -> list:
        """The strings of all JSON in the text, broken or not, each as it reads once its escapes are undone."""
        if self._decoded is None:
            from ..formats.json_lexis import escaped_places, string_places
            from ..text.json_in_prose import all_json

            text = self.text
            stretches = [(start, end) for start, end, _ in all_json(text)]
            if not stretches and text.lstrip()[:1] in ("{", "["):
                stretches = [(0, len(text))]
            places = [place for stretch in stretches for place in string_places(text, *stretch)]
            self._decoded = [Part(string, start, end, False) for start, end, string in dict.fromkeys(places + escaped_places(text))]
        return self._decoded

    def json(self, kind: str = "any"):
        """The JSON of the answer: a `Found` or a `Failure` of json_in_prose. `kind` is `any`, `object` or `array`."""
        if self._json is None:
            self._json = {}
        if kind not in self._json:
            from ..text.json_in_prose import find_json

            self._json[kind] = find_json(self.answer, kind)
        return self._json[kind]

    def at(self, value: object) -> Reading:
        """A reading of a value inside this one. No reasoning is looked for in it: that stands around a JSON output, not in it."""
        return Reading(self.sample, value, "keep", self.allow_empty, self.explains)


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
