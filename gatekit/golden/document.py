"""A file that holds one document, as JSON or as YAML by its name, and where in it an error stands."""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import SUBJECTS
from ..formats.strict_json import read_json
from ..ground.canonical import json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.files import read_bytes, text_of

YAML_ENDINGS = (".yaml", ".yml")


def read_document(path: str, name: str, make, redaction: Redaction | None = None):
    """What `make` makes of the mapping in a file that is shown as `name`.

    Raises GatekitError with the file, and with the line and column of what is wrong: in the text, or of the field that an error's path names. `redaction` is
    that of the run: it numbers the secrets that the error's words would repeat.
    """
    text = text_of(read_bytes(path, name), name)
    is_yaml = name.lower().endswith(YAML_ENDINGS)
    try:
        mapping = _reader(is_yaml)(text)
        if not isinstance(mapping, dict):
            samples = isinstance(mapping, list) and mapping and isinstance(mapping[0], dict) and mapping[0].keys() & SUBJECTS
            mend = ": samples are lines of a *.jsonl file, one JSON value on each line" if samples else ""
            raise CaseError(f"the file holds {json_kind(mapping)}, and a mapping is wanted{mend}")
        return make(mapping)
    except GatekitError as error:
        raise (redaction or Redaction()).of_text(text).error(_placed(error, text, is_yaml)).located(file=name) from None


def placed(error: GatekitError, path: str, name: str) -> GatekitError:
    """An error about a file that is shown as `name`, with the line and column of the field that its path names, where the file can be read."""
    try:
        error = _placed(error, text_of(read_bytes(path, name), name), name.lower().endswith(YAML_ENDINGS))
    except GatekitError:
        pass  # what is wrong is known, and only its line is not
    return error.located(file=name)


def lines_of(paths: dict, path: str, name: str) -> dict:
    """The lines in which fields stand in a file that is shown as `name`: by what `paths` calls them; nothing where the file cannot be read any more."""
    try:
        text = text_of(read_bytes(path, name), name)
    except GatekitError:
        return {}
    places = _places_of(name.lower().endswith(YAML_ENDINGS))(text, list(paths.values()))
    return {called: line for called, (line, _) in zip(paths, places)}


def _placed(error: GatekitError, text: str, is_yaml: bool) -> GatekitError:
    if error.line is not None:
        return error
    [(line, column)] = _places_of(is_yaml)(text, [error.path])
    return type(error)(error.message, file=error.file, line=line, column=column, path=error.path)


def _reader(is_yaml: bool):
    if not is_yaml:
        return read_json
    from ..formats.strict_yaml import read_yaml

    return read_yaml


def _places_of(is_yaml: bool):
    if is_yaml:
        from ..formats.strict_yaml import places_of
    else:
        from ..formats.json_places import places_of
    return places_of
