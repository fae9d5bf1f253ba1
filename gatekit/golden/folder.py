"""What lies below a path: case files, sample files, and what each is told by.

    file                                         what it is
    gatekit.yaml (or .yml, .json)                what the cases below its folder share (settings.py)
    overrides.jsonl, reviews.jsonl               what people decided (decisions.py)
    embeddings.jsonl                             recorded vectors (vectors.py)
    gatekit.lock, equivalents.jsonl,
    *.recording.json, *.jobs.jsonl               parts of a set that no verdict uses
    *.yaml, *.yml, *.json                        cases; a report of the program's own is passed over
    *.jsonl                                      samples, one JSON object a line
    anything else                                passed over
"""
from __future__ import annotations

import re

from ..formats.json_lexis import unescape
from ..ground.errors import CaseError, GatekitError
from ..ground.files import base_name, files_below, is_file, is_folder, is_there, native, read_bytes, spelt, text_of
from .case import read_case
from .settings import FILES as SETTINGS_FILES
from .settings import read_settings, settings_above

_ID = r'(?m)(?:"id"\s*:\s*"((?:[^"\\]|\\.)*)"|^id:\s*["\']?([^"\'#\n]*?)["\']?\s*(?:#.*)?$)'

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .case import Case

_DECISIONS = ("overrides.jsonl", "reviews.jsonl")
_VECTORS = "embeddings.jsonl"
_PASSED_OVER = ("gatekit.lock", "equivalents.jsonl")
_PASSED_OVER_ENDINGS = (".recording.json", ".jobs.jsonl")


def kind_of(name: str) -> str | None:
    """What a file is by its name: `case`, `samples`, `settings`, `decisions`, `vectors`, or None for one that is passed over."""
    leaf = name.rpartition("/")[2].lower()
    if leaf in _PASSED_OVER or leaf.endswith(_PASSED_OVER_ENDINGS):
        return None
    if leaf in SETTINGS_FILES:
        return "settings"
    if leaf in _DECISIONS:
        return "decisions"
    if leaf == _VECTORS:
        return "vectors"
    if leaf.endswith((".yaml", ".yml", ".json")):
        return "case"
    return "samples" if leaf.endswith(".jsonl") else None


class Folder:
    """The cases and sample files of one set, and the errors that were met while reading it.

    `cases` are in the order of their files, `sample_files` are `(path, name)`. `broken` holds the ids of cases that could not be read, and None where
    not even an id was found: a sample of such a case is no stranger. `decisions` are those of people and `vectors` the recorded ones, None where there is no file of them. `read` are the paths of all that was taken for a case or for samples.
    """

    __slots__ = ("cases", "sample_files", "errors", "broken", "read", "decisions", "vectors")

    def __init__(self, paths: list) -> None:
        """Read all that lies below some paths. A path that is not there is an error of the set, and the others are read."""
        self.cases: list = []
        self.sample_files: list = []
        self.errors: list = []
        self.broken: set = set()
        self.read: list = []
        self.decisions = None
        self.vectors = None
        known: dict = {}
        found = list(self._files(list(paths)))
        settings: dict = {}  # by the folder that they hold for
        for path, name, _ in found:
            if kind_of(name) == "settings":
                self._take_settings(path, name, name.rpartition("/")[0], settings)
        for path, name, above in found:
            self._take(path, name, known, above + _on_the_way(name, settings))

    def _files(self, paths: list):
        seen: set = set()
        for given in paths:
            prefix = spelt(given).rstrip("/") + "/" if len(paths) > 1 else ""
            above: tuple = ()
            if is_folder(given) or is_file(given):
                above = self._settings_above(given)
            if is_folder(given):
                found = sorted(files_below(native(given)), key=lambda entry: entry[1])
            elif is_file(given):
                found, prefix = [(given, base_name(given), None)], prefix and spelt(given)[: -len(base_name(given))]
                if kind_of(found[0][1]) is None:
                    self.errors.append(GatekitError("this is no case (*.yaml, *.json) and no file of samples (*.jsonl)", file=prefix + found[0][1]))
            else:
                self.errors.append(GatekitError("there is no such file or folder: name a folder of cases, or a case file", file=spelt(given)))
                continue
            for path, name, fault in found:
                if fault is None and kind_of(name) and not is_file(path):
                    fault = "it is no regular file" if is_there(path) else "the file cannot be read: it is not there"
                if fault is not None:
                    self.errors.append(GatekitError(fault, file=prefix + name))
                elif path not in seen:
                    seen.add(path)
                    yield path, prefix + name, above

    def _settings_above(self, given: str) -> tuple:
        """The settings of the folders that a path lies in, the outermost first: a part of a set is judged by the rules of the whole."""
        found: dict = {}
        settings_above(native(given), lambda path, name: self._take_settings(path, name, name, found))
        return tuple(found.values())

    def _take_settings(self, path: str, name: str, folder: str, settings: dict) -> None:
        self.read.append(path)
        try:
            if folder in settings:
                raise CaseError("the folder has its settings in another file already: keep one of them", file=name)
            settings[folder] = read_settings(path, name)
        except GatekitError as error:
            # Without its settings a case would be judged by fewer rules than it has: none below the folder is.
            self.errors.append(error)
            settings[folder] = None

    def _take(self, path: str, name: str, known: dict, shared: tuple) -> None:
        kind = kind_of(name)
        if kind in ("samples", "case", "decisions", "vectors"):
            self.read.append(path)
        if kind == "vectors":
            if self.vectors is None:
                from .vectors import Vectors

                self.vectors = Vectors()
            self.vectors.read(path, name)
        if kind == "decisions":
            if self.decisions is None:
                from .decisions import Decisions  # few sets have any, and those without start sooner

                self.decisions = Decisions()
            self.decisions.read(path, name)
        if kind == "samples":
            self.sample_files.append((path, name))
        elif kind == "case":
            if None in shared:
                self.broken.add(_id_in(path, name))
                return
            try:
                case = read_case(path, name, shared)
                if case is None:
                    return
                if case.id in known:
                    raise CaseError(f"the id of this case is taken: {known[case.id]} has it too; give each case an id of its own", file=name, path=("id",))
            except GatekitError as error:
                self.errors.append(error)
                self.broken.add(_id_in(path, name))
            else:
                known[case.id] = name
                self.cases.append(case)


def _on_the_way(name: str, settings: dict) -> tuple:
    """The settings of the folders from the path that was given down to a file, the outermost first; None for those that could not be read."""
    if not settings:
        return ()
    folders, at = [""], name.find("/")
    while at >= 0:
        folders.append(name[:at])
        at = name.find("/", at + 1)
    return tuple(settings[folder] for folder in folders if folder in settings)


def _id_in(path: str, name: str) -> str | None:
    """The id that a broken case file gives, as far as it can be seen."""
    try:
        found = re.search(_ID, text_of(read_bytes(path, name), name))
    except GatekitError:
        return None
    return unescape(found.group(1) or found.group(2) or "") or None if found else None


def load(*paths: str) -> Iterator[Case]:
    """Yield the cases below some folders or in some files, in the order of the files.

    Raises GatekitError, with file and line, for the first file that cannot be read or case that cannot be meant.
    """
    folder = Folder([str(path) for path in paths])
    if folder.errors:
        raise folder.errors[0]
    if not folder.cases:
        raise GatekitError("there is no case below " + ", ".join(spelt(str(path)) for path in paths))
    yield from folder.cases
