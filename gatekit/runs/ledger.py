"""The ledger: what every run of a batch came to, one JSON object a line, in the files of one folder.

- A line is a sample with its `case` and its id `sample`, as in any file of samples; or what a person decided, `{"decision": ..., ...}`.
- Each writer appends to a file of its own in the folder, one whole line at a time. A writer that was killed leaves at most one line that was not finished:
  who reads it passes it over and says so, who goes on with that file takes it away. Anywhere else what is no line of a ledger is an error.
- All `*.jsonl` files of the folder are read, in the order of their names. A run counts once, known by its case, its sample and its attempt: lines that say
  the same count once, lines that differ are an error that names both places.

So nothing depends on who ran what, in which order, or on how often a batch was begun again.
"""
from __future__ import annotations

import re

from ..data.redaction import Redaction
from ..data.sample import FIELDS, Sample
from ..formats.strict_json import object_of_line
from ..golden.folder import kind_of
from ..ground.canonical import canonical, digest
from ..ground.errors import CaseError, GatekitError
from ..ground.files import LineWriter, files_in, is_folder, is_there, join, make_folder, read_lines, spelt
from ..text.quoting import quote

ENDING = ".jsonl"
DECISION = "decision"
# So many errors of one file are told one by one; the rest of them are counted.
ERRORS_TOLD = 100
_NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}"


class Ledger:
    """The ledger in a folder, which is made for its first writer.

    `errors` are those that were met while it was read, `notes` tell in words of the lines that were not finished.
    """

    __slots__ = ("path", "name", "errors", "notes")

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = spelt(path)
        self.errors: list = []
        self.notes: list = []
        if is_there(path) and not is_folder(path):
            raise GatekitError("a ledger is a folder, and this is a file: name a folder", file=self.name)

    def writer(self, name: str) -> LedgerWriter:
        """What appends to the file of a writer of that name: letters, digits, dots, dashes and underscores. Raises GatekitError."""
        check_writer(name)
        self.make()
        return LedgerWriter(join(self.path, name + ENDING), f"{self.name.rstrip('/')}/{name}{ENDING}")

    def make(self) -> None:
        """Make the folder where it is not there. Raises GatekitError where it cannot be made."""
        if not is_folder(self.path):
            try:
                make_folder(self.path, self.name)
            except GatekitError:
                if not is_folder(self.path):  # another writer may have made it in the meantime
                    raise

    def entries(self):
        """Yield `(mapping, file, line)` of each line, in the order of the files. What is no line of a ledger goes to `errors` or `notes`."""
        self.errors, self.notes = [], []
        if not is_folder(self.path):
            return
        for path, name in files_in(self.path, self.name):
            if kind_of(name) == "samples":
                yield from self._entries_of(path, name)

    def _entries_of(self, path: str, name: str):
        told = more = 0
        redaction = Redaction()
        torn = None  # the error of the line before: only of the last line it means that it was not finished
        try:
            for number, line in read_lines(path, name):
                if torn is not None:
                    told, more = told + 1, more + (told >= ERRORS_TOLD)
                    self.errors += [torn] * (told <= ERRORS_TOLD)
                    torn = None
                try:
                    mapping = object_of_line(line, number)
                except GatekitError as error:
                    torn = redaction.error_of_line(error, line, name, number)
                else:
                    if mapping is not None:
                        yield mapping, name, number
        except GatekitError as error:
            self.errors.append(error)
        if more:
            self.errors.append(GatekitError(f"and {more} more errors in this file", file=name))
        if torn is not None:
            self.notes.append(f"{name}:{torn.line}: the last line was not finished, and does not count")


def check_writer(name: str) -> None:
    """Raise CaseError for a name that no writer's file can have."""
    if not re.fullmatch(_NAME, name) or kind_of(name + ENDING) != "samples":
        raise CaseError(f"a writer is named by letters, digits, dots, dashes and underscores, and not {quote(name)}")


