"""Reads a JSON report back, so that the reports on the parts of a run can be put together. What follows from others is worked out again, not believed."""
from __future__ import annotations

import re

from ..data.redaction import Where
from ..data.transcript import KINDS, Line
from ..formats.strict_json import read_json
from ..ground.canonical import json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.exact import Exact, exact
from ..ground.files import read_bytes, text_of
from ..judging.difference import Difference
from ..judging.rates import BatchSummary, Thresholds
from ..judging.report import CaseReport, Report
from ..judging.verdict import STATUSES, Finding, Verdict
from ..text.word_diff import STEPS
from .json_report import FINDING, FORMAT, NAMED

_TYPES = {"text": str, "a list": list, "a mapping": dict, "a count": int}


def read_report(path: str, name: str) -> Report:
    """The report in a file that is shown as `name`. Raises GatekitError, with the file and where in it, for what is no report of this version.

    (One of more than 64 MB, about a million samples, is too long to be read whole: make more shards, or merge the ledgers.)
    """
    try:
        given = read_json(text_of(read_bytes(path, name), name))
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise CaseError(f"this is no JSON report ({FORMAT}): write one with --report json=FILE")
        return _report(given)
    except GatekitError as error:
        raise error.located(file=name) from None


def _report(given: dict) -> Report:
    cases = tuple(_each(given, "cases", _case))
    errors = tuple(_each(given, "errors", _error))
    used = (tuple(_each(given, name, lambda words: _typed(words, "text"))) if name in given else () for name in ("overrides", "reviews"))
    return Report(cases, errors, *used, _shard(given["shard"]) if "shard" in given else None)


def _shard(spelt: object) -> tuple:
    found = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", _typed(spelt, "text"))
    if not found or not 1 <= int(found.group(1)) <= int(found.group(2)):
        raise CaseError("a shard is spelt as 2/4", path=("shard",))
    return int(found.group(1)), int(found.group(2))


def _case(given: object) -> CaseReport:
    _typed(given, "a mapping")
    id, file, level = _member(given, "id", "text"), given.get("file"), given.get("level")
    about = {name: given[name] for name in ("description", "owner") if name in given}
    about["tags"] = tuple(given.get("tags", ()))
    about["subjects"] = tuple((one.get("model"), one.get("prompt_version")) for one in _each(given, "subjects", lambda one: _typed(one, "a mapping"))) if "subjects" in given else ()
    if given.get("planned") is not None:
        about["planned"] = _member(given, "planned", "a count")
    if "deprecated" in given:
        return CaseReport(id, file, level, None, {}, (), 0, _member(given, "deprecated", "a count"), **about)
    samples = list(_each(given, "samples", _sample))
    statuses = {name: status for name, status, *_ in samples}
    if len(statuses) < len(samples):
        raise CaseError("two of its samples have one id", path=("samples",))
    excluded = frozenset(name for name, _, is_excluded, *_ in samples if is_excluded)
    retries = {name: attempts for name, _, _, _, attempts in samples if attempts}
    verdicts = [verdict for *_, verdict, _ in samples if verdict is not None]
    counts = dict.fromkeys(STATUSES, 0)
    for name, status in statuses.items():
        counts[status] += name not in excluded
    summary = BatchSummary(*(counts[name] for name in BatchSummary.__slots__[:7]), _thresholds(_member(given, "gate", "a mapping")), given.get("vetoed") is True)
    left_out = given.get("findings_left_out", 0)
    return CaseReport(id, file, level, summary, statuses, verdicts, _typed(left_out, "a count"), retries=retries, excluded=excluded, **about)


def _thresholds(given: dict) -> Thresholds:
    try:
        return Thresholds(**{name: _number(value) if isinstance(value, str) else value for name, value in given.items()})
    except (TypeError, CaseError):
        raise CaseError("these are no thresholds", path=("gate",)) from None


def _number(spelt: str) -> Exact:
    top, slash, bottom = spelt.partition("/")
    return Exact(int(top), int(bottom)) if slash and top.isdigit() and bottom.isdigit() and int(bottom) else exact(spelt)


def _sample(given: object) -> tuple:
    """`(id, status, whether it is excluded, the verdict where one was kept, the retries by attempt)`."""
    _typed(given, "a mapping")
    name, status = _member(given, "sample", "text"), given.get("status")
    if status not in STATUSES:
        raise CaseError(f"a status is one of {', '.join(STATUSES)}", path=("status",))
    findings = tuple(_each(given, "findings", _finding))
    retries = {_member(one, "attempt", "a count"): one.get("status") for one in _each(given, "retries", lambda one: _typed(one, "a mapping"))} if "retries" in given else {}
    verdict = None
    if findings or given.get("label") or given.get("excluded") or given.get("reasoning"):
        told = _each(given, "transcript", _line) if "transcript" in given else ()
        verdict = Verdict(status, findings, sample=name, transcript=tuple(told), **{key: given.get(key) for key in NAMED})
    return name, status, given.get("excluded") is True, verdict, retries


def _finding(given: object) -> Finding:
    _typed(given, "a mapping")
    if not all(name in given for name in FINDING):
        raise CaseError(f"a finding has {', '.join(FINDING)}")
    fields = {name: given[name] for name in FINDING}
    if fields["where"] is not None:
        where = _typed(fields["where"], "a mapping")
        fields["where"] = Where(*(where.get(name) for name in Where.__slots__))
    if "difference" in given:
        fields["difference"] = _difference(_typed(given["difference"], "a mapping"))
    return Finding(**fields, turns=tuple(_each(given, "turns", lambda turn: _typed(turn, "a count"))) if "turns" in given else ())


def _difference(given: dict) -> Difference:
    words = _each(given, "words", lambda step: _step(_typed(step, "a list"))) if "words" in given else ()
    paths = _each(given, "paths", lambda path: _typed(path, "text")) if "paths" in given else ()
    return Difference(_member(given, "note", "text") if "note" in given else None, tuple(words), tuple(paths))


def _step(given: list) -> tuple:
    if len(given) != 2 or given[0] not in STEPS or not isinstance(given[1], str):
        raise CaseError(f"a step of a difference is one of {', '.join(STEPS)} and its words")
    return tuple(given)


def _line(given: object) -> Line:
    _typed(given, "a mapping")
    if given.get("kind") not in KINDS:
        raise CaseError(f"the kind of a line is one of {', '.join(KINDS)}", path=("kind",))
    name = given.get("name")
    if name is not None:
        _typed(name, "text")
    return Line(given["kind"], *(_member(given, key, "a count") for key in ("turn", "message")), _member(given, "text", "text"), name, given.get("failed") is True)


def _error(given: object) -> GatekitError:
    _typed(given, "a mapping")
    place = {name: given.get(name) for name in ("file", "line", "column")}
    return GatekitError(_member(given, "message", "text"), **place, path=tuple(given.get("path") or ()))


def _each(given: dict, name: str, read):
    for place, item in enumerate(_member(given, name, "a list")):
        try:
            yield read(item)
        except CaseError as error:
            raise error.located(path=(name, place)) from None


def _member(given: dict, name: str, words: str):
    if name not in given:
        raise CaseError(f"the report lacks {name!r}: it was written by an earlier version, or changed")
    try:
        return _typed(given[name], words)
    except CaseError as error:
        raise error.located(path=(name,)) from None


def _typed(value: object, words: str):
    if not isinstance(value, _TYPES[words]) or isinstance(value, bool):
        raise CaseError(f"this is {words}, and not {json_kind(value)}")
    return value
