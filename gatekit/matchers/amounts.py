"""Comparisons of numbers, and the matcher that counts."""
from __future__ import annotations

from ..ground.errors import CaseError
from ..text.counts import COUNTED, count
from ..text.views import CAREFUL
from .facts import fact_words, phrases_of, places_of
from .fields import Field
from .outcome import failed, held
from .table import LOOK, MatcherType

# Operator: the relation, and how a reason says that it does not hold.
COMPARISONS = {
    "eq": (lambda left, right: left == right, "is not"),
    "ne": (lambda left, right: left != right, "is"),
    "gt": (lambda left, right: left > right, "is not more than"),
    "gte": (lambda left, right: left >= right, "is less than"),
    "lt": (lambda left, right: left < right, "is not less than"),
    "lte": (lambda left, right: left <= right, "is more than"),
}
# How others write the operators, and what they are here.
MEANT = {
    "= == === equal equals equal_to is is_equal eq_to same": "eq",
    "!= !== <> /= neq not_eq not_equal not_equals not_equal_to is_not differs": "ne",
    "> more more_than greater greater_than above over exceeds": "gt",
    ">= => ge geq at_least min minimum greater_or_equal greater_equal greater_than_or_equal greater_than_or_equal_to greater_than_equal not_less_than": "gte",
    "< less less_than fewer fewer_than smaller smaller_than below under": "lt",
    "<= =< le leq at_most max maximum less_or_equal less_equal less_than_or_equal less_than_or_equal_to less_than_equal not_more_than up_to": "lte",
}


def _count(values: dict):
    of, expected, phrase = values["of"], values["value"], values["phrase"]
    relation, words = COMPARISONS[values["op"]]
    if (of == "phrase") != (phrase is not None):
        raise CaseError('count of a phrase names it in "phrase"' if phrase is None else f'"phrase" goes with of: phrase, not with of: {of}', path=("phrase",))
    if expected == 0 and values["op"] in ("gte", "lt"):
        raise CaseError(f"a number is {'always' if values['op'] == 'gte' else 'never'} {values['op']} 0, so this would decide nothing", path=("value",))
    phrases = phrases_of(phrase, CAREFUL) if phrase else ()
    counted = f"the number of {of}" if not phrase else f"the number of times that {fact_words(phrase)} stands there"

    def check(reading):
        number = _occurrences(phrases, reading.view(CAREFUL)) if phrases else count(reading.answer, of)
        if relation(number, expected):
            return held(reading, reason=f"{counted} is {number}")
        behind = ", and must not be" if words == "is" else f", but {number}" if words == "is not" else f": {number}"
        return failed(f"{counted} {words} {expected}{behind}", expected, number)

    return check


def _occurrences(phrases: tuple, view) -> int:
    """How often the phrases stand in the answer. Where it is JSON, its strings are read without their escapes, and what they hold is counted once."""
    counts = []
    for _, text in view.segments():
        total, reached = 0, -1
        for start, end in places_of(phrases, text):
            if start >= reached:
                total, reached = total + 1, end
        counts.append(total)
    return max(counts[0], sum(counts[1:]))


TYPES = (
    MatcherType(
        "count",
        2,
        "The answer has so many of something.",
        (
            Field("of", "choice", "what is counted", choices={**{name: about for name, (_, about) in COUNTED.items()}, "phrase": "the times that the phrase stands there"}),
            Field("op", "choice", "how the number compares", choices=tuple(COMPARISONS), meant=MEANT),
            Field("value", "integer", "the number that it is compared with"),
            Field("phrase", "fact", "the phrase that is counted, with of: phrase", None),
        ),
        _count,
        LOOK,
    ),
)
