"""What lies below a path: case files, sample files, and what each is told by.

    file                                         what it is
    gatekit.yaml (or .yml, .json)                what the cases below its folder share (settings.py); with `cases` it is a manifest: it lists them
    overrides.jsonl, reviews.jsonl               what people decided (decisions.py)
    embeddings.jsonl                             recorded vectors (vectors.py)
    gatekit.lock                                 what was agreed on (lock.py)
    *.recording.json                             recorded runs of scenarios: each a sample of the case that it names
    equivalents.jsonl, *.jobs.jsonl              parts of a set that no verdict uses
    *.fixture.yaml (or .yml, .json)              what runs of a workflow are given
    *.yaml, *.yml, *.json                        cases; a report of the program's own is passed over
    *.jsonl                                      samples, one JSON object a line
    anything else                                passed over

Where a case file is given by itself, the samples, recordings, decisions, vectors and the lock beside it are read too, as far as they are of that case.
"""
from __future__ import annotations

import re

from ..data.redaction import Redaction
from ..formats.json_lexis import unescape
from ..ground.canonical import json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.files import base_name, files_below, files_beside, folder_of, folders_above, is_absolute, is_file, is_folder, is_there, join, native, read_bytes, spelt, text_of
from ..text.quoting import quote
from .case import read_case
from .document import lines_of, placed
from .settings import FILES as SETTINGS_FILES
from .settings import masks_of, read_settings, settings_above

_ID = r'(?m)(?:"id"\s*:\s*"((?:[^"\\]|\\.)*)"|^id:\s*["\']?([^"\'#\n]*?)["\']?\s*(?:#.*)?$)'

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .case import Case

_DECISIONS = ("overrides.jsonl", "reviews.jsonl")
_VECTORS = "embeddings.jsonl"
_LOCK = "gatekit.lock"
# What is read too where a case file is given by itself.
_BESIDE = ("decisions", "vectors", "lock", "samples", "recording")
_PASSED_OVER = ("equivalents.jsonl",)
_RECORDING = ".recording.json"
_PASSED_OVER_ENDINGS = (".jobs.jsonl", ".fixture.yaml", ".fixture.yml", ".fixture.json")


def kind_of(name: str) -> str | None:
    """What a file is by its name: `case`, `samples`, `settings`, `decisions`, `vectors`, `lock`, `recording`, or None for one that is passed over."""
    leaf = name.rpartition("/")[2].lower()
    if leaf in _PASSED_OVER or leaf.endswith(_PASSED_OVER_ENDINGS):
        return None
    if leaf.endswith(_RECORDING):
        return "recording"
    if leaf in SETTINGS_FILES:
        return "settings"
    if leaf in _DECISIONS:
        return "decisions"
    if leaf == _VECTORS:
        return "vectors"
    if leaf == _LOCK:
        return "lock"
    if leaf.endswith((".yaml", ".yml", ".json")):
        return "case"
    return "samples" if leaf.endswith(".jsonl") else None


# What a set is looked through for, as a user reads it where nothing of it is there.
LOOKED_FOR = (
    'looked for *.yaml, *.yml and *.json files with an "id" and rules, and for *.jsonl files with a "case" in each line;'
    " names that begin with a dot are passed over"
)


