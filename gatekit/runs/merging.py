"""Reports on the parts of one run, put together: what comes of it is the report that the run would have given in one piece."""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..judging.rates import BatchSummary
from ..judging.report import CaseReport, Report, with_lines
from ..judging.tally import EVIDENCE, first_told
from ..text.quoting import quote


def merged(named: list) -> Report:
    """One report of several.

    Args:
        named: `(name, report)` of each: the shards of one run, or reports on sets that have no case in common.
    Returns:
        The report of the whole. A shard that is missing is an error of it: without that part nothing is known of the whole.
    Raises:
        GatekitError: the reports are none of one run.
    """
    sharded = [report.shard is not None for _, report in named]
    if any(sharded) and not all(sharded):
        raise GatekitError("it is the report of a whole run, and others are those of shards: name one kind", file=named[sharded.index(False)][0])
    missing = _missing_shards(named) if any(sharded) else []
    by_id: dict = {}
    for name, report in named:
        for case in report.cases:
            parts = by_id.setdefault(case.id, [])
            if parts and not any(sharded):
                words = f"the case {quote(case.id)} is in {parts[0][0]} too, and none of the two says that it is a shard: make them with --shard I/N"
                raise GatekitError(words, file=name)
            parts.append((name, case))
    if any(sharded):
        for id, parts in by_id.items():
            if len(parts) < len(named):
                absent = next(name for name, report in named if all(case.id != id for case in report.cases))
                raise GatekitError(f"it has no case {quote(id)}, and the other shards have: make all of them from one set", file=absent)
    cases = [_case(by_id[id]) for id in sorted(by_id)]
    cases = with_lines(cases, lambda place, rules: {rule: cases[place].lines[rule] for rule in rules if rule in cases[place].lines})
    errors = in_common_order([report.errors for _, report in named], _place)
    used = [tuple(sorted({words for _, report in named for words in getattr(report, kind)})) for kind in ("overrides", "reviews")]
    files: dict = {}
    for _, report in reversed(named):
        files.update(report.files)  # where two name one file by two ways, the first report's counts
    return Report(cases, (*errors, *missing), *used, files=files)


def _missing_shards(named: list) -> list:
    of = named[0][1].shard[1]
    met: dict = {}
    for name, report in named:
        number, whole = report.shard
        if whole != of:
            raise GatekitError(f"it is a shard of {whole}, and {named[0][0]} is one of {of}: merge the shards of one run", file=name)
        if number in met:
            raise GatekitError(f"it is the shard {number}/{of}, and so is {met[number]}: name each once", file=name)
        met[number] = name
    return [GatekitError(f"the shard {number}/{of} is missing: nothing is known of its samples") for number in range(1, of + 1) if number not in met]


_SAME = ("file", "level", "description", "tags", "owner", "planned")


def _case(parts: list) -> CaseReport:
    """One case of its parts."""
    first_name, first = parts[0]
    for name, case in parts[1:]:
        same = [getattr(case, field) == getattr(first, field) for field in _SAME] + [(case.deprecated is None) == (first.deprecated is None)]
        if not all(same) or first.summary is not None and case.summary.thresholds != first.summary.thresholds:
            raise GatekitError(f"the case {quote(first.id)} is another one than in {first_name}: merge the shards of one run", file=name)
    cases = [case for _, case in parts]
    about = {field: getattr(first, field) for field in _SAME[2:]}
    about["subjects"] = tuple(sorted({subject for case in cases for subject in case.subjects}, key=lambda subject: (subject[0] or "", subject[1] or "")))
    if first.deprecated is not None:
        return CaseReport(first.id, first.file, first.level, None, {}, (), 0, sum(case.deprecated for case in cases), **about)
    statuses: dict = {}
    for name, case in parts:
        for sample, status in case.statuses.items():
            if sample in statuses:
                raise GatekitError(f"the sample {quote(sample)} of the case {quote(first.id)} is in another shard too", file=name)
            statuses[sample] = status
    verdicts = sorted((verdict for case in cases for verdict in case.verdicts), key=lambda verdict: verdict.sample)
    left_out = sum(case.left_out for case in cases) + sum(not verdict.passed for verdict in verdicts[EVIDENCE:])
    retries = {sample: attempts for case in cases for sample, attempts in case.retries.items()}
    about["retries"] = {sample: retries[sample] for sample in sorted(retries)}
    about["excluded"] = frozenset().union(*(case.excluded for case in cases))
    about["lines"] = {rule: line for case in reversed(cases) for rule, line in case.lines.items()}
    return CaseReport(first.id, first.file, first.level, _sum([case.summary for case in cases]), statuses, first_told(verdicts[:EVIDENCE]), left_out, **about)


def _sum(summaries: list) -> BatchSummary:
    counts = [sum(getattr(summary, name) for summary in summaries) for name in BatchSummary.__slots__[:7]]
    return BatchSummary(*counts, summaries[0].thresholds, any(summary.vetoed for summary in summaries))


def in_common_order(lists: list, rank) -> list:
    """The items of several lists, each once, in an order that agrees with that of every list as far as these agree; what they leave open is decided by `rank`."""
    keyed = [[(_key(item), item) for item in items] for items in lists]
    left = [iter(items) for items in keyed]
    heads = [next(items, None) for items in left]
    behind: dict = {}  # how many lists an item still stands in
    for items in keyed:
        for key in {key for key, _ in items}:
            behind[key] = behind.get(key, 0) + 1
    made: list = []
    done: set = set()
    while any(head is not None for head in heads):
        ahead: dict = {}
        for head in heads:
            if head is not None:
                ahead.setdefault(head[0], [head[1], 0])[1] += 1
        free = [item for key, (item, count) in ahead.items() if count == behind[key]] or [item for item, _ in ahead.values()]
        chosen = min(free, key=rank)
        made.append(chosen)
        done.add(_key(chosen))
        for place, items in enumerate(left):
            while heads[place] is not None and heads[place][0] in done:
                heads[place] = next(items, None)
    return made


def _key(error: GatekitError) -> tuple:
    return error.file, error.line, error.column, error.path, error.message


def _place(error: GatekitError) -> tuple:
    return error.file is None, error.file or "", error.line or 0, error.column or 0, str(error)
