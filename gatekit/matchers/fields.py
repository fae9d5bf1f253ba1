"""The fields of a matcher: what each may hold, read once when the rule is loaded.

A field's kind is a row of `KINDS`: the words for it in a message, and the function that reads a value or refuses it. What validates a
matcher also prints its reference and describes it to an editor, so the three cannot disagree.
"""
from __future__ import annotations

import re

from ..ground.canonical import canonical, json_kind
from ..ground.errors import CaseError, meant, nearest
from ..ground.exact import exact
from ..ground.record import Record
from ..text.quoting import as_written, quote

REQUIRED = object()
TOOL_TARGET = r"tool:(?!NAME\.)(.*\S.*)\.(args|result)"
LARGEST = 10**18


class Field(Record):
    """One field of a matcher: its name, its kind (a row of KINDS), what it is for, its default, the words it may be, and its bounds.

    `choices` are those words, or a mapping of each to what it means. `meant` says for other spellings (several, set apart by spaces) which of them they are
    elsewhere. `bounds` are the least and the most, of a whole number or of the length of a list.
    """

    __slots__ = ("name", "kind", "about", "default", "choices", "bounds", "meant")

    def __init__(
        self, name: str, kind: str, about: str, default: object = REQUIRED, choices: tuple | dict = (), bounds: tuple = (), meant: dict | None = None
    ) -> None:
        self._set(name, kind, about, default, choices, bounds, meant)

    @property
    def required(self) -> bool:
        """Whether a matcher must have the field."""
        return self.default is REQUIRED

    def read(self, value: object) -> object:
        """The value, compiled. Raises CaseError, with the place inside the value as `path`."""
        read = KINDS[self.kind][1](value, self)
        if self.bounds:
            least, most = self.bounds
            number = read if isinstance(read, int) else len(read)
            if not least <= number <= most:
                what = "is a whole number" if isinstance(read, int) else "lists"
                wanted = f"{least}" if least == most else f"from {least} on" if most == LARGEST else f"from {least} to {most}"
                raise CaseError(f"{quote(self.name)} {what} {wanted}, not {number}: {self.about}")
        return read


def refuse_unknown(given, known, what: str) -> None:
    """Refuse the first key that is not known, naming the nearest one that is."""
    for key in given:
        if key not in known:
            near = nearest(str(key), known)
            raise CaseError(
                f"{what} has no field {quote(str(key))}" + (f": did you mean {quote(near)}?" if near else f": it has {', '.join(known)}"), path=(key,)
            )


def _wrong(value: object, field: Field) -> CaseError:
    mend = ""
    if KINDS[field.kind][0].startswith(("text", "a fact", "facts", "phrases")) and isinstance(value, (int, float)):
        mend = as_text(value)
    elif isinstance(value, dict) and field.kind == "fact":
        mend = ": put a text with a colon and a space in it in quotes, as \"Note: refunded\"; for a phrase with settings (as unless) use a matcher, {\"type\": \"not_contains\", ...} or {\"type\": \"contains\", ...}"
    return CaseError(f"{quote(field.name)} must be {KINDS[field.kind][0]}, not {json_kind(value)}{mend}")


def as_text(value: object) -> str:
    """The mend for a number or truth value where text is wanted. How it was spelt is not known any more: 1.10 was read as 1.1."""
    return f": write it in quotes, as it is spelt there (it was read as {canonical(value)})"


def quote_json(value: object) -> str:
    """A number or truth value as the JSON text that was probably meant."""
    return '"' + canonical(value) + '"'


def _text(value: object, field: Field) -> str:
    if not isinstance(value, str):
        raise _wrong(value, field)
    if not value:
        raise CaseError(f"{quote(field.name)} is empty: it would say nothing")
    return value


