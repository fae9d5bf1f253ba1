"""What the cases below a folder share: its `gatekit.yaml`.

    rubric, matchers   rules for every case below the folder
    templates          by name, rules for every case that has this `template`
    gate               what a case's own `gate` may override
    transient          patterns: an error of a sample that matches one is the provider's
    update_reason      why they were last changed: lint asks for a new one where what cases share has changed
    cases              case files and folders, relative to the folder: no other case below it is one of the set (folder.py)
    masks              by name, a pattern: what it finds is shown as `<order 1>` in reports, the same order with the same number
    pii                ready masks, of email, phone, card and iban: `<email 1>`

Settings of an outer folder hold in the folders inside it too; of `gate`, the inner one wins.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..ground.canonical import canonical
from ..ground.errors import CaseError
from ..ground.files import files_above
from ..ground.record import Record
from ..judging.rates import Thresholds
from ..judging.rubric import Rubric, Rule, rules_of
from ..matchers.fields import pattern_that_says_something, refuse_unknown
from ..matchers.matcher import Matcher
from ..text.quoting import quote
from .document import read_document

# Errors that no provider's pattern may be found in: it would excuse the agent.
_AGENTS_OWN = ("TypeError: boom", "KeyError: 'id'", "AssertionError", "ValueError: invalid literal for int", "x")
FILES = ("gatekit.yaml", "gatekit.yml", "gatekit.json")
FIELDS = ("rubric", "matchers", "invariants", "templates", "gate", "transient", "masks", "pii", "update_reason", "cases")
GATE_FIELDS = ("max_failure_rate", "max_transient", "min_judged", "confidence", "rounding")
RULE_FIELDS = ("rubric", "matchers", "invariants")


class Settings(Record):
    """The shared settings of one folder. Raises CaseError, with the place as `path`, for what cannot be meant."""

    __slots__ = ("fields", "_rules", "_templates", "_masks")
    fields: dict

    def __init__(self, fields: dict) -> None:
        refuse_unknown(fields, FIELDS, "gatekit.yaml")
        templates = fields.get("templates", {})
        if not isinstance(templates, dict) or "templates" in fields and not templates:
            raise CaseError("templates is a mapping of names to rules", path=("templates",))
        compiled = {}
        for name, rules in templates.items():
            compiled[name] = below("templates", lambda: below(name, lambda: _template(name, rules)))
        below("gate", lambda: _shared_thresholds(fields.get("gate", {})))
        patterns = fields.get("transient", [])
        if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns) or "transient" in fields and not patterns:
            raise CaseError("transient is a list of patterns, as text", path=("transient",))
        for place, pattern in enumerate(patterns):
            below("transient", lambda: below(place, lambda: provider_pattern(pattern)))
        if not isinstance(fields.get("update_reason", ""), str):
            raise CaseError("update_reason is text", path=("update_reason",))
        _check_listed(fields)
        masks = _masks(fields) if "masks" in fields or "pii" in fields else ()
        self._set(fields, tuple(rules_from(fields, "shared.")), compiled, masks)

    @property
    def rules(self) -> tuple:
        """The rules for every case."""
        return self._rules

    @property
    def templates(self) -> dict:
        """The rules of each template, by its name."""
        return self._templates

    @property
    def gate(self) -> dict:
        """Thresholds by name."""
        return self.fields.get("gate", {})

    @property
    def transient(self) -> tuple:
        """The patterns of a provider's errors."""
        return tuple(self.fields.get("transient", ()))

    @property
    def update_reason(self) -> str:
        """Why the settings were last changed, as far as they say."""
        return self.fields.get("update_reason", "").strip()

    @property
    def cases(self) -> tuple | None:
        """The case files and folders that are listed, relative to the settings' folder; None where none are."""
        return tuple(self.fields["cases"]) if "cases" in self.fields else None

    @property
    def masks(self) -> tuple:
        """What is masked in reports: `(name, pattern)`, of a ready mask `(name, None)`."""
        return self._masks

    def __hash__(self):
        return hash(canonical(self.fields))


