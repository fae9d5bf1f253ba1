"""The report for readers of JUnit XML: a suite for each case, in it a test case for each sample.

    passed                              a test case with nothing in it
    check_failed                        <failure>: also where the gate's failure rate allows it
    error, diverged, inconclusive       <error>, of that type
    transient, review, excluded         <skipped>
    a deprecated case                   one test case that is skipped
    a gate that did not pass, and none of its samples failed
                                        one more test case, <error>: a reader that knows only this file never takes it for a pass
    a run that was stopped              a suite of its own, in which it and each case that it did not come to is skipped
    what could not be read              a suite of its own, each an <error>

`classname` is the id of the case and `name` that of the sample, so that a reader finds a sample again in the next report. A reader takes two of one name for
one, or reports one of them: so ids that are the same once they are fit to be shown get a number. The root is that of the Jenkins xUnit
plugin (junit-10.xsd), and each suite by itself meets Surefire's schema (surefire-test-report.xsd), which is stricter in the order of elements and wants a
`time`. Nothing is timed here, so every time is 0, and there is no time stamp and no host name.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical
from ..judging.report import CaseReport, Report, Stopped
from ..judging.verdict import Verdict
from ..text.quoting import quote, visible
from .text_report import answer_lines, label_words, stopped_words, told_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalogue import Style

_LONGEST_BODY = 20000
_LONGEST_NAME = 1000
_LONGEST_MESSAGE = 500
_LONGEST_VALUE = 600
_MOST_ERRORS = 1000
_ELEMENTS = {
    "check_failed": "failure",
    "error": "error",
    "diverged": "error",
    "inconclusive": "error",
    "transient": "skipped",
    "review": "skipped",
}
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(report: Report, style: Style) -> str:
    """The report as JUnit XML. No style changes it: a sample that passed is listed always, and the figures of a batch have no place here."""
    stopped = () if report.stopped is None else report.stopped.cases_not_judged
    names = _names([*(case.id for case in report.cases), *stopped])
    suites, taken = [_suite(case, names[case.id]) for case in report.cases], set(names.values())
    if report.stopped is not None:
        suites.append(_stopped(_free("(stopped)", taken), report.stopped, names))
    if report.errors:
        suites.append(_errors(_free("(errors)", taken), report.errors))
    if report.outcome != "pass" and not any(counts["failures"] + counts["errors"] for counts, _ in suites):
        name = _free("(gate)", taken)
        suites.append(_counted(name, [_test(name, "(gate)", "error", report.outcome, "nothing was judged")], []))
    total = {name: sum(counts[name] for counts, _ in suites) for name in ("tests", "failures", "errors")}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{_attributes(name='gatekit', **total)}>"]
    for _, suite in suites:
        lines += suite
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(case: CaseReport, name: str) -> tuple:
    """The counts of a case's suite, and its lines. `name` is the case's here."""
    kept, names = {verdict.sample: verdict for verdict in case.verdicts}, _names(sorted(case.statuses))
    tests = [_test(name, shown, *_sample(case, sample, kept.get(sample))) for sample, shown in names.items()]
    if case.deprecated is not None:
        words = f"the case is deprecated and does not gate: {case.deprecated} sample{'s' * (case.deprecated != 1)} not judged"
        tests.append(_test(name, "(deprecated)", "skipped", "", words))
    elif case.outcome != "pass" and not any(element in ("failure", "error") for element, _ in tests):
        tests.append(_test(name, _free("(gate)", set(names.values())), "error", case.outcome, case.reason or case.outcome))
    return _counted(name, tests, _properties(case))


def _counted(name: str, tests: list, properties: list) -> tuple:
    elements = [element for element, _ in tests]
    counts = {"tests": len(tests), "errors": elements.count("error"), "skipped": elements.count("skipped"), "failures": elements.count("failure")}
    lines = [f" <testsuite{_attributes(name=name, time='0', **counts)}>", *properties]
    for _, test in tests:
        lines += test
    return counts, [*lines, " </testsuite>"]


def _properties(case: CaseReport) -> list:
    """What is known of a case besides its samples."""
    known = [("file", case.file), ("description", case.description), ("level", case.level), ("owner", case.owner)]
    known += [("tag", tag) for tag in case.tags] + [("outcome", case.outcome)]
    if case.summary is not None:
        known += [("reason", case.reason), ("failure rate", case.summary.rate_text() if case.summary.judged else None)]
        known.append(("planned", case.planned and stopped_words(case)))
    rows = [f"   <property{_attributes(name=name, value=visible(str(value)))}/>" for name, value in known if value]
    return ["  <properties>", *rows, "  </properties>"]


def _names(ids: list) -> dict:
    """What ids are called here, each by a name of its own: those that are fit to be shown as they are keep theirs."""
    named = {id: _cut(visible(id), _LONGEST_NAME) if id.strip() else quote(id) for id in ids}
    taken, numbers = {id for id, name in named.items() if id == name}, {}
    for id, name in named.items():
        if id != name:
            unique = name
            while unique in taken:
                numbers[name] = numbers.get(name, 1) + 1
                unique = f"{name} ({numbers[name]})"
            taken.add(unique)
            named[id] = unique
    return named


def _sample(case: CaseReport, name: str, verdict: Verdict | None) -> tuple:
    """How a sample ended, as `_test` takes it."""
    status, excluded = case.statuses[name], name in case.excluded
    notes = [f"retried, which does not count: attempt {attempt} {told}" for attempt, told in case.retries.get(name, {}).items()]
    words = "" if verdict is None else label_words(verdict, excluded)[2:]
    if excluded:
        return "skipped", "", words or "excluded", [] if verdict is None else _body(verdict), notes
    notes += [words] if words else []
    element = _ELEMENTS.get(status)
    if element is None:
        return None, "", "", (), notes
    if verdict is None:
        return element, status, f"{status}: its findings are left out, there are too many", (), notes
    blamed = verdict.blamed
    first = blamed[0] if blamed else None
    message = status if first is None else f"{visible(first.rule)}: {visible(first.reason)}"
    kind = visible(first.type) if element == "failure" and first is not None else status
    more = f" (and {len(blamed) - 1} more)" if len(blamed) > 1 else ""
    return element, kind, _cut(message, _LONGEST_MESSAGE) + more, _body(verdict), notes


def _body(verdict: Verdict) -> list:
    """What is told of a verdict, and what its failed rules expected and got."""
    lines = told_lines(verdict, False)
    for finding in verdict.findings:
        if finding.outcome == "fail" and finding.expected is not None:
            lines.append(f"{visible(finding.rule)}:")
            lines += [f"  {word + ':':<9} {_value(value)}" for word, value in (("expected", finding.expected), ("actual", finding.actual)) if value is not None]
    return lines + ([] if verdict.output_sha256 else answer_lines(verdict))


def _value(value: object) -> str:
    return _cut(quote(value) if isinstance(value, str) else visible(canonical(value)), _LONGEST_VALUE)


def _test(case: str, name: str, element: str | None, kind: str = "", message: str = "", body: list | tuple = (), notes: list | tuple = ()) -> tuple:
    """A test case: the element that says how it ended (None: it passed), and its lines. `notes` are its output."""
    head = f"  <testcase{_attributes(name=name, classname=case, time='0')}"
    if element is None and not notes:
        return None, [head + "/>"]
    lines = [head + ">"]
    if element is not None:
        about = {"message": message} if element == "skipped" else {"message": message, "type": kind}
        text = _xml(_cut("\n".join(body), _LONGEST_BODY))
        lines.append(f"   <{element}{_attributes(**about)}" + (f">{text}</{element}>" if text else "/>"))
    if notes:
        noted = _xml(_cut("\n".join(notes), _LONGEST_BODY))
        lines.append(f"   <system-out>{noted}</system-out>")
    return element, [*lines, "  </testcase>"]


def _stopped(suite: str, stopped: Stopped, names: dict) -> tuple:
    """The suite of what a run did not come to that was stopped; `names` are those of the cases here."""
    tests = [_test(suite, "(stopped)", "skipped", "", f"stopped {stopped.reason}")]
    tests += [_test(names[id], "(not judged)", "skipped", "", "the run was stopped before a sample of this case was judged") for id in stopped.cases_not_judged]
    return _counted(suite, tests, [])


def _errors(suite: str, errors: tuple) -> tuple:
    """The suite of what could not be read or judged."""
    tests, taken = [], set()
    for error in errors[:_MOST_ERRORS]:
        place = ":".join(str(part) for part in (error.file, error.line, error.column) if part is not None)
        name = _free(visible(place) or "gatekit", taken)
        taken.add(name)
        tests.append(_test(suite, name, "error", "error", _cut(visible(str(error)), 2 * _LONGEST_MESSAGE)))
    if len(errors) > _MOST_ERRORS:
        tests.append(_test(suite, _free("(more)", taken), "error", "error", f"and {len(errors) - _MOST_ERRORS} more errors"))
    return _counted(suite, tests, [])


def _free(name: str, taken) -> str:
    """A name that none of the others has."""
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name} ({number})", number + 1
    return unique


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def _attributes(**values: object) -> str:
    return "".join(f' {name}="{_xml(str(value))}"' for name, value in values.items())


def _xml(text: str) -> str:
    """Visible text as it stands in an element, or in an attribute between double quotes: no markup, no reference, and no `]]>`.

    What XML 1.0 has no way to write (controls, lone surrogates, U+FFFE and U+FFFF) is spelt out before, by `visible`.
    """
    return re.sub('[&<>"]', lambda match: _REFERENCES[match.group()], text)
