"""Tier 3, grounded in sources: what an answer states as facts, its sources say.

`facts_grounded`: every fact in the JSON with a value cites a URL that is one of the sample's sources (as urls.py compares them), and its quote stands in that
source, white space, typography, markup and case apart, and not as a part of longer words or numbers. A fact is an object with a `value`:
{"value": 12, "url": "...", "quote": "..."}. One without a value (null) needs no citation, and an answer without any fact is no answer.

    where facts are     without `facts` everywhere in the JSON, at any depth: objects that have the key of a value or of a quote. With `facts`, what the path
                        leads to is a fact, or holds facts and nothing else: a bare value there is one that cites nothing
    the quote           has at least `min_words` words, so that it says something. Marks of a quotation around it, and dots at its ends for what was left out,
                        are no part of it
    value_in_quote      `figures`: every number, price, date and URL of the value (figures.py) stands in the quote; a number of JSON has any unit, and any scale
                        that the quote gives it. `all`: and a text without any stands there word for word. `none`: the quote is not compared with the value.
                        True and false are never sought

`absent_unless_supported`: where no source mentions a pattern, a field is null. Where one does, anything may stand there, and the field may be missing.

Where no sources were recorded, it cannot be told. Where they were, and there are none (an empty list), nothing stands in them.
"""
from __future__ import annotations

import re

from ..data.sources import sources_of
from ..ground.canonical import canonical, json_kind
from ..ground.errors import CaseError
from ..invariants.kinds import WORDS
from ..invariants.trace import SPOKEN
from ..text.characters import pinned
from ..text.counts import count
from ..text.edges import left_edge, right_edge
from ..text.figures import evened, figures
from ..text.phrases import is_word
from ..text.quoting import as_written, quote
from ..text.views import CAREFUL, Part, View, fold
from .fields import Field
from .given import Given
from .outcome import blind, failed, held, unknown
from .places import inside, place_in, spelt
from .table import MatcherType

_MOST_SHOWN = 3
_MOST_TRIED = 200
_DOTS = r"(?:\s|\.\.\.+|\u2026|\[(?:\.\.\.|\u2026)\])"
_QUOTATION_MARKS = frozenset(("\"\"", "''", "``", "\u201c\u201d", "\u2018\u2019", "\u201e\u201c", "\u201a\u2018", "\u201e\u201d", "\u201d\u201d", "\u00ab\u00bb", "\u00bb\u00ab"))
_NOT_RECORDED = "no sources were recorded, so it cannot be told what they say"


def _facts_grounded(values: dict):
    path, least, in_quote = values["facts"], values["min_words"], values["value_in_quote"]
    keys = tuple(values[name] for name in ("value", "url", "quote"))
    if len(set(keys)) < 3:
        raise CaseError("the keys of the value, the URL and the quote are three different ones", path=("value",))

    def check(reading):
        document = reading.json("object" if path is not None and path.wants_object else "any")
        if document.failed:
            return blind(document.reason)
        sources = sources_of(reading.sample)
        facts, bad = _facts_in(document.value, path, keys)
        if isinstance(facts, str):
            return blind(facts)
        if not facts and not bad:
            return blind(f"there is no fact in the JSON: an object with {quote(keys[0])}, {quote(keys[1])} and {quote(keys[2])}")
        cited = [fact for fact in facts if fact[1].get(keys[0]) is not None]
        if sources is None and (cited or not bad):
            return unknown(_NOT_RECORDED)
        texts = _Texts(sources or ())
        for place, fact in cited:
            fault = _fault(fact, keys, texts, least, in_quote)
            if fault is not None:
                bad.append((place, fault[1], *fault[0]))
        if bad:
            words = [f"{spelt(place) or 'the JSON value'} {reason}" for place, reason, *_ in bad[:_MOST_SHOWN]]
            more = f"; and {len(bad) - _MOST_SHOWN} more" if len(bad) > _MOST_SHOWN else ""
            return failed("; ".join(words) + more, None, None, place_in(reading, document, (*bad[0][0], *bad[0][2:])))
        return held(reading, reason=f"each of {len(cited)} facts with a value stands in the source that it cites, and {len(facts) - len(cited)} have none")

    return check