def _fact(value: object, field: Field) -> tuple:
    """A phrase, or a list of phrases of which one is enough: always a tuple of texts."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise _wrong(value, field)
    return _texts(value, field)


def _texts(value: object, field: Field) -> tuple:
    if isinstance(value, str):
        raise CaseError(f"{quote(field.name)} is a list: write [{quote_json(value)}]")
    if not isinstance(value, (list, tuple)):
        raise _wrong(value, field)
    if not value:
        raise CaseError(f"{quote(field.name)} is an empty list: a rule over nothing does not hold")
    for place, item in enumerate(value):
        if not isinstance(item, str):
            raise _wrong(item, field).located(path=(place,))
    return tuple(value)


def _facts(value: object, field: Field) -> tuple:
    if not isinstance(value, (list, tuple)):
        raise _wrong(value, field)
    if not value:
        raise CaseError(f"{quote(field.name)} is an empty list: a rule over nothing does not hold")
    facts = []
    for place, item in enumerate(value):
        try:
            facts.append(_fact(item, field))
        except CaseError as error:
            raise error.located(path=(place,)) from None
    return tuple(facts)


def pattern_that_says_something(source: str, flags: int = 0) -> object:
    """A compiled pattern; `flags` are those of compile_pattern. Raises CaseError for one that is not portable, and for one that is found in every text or in none: it would decide nothing."""
    from ..text.patterns import compile_pattern, matches_empty, never_matches

    pattern = compile_pattern(source, flags)
    if never_matches(pattern):
        raise CaseError(f"a part of the pattern {as_written(source)} can never match: write \\$ or \\^ where the character itself is meant")
    if matches_empty(pattern):
        raise CaseError(f"the pattern {as_written(source)} matches the empty text, so it is found in every text: let it need a character")
    return pattern


def _pattern(value: object, field: Field) -> object:
    return pattern_that_says_something(_text(value, field))


def _path(value: object, field: Field) -> object:
    from ..formats.field_path import FieldPath

    return FieldPath(_text(value, field))


def _integer(value: object, field: Field) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseError(f"{quote(field.name)} must be a whole number from 0 on" + (f", not {json_kind(value)}" if not isinstance(value, int) else ""))
    if value >= LARGEST:
        raise CaseError(f"{quote(field.name)} is larger than anything that is counted: at most {LARGEST - 1}")
    return value


def _number(value: object, field: Field) -> object:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _wrong(value, field)
    if value < 0:
        raise CaseError(f"{quote(field.name)} is a distance: it cannot be below 0")
    return exact(value)


def _share(value: object, field: Field) -> object:
    share = _number(value, field)
    if share.numerator > share.denominator or not share.numerator:
        raise CaseError(f"{quote(field.name)} is above 0 and at most 1")
    return share


def _digest(value: object, field: Field) -> str:
    from ..ground.vectors import spelt_digest  # few rules have vectors

    if spelt_digest(_text(value, field)) is None:
        raise CaseError(f"{quote(field.name)} is a SHA-256, 64 hexadecimal digits")
    return spelt_digest(value)


def _boolean(value: object, field: Field) -> bool:
    if not isinstance(value, bool):
        raise _wrong(value, field)
    return value


def _choice(value: object, field: Field) -> str:
    if not isinstance(value, str) or value not in field.choices:
        near = (meant(value, field.meant or {}) or nearest(value, field.choices)) if isinstance(value, str) else None
        shown = quote(value) if isinstance(value, str) else json_kind(value)
        raise CaseError(f"{quote(field.name)} is one of {', '.join(field.choices)}, not {shown}" + (f": did you mean {near}?" if near else ""))
    return value


def _target(value: object, field: Field) -> str:
    if isinstance(value, str) and re.fullmatch(TOOL_TARGET, value):
        return value
    if value in ("tool:NAME.args", "tool:NAME.result"):
        raise CaseError(f"{quote(field.name)} names a tool: write its name in the place of NAME")
    return _choice(value, field)


def _json(value: object, field: Field) -> object:
    canonical(value)
    return value


def _text_or_texts(value: object, field: Field) -> tuple:
    return (_text(value, field),) if not isinstance(value, (list, tuple)) else _texts(value, field)


def _vector(value: object, field: Field) -> list:
    from ..ground.vectors import check_vector

    check_vector(value, "the golden text")
    return value


KINDS = {
    "text": ("text", _text),
    "fact": ("a fact: text, or a list of texts of which one is enough", _fact),
    "facts": ("facts: a list of texts, or of lists of alternatives", _facts),
    "texts": ("phrases: a list of texts", _texts),
    "text or texts": ("text, or a list of texts", _text_or_texts),
    "pattern": ("text: a regular expression", _pattern),
    "path": ("text: a dotted path or a JSON Pointer", _path),
    "integer": ("a whole number from 0 on", _integer),
    "number": ("a number from 0 on", _number),
    "share": ("a number above 0 and at most 1", _share),
    "digest": ("text: a SHA-256, 64 hexadecimal digits", _digest),
    "vector": ("a list of numbers", _vector),
    "boolean": ("true or false", _boolean),
    "choice": ("one of its words", _choice),
    "target": ("one of its words, with the name of a tool in the place of NAME", _target),
    "json": ("a JSON value", _json),
    "calls": ("a list of calls, {name, args}, and of lists of those made at once", _json),
    "call arguments": ("exact, subset, ignore, or a mapping by tool", _json),
    "matcher": ("a matcher: a mapping with a type", None),
    "matchers": ("a list of matchers", None),
}
