"""The runs of a workflow in a ledger: which lines belong to which run, and who writes where.

An answer counts once, known by its step, its run and its attempt; a decision, by its run and its number. Lines that say the same count once; lines that
differ are an error that names both places: two operators worked on one run, and one of them did not see what the other did.
"""
from __future__ import annotations

import re

from ..data.sample import Sample
from ..ground.canonical import canonical, digest
from ..ground.errors import CaseError, GatekitError
from ..text.quoting import quote
from .decisions import check_decision
from .ledger import DECISION, Ledger, case_of
from .workflow import Workflow

_PLAIN = "[a-z0-9][a-z0-9_-]{0,59}"


class WorkflowLedger:
    """The lines of one workflow in a ledger's folder, by run. Raises GatekitError for a folder that cannot be read.

    `errors` are those of lines that cannot be meant, `notes` tell of lines that were not finished.
    """

    __slots__ = ("errors", "notes", "_ledger", "_runs", "_writer")

    def __init__(self, path: str, workflow: Workflow, writer: str) -> None:
        """Read what is there. `writer` is who appends: an operator, or a command."""
        self._ledger = Ledger(path)
        self._writer = writer_name(writer)  # the file is made by the first line
        self._runs: dict = {}
        self.errors: list = []
        cases = {workflow.case(step.name): step.name for step in workflow.steps}
        met: dict = {}
        for mapping, file, line in self._ledger.entries():
            try:
                key = _key(mapping, workflow, cases)
                if key is not None and _is_new(met, key, mapping, file, line):
                    self._runs.setdefault(key[1], []).append(mapping)
            except GatekitError as error:
                self.errors.append(error.located(file=file, line=line))
        self.errors += self._ledger.errors
        self.notes = list(self._ledger.notes)

    def past(self, run: str) -> list:
        """The lines of a run, in no order."""
        return self._runs.get(run, [])

    def append(self, line: dict) -> None:
        """Append a line: a sample's mapping, or a decision. It is kept before this returns. Raises GatekitError where it cannot be."""
        if isinstance(self._writer, str):
            self._writer = self._ledger.writer(self._writer)
        if DECISION in line:
            self._writer.add_decision(line)
        else:
            self._writer.add(Sample.from_dict(line))

    def close(self) -> None:
        """Close the file, if anything was appended."""
        if not isinstance(self._writer, str):
            self._writer.close()


def writer_name(name: str) -> str:
    """The name of the file of whoever writes: the own name where it is plain; else its plain letters and a part of its digest, so that no two share a file."""
    if re.fullmatch(_PLAIN, name):
        return name
    return "-".join([*re.findall("[a-z0-9]+", name.lower())[:4], digest(name)[7:19]])[-100:].lstrip("-")


def _key(mapping: dict, workflow: Workflow, cases: dict):
    """What a line is known by: its kind, its run, and what it is about; None for a line of something else."""
    if DECISION in mapping:
        if mapping.get("workflow") != workflow.name:
            return None
        check_decision(mapping)
        return "decision", mapping["run"], mapping["number"]
    if case_of(mapping) not in cases:
        return None
    sample = Sample.from_json(mapping)
    if sample.sample is None or sample.attempt is None:
        raise CaseError('an answer of a step has a "sample", the id of its run, and an "attempt"')
    return mapping["case"], sample.sample, sample.attempt


def _is_new(met: dict, key: tuple, mapping: dict, file: str, line: int) -> bool:
    spelt = digest(canonical(mapping))
    known = met.setdefault(key, (spelt, file, line))
    if known[0] != spelt:
        what = f"decision {key[2]}" if key[0] == "decision" else f"attempt {key[2]} of {quote(key[0])}"
        raise CaseError(f"{what} of the run {quote(key[1])} is there with other words: {known[1]}:{known[2]} has it too; keep one of them")
    return known[1:] == (file, line)
