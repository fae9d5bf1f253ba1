"""Recorded embedding vectors beside a set: `embeddings.jsonl`, one JSON object a line.

    {"model": "tiny-3", "text_sha256": "sha256:...", "vector": [0.1, ...]}

A vector is known by its model and the digest of the text that it was made of, so it serves every sample and golden text with just that text.
The command `embed` writes the file; judging only reads it.
"""
from __future__ import annotations

from ..data.reading import Reading
from ..data.sample import Sample
from ..formats.strict_json import read_json
from ..ground.canonical import canonical, digest, same
from ..ground.errors import CaseError, GatekitError
from ..ground.files import read_lines

FILE = "embeddings.jsonl"
_FIELDS = {"model", "text_sha256", "vector"}


def wanted_by(case) -> list:
    """The `(model, golden text)` of each similarity that a case asks for."""
    rules = case.judging.rules if case.judging else ()
    return [
        (matcher.fields["model"], matcher.fields["golden_text"])
        for rule in rules
        for matcher in rule.matcher.every()
        if matcher.type == "embedding_similarity"
    ]


def texts_of(sample: Sample, reasoning: str | None = None) -> list:
    """The texts of a sample that a similarity may be asked of: the answer, and the whole output."""
    return list(dict.fromkeys((Reading(sample, sample.output, reasoning).answer, sample.text)))


class Vectors:
    """The vectors of a set by model and digest, and the errors that were met while reading them."""

    __slots__ = ("errors", "known")

    def __init__(self) -> None:
        self.errors: list = []
        self.known: dict = {}

    def read(self, path: str, name: str) -> None:
        """Read a file. A line that cannot be meant is an error of the set, and the others are read."""
        try:
            for number, line in read_lines(path, name):
                if line.isspace():
                    continue
                try:
                    self._take(read_json(line))
                except GatekitError as error:
                    self.errors.append(type(error)(error.message, file=name, line=number, path=error.path))
        except GatekitError as error:
            self.errors.append(error)

    def _take(self, fields: object) -> None:
        if not isinstance(fields, dict) or set(fields) != _FIELDS or not isinstance(fields["model"], str) or not isinstance(fields["text_sha256"], str):
            raise CaseError(f"a recorded vector is a JSON object with {', '.join(sorted(_FIELDS))}")
        key = (fields["model"], fields["text_sha256"])
        if key in self.known and not same(self.known[key], fields["vector"]):
            raise CaseError("there is another vector of this model and text already: a vector is recorded once")
        self.known[key] = fields["vector"]

    def joined(self, sample: Sample, wanted: list) -> Sample:
        """The sample with the vectors that it needs and does not bring along."""
        if not self.known or sample.output is None:
            return sample
        embeddings = dict(sample.fields.get("embeddings") or {})
        for model, golden in wanted:
            own = dict(embeddings.get(model) or {}) if isinstance(embeddings.get(model), (dict, type(None))) else None
            if own is None:
                continue
            for text, name in [(golden, "golden"), *((text, "output") for text in texts_of(sample))]:
                vector = self.known.get((model, digest(text)))
                if vector is not None and name not in own:
                    own.setdefault(digest(text), vector)
            if own:
                embeddings[model] = own
        return Sample.from_json({**sample.fields, "embeddings": embeddings}) if embeddings else sample

    def text(self) -> str:
        """The text of the file: a vector a line, by model and digest."""
        return "".join(canonical({"model": model, "text_sha256": key, "vector": self.known[model, key]}) + "\n" for model, key in sorted(self.known))
