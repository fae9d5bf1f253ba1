"""What lies below a path: case files, sample files, and what each is told by.

    file                                         what it is
    gatekit.yaml                                 what the cases of a set share (not read yet: an error)
    gatekit.lock, overrides.jsonl,
    reviews.jsonl, equivalents.jsonl,
    *.recording.json, *.jobs.jsonl               parts of a set that this version does not use
    *.yaml, *.yml                                cases (not read yet: an error)
    *.json                                       cases; a report of the program's own is passed over
    *.jsonl                                      samples, one JSON object a line
    anything else                                passed over
"""
from __future__ import annotations

import re

from ..formats.json_lexis import unescape
from ..ground.errors import CaseError, GatekitError
from ..ground.files import base_name, files_below, is_file, is_folder, is_there, native, read_bytes, spelt, text_of
from .case import read_case

_ID = r'"id"\s*:\s*"((?:[^"\\]|\\.)*)"'

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .case import Case

_PASSED_OVER = ("gatekit.lock", "overrides.jsonl", "reviews.jsonl", "equivalents.jsonl")
_PASSED_OVER_ENDINGS = (".recording.json", ".jobs.jsonl")


def kind_of(name: str) -> str | None:
    """What a file is by its name: `case`, `samples`, `yaml`, or None for one that is passed over."""
    leaf = name.rpartition("/")[2].lower()
    if leaf in _PASSED_OVER or leaf.endswith(_PASSED_OVER_ENDINGS):
        return None
    if leaf.endswith((".yaml", ".yml")):
        return "yaml"
    if leaf.endswith(".json"):
        return "case"
    return "samples" if leaf.endswith(".jsonl") else None


class Folder:
    """The cases and sample files of one set, and the errors that were met while reading it.

    `cases` are in the order of their files, `sample_files` are `(path, name)`. `broken` holds the ids of cases that could not be read, and None where
    not even an id was found: a sample of such a case is no stranger. `read` are the paths of all that was taken for a case or for samples.
    """

    __slots__ = ("cases", "sample_files", "errors", "broken", "read")

    def __init__(self, paths: list) -> None:
        """Read all that lies below some paths. A path that is not there is an error of the set, and the others are read."""
        self.cases: list = []
        self.sample_files: list = []
        self.errors: list = []
        self.broken: set = set()
        self.read: list = []
        known: dict = {}
        for path, name in self._files(list(paths)):
            self._take(path, name, known)

    def _files(self, paths: list):
        seen: set = set()
        for given in paths:
            prefix = spelt(given).rstrip("/") + "/" if len(paths) > 1 else ""
            if is_folder(given):
                found = sorted(files_below(native(given)), key=lambda entry: entry[1])
            elif is_file(given):
                found, prefix = [(given, base_name(given), None)], prefix and spelt(given)[: -len(base_name(given))]
                if kind_of(found[0][1]) is None:
                    self.errors.append(GatekitError("this is no case (*.json) and no file of samples (*.jsonl)", file=prefix + found[0][1]))
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
                    yield path, prefix + name

    def _take(self, path: str, name: str, known: dict) -> None:
        kind = kind_of(name)
        if kind is not None:
            self.read.append(path)
        if kind == "samples":
            self.sample_files.append((path, name))
        elif kind == "yaml":
            self.errors.append(CaseError("YAML is not read yet: write the case as JSON", file=name))
            self.broken.add(None)
        elif kind == "case":
            try:
                case = read_case(path, name)
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


def _id_in(path: str, name: str) -> str | None:
    """The id that a broken case file gives, as far as it can be seen."""
    try:
        found = re.search(_ID, text_of(read_bytes(path, name), name))
    except GatekitError:
        return None
    return unescape(found.group(1)) if found else None


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
