"""Tier 4, similarity: how near a text is to a golden one, by recorded embedding vectors or by its letters. No model is called.

The cosine of two vectors is never computed: with integers dot, A = |a|^2 and B = |b|^2 (the vectors' exact values, scaled alike), `cosine >= p/q` is
`dot^2 q^2 >= p^2 A B` where both sides have one sign. So a verdict does not depend on a rounding. Four decimals are printed, rounded half up from the
exact value.

A vector counts only for the model and the text that it was made of: where none is recorded for them, it cannot be told. It is sought by the digest of the
text first; then a sample's `output` stands for the text that is looked at and its `golden` for the golden text, where a case leaves no doubt which these are.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..data.sample import Sample
from ..ground.canonical import digest
from ..ground.errors import CaseError, GatekitError, nearest
from ..ground.exact import Exact
from ..ground.vectors import integers, spelt_digest
from ..text.quoting import quote
from ..text.views import CAREFUL
from .fields import Field
from .outcome import Outcome, held, unknown
from .table import MatcherType

_COMMON = ("field", "target")
SHORTHAND = ("output", "golden")
GOLDEN_DIGEST = "golden_sha256"
AMBIGUOUS = "ambiguous"  # stands in the place of a vector that nothing is told by
_PLACES = 10**4


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
    if is_blank(values["golden_text"]):
        raise CaseError("the golden text is empty once it is read", path=("golden_text",))
    return values["threshold"]


def vectors_of(recorded: object) -> dict:
    """What a sample brings of one model: `output`, `golden`, `golden_sha256`, and vectors by the digest of their text in its one spelling.

    Raises CaseError for any other name, and for two that are one.
    """
    found: dict = {}
    for name, vector in recorded.items():
        key = name if name in SHORTHAND or name == GOLDEN_DIGEST else spelt_digest(name)
        if key is None:
            near = nearest(name, (*SHORTHAND, GOLDEN_DIGEST))
            hint = f"did you mean {quote(near)}?" if near else "write output, golden, or the sha256 of its text"
            raise CaseError(f"nothing is recorded as {quote(name)}: {hint}", path=(name,))
        if key in found:
            raise CaseError("the vector of one text is recorded twice", path=(name,))
        found[key] = vector
    return found


def ambiguous_names(matchers) -> set:
    """The `(model, name)` of what a sample may record by a shorthand and some matchers together leave open.

    `golden` is, where the matchers of one model have several golden texts; `output`, where they look at several texts of the output.
    """
    sought: dict = {}
    for matcher in matchers:
        if matcher.type == "embedding_similarity":
            fields, model = matcher.fields, matcher.fields["model"]
            sought.setdefault((model, "golden"), set()).add(fields["golden_text"])
            looked_at = sought.setdefault((model, "output"), set())
            looked_at.add((fields.get("field"), fields.get("target", "output")))
            if "[*]" in fields.get("field", ""):
                looked_at.add("every")
    return {key for key, texts in sought.items() if len(texts) > 1}


def without_ambiguous(sample: Sample, names: set) -> Sample:
    """The sample as it may be judged: what it records by an ambiguous shorthand is marked, so that nothing is told by it."""
    embeddings = sample.fields.get("embeddings")
    if not embeddings:
        return sample
    marked = {
        model: {
            name: AMBIGUOUS if (model, name) in names and not (name == "golden" and GOLDEN_DIGEST in recorded) else vector for name, vector in recorded.items()
        }
        for model, recorded in embeddings.items()
    }
    return Sample.from_json({**sample.fields, "embeddings": marked})


def _golden_vector(values: dict, golden_digest: str) -> list | None:
    """The golden side that is recorded in the case: held to the golden text, which else could change without it."""
    vector, given = values["golden_vector"], values[GOLDEN_DIGEST]
    if (vector is None) != (given is None):
        words = "golden_vector and golden_sha256 go together: the vector, and the sha256 of the golden text that it was made of"
        raise CaseError(words, path=(GOLDEN_DIGEST,) if vector is None else ("golden_vector",))
    if given not in (None, golden_digest):
        raise CaseError("golden_sha256 is not the sha256 of golden_text: the vector was made of another text, so record it anew", path=(GOLDEN_DIGEST,))
    return vector


def _embedding_similarity(values: dict):
    golden, model, threshold = values["golden_text"], values["model"], _threshold(values)
    golden_digest = digest(golden)
    own = _golden_vector(values, golden_digest)

    def check(reading):
        recorded = (reading.sample.fields.get("embeddings") or {}).get(model)
        if not isinstance(recorded, dict):
            return unknown(f"no vectors of model {quote(model)} were recorded with the sample", golden)
        found = vectors_of(recorded)
        vectors = found.get(digest(reading.answer), found.get("output")), own if own is not None else found.get(golden_digest, found.get("golden"))
        if vectors[1] is not None and vectors[1] is found.get("golden") and spelt_digest(str(found.get(GOLDEN_DIGEST, golden_digest))) != golden_digest:
            return unknown("the golden vector was recorded for another golden text", golden)
        for vector, name, what in zip(vectors, SHORTHAND, ("this output", "the golden text")):
            if vector is None:
                return unknown(f"no vector of model {quote(model)} was recorded for {what}", golden)
            if vector == AMBIGUOUS:
                return unknown(f"what is recorded as {quote(name)} could be of several texts of this case: record it by the sha256 of its text", golden)
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
    sought = _grams(fold(Part(golden, 0, len(golden)), CAREFUL), size)
    square = sum(count * count for count in sought.values())

    def check(reading):
        view = reading.view(CAREFUL)
        found = _grams(view.text[: view.main], size)
        dot = sum(count * found.get(gram, 0) for gram, count in sought.items())
        return _judged(reading, dot, square * sum(count * count for count in found.values()), threshold, golden, "lexical similarity")

    return check


_GOLDEN = Field("golden_text", "text", "the text that the answer is compared with")
_THRESHOLD = Field("threshold", "share", "the least similarity, above 0 and at most 1")

TYPES = (
    MatcherType(
        "embedding_similarity",
        4,
        "The recorded vectors of the answer and of the golden text point the same way: their cosine reaches the threshold.",
        (
            _GOLDEN,
            _THRESHOLD,
            Field("model", "text", "the model whose vectors are asked for"),
            Field("golden_vector", "vector", "the vector of the golden text, where it is not recorded with the samples or in embeddings.jsonl", None),
            Field(GOLDEN_DIGEST, "digest", "with golden_vector: the sha256 of the text that it was made of", None),
        ),
        _embedding_similarity,
        _COMMON,
    ),
    MatcherType(
        "text_similarity",
        4,
        "The answer shares its letters with the golden text: the cosine of the counts of their character n-grams. It knows nothing of meaning: a denial is near.",
        (_GOLDEN, _THRESHOLD, Field("n", "integer", "the length of the n-grams in characters", 3, bounds=(1, 10))),
        _text_similarity,
        _COMMON,
    ),
)
