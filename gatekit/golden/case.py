"""A case: one golden file, an executable specification of what an agent's output must hold."""
from __future__ import annotations

from ..data.reading import is_blank
from ..data.redaction import Redaction
from ..data.sample import SUBJECTS, Sample
from ..ground.canonical import copied, json_kind
from ..ground.errors import CaseError, GateFailed, nearest
from ..ground.files import base_name
from ..ground.record import Record
from ..judging.judge import Judge
from ..judging.rates import Thresholds
from ..judging.report import Report
from ..judging.tally import judge_all
from ..judging.rubric import Rule
from ..judging.verdict import Verdict
from ..matchers.fields import as_text, refuse_unknown
from ..text.quoting import quote
from .document import read_document
from .settings import Settings, below, masks_of, read_settings, rules_from, settings_above, thresholds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
REPORT = "gatekit-report/"
_TELLING = ("id", "rubric", "matchers", "invariants")  # what a case has
_MOST_SHOWN, _LONGEST_SHOWN = 3, 40
_ELSEWHERE = "move it out of the set, begin the name of its folder with a dot, or list the cases in a gatekit.yaml"


class Case(Record):
    """One case: its id, its rules, its thresholds, and the samples that stand in its file.

    Made by `Case.from_dict` or `Case.from_file`. `fields` is the mapping that it was read from, `shared` the settings of the folders that it
    lies in; `judging` its compiled rules, None for a deprecated case without any; `level` the highest tier of its own rules. A case does not
    change and can be pickled.
    """

    __slots__ = ("fields", "file", "shared", "_judging", "_thresholds", "_samples", "_level")
    fields: dict
    file: str | None
    shared: tuple[Settings, ...]

    def __init__(self, fields: dict, file: str | None = None, shared: tuple[Settings, ...] = ()) -> None:
        if not isinstance(fields, dict):
            raise CaseError(f"a case is a mapping, not {json_kind(fields)}: Case.from_dict reads one, Case.from_file a file")
        _check_fields(fields)
        own = rules_from(fields)
        rules = _shared_rules(fields, shared) + own
        if not rules and not fields.get("deprecated", False):
            raise CaseError('the case has no rules, so it would pass everything: give it a "rubric", "matchers" or "invariants"')
        read_as = {name: fields[name] for name in ("reasoning", "allow_empty") if name in fields}
        transient = tuple(pattern for settings in shared for pattern in settings.transient)
        masks = masks_of(shared)
        judging = Judge(rules, **read_as, transient=transient, masks=masks, given=fields.get("input")) if rules else None
        level = max((rule.matcher.tier for rule in own or rules), default=None)
        if "level" in fields and level is not None and fields["level"] != level:
            raise CaseError(f"level is {fields['level']}, and the highest tier of the case's rules is {level}: write level {level}, or leave it out", path=("level",))
        gate: dict = {}
        for settings in shared:
            gate.update(settings.gate)
        held_to = below("gate", lambda: thresholds({**gate, **fields.get("gate", {})}))
        self._set(fields, file, tuple(shared), judging, held_to, _samples(fields), level)

    @property
    def judging(self) -> Judge | None:
        """The compiled rules; None for a deprecated case without any."""
        return self._judging

    @property
    def thresholds(self) -> Thresholds:
        """What a batch of the case's samples is held to."""
        return self._thresholds

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples that stand in the case's file."""
        return self._samples

    @classmethod
    def from_dict(cls, mapping: object, *, masks: Mapping[str, str] | None = None, pii: Sequence[str] | None = None) -> Case:
        """A case from its mapping; `masks` and `pii` are what a `gatekit.yaml` above it would mask. Raises CaseError, with the place as `path`."""
        if not isinstance(mapping, dict):
            raise CaseError(f"a case is a mapping, not {json_kind(mapping)}")
        given = {"masks": masks, "pii": list(pii) if isinstance(pii, tuple) else pii}
        given = {name: copied(value) for name, value in given.items() if value is not None}
        try:
            return cls(copied(mapping), None, (Settings(given),) if given else ())
        except CaseError as error:
            from ..data.given import fit

            raise fit(error, mapping) from None

    @classmethod
    def from_file(cls, path: str) -> Case:
        """A case from a JSON or YAML file, with the settings of the folders that it lies in. Raises GatekitError, with file and line, for a file that cannot be read or a case that cannot be meant."""
        shared = settings_above(str(path), read_settings)
        case = read_case(str(path), base_name(str(path)), shared, Redaction((), masks_of(shared)))
        if case is None:
            raise CaseError("this is a report, not a case", file=base_name(str(path)))
        return case

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.fields["id"]

    @property
    def level(self) -> int | None:
        """The highest tier of the case's own rules (of the shared ones, where it has none); for a deprecated case without rules what it says."""
        return self.fields.get("level") if self._level is None else self._level

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
        from ..data.given import fit, sample_of  # a run of the command line reads files

        sample = sample_of(output)
        if sample.case is not None and sample.case != self.id:
            raise fit(CaseError(f"the sample is one of case {quote(sample.case)}, not of {quote(self.id)}", path=("case",)), [sample.case, self.id])
        return self.judging.clean_pass(sample) if self.judging.holds(sample) else self.judging.verdict(sample)

    def require(self, output: object) -> None:
        """For tests: raise GateFailed, an AssertionError with the id of the case and the reasons, unless the output passes."""
        __tracebackhide__ = True  # pytest ends its traceback in the line of the test
        verdict = self.check(output)
        if not verdict.passed:
            raise GateFailed(str(verdict.of_case(Redaction(self.judging.prefixes, self.judging.masks).id(self.id))))

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
        return f"Case({quote(Redaction((), masks_of(self.shared)).id(self.id))})"

    def __reduce__(self):
        return Case, (self.fields, self.file, self.shared)


