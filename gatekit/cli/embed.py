"""`embed`: records the vectors that similarities ask for and nobody recorded yet, through a function of the user's. Nothing else ever calls it."""
from __future__ import annotations

from ..data.sample import Sample
from ..golden.folder import Folder
from ..golden.suite import Selection, Suite
from ..golden.vectors import FILE, Vectors, similarities, texts_wanted
from ..ground.canonical import digest
from ..ground.errors import GatekitError
from ..ground.files import is_folder, join, write_file
from ..ground.vectors import check_vector, spelt_digest
from ..matchers.custom import said
from ..matchers.similarity import GOLDEN_DIGEST, ambiguous_names, vectors_of
from ..text.quoting import quote
from .candidate import aside, function_named, import_plugins
from .options import HELP_OPTION, PLUGIN, Option, UsageError, option_lines, parse
from .playing import as_text

OPTIONS = (
    Option("--embedder", "MODULE:FUNCTION", "a function that takes a list of texts and gives a list of vectors; needed"),
    Option("--model", "NAME", "only the vectors of this model; needed where the set asks for several"),
    PLUGIN,
    HELP_OPTION,
)
HELP = """\
usage: python -m gatekit embed FOLDER --embedder MODULE:FUNCTION

Record the missing vectors of a golden set in embeddings.jsonl, by one call of a function of yours.

options:
{options}

exit codes: 0 all vectors are recorded, 2 nothing asks for any, 4 something could not be read or the
function failed
"""


class _Collector(Suite):
    """Goes through the samples of a set as a suite does, and keeps their texts in the place of judging them."""

    __slots__ = ("texts",)

    def add(self, sample: Sample) -> None:
        for case in self.cases:
            if case.id == sample.case and not case.deprecated and sample.output is not None:
                open_names = ambiguous_names(similarities(case))
                recorded = {model: vectors_of(each) for model, each in (sample.fields.get("embeddings") or {}).items()}
                for model, text, name in texts_wanted(case, sample):
                    wanted, own = self.texts.setdefault(model, {}), recorded.get(model, {})
                    is_it = (model, name) not in open_names
                    if name == "golden" and GOLDEN_DIGEST in own:
                        is_it = spelt_digest(str(own[GOLDEN_DIGEST])) == digest(text)
                    if digest(text) not in own and not (name in own and is_it):
                        wanted[text] = None


def embed(words: list) -> tuple:
    """Run the command; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if len(paths) != 1 or not is_folder(paths[0]):
        raise UsageError("name one folder of cases: python -m gatekit embed FOLDER --embedder MODULE:FUNCTION")
    if not given["embedder"]:
        raise UsageError("name the function that makes the vectors: --embedder MODULE:FUNCTION")
    import_plugins(given["plugin"])
    folder = Folder(paths)
    collector = _Collector(folder, Selection())
    collector.texts = {}
    collector.add_all()
    vectors = folder.vectors or Vectors()
    errors = collector.errors + vectors.errors
    if errors:
        raise errors[0]
    models = [given["model"]] if given["model"] else sorted(collector.texts)
    if len(models) > 1:
        raise UsageError(f"the set asks for vectors of {', '.join(map(quote, models))}: name one by --model, and its embedder")
    texts = [text for model in models for text in collector.texts.get(model, {}) if (model, digest(text)) not in vectors.known]
    if not models or models[0] not in collector.texts:
        return 2, as_text(["no similarity of this set asks for a vector" + (f" of model {models[0]}" if models else "")])
    if texts:
        for text, vector in zip(texts, _vectors(function_named(given["embedder"], "--embedder"), texts, vectors.lengths.get(models[0]))):
            vectors.known[models[0], digest(text)] = vector
        write_file(join(paths[0], FILE), vectors.text().encode("utf-8", "backslashreplace"), FILE)
    return 0, as_text([f"{len(texts)} vectors of model {models[0]} recorded in {FILE}"])


def _number(item: object) -> object:
    """A number as JSON has it, of whatever type; a text is left as it is, and refused with its vector."""
    return item if isinstance(item, (int, str)) else float(item)


def _vectors(function, texts: list, length: int | None) -> list:
    try:
        given = aside(function, texts)
        vectors = [[_number(item) for item in vector] for vector in given]
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise GatekitError(f"the embedder failed: {said(error)}") from None
    if len(vectors) != len(texts):
        raise GatekitError(f"the embedder gave {len(vectors)} vectors for {len(texts)} texts: it gives one for each, in their order")
    for vector in vectors:
        check_vector(vector, "a text")
    if len({len(vector) for vector in vectors} | {length or len(vectors[0])}) > 1:
        raise GatekitError("the embedder gave vectors of different lengths: they are not of one model")
    return vectors
