"""A case: one golden file, an executable specification of what an agent's output must hold."""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import Sample
from ..formats.strict_json import read_json
from ..ground.canonical import copied, json_kind
from ..ground.errors import CaseError, GatekitError
from ..ground.files import base_name, read_bytes, text_of
from ..ground.record import Record
from ..judging.judge import Judge
from ..judging.rates import Thresholds
from ..judging.report import Report, judge_all
from ..judging.rubric import Rubric, rules_of
from ..judging.verdict import Verdict
from ..matchers.fields import refuse_unknown
from ..matchers.matcher import Matcher
from ..text.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Field: the type that it has, and its name in a message. None: any JSON value.
FIELDS = {
    "id": (str, "text"),
    "description": (str, "text"),
    "created_at": (str, "text"),
    "updated_at": (str, "text"),
    "update_reason": (str, "text"),
    "deprecated": (bool, "true or false"),
    "deprecated_at": (str, "text"),
    "deprecated_reason": (str, "text"),
    "level": (int, "a whole number from 1 to 5"),
    "tags": (list, "a list of texts"),
    "owner": (str, "text"),
    "template": (str, "text"),
    "input": (None, "a JSON value"),
    "rubric": (dict, "a mapping"),
    "matchers": (list, "a list of matchers"),
    "invariants": (list, "a list of invariants"),
    "gate": (dict, "a mapping"),
    "samples": (list, "a list of samples"),
    "allow_empty": (bool, "true or false"),
    "reasoning": (str, "text"),
}
GATE_FIELDS = ("max_failure_rate", "max_transient", "min_judged", "confidence", "rounding")
REPORT = "gatekit-report/"
# Fields that later versions judge by: passing over one would let something pass unchecked.
_NOT_YET = ("template", "invariants")


class Case(Record):
    """One case: its id, its rules, its thresholds, and the samples that stand in its file.

    Made by `Case.from_dict` or `Case.from_file`. `fields` is the mapping that it was read from; `judging` its compiled rules, None for a
    deprecated case without any; `level` the highest tier of its rules. A case does not change and can be pickled.
    """

    __slots__ = ("fields", "file", "judging", "thresholds", "samples")
    fields: dict
    file: str | None
    judging: Judge | None
    thresholds: Thresholds
    samples: tuple[Sample, ...]

    def __init__(self, fields: dict, file: str | None = None) -> None:
        if not isinstance(fields, dict):
            raise CaseError(f"a case is a mapping, not {json_kind(fields)}: Case.from_dict reads one, Case.from_file a file")
        _check_fields(fields)
        rules = _rules(fields)
        deprecated = fields.get("deprecated", False)
        if not rules and not deprecated:
            raise CaseError('the case has no rules, so it would pass everything: give it a "rubric" or "matchers"')
        settings = {name: fields[name] for name in ("reasoning", "allow_empty") if name in fields}
        judging = Judge(rules, **settings) if rules else None
        if "level" in fields and judging and fields["level"] != judging.level:
            raise CaseError(f"level is {fields['level']}, and the highest tier of the case's rules is {judging.level}: write level {judging.level}, or leave it out", path=("level",))
        self._set(fields, file, judging, _thresholds(fields.get("gate", {})), _samples(fields))

    @classmethod
    def from_dict(cls, mapping: object) -> Case:
        """A case from its mapping. Raises CaseError, with the place as `path`."""
        if not isinstance(mapping, dict):
            raise CaseError(f"a case is a mapping, not {json_kind(mapping)}")
        return cls(copied(mapping))

    @classmethod
    def from_file(cls, path: str) -> Case:
        """A case from a JSON file. Raises GatekitError, with file and line, for a file that cannot be read or a case that cannot be meant."""
        case = read_case(str(path), base_name(str(path)))
        if case is None:
            raise CaseError("this is a report, not a case", file=base_name(str(path)))
        return case

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.fields["id"]

    @property
    def level(self) -> int | None:
        """The highest tier of the rules; None for a deprecated case without rules."""
        return self.judging.level if self.judging else self.fields.get("level")

    @property
    def tags(self) -> tuple:
        """The tags of the case."""
        return tuple(self.fields.get("tags", ()))

    @property
    def description(self) -> str | None:
        """What the case is about."""
        return self.fields.get("description")

    @property
    def deprecated(self) -> bool:
        """Whether the case no longer gates."""
        return self.fields.get("deprecated", False)

    @property
    def input(self) -> object:
        """What the agent is given."""
        return self.fields.get("input")

    def check(self, output: object) -> Verdict:
        """The verdict on one output: text, a JSON value, a Sample, or a sample's mapping. Raises CaseError for what is none of these."""
        if self.judging is None:
            raise CaseError("the case is deprecated and has no rules to check by")
        sample = Sample.of(output)
        if sample.case is not None and sample.case != self.id:
            raise CaseError(f"the sample is one of case {quote(sample.case)}, not of {quote(self.id)}", path=("case",))
        return self.judging.clean_pass(sample) if self.judging.holds(sample) else self.judging.verdict(sample)

    def require(self, output: object) -> None:
        """For tests: raise GateFailed, an AssertionError with the reasons, unless the output passes."""
        self.check(output).require()

    def judge(self, samples: Iterable[object]) -> Report:
        """The report on many outputs, held to the case's thresholds; each may be whatever `check` takes. Without an id they are numbered from 1."""
        if self.judging is None:
            raise CaseError("the case is deprecated and has no rules to judge by")
        return judge_all(self.judging, self.thresholds, samples, self.id, self.file)

    def __eq__(self, other):
        return self.fields == other.fields and self.file == other.file if isinstance(other, Case) else NotImplemented

    def __hash__(self):
        return hash((self.id, self.file))

    def __repr__(self):
        return f"Case({quote(self.id)})"

    def __reduce__(self):
        return Case, (self.fields, self.file)