def _masks(fields: dict) -> tuple:
    from ..judging.masking import read_masks  # few folders have masks

    for name in ("masks", "pii"):
        if name in fields and fields[name] is None:
            raise CaseError(f"{name} is null: leave it out, or say what is masked", path=(name,))
    return read_masks(fields.get("masks"), fields.get("pii"))


def masks_of(shared) -> tuple:
    """What some settings mask, each once."""
    return tuple(dict.fromkeys(mask for settings in shared for mask in settings.masks))


def _check_listed(fields: dict) -> None:
    listed = fields.get("cases", [])
    if not isinstance(listed, list) or "cases" in fields and not listed:
        raise CaseError("cases is a list of case files and folders: leave it out, or list something", path=("cases",))
    for place, name in enumerate(listed):
        if not isinstance(name, str) or not name:
            raise CaseError("the name of a case file or folder is text", path=("cases", place))
        if any(part in ("", ".", "..") for part in name.rstrip("/").split("/")):
            mend = 'a case file or folder is named from here downwards, with "/" between its parts: one elsewhere is a PATH of its own'
            raise CaseError(mend, path=("cases", place))
        if name in listed[:place]:
            raise CaseError("it is listed twice: leave one out", path=("cases", place))


def provider_pattern(source: str) -> None:
    """Refuse a pattern of a provider's errors that would excuse an error of the agent's own."""
    pattern = pattern_that_says_something(source)
    for error in _AGENTS_OWN:
        if pattern.search(error):
            raise CaseError(f"the pattern is found in {error!r} too, an error of the agent's own: say more of what the provider says")


def settings_above(path: str, take) -> tuple:
    """The settings of the folders that a path lies in, the outermost first; `take` is asked of each file: of its path and its name."""
    return tuple(take(file, name) for file, name in reversed(list(files_above(path, FILES))))


def read_settings(path: str, name: str, redaction: Redaction | None = None) -> Settings:
    """The settings in a file. Raises GatekitError with the file, line and column of what is wrong; `redaction` is that of the run."""
    return read_document(path, name, Settings, redaction)


def _template(name: str, rules: object) -> tuple:
    if not isinstance(rules, dict):
        raise CaseError("a template is a mapping of a rubric and matchers")
    refuse_unknown(rules, RULE_FIELDS, "a template")
    compiled = rules_from(rules, f"{name}.")
    if not compiled:
        raise CaseError("the template has no rules, so it would check nothing")
    return compiled


def rules_from(fields: dict, prefix: str = "") -> tuple:
    """The rules that `rubric`, `matchers` and `invariants` of a mapping stand for; `prefix` sets their names apart from those of other mappings."""
    rubrics = [below("rubric", lambda: Rubric.from_dict(fields["rubric"]))] if "rubric" in fields else []
    rules = rules_of([*rubrics, *_listed(fields, "matchers", Matcher.from_dict)])
    invariants = _listed(fields, "invariants", Matcher.invariant)
    rules += tuple(Rule(rule.name or f"invariants[{place}]", rule, ("invariants", place)) for place, rule in enumerate(invariants))
    return tuple(Rule(prefix + rule.label, rule.matcher, rule.path) for rule in rules)


def _listed(fields: dict, name: str, read) -> list:
    """What stands in a list of rules, each read by a function."""
    given = fields.get(name, [])
    if not isinstance(given, list) or name in fields and not given:
        raise CaseError(f"{quote(name)} is a list of {name}: leave it out, or list something", path=(name,))
    return [below(name, lambda: below(place, lambda: read(mapping))) for place, mapping in enumerate(given)]


def below(part: object, make):
    """What `make` makes; an error of it is placed below `part`."""
    try:
        return make()
    except CaseError as error:
        raise error.located(path=(part,)) from None


def _shared_thresholds(gate: object) -> None:
    """Check what a folder says of thresholds. A confidence needs a failure rate, which its cases may bring."""
    thresholds({"max_failure_rate": 1, **gate} if isinstance(gate, dict) and "confidence" in gate else gate)


def thresholds(gate: object) -> Thresholds:
    """The thresholds of a `gate` mapping."""
    if not isinstance(gate, dict):
        raise CaseError(f"a gate is a mapping of {', '.join(GATE_FIELDS)}")
    refuse_unknown(gate, GATE_FIELDS, "a gate")
    return Thresholds(**gate)
