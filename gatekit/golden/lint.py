"""The policy for changing a golden set, as checks of its cases against the lock.

    a case has a description and a created_at, dates are dates and do not run backwards
    a deprecated case says when and why
    what cases share by a gatekit.yaml changed with another update_reason in that one (or in each case)
    a contract that changed has another update_reason, and an updated_at
    an updated_at is not before the locked one, and does not go away
    a case that is gone was deprecated in the lock; if it was not, and a new one has its contract, it was renamed
    a sample and a recording name a case that there is
    a decision names a case that there is, and a rule of it that is the one that was decided about
    a case that is deprecated in the lock and gates again says why, as for a changed contract

The rules fail; what may be meant is a hint: a set that is small or large, one that mostly sits at the tiers 4 and 5 (the contract is too open),
and one of whose cases more than 30 in 100 have other rules than in the lock (too coupled to the surface of the answers). Words are compared as a
person reads them: what shows nothing is no reason, and a reason that only looks the same to a person is no other one.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..formats.json_schema import JsonSchema
from ..formats.strict_json import read_json
from ..ground.errors import CaseError, GatekitError
from ..ground.files import read_lines
from ..ground.record import Record
from ..text.quoting import quote
from ..text.views import WIDE, Part, fold
from .case import Case
from .dates import is_before, is_date
from .decisions import Decisions
from .lock import Lock, contract_digest, own_rule_digests, shared_parts

FEWEST, MOST = 20, 200
NOT_LOCKED = "the set is not locked yet: write the lock with the command lock"
_DATES = ("created_at", "updated_at", "deprecated_at")


class Findings(Record):
    """What lint found: `failures` are errors with the file and, as their path, the field that they are about; `hints` are words."""

    __slots__ = ("failures", "hints")
    failures: tuple[GatekitError, ...]
    hints: tuple[str, ...]

    def __init__(self, failures: tuple, hints: tuple) -> None:
        self._set(tuple(failures), tuple(hints))


def lint(cases: list[Case], lock: Lock | None, decisions: Decisions | None = None, recorded: list[GatekitError] | None = None) -> Findings:
    """The findings on some cases. `lock` is None where the set was never locked, `decisions` are those of people, `recorded` is what `without_case` found."""
    failures: list = []
    for case in cases:
        found = list(_trail(case.fields))
        if lock is not None and case.id in lock.cases:
            found += _change(case, lock.cases[case.id], lock)
        failures += [CaseError(f"case {quote(case.id)}: {words}", file=case.file, path=(field,) if field in case.fields else ()) for field, words in found]
    if lock is not None:
        failures += [CaseError(words, file=file) for file, words in _gone(cases, lock)]
    failures += recorded or []
    hints = list(_hints(cases, lock))
    if decisions is not None:
        locked = {(name, label): known for name, entry in (lock.cases if lock else {}).items() for label, known in entry.get("decided", {}).items()}
        failures += decisions.strangers({case.id for case in cases}) + decisions.settle(cases, locked)
        hints += map(str, decisions.unbound(cases))
    return Findings(tuple(failures), tuple(hints))


def without_case(sample_files: list, recordings: list, known: set) -> list[GatekitError]:
    """What was recorded of no case, as failures: lines of the sample files and recordings, as a Folder has them; `known` are the ids of cases.

    A line that cannot be read is an error of `check`, not of the policy. Raises GatekitError for a recording that cannot be used.
    """
    from ..replay.recording import read_recording

    failures: list = []
    for path, name, _ in sample_files:
        for number, line in read_lines(path, name):
            try:
                sample = read_json(line)
            except GatekitError:
                continue
            case = sample.get("case") if isinstance(sample, dict) else None
            if case not in known:
                words = f"a sample of a case that there is not: {quote(str(case))}" if case else "a sample that names no case"
                failures.append(CaseError(words, file=name, line=number))
            if len(failures) >= MOST:
                return failures
    for path, name, _ in recordings:
        case = read_recording(path, name).case
        if case not in known:
            words = f"a recording of a case that there is not: {quote(case)}" if case else 'a recording that names no case: give its Scenario case="..."'
            failures.append(CaseError(words, file=name, path=("case",) if case else ()))
    return failures


def _trail(fields: dict):
    """What is wrong with an audit trail by itself: the field, and the words."""
    for name in ("description", "created_at"):
        if is_blank(fields.get(name)):
            yield name, f"it has no {name}"
    for name in _DATES:
        if name in fields and not is_date(fields[name]):
            yield name, f"{name} is no date: write it as 2026-01-31, or with a time and its zone as 2026-01-31T09:30Z"
    for earlier, later in (("created_at", "updated_at"), ("created_at", "deprecated_at"), ("updated_at", "deprecated_at")):
        if is_before(fields.get(later, ""), fields.get(earlier, "")):
            yield later, f"{later} is before {earlier}"
    for name, other in (("updated_at", "update_reason"), ("update_reason", "updated_at")):
        if name in fields and other not in fields:
            yield name, "updated_at and update_reason go together"
    for name in ("deprecated_at", "deprecated_reason"):
        if fields.get("deprecated") and is_blank(fields.get(name)):
            yield "deprecated", f"it is deprecated, and has no {name}"
        elif not fields.get("deprecated") and name in fields:
            yield name, "it says when or why it was deprecated, and is not"


def _change(case: Case, locked: dict, lock: Lock):
    """What is wrong with a change against the lock: the field, and the words."""
    fields = case.fields
    reason, before = _read(fields.get("update_reason")), _read(locked.get("update_reason"))
    if is_before(fields.get("updated_at", ""), locked.get("updated_at", locked.get("created_at", ""))):
        yield "updated_at", "its updated_at is before the locked one"
    elif "updated_at" in locked and "updated_at" not in fields:
        yield "updated_at", "it has no updated_at, and had one in the lock"
    revived = locked.get("deprecated") is True and not case.deprecated
    if contract_digest(case) == locked["contract"] and not revived:
        if reason in ("", before) and _shares_something_else(case, locked["shared"], lock):
            yield "template", "what it shares by gatekit.yaml changed against the lock, and neither the update_reason there nor its own did: say why"
        return
    what = "it is deprecated in the lock and gates again" if revived else "its contract changed against the lock"
    if reason in ("", before):
        yield "update_reason", f"{what}, and its update_reason did not change: say why"
    if not fields.get("updated_at") and "updated_at" not in locked:
        yield "updated_at", f"{what}, and it has no updated_at"


def _shares_something_else(case: Case, locked: list, lock: Lock) -> bool:
    """Whether what a case shares is not as locked, and the settings that changed do not say why.

    Where settings only went away or changed places, any of those that are left may say it.
    """
    parts = shared_parts(case)
    if [part for part, _ in parts] == locked:
        return False
    known = {"", *map(_read, lock.settings.values())}
    are_new = [_read(settings.update_reason) not in known for part, settings in parts if part not in locked]
    return not (all(are_new) if are_new else any(_read(settings.update_reason) not in known for settings in case.shared))


def _read(words: str | None) -> str:
    """Words as a person reads them, for a comparison."""
    return fold(Part(words, 0, len(words)), WIDE, is_phrase=True).strip() if words else ""


def _gone(cases: list, lock: Lock):
    known = {case.id for case in cases}
    contracts = {contract_digest(case): case.id for case in cases if case.id not in lock.cases}
    for name in sorted(lock.cases.keys() - known):
        entry = lock.cases[name]
        if entry.get("deprecated"):
            continue
        renamed = contracts.get(entry["contract"])
        if renamed is not None:
            yield entry.get("file"), f"case {quote(name)} was renamed to {quote(renamed)}: keep the id, or deprecate the old case and lock that first"
        else:
            yield entry.get("file"), f"case {quote(name)} is gone, and was not deprecated in the lock: deprecate it and lock that first"


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
        yield NOT_LOCKED
        return
    compared = [case for case in active if case.id in lock.cases]
    changed = sum(own_rule_digests(case) != lock.cases[case.id]["rules"] for case in compared)
    if compared and changed * 10 > len(compared) * 3:
        yield f"{changed} of {len(compared)} cases have other rules than in the lock: they may be too coupled to the surface of the answers"
