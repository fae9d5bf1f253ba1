"""A rubric: declared facts and bans, which expand to matchers."""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, nearest
from ..ground.record import Record
from ..matchers.fields import Field, refuse_unknown
from ..matchers.matcher import Matcher
from ..text.quoting import quote

# Pack: the matcher that it stands for.
PACKS = {"secrets": "no_secrets", "refusals": "not_refusal"}

# Field of a rubric: the type of matcher that each entry becomes, and the kind of an entry (matchers/fields.py).
FIELDS = {
    "must_include": ("must_include", "fact"),
    "must_exclude": ("must_exclude", "fact"),
    "forbidden_prefix": ("forbidden_prefix", "text"),
    "packs": (None, "text"),
}


class Rule(Record):
    """A matcher with the name that reports call it by: `must_include[1]`, `matchers[0]`, or its own.

    `path` is where it stands in the mapping of its case: what brings it there, for one that other files bring.
    """

    __slots__ = ("label", "matcher", "path")
    label: str
    matcher: Matcher
    path: tuple

    def __init__(self, label: str, matcher: Matcher, path: tuple = ()) -> None:
        self._set(label, matcher, tuple(path))


class Rubric(Record):
    """Facts that every output must hold, and strings that it must never hold.

    `must_include`: facts, each a text or a list of alternatives. `must_exclude`: phrases. `forbidden_prefix`: what no token may
    begin with. `packs`: `secrets`, `refusals`. Raises CaseError for an empty list or entry, and for a rubric with nothing in it.
    """

    __slots__ = ("must_include", "must_exclude", "forbidden_prefix", "packs", "_rules")
    must_include: tuple | None
    must_exclude: tuple | None
    forbidden_prefix: tuple | None
    packs: tuple | None

    def __init__(self, must_include: list | None = None, must_exclude: list | None = None, forbidden_prefix: list | None = None, packs: list | None = None) -> None:
        given = (must_include, must_exclude, forbidden_prefix, packs)
        rules: list = []
        for name, entries in zip(FIELDS, given):
            if entries is not None:
                rules += _rules(name, entries)
        if not rules:
            raise CaseError(f"the rubric declares nothing: give it {', '.join(FIELDS)}")
        self._set(*(None if entries is None else tuple(_frozen(entry) for entry in entries) for entries in given), tuple(rules))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that the rubric stands for, each with its matcher."""
        return self._rules

    @classmethod
    def from_dict(cls, mapping: object) -> Rubric:
        """A rubric from its mapping in a case. Raises CaseError, with the place as `path`."""
        if not isinstance(mapping, dict):
            raise CaseError(f"a rubric is a mapping of {', '.join(FIELDS)}, not {json_kind(mapping)}")
        refuse_unknown(mapping, FIELDS, "a rubric")
        for name, entries in mapping.items():
            if entries is None:
                raise CaseError(f"{quote(name)} is empty: leave it out, or list something", path=(name,))
        return cls(**mapping)

    def to_dict(self) -> dict:
        """The mapping that the rubric is read from."""
        return {name: [list(entry) if isinstance(entry, tuple) else entry for entry in getattr(self, name)] for name in FIELDS if getattr(self, name) is not None}

    def __reduce__(self):
        return Rubric.from_dict, (self.to_dict(),)


def _frozen(entry: object) -> object:
    return tuple(entry) if isinstance(entry, list) else entry


def _rules(name: str, entries: object) -> list:
    if isinstance(entries, str):
        raise CaseError(f'{quote(name)} is a list: write ["{entries}"]', path=(name,))
    if not isinstance(entries, (list, tuple)):
        raise CaseError(f"{quote(name)} is a list, not {json_kind(entries)}", path=(name,))
    if not entries:
        raise CaseError(f"{quote(name)} is an empty list: leave it out, or list something", path=(name,))
    row, kind = FIELDS[name]
    rules = []
    for place, entry in enumerate(entries):
        label = f"{name}[{place}]"
        try:
            Field("value" if name != "packs" else "pack", kind, "").read(entry)
            rules.append(Rule(label, Matcher.of_rubric(row, value=entry) if row else Matcher(_pack(entry)), ("rubric", name, place)))
        except CaseError as error:
            inner = error.path[1:] if error.path[:1] == ("value",) else error.path
            raise CaseError(error.message, path=(name, place) + inner) from None
    return rules


def _pack(name: str) -> str:
    if name not in PACKS:
        near = nearest(name, PACKS)
        raise CaseError(f"there is no pack {quote(name)}" + (f": did you mean {quote(near)}?" if near else f": there are {', '.join(PACKS)}"))
    return PACKS[name]


def rules_of(given) -> tuple:
    """The rules that rubrics and matchers stand for, in order: matchers are numbered as they come."""
    rules: list = []
    place = 0
    for item in given:
        if isinstance(item, Rubric):
            rules += item.rules
        elif isinstance(item, Matcher):
            rules.append(Rule(item.name or f"matchers[{place}]", item, ("matchers", place)))
            place += 1
        else:
            raise CaseError(f"a gate is made of rubrics and matchers, not of a {type(item).__name__}: for a mapping use Matcher.from_dict or Rubric.from_dict")
    return tuple(rules)