class LedgerWriter:
    """Appends the samples of one writer to its file. `cut` counts the bytes of an unfinished line that were taken away when it was opened."""

    __slots__ = ("_lines",)

    def __init__(self, path: str, name: str) -> None:
        self._lines = LineWriter(path, name, is_whole)

    @property
    def cut(self) -> int:
        """How many bytes of an unfinished line were taken away."""
        return self._lines.cut

    def add(self, sample: Sample) -> None:
        """Append a sample. Raises GatekitError where it cannot be written."""
        self._lines.write(ledger_line(sample.fields))

    def add_decision(self, decision: dict) -> None:
        """Append what a person decided: a mapping with the key `decision`. Raises GatekitError where it cannot be written."""
        if DECISION not in decision:
            raise CaseError(f'a decision has the key "{DECISION}"')
        self._lines.write(canonical(decision).encode("utf-8"))

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def ledger_line(fields: dict) -> bytes:
    """The fields of a sample as a line of a ledger, without its end. Numbers stay what they are, to the last digit."""
    members = [f'"{name}": {canonical(fields[name])}' for name in _ORDER if name in fields]
    if not any(name in fields for name in ("output", "messages", "error")):
        members.append('"output": null')
    return ("{" + ", ".join(members) + "}").encode("utf-8")


_ORDER = ("case", "sample", "attempt", "status", *(name for name in FIELDS if name not in ("case", "sample", "attempt", "status")))


def is_whole(line: bytes) -> bool:
    """Whether a line was finished: it is a JSON object."""
    try:
        return object_of_line(line, 0) is not None
    except GatekitError:
        return False


def case_of(mapping: dict) -> str:
    """The case that a line which is no decision is a run of. Raises CaseError where it names none: nobody knows whose run it is."""
    case = mapping.get("case")
    if not isinstance(case, str):
        raise CaseError('a run in a ledger names its case, as text: "case"', path=("case",) if "case" in mapping else ())
    return case


def read_samples(sources, take, cases) -> list:
    """Give each run that some ledgers hold to `take` once, and gives the errors that are met, in the order of the files.

    Args:
        sources: ledgers: what has `entries()`.
        take: a function of a Sample; it gives False where that attempt was taken before. It raises CaseError for what cannot be taken.
        cases: the ids of the cases that are meant; runs of others are passed over.
    """
    errors: list = []
    again: set = set()  # runs of which something came twice
    for source in sources:
        for mapping, file, line in source.entries():
            if DECISION in mapping:
                continue
            try:
                if case_of(mapping) not in cases:
                    continue
                sample = Sample.from_json(mapping)
                if "sample" not in mapping:
                    raise CaseError('a run in a ledger has an id: "sample"')
                if not take(sample):
                    again.add((mapping["case"], mapping["sample"]))
            except GatekitError as error:
                source.errors.append(error.located(file=file, line=line))
        errors += source.errors
    return errors + (_differing(sources, cases, again) if again else [])


def _differing(sources, cases, again: set) -> list:
    """Read once more what came twice: where it says the same it counts once, and where it does not, nobody knows what is true."""
    errors: list = []
    met: dict = {}  # (case, sample, attempt): (digest, file, line)
    for mapping, file, line in (entry for source in sources for entry in source.entries()):
        try:
            sample = None if DECISION in mapping or case_of(mapping) not in cases else Sample.from_json(mapping)
        except GatekitError:
            continue  # that was told already
        if sample is None or (sample.case, sample.sample) not in again:
            continue
        case, name = sample.case, sample.sample
        attempt = sample.attempt or 1
        said = digest(canonical({**sample.fields, "attempt": attempt}))
        known = met.setdefault((case, name, attempt), (said, file, line))
        if known[0] != said:
            words = f"the run {quote(name)} of {quote(case)} is there with another result: see {known[1]}:{known[2]}"
            errors.append(GatekitError(f"{words}; keep one of the two, and let each writer make runs of its own", file=file, line=line))
    return errors
