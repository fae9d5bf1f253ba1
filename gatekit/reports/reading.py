"""Reads a JSON report back, so that the reports on the parts of a run can be put together.

Its shape is what the schema says (report_schema.py), and nothing else is. What follows from others (counts, rates, outcomes, the exit code, that a rule with a
veto failed) is worked out again, not believed; and a report that says something else of itself is refused: samples or errors were taken out of it, say, so
that a pass would be made of what was none.
"""
from __future__ import annotations

from ..data.curtain import Where
from ..data.redaction import Redaction
from ..data.transcript import Line
from ..formats.json_schema import JsonSchema
from ..formats.strict_json import read_json
from ..ground.errors import CaseError, GatekitError
from ..ground.exact import Exact, exact
from ..ground.files import read_bytes, text_of
from ..judging.difference import Difference
from ..judging.rates import BatchSummary, Thresholds
from ..judging.report import CaseReport, Report
from ..judging.verdict import STATUSES, Finding, Verdict
from .json_report import FINDING, FORMAT, NAMED
from .report_schema import report_schema

_EVIDENT = ("excluded", "transcript", *NAMED)
_compiled: list = []  # the schema, once a report was read


def read_report(path: str, name: str) -> Report:
    """The report in a file that is shown as `name`. Raises GatekitError, with the file and where in it, for what is no report of this version.

    (One of more than 64 MB, about a million samples, is too long to be read whole: make more shards, or merge the ledgers.)
    """
    try:
        given = read_json(text_of(read_bytes(path, name), name))
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise CaseError(f"this is no JSON report ({FORMAT}): write one with --report json=FILE")
        _check_shape(given)
        report = _report(given)
        _hold_to_itself(given, report)
        return report
    except GatekitError as error:
        raise error.located(file=name) from None


def _check_shape(given: dict) -> None:
    if not _compiled:
        _compiled.append(JsonSchema(report_schema()))
    wrong = _compiled[0].errors(given)
    if wrong:
        message, path = wrong[0].message, wrong[0].path
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        curtain = Redaction().of_text(" ".join(map(str, (message, *path))))  # what is wrong may be a name of any length
        raise curtain.error(CaseError(f"{curtain.text(message)}{more}: it was written by another version, or changed", path=path))


def _report(given: dict) -> Report:
    if "stopped" in given:
        raise CaseError("the run was stopped at its failures (--fail-fast, --max-failures), so the report is no whole: make one without", path=("stopped",))
    shard = tuple(map(int, given["shard"].split("/"))) if "shard" in given else None
    if shard is not None and shard[0] > shard[1]:
        raise CaseError("a shard is spelt as 2/4", path=("shard",))
    cases: list = []
    ids: set = set()
    for place, case in enumerate(given["cases"]):
        if case["id"] in ids:
            raise CaseError("two of its cases have one id", path=("cases", place, "id"))
        ids.add(case["id"])
        try:
            cases.append(_case(case))
        except CaseError as error:
            raise error.located(path=("cases", place)) from None
    errors = (GatekitError(error["message"], file=error["file"], line=error["line"], column=error["column"], path=error["path"]) for error in given["errors"])
    return Report(cases, errors, given.get("overrides", ()), given.get("reviews", ()), shard, given.get("files"))


def _hold_to_itself(given: dict, report: Report) -> None:
    """Refuse a report whose counts or outcomes are others than those that follow from what stands in it."""
    for place, (told, case) in enumerate(zip(given["cases"], report.cases)):
        _agree(told["outcome"], case.outcome, "what is told of its samples", ("cases", place, "outcome"))
    for name, count in report.counts.items():
        _agree(given["counts"].get(name, 0), count, "the samples that stand in it", ("counts", name))
    _agree(given["counts"].get("retries", 0), report.counts.get("retries", 0), "the samples that stand in it", ("counts", "retries"))
    _agree(given["outcome"], report.outcome, "its cases and errors", ("outcome",))


def _agree(told: object, follows: object, others: str, path: tuple) -> None:
    if told != follows:
        words = f"the report contradicts itself: {told} stands here, and {follows} follows from {others}; it was changed: take it as it was written"
        raise CaseError(words, path=path)


def _case(given: dict) -> CaseReport:
    about = {name: given[name] for name in ("description", "tags", "owner", "planned", "lines") if name in given}
    about["subjects"] = [(subject["model"], subject["prompt_version"]) for subject in given.get("subjects", ())]
    known = given["id"], given["file"], given["level"]
    if "deprecated" in given:
        return CaseReport(*known, None, {}, (), 0, given["deprecated"], **about)
    samples = given["samples"]
    statuses = {sample["sample"]: sample["status"] for sample in samples}
    if len(statuses) < len(samples):
        raise CaseError("two of its samples have one id", path=("samples",))
    excluded = {sample["sample"] for sample in samples if "excluded" in sample}
    retries = {sample["sample"]: {retry["attempt"]: retry["status"] for retry in sample["retries"]} for sample in samples if "retries" in sample}
    verdicts = [_verdict(sample) for sample in samples if _has_evidence(sample)]
    counts = dict.fromkeys(STATUSES, 0)
    for name, status in statuses.items():
        counts[status] += name not in excluded
    vetoed = "vetoed" in given or any(verdict.vetoed and verdict.sample not in excluded for verdict in verdicts)
    summary = BatchSummary(*(counts[name] for name in BatchSummary.__slots__[:7]), _thresholds(given["gate"]), vetoed)
    return CaseReport(*known, summary, statuses, verdicts, given.get("findings_left_out", 0), retries=retries, excluded=excluded, **about)


def _thresholds(given: dict) -> Thresholds:
    try:
        return Thresholds(**{name: _share(value) if isinstance(value, str) else value for name, value in given.items()})
    except CaseError as error:
        raise error.located(path=("gate",)) from None


def _share(spelt: str) -> Exact:
    top, slash, bottom = spelt.partition("/")
    share = Exact(int(top), int(bottom)) if slash else exact(spelt)
    if share > Exact(1):
        raise CaseError(f"a share is at most 1, and not {spelt}")
    return share


def _has_evidence(sample: dict) -> bool:
    """Whether the verdict on a sample was kept, and not only its status."""
    return bool(sample["findings"]) or any(name in sample for name in _EVIDENT)


def _verdict(given: dict) -> Verdict:
    lines = (Line(**line) for line in given.get("transcript", ()))
    return Verdict(given["status"], map(_finding, given["findings"]), sample=given["sample"], transcript=lines, **{name: given.get(name) for name in NAMED})


def _finding(given: dict) -> Finding:
    fields = {name: given[name] for name in FINDING}
    if given["where"] is not None:
        fields["where"] = Where(**given["where"])
    if "difference" in given:
        fields["difference"] = Difference(**given["difference"])
    return Finding(**fields, turns=given.get("turns", ()))
