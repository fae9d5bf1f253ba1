"""Facts that must appear: they are sought in the careful view of the answer."""
from __future__ import annotations

from ..ground.errors import CaseError
from ..text.phrases import Phrase
from ..text.quoting import quote
from ..text.views import level_named
from .fields import Field
from .outcome import HELD, Compared, failed, held
from .table import LOOK, MatcherType

_COMMON = LOOK + ("normalize",)


def fact_words(fact: tuple) -> str:
    """A fact as a reason names it: `'14 days' or '14-day'`."""
    return " or ".join(quote(spelling) for spelling in fact)


def expected_of(fact: tuple) -> object:
    """A fact as a report shows what was expected: the text, or the list of alternatives."""
    return fact[0] if len(fact) == 1 else list(fact)


def phrases_of(fact: tuple, level) -> tuple:
    """The alternatives of a fact, compiled. The path of an error says which one."""
    phrases = []
    for place, spelling in enumerate(fact):
        try:
            phrases.append(Phrase(spelling, level))
        except CaseError as error:
            raise error.located(path=("value",) + ((place,) if len(fact) > 1 else ())) from None
    return tuple(phrases)


def first_place(phrases: tuple, text: str) -> tuple | None:
    """The span of the first of some phrases that stands in a text."""
    for phrase in phrases:
        span = phrase.find(text)
        if span:
            return span
    return None


def _level(values: dict):
    return level_named(values["normalize"] or "careful")


def _present(words: str):
    def compile(values: dict):
        level, fact = _level(values), values["value"]
        phrases = phrases_of(fact, level)
        missing, said = (f"{words}: {fact_words(fact)}", expected_of(fact)), ((fact_words(fact), phrases),)
        found, finders, at = f"found {fact_words(fact)}", [phrase.find for phrase in phrases], level.place

        def check(reading):
            view = reading.views[at] or reading.view(level)
            for find in finders:
                span = find(view.text)
                if span:
                    return held(reading, view, span, found) if reading.explains else HELD
            return failed(*missing, compared=Compared("fact", said=said, view=view))

        return check

    return compile


def _contains_any(values: dict):
    level, facts = _level(values), values["value"]
    said = tuple((fact_words(fact), phrases_of(fact, level)) for fact in facts)
    phrases = tuple(phrase for _, each in said for phrase in each)
    named = ", ".join(fact_words(fact) for fact in facts)
    missing = f"contains none of {named}", [expected_of(fact) for fact in facts]
    found = f"found one of {named}"

    def check(reading):
        view = reading.view(level)
        span = first_place(phrases, view.text)
        return held(reading, view, span, found) if span else failed(*missing, compared=Compared("fact", said=said, view=view))

    return check


def _contains_all(values: dict):
    level, facts = _level(values), values["value"]
    compiled = [(fact, phrases_of(fact, level)) for fact in facts]
    found = "found all of " + ", ".join(fact_words(fact) for fact in facts)

    def check(reading):
        view = reading.view(level)
        missing = [(fact, phrases) for fact, phrases in compiled if not first_place(phrases, view.text)]
        if missing:
            said = tuple((fact_words(fact), phrases) for fact, phrases in missing)
            words = "does not contain " + ", ".join(fact for fact, _ in said)
            return failed(words, [expected_of(fact) for fact, _ in missing], compared=Compared("fact", said=said, view=view))
        return held(reading, view, first_place(compiled[0][1], view.text), found)

    return check


def _at_an_end(words: tuple, span_of):
    def compile(values: dict):
        level, fact = _level(values), values["value"]
        phrases = phrases_of(fact, level)
        found = f"{words[0]} {fact_words(fact)}"
        missing = f"does not {words[1]} {fact_words(fact)}"

        def check(reading):
            view = reading.view(level)
            for phrase in phrases:
                span = span_of(phrase, view)
                if span:
                    return held(reading, view, span, found)
            return failed(missing, expected_of(fact), reading.answer)

        return check

    return compile