class Folder:
    """The cases, sample files and recordings of one set, and the errors that were met while reading it.

    `cases` are in the order of their files, `sample_files` and `recordings` are `(path, name, is_given)`: those that only lie beside a case file hold
    samples of others too. `broken` holds the ids of cases that could not be read (or are none of the set, as a manifest says), and None where not even an
    id was found: a sample of such a case is no stranger. `decisions` are those of people and `vectors` the recorded ones, None where there is no file of
    them. `locks` are `(path, name)` of the locks. `read` are the paths of all that was taken for a case or for samples. `paths` are those of the case files
    by their names. `redaction` hides what errors would repeat, with all that the set masks, and numbers it for the run.
    """

    __slots__ = (
        "cases", "sample_files", "recordings", "errors", "broken", "read", "decisions", "vectors", "locks", "paths", "redaction",
        "_root", "_names", "_settings", "_manifests",
    )  # fmt: skip

    def __init__(self, paths: list) -> None:
        """Read all that lies below some paths. A path that is not there is an error of the set, and the others are read."""
        self.cases: list = []
        self.sample_files: list = []
        self.recordings: list = []
        self.errors: list = []
        self.broken: set = set()
        self.read: list = []
        self.decisions = None
        self.vectors = None
        self.locks: list = []
        self.paths: dict = {}
        self.redaction = Redaction()
        self._root = _root(paths[0]) if len(paths) == 1 else ""
        self._names: set = set()
        self._settings: dict = {}  # by the folder that they hold for: (path, name, the settings or None)
        self._manifests: set = set()  # folders whose gatekit.yaml was given itself
        known: dict = {}
        found = self._files(list(paths))
        self._names.update(name for _, name, _ in found)
        for path, name, _ in found:
            if kind_of(name) == "settings":
                self._take_settings(path, name)
        listing = list(self._settings)
        for given in paths:
            if is_there(given):
                settings_above(native(given), self._take_settings)
        # What any settings of the set mask, the outermost first: so it is in what is told of a case that is broken, or not there, or not judged, too.
        known_settings = [settings for _, (_, _, settings) in sorted(self._settings.items()) if settings is not None]
        self.redaction = Redaction((), masks_of(known_settings), self.redaction)
        unlisted = self._unlisted(found, listing)
        for path, name, is_given in found:
            if path not in unlisted:
                self._take(path, name, known, is_given)

    def way_to(self, name: str) -> str:
        """The way to a file of the set from where the program was started, as far as the paths that were given say it; for any other file its name."""
        if name not in self._names:
            return name
        parts: list = []
        for part in (self._root + name).split("/"):
            if part == ".." and parts and parts[-1] != "..":
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        return "/".join(parts)

    def _files(self, paths: list) -> list:
        """Each file of the set once, in order, as `(path, name, whether it was given or lies below what was)`."""
        found: dict = {}
        for given in paths:
            prefix = spelt(given).rstrip("/") + "/" if len(paths) > 1 else ""
            entries, beside = (), ()
            if is_folder(given):
                entries = sorted(files_below(native(given)), key=lambda entry: entry[1])
            elif is_file(given):
                leaf = base_name(given)
                prefix = prefix and spelt(given)[: -len(leaf)]
                kind = kind_of(leaf)
                if kind == "settings":
                    entries = self._below_manifest(given, prefix + leaf)
                else:
                    entries = [(given, leaf, None)]
                if kind == "case":
                    beside = files_beside(given, lambda name: kind_of(name) in _BESIDE)
                if kind in (None, "lock"):
                    self.errors.append(GatekitError("this is no case (*.yaml, *.json) and no file of samples (*.jsonl)", file=prefix + leaf))
            else:
                self.errors.append(GatekitError("there is no such file or folder: name a folder of cases, or a case file", file=spelt(given)))
            for path, name, fault in entries:
                self._find(found, path, prefix + name, fault, True)
            for path, name in beside:
                self._find(found, path, prefix + name, None, False)
        return list(found.values())

    def _find(self, found: dict, path: str, name: str, fault: str | None, is_given: bool) -> None:
        if fault is None and kind_of(name) and not is_file(path):
            fault = "it is no regular file" if is_there(path) else "the file cannot be read: it is not there"
        key = join(folder_of(path), base_name(path))
        if fault is not None:
            self.errors.append(GatekitError(fault, file=name))
        elif key not in found or is_given and not found[key][2]:
            found[key] = (path, name, is_given)

    def _below_manifest(self, path: str, name: str) -> list:
        """What lies below the folder of a gatekit.yaml that was given itself: it must say which cases are meant."""
        settings = self._take_settings(path, name)
        if settings is not None and settings.cases is None:
            self.errors.append(GatekitError("it lists no cases, so it is no manifest: give its folder as the PATH, or list them under cases", file=name))
        if settings is None or settings.cases is None:
            return []
        self._manifests.add(folder_of(path))
        return sorted(files_below(folder_of(path)), key=lambda entry: entry[1])

    def _take_settings(self, path: str, name: str):
        """The settings of a file, read once; None where they cannot be read."""
        folder = folder_of(path)
        known = self._settings.get(folder)
        if known is not None and base_name(known[0]) == base_name(path):
            return known[2]
        self.read.append(path)
        self._names.add(name)
        settings = None
        try:
            if known is not None:
                raise CaseError("the folder has its settings in another file already: keep one of them", file=name)
            settings = read_settings(path, name, self.redaction)
        except GatekitError as error:
            # Without its settings a case would be judged by fewer rules than it has: none below the folder is.
            self.errors.append(error)
        self._settings[folder] = (path, name, settings)
        return settings

    def _settings_of(self, path: str) -> tuple:
        """The settings of all the folders that a file lies in, the outermost first; None for those that could not be read."""
        return tuple(self._settings[folder][2] for folder in folders_above(folder_of(path)) if folder in self._settings)

    def _unlisted(self, found: list, folders: list) -> set:
        """The paths of the case files that lie below one of these folders, and that its settings do not list."""
        unlisted: set = set()
        for folder in folders:
            file, shown_as, settings = self._settings[folder]
            if settings is None or settings.cases is None:
                continue
            met, way = set(), spelt(folder).rstrip("/") + "/"
            for path, name, _ in found:
                below = spelt(join(folder_of(path), base_name(path)))
                if kind_of(name) != "case" or not below.startswith(way):
                    continue
                by = [listed for listed in settings.cases if f"{below[len(way):]}/".startswith(listed.rstrip("/") + "/")]
                met.update(by)
                if not by:
                    unlisted.add(path)
                    self._pass_over(path, name, shown_as, folder in self._manifests)
            for place, listed in enumerate(settings.cases):
                if listed not in met:
                    there = is_there(join(folder, listed))
                    words = "there is no case below it" if there else "there is no such case file or folder"
                    self.errors.append(placed(CaseError(f"{words}: {quote(listed)}", path=("cases", place)), file, shown_as))
        return unlisted

    def _pass_over(self, path: str, name: str, settings: str, is_meant: bool) -> None:
        """A case file that is not listed is told, unless it was asked for the list alone: else a case could be forgotten in silence."""
        self.broken |= _ids_in(path, name) - {None}
        if not is_meant:
            self.errors.append(GatekitError(f"it is not among the cases that {settings} lists, so it is not judged: list it there, or move it elsewhere", file=name))

    def _take(self, path: str, name: str, known: dict, is_given: bool) -> None:
        kind = kind_of(name)
        if kind in ("samples", "case", "decisions", "vectors", "lock", "recording"):
            self.read.append(path)
        if kind == "vectors":
            if self.vectors is None:
                from .vectors import Vectors

                self.vectors = Vectors()
            self.vectors.read(path, name, self.redaction)
        if kind == "decisions":
            if self.decisions is None:
                from .decisions import Decisions  # few sets have any, and those without start sooner

                self.decisions = Decisions()
            self.decisions.read(path, name, is_given, self.redaction)
        if kind == "lock":
            self.locks.append((path, name))
        if kind == "recording":
            self.recordings.append((path, name, is_given))
        if kind == "samples":
            self.sample_files.append((path, name, is_given))
        elif kind == "case":
            shared = self._settings_of(path)
            if None in shared:
                self.broken |= _ids_in(path, name)
                return
            try:
                case = read_case(path, name, shared, self.redaction)
                if case is None:
                    return
                if case.id in known:
                    first = known[case.id]
                    line = lines_of({"id": ("id",)}, self.paths[first], first).get("id")
                    first = first if line is None else f"{first}:{line}"
                    raise placed(CaseError(f"the id of this case is taken: {first} has it too; give each case an id of its own", path=("id",)), path, name)
            except GatekitError as error:
                self.errors.append(error)
                self.broken |= _ids_in(path, name)
            else:
                known[case.id] = name
                self.paths[name] = path
                self.cases.append(case)


