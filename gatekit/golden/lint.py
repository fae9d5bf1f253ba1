"""The policy for changing a golden set, as checks of its cases against the lock.

    a case has a description and a created_at, dates are dates and do not run backwards
    a deprecated case says when and why
    what cases share by gatekit.yaml changed with another update_reason there (or in each case)
    a contract that changed has another update_reason, and an updated_at that is not before the locked one
    a case that is gone was deprecated in the lock; one that is gone where another has its contract was renamed
    an override names a case that there is

The rules fail; what may be meant is a hint: a set that is small or large, one that mostly sits at the tiers 4 and 5 (the contract is too open),
and one of whose cases more than 30 in 100 have other matchers than in the lock (too coupled to the surface of the answers).
"""
from __future__ import annotations

import re

from ..formats.json_schema import JsonSchema
from ..formats.strict_json import read_json
from ..ground.errors import GatekitError
from ..ground.files import read_lines
from ..ground.record import Record
from ..text.quoting import quote
from .case import Case
from .lock import Lock, contract_digest, matcher_digests, shared_digest

FEWEST, MOST = 20, 200
_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?"
_DATES = ("created_at", "updated_at", "deprecated_at")


class Findings(Record):
    """What lint found: `failures` are `(file, words)`, `hints` are words."""

    __slots__ = ("failures", "hints")
    failures: tuple[tuple[str, str], ...]
    hints: tuple[str, ...]

    def __init__(self, failures: tuple, hints: tuple) -> None:
        self._set(tuple(failures), tuple(hints))


def lint(cases: list[Case], lock: Lock | None, overrides: list[tuple[str, str]] | None = None) -> Findings:
    """The findings on some cases. `lock` is None where the set was never locked, `overrides` are paths and names of override files."""
    failures: list = []
    for case in cases:
        failures += [(case.file or "", f"case {quote(case.id)}: {words}") for words in _trail(case.fields)]
        if lock is not None and case.id in lock.cases:
            failures += [(case.file or "", f"case {quote(case.id)}: {words}") for words in _change(case, lock.cases[case.id], lock)]
    if lock is not None:
        failures += _gone(cases, lock)
    known = {case.id for case in cases}
    for path, name in overrides or ():
        failures += _strangers(path, name, known)
    return Findings(tuple(failures), tuple(_hints(cases, lock)))


def is_date(text: str) -> bool:
    """Whether a text is a date (or a date and time) as ISO 8601 writes it."""
    if not re.fullmatch(_DATE, text):
        return False
    year, month, day = (int(part) for part in text[:10].split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (29 if leap else 28) if month == 2 else day <= 30 + (month + (month > 7)) % 2


def _trail(fields: dict):
    for name in ("description", "created_at"):
        if not fields.get(name, "").strip():
            yield f"it has no {name}"
    for name in _DATES:
        if name in fields and not is_date(fields[name]):
            yield f"{name} is no date: write it as 2026-01-31"
    for earlier, later in (("created_at", "updated_at"), ("created_at", "deprecated_at"), ("updated_at", "deprecated_at")):
        if fields.get(earlier, "") > fields.get(later, "9"):
            yield f"{later} is before {earlier}"
    if ("updated_at" in fields) != ("update_reason" in fields):
        yield "updated_at and update_reason go together"
    if fields.get("deprecated"):
        for name in ("deprecated_at", "deprecated_reason"):
            if not fields.get(name):
                yield f"it is deprecated, and has no {name}"
    elif "deprecated_at" in fields or "deprecated_reason" in fields:
        yield "it says when or why it was deprecated, and is not"


def _change(case: Case, locked: dict, lock: Lock):
    fields = case.fields
    if contract_digest(case) == locked["contract"]:
        reasons = {settings.update_reason for settings in case.shared} - {""}
        says_why = fields.get("update_reason", "").strip() not in ("", str(locked.get("update_reason", "")).strip())
        if shared_digest(case) != locked.get("shared") and not says_why and reasons <= set(lock.settings.values()):
            yield "what it shares by gatekit.yaml changed against the lock, and neither the update_reason there nor its own did: say why"
        return
    if not fields.get("update_reason", "").strip() or fields["update_reason"].strip() == str(locked.get("update_reason", "")).strip():
        yield "its contract changed against the lock, and its update_reason did not: say why"
    if not fields.get("updated_at"):
        yield "its contract changed against the lock, and it has no updated_at"
    elif fields["updated_at"] < locked.get("updated_at", locked.get("created_at", "")):
        yield "its contract changed against the lock, and its updated_at is before the locked one"


def _gone(cases: list, lock: Lock):
    known = {case.id for case in cases}
    contracts = {contract_digest(case): case.id for case in cases if case.id not in lock.cases}
    for name in sorted(lock.cases.keys() - known):
        entry = lock.cases[name]
        renamed = contracts.get(entry["contract"])
        if renamed is not None:
            yield entry.get("file") or "", f"case {quote(name)} was renamed to {quote(renamed)}: keep the id, or deprecate the old case and lock that first"
        elif not entry.get("deprecated"):
            yield entry.get("file") or "", f"case {quote(name)} is gone, and was not deprecated in the lock: deprecate it and lock that first"


def _strangers(path: str, name: str, known: set):
    for number, line in read_lines(path, name):
        if line.isspace():
            continue
        try:
            mapping = read_json(line)
        except GatekitError as error:
            yield name, f"line {number}: {error.message}"
            continue
        case = mapping.get("case") if isinstance(mapping, dict) else None
        if not isinstance(case, str) or case not in known:
            yield name, f"line {number}: there is no case {quote(str(case))}"


def _hints(cases: list, lock: Lock | None):
    active = [case for case in cases if not case.deprecated]
    if not FEWEST <= len(active) <= MOST:
        size = "small: it may miss what breaks" if len(active) < FEWEST else "large: who reviews it?"
        yield f"the set has {len(active)} cases, and is {size} (from {FEWEST} to {MOST} are usual)"
    if sum((case.level or 0) >= 4 for case in active) * 2 > len(active):
        yield "most cases sit at tier 4 or 5: the contract is too open"
    for case in active:
        for rule in case.judging.rules if case.judging else ():
            for matcher in rule.matcher.every():
                if matcher.type == "json_schema":
                    for words in JsonSchema(matcher.fields["schema"], format=matcher.fields.get("format", "annotate")).warnings:
                        yield f"case {quote(case.id)}, {rule.label}: {words}"
    if lock is not None:
        fresh = [case.id for case in cases if case.id not in lock.cases]
        if fresh:
            yield f"not in the lock yet: {', '.join(map(quote, fresh[:10]))}" + (f" and {len(fresh) - 10} more" if len(fresh) > 10 else "")
    if lock is None:
        yield "the set is not locked yet: write the lock with the command lock"
        return
    compared = [case for case in active if case.id in lock.cases]
    changed = sum(matcher_digests(case) != lock.cases[case.id].get("matchers") for case in compared)
    if compared and changed * 10 > len(compared) * 3:
        yield f"{changed} of {len(compared)} cases have other matchers than in the lock: they may be too coupled to the surface of the answers"
