"""A template: a name for one kind of step, and the checks that hold for everything that such a step gives."""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError
from ..ground.record import Record
from ..judging.rubric import FIELDS as RUBRIC_FIELDS
from ..judging.rubric import Rubric, Rule
from ..matchers.catalogue import registered
from ..matchers.matcher import Matcher
from ..text.quoting import quote


class Template(Record):
    """The universal checks of one kind of step.

    Args:
        name: the kind's name: `synthesize`.
        checks: at least one, each a Rubric, a Matcher, the mapping of one, the name of a type without fields, or a function that was registered
            with `@matcher` or `@invariant`.
    Raises CaseError, with the place as `path`, for what cannot be meant. A template does not change and can be pickled.
    """

    __slots__ = ("name", "checks")
    name: str
    checks: tuple[Rubric | Matcher, ...]

    def __init__(self, name: str, *checks: object) -> None:
        if not isinstance(name, str) or not name.strip():
            raise CaseError('a template has a name: Template("synthesize", ...)', path=("name",))
        if not checks:
            raise CaseError(f"the template {quote(name)} has no checks: it would hold for everything", path=("checks",))
        self._set(name, read_checks(checks))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The checks as rules, under the template's name."""
        return check_rules(self.checks, f"{self.name}.")

    def __reduce__(self):
        return Template, (self.name, *self.checks)


def read_checks(given) -> tuple:
    """The checks of a list, each as a Rubric or a Matcher. Raises CaseError, with the place in the list as `path`."""
    if isinstance(given, (str, dict)) or not isinstance(given, (list, tuple)):
        raise CaseError("checks are a list: of rubrics, matchers, their mappings, and names or functions of a team's own")
    read = []
    for place, one in enumerate(given):
        try:
            read.append(_read(one))
        except CaseError as error:
            raise error.located(path=(place,)) from None
    return tuple(read)


def check_rules(checks: tuple, prefix: str = "") -> tuple:
    """The rules that checks stand for: a rubric's by its own names (after the first rubric, with its place), the others by theirs or by their place."""
    rules: list = []
    rubrics = 0
    for place, check in enumerate(checks):
        if isinstance(check, Rubric):
            inside = f"checks[{place}]." if rubrics else ""
            rules += [Rule(prefix + inside + rule.label, rule.matcher) for rule in check.rules]
            rubrics += 1
        else:
            rules.append(Rule(prefix + (check.name or f"checks[{place}]"), check))
    return tuple(rules)


def _read(given: object) -> object:
    if isinstance(given, (Rubric, Matcher)):
        return given
    if isinstance(given, str):
        return Matcher(given)
    if isinstance(given, dict):
        return Rubric.from_dict(given) if "type" not in given and any(name in given for name in RUBRIC_FIELDS) else Matcher.from_dict(given)
    if callable(given):
        row = registered(given)
        if row is not None:
            return Matcher(row.name)
        raise CaseError(f"the function {quote(getattr(given, '__name__', 'given'))} is no check: register it with @gatekit.matcher or @gatekit.invariant")
    raise CaseError(f"a check is a rubric, a matcher, or the mapping of one, not {json_kind(given)}")
