"""Tier 4, similarity: how near a text is to a golden one, by recorded embedding vectors or by its letters. No model is called.

The cosine of two vectors is never computed: with integers dot, A = |a|^2 and B = |b|^2 (the vectors' exact values, scaled alike), `cosine >= p/q` is
`dot^2 q^2 >= p^2 A B` where both sides have one sign. So a verdict does not depend on a rounding. Four decimals are printed, rounded half up from the
exact value.

A vector counts only for the model and the text that it was made of: where none is recorded for them, it cannot be told.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..ground.canonical import digest
from ..ground.errors import CaseError, GatekitError
from ..ground.exact import Exact
from ..text.quoting import quote
from ..text.views import CAREFUL
from .fields import Field
from .outcome import Outcome, held, unknown
from .table import MatcherType

_COMMON = ("field", "target")
_PLACES = 10**4


def integers(vector: object, what: str) -> list:
    """A vector's exact values, all scaled by one power of two. Raises GatekitError for what is no vector, is empty, or has no direction."""
    if not isinstance(vector, list) or not all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in vector):
        raise GatekitError(f"the recorded vector of {what} is no list of numbers")
    if not any(vector):
        raise GatekitError(f"the recorded vector of {what} is {'all zeros' if vector else 'empty'}: it has no direction to compare")
    ratios = [item.as_integer_ratio() for item in vector]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios]


def reaches(dot: int, squares: int, threshold: Exact) -> bool:
    """Whether dot / sqrt(squares) is at least the threshold."""
    left, right = dot * threshold.denominator, threshold.numerator
    if (left < 0) != (right < 0):
        return right < 0
    return left * left >= right * right * squares if right >= 0 else left * left <= right * right * squares


def four_decimals(dot: int, squares: int) -> str:
    """dot / sqrt(squares), rounded half up to four decimals."""
    doubled = _root(4 * dot * dot * _PLACES * _PLACES // squares)
    value = Exact((doubled + 1) // 2, _PLACES)
    return ("-" if dot < 0 and value.numerator else "") + value.decimal(4)


def _root(number: int) -> int:
    """The integer square root (Newton's method from above)."""
    if number < 2:
        return number
    guess = 1 << (number.bit_length() + 1) // 2
    while True:
        better = (guess + number // guess) // 2
        if better >= guess:
            return guess
        guess = better


def _judged(reading, dot: int, squares: int, threshold: Exact, golden: str, words: str) -> Outcome:
    score = four_decimals(dot, squares)
    if reaches(dot, squares, threshold):
        return held(reading, reason=f"{words} {score}")
    return Outcome("fail", f"{words} {score}, below {threshold.decimal(4)}", golden, reading.answer)


def _threshold(values: dict) -> Exact:
    threshold = values["threshold"]
    if is_blank(values["golden_text"]):
        raise CaseError("the golden text is empty once it is read", path=("golden_text",))
    if threshold.numerator > threshold.denominator or not threshold.numerator:
        raise CaseError("threshold is above 0 and at most 1", path=("threshold",))
    return threshold


def _embedding_similarity(values: dict):
    golden, model, threshold = values["golden_text"], values["model"], _threshold(values)
    golden_digest = digest(golden)
    is_part = values["field"] is not None  # the shorthand "output" is the vector of the whole

    def check(reading):
        recorded = (reading.sample.fields.get("embeddings") or {}).get(model)
        if not isinstance(recorded, dict):
            return unknown(f"no vectors of model {quote(model)} were recorded with the sample", golden)
        if recorded.get("golden_sha256", golden_digest) not in (golden_digest, golden_digest.partition(":")[2]):
            return unknown("the golden vector was recorded for another golden text", golden)
        vectors = recorded.get(digest(reading.answer), None if is_part else recorded.get("output")), recorded.get("golden", recorded.get(golden_digest))
        for vector, what in zip(vectors, ("this output", "the golden text")):
            if vector is None:
                return unknown(f"no vector of model {quote(model)} was recorded for {what}", golden)
        left, right = (integers(vector, what) for vector, what in zip(vectors, ("the output", "the golden text")))
        if len(left) != len(right):
            raise GatekitError(f"the recorded vectors have {len(left)} and {len(right)} numbers: they are not of one model")
        squares = sum(item * item for item in left) * sum(item * item for item in right)
        return _judged(reading, sum(one * other for one, other in zip(left, right)), squares, threshold, golden, "similarity")

    return check


def _grams(text: str, size: int) -> dict:
    counts: dict = {}
    padded = f" {text} "
    for at in range(max(1, len(padded) - size + 1)):
        gram = padded[at : at + size]
        counts[gram] = counts.get(gram, 0) + 1
    return counts


def _text_similarity(values: dict):
    from ..text.views import Part, fold

    golden, size, threshold = values["golden_text"], values["n"], _threshold(values)
    if not 1 <= size <= 10:
        raise CaseError("n is a number of characters from 1 to 10", path=("n",))
    sought = _grams(fold(Part(golden, 0, len(golden)), CAREFUL), size)
    square = sum(count * count for count in sought.values())

    def check(reading):
        view = reading.view(CAREFUL)
        found = _grams(view.text[: view.main], size)
        dot = sum(count * found.get(gram, 0) for gram, count in sought.items())
        return _judged(reading, dot, square * sum(count * count for count in found.values()), threshold, golden, "lexical similarity")

    return check


_GOLDEN = Field("golden_text", "text", "the text that the answer is compared with")
_THRESHOLD = Field("threshold", "number", "the least similarity, above 0 and at most 1")

TYPES = (
    MatcherType(
        "embedding_similarity",
        4,
        "The recorded vectors of the answer and of the golden text point the same way: their cosine reaches the threshold.",
        (_GOLDEN, _THRESHOLD, Field("model", "text", "the model whose vectors are asked for")),
        _embedding_similarity,
        _COMMON,
    ),
    MatcherType(
        "text_similarity",
        4,
        "The answer shares its letters with the golden text: the cosine of the counts of their character n-grams. It knows nothing of meaning: a denial is near.",
        (_GOLDEN, _THRESHOLD, Field("n", "integer", "the length of the n-grams in characters", 3)),
        _text_similarity,
        _COMMON,
    ),
)
