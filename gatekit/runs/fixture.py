"""A fixture: what runs of a workflow are given, and what a scripted operator decides in them. It is a YAML or JSON file:

    inputs: {company: Halvorsen Tide Instruments}
    operator: the script                 # who the decisions are said to be by; `script` by default
    decisions:
      synthesize: [reject: the revenue figure was wrong last time, approve]

The decisions on a step are made in their order, whatever its checks say; one that can never be reached is refused. After them, what passed its
checks is approved, and what did not is rejected with
what failed as the reason; what waits for a person alone is approved too, and still waits: a script is no person. The script decides through the same
calls as a person: `approve`, `reject` and `submit` of a WorkflowRun.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..golden.document import read_document
from ..golden.settings import below
from ..ground.canonical import json_kind
from ..ground.errors import CaseError, nearest
from ..ground.record import Record
from ..judging.verdict import finding_lines
from ..matchers.fields import refuse_unknown
from ..text.quoting import quote
from .workflow import Workflow
from .workflow_run import Answer, WorkflowRun

FIELDS = ("inputs", "operator", "decisions")
_WORDS = ("approve", "reject")


class Fixture(Record):
    """What runs of a workflow are given, and the decisions of a script by step: each None for an approval, or the reason of a rejection."""

    __slots__ = ("inputs", "operator", "decisions")
    inputs: dict | None
    operator: str
    decisions: dict

    def __init__(self, inputs: dict | None = None, operator: str = "script", decisions: dict | None = None) -> None:
        self._set(inputs, operator, decisions or {})

    @classmethod
    def from_dict(cls, mapping: dict, workflow: Workflow) -> Fixture:
        """A fixture of a workflow from its mapping. Raises CaseError, with the place as `path`, for what cannot be meant."""
        refuse_unknown(mapping, FIELDS, "a fixture")
        if not mapping:
            raise CaseError(f"a fixture that is empty says nothing: it has {', '.join(FIELDS)}")
        operator = mapping.get("operator", "script")
        if not isinstance(operator, str) or is_blank(operator):
            raise CaseError("operator is a name, as text", path=("operator",))
        inputs = below("inputs", lambda: workflow.read_inputs(mapping["inputs"])) if "inputs" in mapping else None
        decisions = mapping.get("decisions", {})
        if not isinstance(decisions, dict) or "decisions" in mapping and not decisions:
            raise CaseError("decisions map the name of a step to what is decided on it, in order", path=("decisions",))
        read = {}
        for step, listed in decisions.items():
            read[step] = below("decisions", lambda: below(step, lambda: _decisions(workflow, step, listed)))
        return cls(inputs, operator, read)


def read_fixture(path: str, name: str, workflow: Workflow) -> Fixture:
    """The fixture in a file that is shown as `name`. Raises GatekitError with the file, line and column of what is wrong."""
    return read_document(path, name, lambda mapping: Fixture.from_dict(mapping, workflow))


def play(run: WorkflowRun, fixture: Fixture) -> None:
    """Bring a run to its end: the script of a fixture decides. A step that crashed or met an outage is not retried."""
    while True:
        if run.state == "running":
            run.advance()
        elif run.state == "deciding":
            _decide(run, fixture)
        elif run.state == "reviewing":
            run.submit()
        else:
            return


def _decide(run: WorkflowRun, fixture: Fixture) -> None:
    answer = run.answer
    made = sum(line.get("step") == answer.step and line["decision"] in ("approved", "rejected") for line in run.decisions)
    script = fixture.decisions.get(answer.step, ())
    reason = script[made] if made < len(script) else _what_failed(answer)
    if reason is None:
        run.approve()
    else:
        run.reject(reason)


def _what_failed(answer: Answer) -> str | None:
    """The reason for which a careful reader rejects an answer by its checks; None where none failed."""
    if answer.verdict.status in ("passed", "review"):
        return None
    lines = finding_lines([finding for finding in answer.verdict.findings if finding.outcome != "pass"])
    return "\n".join(lines) or f"it is {answer.verdict.status}"


def _decisions(workflow: Workflow, step: str, listed: object) -> tuple:
    if not workflow.step(step).approval:
        raise CaseError(f"the step {quote(step)} asks for no approval, so nobody decides on it: leave it out, or give it approval=True")
    if not isinstance(listed, list) or not listed:
        raise CaseError("what is decided on a step is a list: [approve], or [{reject: REASON}, approve]")
    decided = tuple(below(place, lambda: _decision(one)) for place, one in enumerate(listed))
    last = decided.index(None) if None in decided else len(decided)
    most = workflow.step(step).max_rejections
    if last < len(decided) - 1:
        raise CaseError("it is approved before, so that this would never be decided: leave it out", path=(last + 1,))
    if len(decided) > most + 1:
        words = f"the run ends with rejection {most + 1} (max_rejections is {most}), so that this would never be decided: leave it out"
        raise CaseError(words, path=(most + 1,))
    return decided


def _decision(given: object) -> str | None:
    if given == "approve":
        return None
    if isinstance(given, dict) and list(given) == ["reject"]:
        if not isinstance(given["reject"], str) or is_blank(given["reject"]):
            raise CaseError("a rejection has a reason, as text", path=("reject",))
        return given["reject"]
    word = next(iter(given), "") if isinstance(given, dict) else given
    if word == "reject":
        raise CaseError("a rejection has a reason: {reject: REASON}")
    near = nearest(word, _WORDS) if isinstance(word, str) else None
    shown = quote(word) if isinstance(word, str) else json_kind(given)
    raise CaseError(f"a decision is `approve` or {{reject: REASON}}, not {shown}" + (f": did you mean {near}?" if near else ""))
