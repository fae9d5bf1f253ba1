"""The lock of a golden set: what each case demanded when it was last agreed on.

`gatekit.lock` is a JSON file in git. Of each case it holds the digest of its contract (input, rules, thresholds and how the output is read; not its
description, owner or tags), the digests of what it shares by each gatekit.yaml above it and of each of its own rules, and what of its audit trail a later
change is held to.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..formats.strict_json import read_json
from ..ground.canonical import canonical, digest
from ..ground.errors import CaseError, GatekitError
from ..ground.files import read_bytes, text_of
from ..ground.record import Record
from .case import Case
from .decisions import OVERRIDABLE, rule_digest

FILE = "gatekit.lock"
FORMAT = "gatekit-lock/1"
# The fields that make the contract of a case.
CONTRACT = ("input", "rubric", "matchers", "invariants", "gate", "template", "samples", "allow_empty", "reasoning")
_SHARED = ("rubric", "matchers", "invariants", "gate", "transient")
# A lock that cannot be read is never written over: what it was agreed on would be forgotten.
_MEND = "take the last good one from version control, or delete the file and write it anew with the command lock"
_TRAIL = ("created_at", "updated_at", "update_reason", "deprecated")


def contract_digest(case: Case) -> str:
    """The digest of what a case demands: any change of it is a change of the contract."""
    return digest({name: case.fields[name] for name in CONTRACT if name in case.fields})


def shared_parts(case: Case) -> list[tuple]:
    """What a case demands by each of the settings above it that demands anything of it, the outermost first: its digest, and the settings.

    That is the rules for all, those of the case's template, thresholds, excused errors.
    """
    parts = []
    for settings in case.shared:
        part = {name: settings.fields[name] for name in _SHARED if name in settings.fields}
        template = settings.fields.get("templates", {}).get(case.fields.get("template"))
        if template is not None:
            part["template"] = template
        if part:
            parts.append((digest(part), settings))
    return parts


def own_rule_digests(case: Case) -> list[str]:
    """The digest of each of the case's own matchers and invariants, in order, behind that of its rubric."""
    rubric = [case.fields["rubric"]] if "rubric" in case.fields else []
    return [digest(rule) for rule in (*rubric, *case.fields.get("matchers", ()), *case.fields.get("invariants", ()))]


def decided_rules(case: Case) -> dict[str, str]:
    """The digest of each rule that people decide about (the tiers 4 and 5), by its name: a decision does not outlive its rule."""
    return {rule.label: rule_digest(rule.matcher) for rule in (case.judging.rules if case.judging else ()) if rule.matcher.tier >= OVERRIDABLE}


class Lock(Record):
    """What a lock holds: by case id, a mapping of its digests and its audit trail; by digest, the reasons of the shared settings."""

    __slots__ = ("cases", "settings")
    cases: dict
    settings: dict

    def __init__(self, cases: dict, settings: dict) -> None:
        self._set(cases, settings)

    @classmethod
    def of(cls, cases: list[Case]) -> Lock:
        """The lock of some cases as they stand."""
        entries = {}
        for case in cases:
            trail = {name: case.fields[name] for name in _TRAIL if name in case.fields}
            if case.file is not None:
                trail["file"] = case.file
            decided = decided_rules(case)
            if decided:
                trail["decided"] = decided
            shared = [part for part, _ in shared_parts(case)]
            entries[case.id] = {"contract": contract_digest(case), "shared": shared, "rules": own_rule_digests(case), **trail}
        above = {settings: None for case in cases for settings in case.shared}
        return cls(entries, {digest(settings.fields): settings.update_reason for settings in above})

    @classmethod
    def from_text(cls, text: str) -> Lock:
        """A lock from the text of its file. Raises GatekitError for a text that is none."""
        mapping = read_json(text)
        if isinstance(mapping, dict) and mapping.get("cases") == {}:
            raise CaseError(f"the lock holds no case, and is never written so: {_MEND}", path=("cases",))
        if not isinstance(mapping, dict) or mapping.get("format") != FORMAT or not isinstance(mapping.get("cases"), dict):
            raise CaseError(f"this is no lock of the format {FORMAT}: {_MEND}")
        for name, entry in mapping["cases"].items():
            if not _is_entry(entry):
                raise CaseError(f"this is no entry of a lock: {_MEND}", path=("cases", name))
        settings = mapping.get("settings", {})
        if not _are_texts(settings, dict):
            raise CaseError(f"these are no reasons of settings: {_MEND}", path=("settings",))
        return cls(mapping["cases"], settings)

    def text(self) -> str:
        """The text of the file: a case a line, in the order of their ids, so that a change is a change of one line."""
        cases = ",\n".join(f"  {canonical(name)}: {canonical(self.cases[name])}" for name in sorted(self.cases))
        return f'{{\n "format": {canonical(FORMAT)},\n "settings": {canonical(self.settings)},\n "cases": {{\n{cases}\n }}\n}}\n'


def _is_entry(entry: object) -> bool:
    """Whether a value is what a lock holds of a case, so that whatever lint compares with it can be told."""
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("contract"), str)
        and _are_texts(entry.get("shared"), list)
        and _are_texts(entry.get("rules"), list)
        and _are_texts(entry.get("decided", {}), dict)
        and all(isinstance(entry.get(name, ""), str) for name in ("file", *_TRAIL[:3]))
        and isinstance(entry.get("deprecated", False), bool)
    )


def _are_texts(value: object, kind: type) -> bool:
    return isinstance(value, kind) and all(isinstance(item, str) for item in (value.values() if isinstance(value, dict) else value))


def read_lock(path: str, name: str) -> Lock:
    """The lock in a file that is shown as `name`. Raises GatekitError, with the file, for one that cannot be read or is none."""
    text = text_of(read_bytes(path, name), name)
    try:
        return Lock.from_text(text)
    except GatekitError as error:
        raise Redaction().of_text(text).error(error).located(file=name) from None


def locked_rules(files: list) -> tuple:
    """The digests of the rules that people decide about, by case and name of the rule, of some locks; and the errors of those that cannot be read."""
    found, errors = {}, []
    for path, name in files:
        try:
            for case, entry in read_lock(path, name).cases.items():
                found.update({(case, label): known for label, known in entry.get("decided", {}).items()})
        except GatekitError as error:
            errors.append(error)
    return found, errors