def read_case(path: str, name: str, shared: tuple[Settings, ...] = (), redaction: Redaction | None = None) -> Case | None:
    """The case in a file that is shown as `name`; None for one of the program's own reports. Errors carry the place of the offending field.

    `redaction` is that of the run.
    """

    def make(mapping: dict) -> Case | None:
        if str(mapping.get("format", "")).startswith(REPORT):
            return None
        _refuse_foreign(mapping)
        return Case(mapping, name, shared)

    return read_document(path, name, make, redaction)


def _refuse_foreign(mapping: dict) -> None:
    """Refuse a file that has neither an id nor rules, nor what is nearly one of them: it is none with a slip in it, but lies among the cases."""
    unknown = [key for key in mapping if key not in FIELDS]
    if not unknown or any(key in _TELLING or nearest(key, _TELLING) for key in mapping):
        return
    if "case" in mapping and mapping.keys() & SUBJECTS:
        raise CaseError("this is a sample and no case: samples are lines of a *.jsonl file, one JSON value on each line")
    shown = ", ".join(quote(key[:_LONGEST_SHOWN]) for key in unknown[:_MOST_SHOWN])
    more = f" and {len(unknown) - _MOST_SHOWN} more keys that no case has" if len(unknown) > _MOST_SHOWN else ", which no case has"
    raise CaseError(f"this is no case: it has no id and no rules, but {shown}{more}; if it is none, {_ELSEWHERE}")


def _check_fields(fields: dict) -> None:
    refuse_unknown(fields, FIELDS, "a case")
    for name, value in fields.items():
        kind, words = FIELDS[name]
        if kind is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is not bool):
            mend = as_text(value) if kind is str and isinstance(value, (int, float)) else ""
            raise CaseError(f"{quote(name)} of a case must be {words}, not {json_kind(value)}{mend}", path=(name,))
    if is_blank(fields.get("id")):
        raise CaseError('the case has no "id": give it a name of its own', path=("id",) if "id" in fields else ())
    if not 1 <= fields.get("level", 1) <= 5:
        raise CaseError("level is 1 to 5", path=("level",))
    for place, tag in enumerate(fields.get("tags", ())):
        if isinstance(tag, str) and is_blank(tag):
            raise CaseError("the tag is empty: say what the case is about, or leave it out", path=("tags", place))
        if not isinstance(tag, str):
            mend = as_text(tag) if isinstance(tag, (int, float)) else ""
            raise CaseError(f"a tag is text, not {json_kind(tag)}{mend}", path=("tags", place))


def _shared_rules(fields: dict, shared: tuple) -> tuple:
    """The rules that the folders' settings bring: those for every case, and those of the case's template."""
    rules: list = []
    for place, settings in enumerate(shared):
        # Of several folders, the outer ones' names are set apart from the innermost one's.
        outer = "outer." * (len(shared) - 1 - place)
        rules += [Rule(outer + rule.label, rule.matcher) for rule in settings.rules]
    if "template" in fields:
        templates = [settings.templates for settings in shared]
        name = fields["template"]
        if not any(name in known for known in templates):
            names = sorted({name for known in templates for name in known})
            near = nearest(name, names)
            raise CaseError(
                f"no gatekit.yaml above the case has a template {quote(name)}" + (f": did you mean {quote(near)}?" if near else ""), path=("template",)
            )
        for place, known in enumerate(templates):
            outer = "outer." * (len(shared) - 1 - place)
            rules += [Rule(outer + rule.label, rule.matcher, ("template",)) for rule in known.get(name, ())]
    return tuple(rules)


def _samples(fields: dict) -> tuple:
    samples: list = []
    for place, given in enumerate(fields.get("samples", ())):
        made = below("samples", lambda: below(place, lambda: _inline(given, fields["id"], place)))
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
