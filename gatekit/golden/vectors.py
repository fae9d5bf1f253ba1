"""Recorded embedding vectors beside a set: `embeddings.jsonl`, one JSON object a line.

    {"model": "tiny-3", "text_sha256": "sha256:...", "vector": [0.1, ...]}

A vector is known by its model and the digest of the text that it was made of, so it serves every sample and golden text with just that text.
The command `embed` writes the file; judging only reads it. A digest may be spelt with or without `sha256:`, in small or large letters.
"""
from __future__ import annotations

from ..data.reading import Reading
from ..data.redaction import Redaction
from ..data.sample import Sample
from ..formats.strict_json import read_json
from ..ground.canonical import canonical, digest, same
from ..ground.errors import CaseError, GatekitError
from ..ground.files import read_lines
from ..ground.vectors import check_vector, spelt_digest
from ..matchers.matcher import texts_looked_at
from ..matchers.similarity import GOLDEN_DIGEST, vectors_of
from .settings import below

FILE = "embeddings.jsonl"
_FIELDS = {"model", "text_sha256", "vector"}


def similarities(case) -> list:
    """The matchers of a case that ask for vectors."""
    rules = case.judging.rules if case.judging else ()
    return [matcher for rule in rules for matcher in rule.matcher.every() if matcher.type == "embedding_similarity"]


def texts_wanted(case, sample: Sample):
    """Yield the `(model, text, shorthand)` of each vector that a case asks for to judge a sample: `golden` for a golden text, `output` for one of the sample."""
    reading = Reading(sample, sample.output, case.judging.reasoning, case.judging.allow_empty)
    for matcher in similarities(case):
        model = matcher.fields["model"]
        if "golden_vector" not in matcher.fields:
            yield model, matcher.fields["golden_text"], "golden"
        for text in texts_looked_at(matcher, reading):
            yield model, text, "output"


class Vectors:
    """The vectors of a set by model and digest, and the errors that were met while reading them."""

    __slots__ = ("errors", "known", "lengths")

    def __init__(self) -> None:
        self.errors: list = []
        self.known: dict = {}
        self.lengths: dict = {}

    def read(self, path: str, name: str, redaction: Redaction) -> None:
        """Read a file. A line that cannot be meant is an error of the set, and the others are read. `redaction` is that of the run."""
        try:
            for number, line in read_lines(path, name):
                if line.isspace():
                    continue
                try:
                    self._take(read_json(line))
                except GatekitError as error:
                    self.errors.append(redaction.error_of_line(error, line, name, number))
        except GatekitError as error:
            self.errors.append(error)

    def _take(self, fields: object) -> None:
        if not isinstance(fields, dict) or set(fields) != _FIELDS or not isinstance(fields["model"], str) or not isinstance(fields["text_sha256"], str):
            raise CaseError(f"a recorded vector is a JSON object with {', '.join(sorted(_FIELDS))}")
        model, vector, text = fields["model"], fields["vector"], spelt_digest(fields["text_sha256"])
        if text is None:
            raise CaseError("text_sha256 is the SHA-256 of the text, 64 hexadecimal digits", path=("text_sha256",))
        check_vector(vector, "this text")
        if len(vector) != self.lengths.setdefault(model, len(vector)):
            raise CaseError(f"the vector has {len(vector)} numbers, and those of this model before it have {self.lengths[model]}", path=("vector",))
        if (model, text) in self.known and not same(self.known[model, text], vector):
            raise CaseError("there is another vector of this model and text already: a vector is recorded once")
        self.known[model, text] = vector

    def joined(self, sample: Sample, case) -> Sample:
        """The sample with the vectors that a case asks for and that it does not bring along.

        Raises CaseError, with the place in the sample as `path`, where a vector that the sample brings cannot be one, or is not as long as the others of its model.
        """
        given = sample.fields.get("embeddings") or {}
        found = {model: dict(below("embeddings", lambda: below(model, lambda: vectors_of(recorded)))) for model, recorded in given.items()}
        golden = [matcher.fields for matcher in similarities(case) if "golden_vector" in matcher.fields]
        lengths = {**self.lengths, **{fields["model"]: len(fields["golden_vector"]) for fields in golden}}
        for model, recorded in found.items():
            for name, vector in recorded.items():
                check = _check_digest if name == GOLDEN_DIGEST else _check
                below("embeddings", lambda: below(model, lambda: below(name, lambda: check(vector, lengths, model))))
        if sample.output is not None and self.known:
            for model, text, _ in texts_wanted(case, sample):
                key = digest(text)
                if (model, key) in self.known:
                    found.setdefault(model, {}).setdefault(key, self.known[model, key])
        return Sample.from_json({**sample.fields, "embeddings": found}) if found else sample

    def text(self) -> str:
        """The text of the file: a vector a line, by model and digest."""
        return "".join(canonical({"model": model, "text_sha256": key, "vector": self.known[model, key]}) + "\n" for model, key in sorted(self.known))


def _check(vector: object, lengths: dict, model: str) -> None:
    check_vector(vector, "this text")
    if len(vector) != lengths.setdefault(model, len(vector)):
        raise CaseError(f"the vector has {len(vector)} numbers, and others of this model have {lengths[model]}: they are not of one model")


def _check_digest(given: object, lengths: dict, model: str) -> None:
    if not isinstance(given, str) or spelt_digest(given) is None:
        raise CaseError("golden_sha256 is the SHA-256 of the golden text, 64 hexadecimal digits")