def _facts_in(document: object, path, keys: tuple) -> tuple:
    """The facts as `(path, fact)`, and what stands in a fact's place and is none as `(path, reason)`; words for the facts where the path leads nowhere."""
    if path is None:
        return _gathered((), document, keys, False)
    found = path.find(document)
    if found.missing:
        return found.reason, []
    facts, bad = [], []
    for place, (_, value) in zip(found.paths, found.values):
        more, worse = _gathered(place, value, keys, True)
        facts += more
        bad += worse
    return facts, bad


def _gathered(place: tuple, value: object, keys: tuple, strict: bool) -> tuple:
    """The facts below a place; `strict` says that there is nothing but facts."""
    name, cited, quoted = keys
    facts, bad, waiting = [], [], [(place, value, strict)]
    while waiting:
        path, item, strict = waiting.pop()
        if isinstance(item, (list, tuple)):
            waiting += [((*path, index), item[index], strict) for index in reversed(range(len(item)))]
        elif isinstance(item, dict):
            is_fact = name in item or strict and (cited in item or quoted in item)
            if is_fact:
                facts.append((path, item))
            if name not in item and item.get(quoted) is not None:
                bad.append((path, f"has a quote and no {quote(name)}: it cannot be told what it is to support"))
            # What a fact's value is made of is no fact by itself, and what else stands beside it may be anything.
            waiting += [((*path, key), inner, strict and not is_fact) for key, inner in reversed(item.items()) if not (is_fact and key in keys)]
        elif strict and item is not None:
            bad.append((path, f"is {json_kind(item)} that cites nothing: a fact is an object with {quote(name)}, {quote(cited)} and {quote(quoted)}"))
    return facts, bad


class _Texts:
    """The sources as quotes are sought in them, each read when it is first asked for."""

    __slots__ = ("sources", "_read")

    def __init__(self, sources: tuple) -> None:
        self.sources = sources
        self._read: dict = {}

    def hold(self, source, forms: tuple) -> bool:
        """Whether a quote stands in a source, read as Markdown or letter for letter."""
        known = self._read.get(id(source))
        if known is None:
            known = self._read[id(source)] = _forms(source.text)
        return any(_stands_in(one, other) for one in dict.fromkeys(forms) for other in dict.fromkeys(known) if one)


def _forms(text: str) -> tuple:
    """A text as it reads with its markup unwrapped, and as it stands; both folded."""
    return tuple(fold(Part(text, 0, len(text), passed_over=kept), CAREFUL) for kept in (False, True))