def _root(given: str) -> str:
    """The folder that the names of what lies below a path start from, as a way from where the program was started; empty for an absolute path."""
    if is_absolute(given):
        return ""
    shown = spelt(given)
    return (shown if is_folder(given) else shown.rpartition("/")[0]).rstrip("/") + "/"


def _ids_in(path: str, name: str) -> set:
    """The ids that a broken case file may give, as far as they can be seen (what its input holds may have ids too); None among them where there is none."""
    try:
        found = re.findall(_ID, text_of(read_bytes(path, name), name))
    except GatekitError:
        return {None}
    return {unescape(in_json or in_yaml) or None for in_json, in_yaml in found} or {None}


def load(*paths: str, deprecated: bool = True) -> Iterator[Case]:
    """Yield the cases below some folders or in some files, in the order of the files; without `deprecated` those that gate.

    Raises GatekitError, with file and line, for the first file that cannot be read or case that cannot be meant, and where there is no such case: a test
    that goes through the cases never goes through none. Raises CaseError for a `deprecated` that is neither True nor False.
    """
    if not isinstance(deprecated, bool):
        raise CaseError(f"deprecated is True or False, not {json_kind(deprecated)}", path=("deprecated",))
    folder = Folder([str(path) for path in paths])
    if folder.errors:
        raise folder.redaction.error(folder.errors[0])
    cases = [case for case in folder.cases if deprecated or not case.deprecated]
    if not cases:
        words = f"there is no case that gates below {places(paths)}" if folder.cases else f"there is no case below {places(paths)}: {LOOKED_FOR}"
        raise folder.redaction.error(GatekitError(words))
    yield from cases


def places(paths: tuple) -> str:
    """Paths that a caller gave, in a message."""
    return ", ".join(spelt(str(path)) for path in paths) or "no path at all: name a folder"