def _one_of(values: dict):
    level, choices = _level(values), values["value"]
    folded = {spelling for choice in choices for spelling in phrases_of((choice,), level)[0].spellings}
    named = ", ".join(map(quote, choices))

    def check(reading):
        view = reading.view(level)
        if view.text[: view.main] in folded:
            return held(reading, view, (0, view.main), f"is one of {named}")
        return failed(f"is none of {named}", list(choices), reading.answer, compared=Compared("one of"))

    return check


def _near(values: dict):
    level, facts, within = _level(values), values["value"], values["within"]
    left, right = (phrases_of(fact, level) for fact in facts)
    expected, named = [expected_of(fact) for fact in facts], " and ".join(f"({fact_words(fact)})" for fact in facts)

    def check(reading):
        view = reading.view(level)
        best, present = None, [False, False]
        for offset, text in view.segments():
            places = places_of(left, text), places_of(right, text)
            present = [known or bool(found) for known, found in zip(present, places)]
            closest = _closest(text, *places)
            if closest and (best is None or closest[0] < best[0]):
                best = closest[0], (closest[1][0] + offset, closest[1][1] + offset)
        for fact, found in zip(facts, present):
            if not found:
                return failed(f"does not contain {fact_words(fact)}", expected)
        if best and best[0] <= within:
            return held(reading, view, best[1], f"{best[0]} words apart")
        if best:
            return failed(f"{best[0]} words apart, more than {within}: {named}", expected, None, (view, *best[1]))
        return failed(f"stand only where they overlap: {named}", expected)

    return check


def places_of(phrases: tuple, text: str) -> list:
    """All places of some phrases, in order."""
    places = set()
    for phrase in phrases:
        span = phrase.find(text)
        while span:
            places.add(span)
            span = phrase.find(text, span[1])
    return sorted(places)


def _closest(text: str, lefts: list, rights: list) -> tuple | None:
    """The fewest words between a place of one fact and a disjoint place of the other, and the span of both; None without such a pair.

    One pass: of the places before a place only the last one that does not overlap it can be the nearest, and only for the first that follows.
    """
    from ..text.counts import count

    best = None
    seen: tuple = ([], [])
    joined: set = set()
    for (start, end), side in sorted([(span, 0) for span in lefts] + [(span, 1) for span in rights]):
        for other in reversed(seen[1 - side][-2:]):
            if other[1] <= start:
                if (other, side) not in joined:
                    joined.add((other, side))
                    between = count(text[other[1] : start], "words")
                    if best is None or between < best[0]:
                        best = (between, (other[0], end))
                break
        seen[side].append((start, end))
    return best


TYPES = (
    MatcherType("must_include", 2, "The fact stands in the answer.", (Field("value", "fact", "the fact"),), _present("missing required"), in_rubrics=True, common=_COMMON),
    MatcherType(
        "contains", 2, "The fact stands in the answer.", (Field("value", "fact", "the fact, or a list of alternatives"),), _present("does not contain"), _COMMON
    ),
    MatcherType("contains_any", 2, "At least one of the facts stands in the answer.", (Field("value", "facts", "the facts"),), _contains_any, _COMMON),
    MatcherType("contains_all", 2, "Each of the facts stands in the answer.", (Field("value", "facts", "the facts"),), _contains_all, _COMMON),
    MatcherType(
        "starts_with",
        2,
        "The answer begins with the fact.",
        (Field("value", "fact", "how it begins, or a list of alternatives"),),
        _at_an_end(("starts with", "start with"), lambda phrase, view: phrase.starts(view.text)),
        _COMMON,
    ),
    MatcherType(
        "ends_with",
        2,
        "The answer ends with the fact.",
        (Field("value", "fact", "how it ends, or a list of alternatives"),),
        _at_an_end(("ends with", "end with"), lambda phrase, view: phrase.ends(view.text, view.main)),
        _COMMON,
    ),
    MatcherType("one_of", 2, "The whole answer is one of the texts.", (Field("value", "texts", "the texts"),), _one_of, _COMMON),
    MatcherType(
        "near",
        2,
        "Two facts stand close to each other, in either order.",
        (Field("value", "facts", "the two facts", bounds=(2, 2)), Field("within", "integer", "the most words that may stand between them")),
        _near,
        _COMMON,
    ),
)