def _stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text with their ends free."""
    start, left, right = text.find(words), is_word(words[0]), is_word(words[-1])
    for _ in range(_MOST_TRIED):  # a text in which more of them are parts of something longer is made to be so
        if start < 0:
            return False
        end = start + len(words)
        if (not left or left_edge(text, start)) and (not right or right_edge(text, end)):
            return True
        start = text.find(words, start + 1)
    return False


def _fault(fact: dict, keys: tuple, texts: _Texts, least: int, in_quote: str) -> tuple | None:
    """What is wrong with a fact that has a value: the place inside it, and why; None where it is grounded."""
    name, cited, quoted = keys
    value, url, words = (fact.get(key) for key in keys)
    shown = canonical(value)
    for key, part in ((cited, url), (quoted, words)):
        if part is None:
            return (name,), f"has the value {shown} and no {quote(key)}"
        if not isinstance(part, str):
            return (key,), f"has {json_kind(part)} as {quote(key)}, which is text"
        if not part.strip():
            return (key,), f"has the value {shown} and an empty {quote(key)}"
    if value in ("", [], {}):
        return (name,), "has an empty value: null says that there is none"
    forms = _forms(_bare(words))
    if not forms[0] or count(words, "words") < least:
        return (quoted,), f"has a quote of fewer than {least} words, which says too little: {quote(words)}"
    named = [source for source in texts.sources if source.is_cited_by(url)]
    if not named:
        return (cited,), f"cites {quote(url)}, which is none of the {len(texts.sources)} sources"
    if not any(texts.hold(source, forms) for source in named):
        other = next((source for source in texts.sources if texts.hold(source, forms)), None)
        elsewhere = "" if other is None else f" (it stands in {quote(other.url)})" if other.url else " (it stands in a source without a URL)"
        return (quoted,), f"has a quote that does not stand in {quote(url)}{elsewhere}: {quote(words)}"
    missing = _not_in_quote(value, words, forms, in_quote)
    return None if missing is None else ((name,), f"has the value {shown}, and its quote does not hold {missing}: {quote(words)}")


def _bare(words: str) -> str:
    """A quote without the marks around it and the dots at its ends. What is inside is left as it is."""
    for _ in range(2):
        start = re.match(rf"{_DOTS}*", words).end()
        words = words[start:].rstrip()
        end = re.compile(r"(?:\.\.\.+|\u2026|\[(?:\.\.\.|\u2026)\])\Z").search(words, max(0, len(words) - 8))
        words = words[: end.start()].rstrip() if end and end.start() else words
        if len(words) > 2 and words[0] + words[-1] in _QUOTATION_MARKS:
            words = words[1:-1]
    return words


def _not_in_quote(value: object, words: str, forms: tuple, in_quote: str) -> str | None:
    """What of a value its quote does not hold, as words; None where it holds all that is asked for."""
    if in_quote == "none":
        return None
    given = Given()
    given.read(words)
    for _, leaf in inside(value):
        if isinstance(leaf, str):
            found = figures(evened(leaf))
            missing = [figure for figure in found if not given.shows(figure)]
            if (missing or not found and in_quote == "all") and not any(_stands_in(one, other) for one in _forms(leaf) for other in forms if one):
                return quote(leaf[missing[0].start : missing[0].end] if missing else leaf)
        elif isinstance(leaf, (int, float)) and not isinstance(leaf, bool) and not given.shows_number(leaf):
            return canonical(leaf)
    return None


def _absent_unless_supported(values: dict):
    pattern, path = values["pattern"], values["field"]

    def check(reading):
        document = reading.json("object" if path.wants_object else "any")
        if document.failed:
            return blind(document.reason)
        sources = sources_of(reading.sample)
        if sources is None:
            return unknown(_NOT_RECORDED)
        for source in sources:
            if _mentions(source.text, pattern):
                return held(reading, reason=f"a source mentions {as_written(pattern.source)}" + (f": {quote(source.url)}" if source.url else ""))
        found = path.find(document.value)
        if found.missing:
            return blind(f"{found.reason}; no source mentions {as_written(pattern.source)}, so it must be there and null")
        for (place, value), steps in zip(found.values, found.paths):
            if value is not None:
                shown = canonical(value)
                reason = f"{place} is {shown}, and must be null: none of the {len(sources)} sources mentions {as_written(pattern.source)}"
                return failed(reason, None, value, place_in(reading, document, steps))
        return held(reading, reason=f"{path.spelt} is null, and no source mentions {as_written(pattern.source)}")

    return check


def _mentions(text: str, pattern) -> bool:
    view = View(SPOKEN, [Part(text, 0, len(text))])
    return any(pattern.search(pinned(segment)) for _, segment in view.segments())


TYPES = (
    MatcherType(
        "facts_grounded",
        3,
        "Every fact of the JSON that has a value cites a URL of the sample's sources, and its quote stands in that source.",
        (
            Field("facts", "path", "where the facts are: a fact, or a list or an object of facts; else every object with a value or a quote is one", None),
            Field("value", "text", "the key of a fact's value", "value"),
            Field("url", "text", "the key of the URL that it cites", "url"),
            Field("quote", "text", "the key of the quote", "quote"),
            Field(
                "value_in_quote",
                "choice",
                "what of the value must stand in the quote",
                "figures",
                {"figures": "its numbers, prices, dates and URLs", "all": "these, and a text without any word for word", "none": "nothing"},
            ),
            Field("min_words", "integer", "how many words a quote has at least", 2, bounds=(1, 1000)),
        ),
        _facts_grounded,
        ("target",),
    ),
    MatcherType(
        "absent_unless_supported",
        3,
        "Where no source mentions the pattern, the field of the JSON is null.",
        (Field("pattern", WORDS, "what a source must mention, whatever its case"), Field("field", "path", "the field that is null else, or with [*] the fields")),
        _absent_unless_supported,
        ("target",),
    ),
)