def read_case(path: str, name: str) -> Case | None:
    """The case in a JSON file that is shown as `name`; None for one of the program's own reports. Errors carry the place of the offending field."""
    text = text_of(read_bytes(path, name), name)
    try:
        mapping = read_json(text)
        if isinstance(mapping, dict) and str(mapping.get("format", "")).startswith(REPORT):
            return None
        if not isinstance(mapping, dict):
            raise CaseError(f"a case is a mapping, not {json_kind(mapping)}")
        return Case(mapping, name)
    except GatekitError as error:
        error = Redaction().of_text(text).error(error)
        if error.line is None:
            from ..formats.json_places import place_of

            line, column = place_of(text, error.path)
            error = type(error)(error.message, line=line, column=column, path=error.path)
        raise error.located(file=name) from None


def _check_fields(fields: dict) -> None:
    refuse_unknown(fields, FIELDS, "a case")
    for name, value in fields.items():
        kind, words = FIELDS[name]
        if kind is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is not bool):
            raise CaseError(f"{quote(name)} of a case must be {words}, not {json_kind(value)}", path=(name,))
    if not fields.get("id"):
        raise CaseError('the case has no "id": give it a name of its own', path=("id",) if "id" in fields else ())
    if not 1 <= fields.get("level", 1) <= 5:
        raise CaseError("level is 1 to 5", path=("level",))
    for place, tag in enumerate(fields.get("tags", ())):
        if not isinstance(tag, str) or not tag:
            raise CaseError(f"a tag is text, not {json_kind(tag)}", path=("tags", place))
    for name in _NOT_YET:
        if name in fields:
            raise CaseError(f"{quote(name)} is not judged yet: leave it out", path=(name,))


def _rules(fields: dict) -> tuple:
    given: list = []
    if "rubric" in fields:
        given.append(_below("rubric", lambda: Rubric.from_dict(fields["rubric"])))
    if "matchers" in fields and not fields["matchers"]:
        raise CaseError('"matchers" is an empty list: leave it out, or list something', path=("matchers",))
    for place, mapping in enumerate(fields.get("matchers", ())):
        given.append(_below("matchers", lambda: _below(place, lambda: Matcher.from_dict(mapping))))
    return rules_of(given)


def _below(part: object, make):
    try:
        return make()
    except CaseError as error:
        raise error.located(path=(part,)) from None


def _thresholds(gate: dict) -> Thresholds:
    def make():
        refuse_unknown(gate, GATE_FIELDS, "a gate")
        if "confidence" in gate:
            raise CaseError("confidence is not available yet: leave it out, and the rate itself is compared", path=("confidence",))
        return Thresholds(**gate)

    return _below("gate", make)


def _samples(fields: dict) -> tuple:
    samples: list = []
    for place, given in enumerate(fields.get("samples", ())):
        made = _below("samples", lambda: _below(place, lambda: _inline(given, fields["id"], place)))
        samples.append(made)
    return tuple(samples)


def _inline(given: object, case: str, place: int) -> Sample:
    if isinstance(given, str):
        given = {"output": given}
    if not isinstance(given, dict):
        raise CaseError(f"a sample is text or a mapping, not {json_kind(given)}")
    if given.get("case", case) != case:
        raise CaseError(f"the sample is one of another case than {quote(case)}", path=("case",))
    return Sample.from_dict({"case": case, "sample": str(place + 1), **given})
