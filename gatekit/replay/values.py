"""Foreign values as plain JSON, and plain JSON as something that an agent can use in their place.

    what an agent passes or gets                              recorded as
    JSON values, tuples                                       themselves; a tuple as a list
    an object with `model_dump`, `to_dict`, `dict`, `_asdict` what that gives
    a dataclass                                               its fields
    a member of an enumeration                                its value
    anything else                                             refused: `str()` of it would compare what nobody meant

On replay a mapping is a `Replayed`: a dict whose members are attributes too, as those of the object were that it stands for.
"""
from __future__ import annotations

import json

from ..ground.canonical import MAX_DEPTH, json_kind
from ..ground.errors import CaseError

_DUMPS = ("model_dump", "to_dict", "dict", "_asdict")


class Replayed(dict):
    """A recorded mapping: a dict, and its members are attributes as well (where dict has no method of that name)."""

    __slots__ = ()

    def __getattr__(self, name: str):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the recorded value has no {name}: it has {', '.join(self) or 'nothing'}") from None

    def model_dump(self, *, exclude_none: bool = False, **options: object) -> dict:
        """The value as plain dicts and lists."""
        return _bare(self, exclude_none)

    def to_dict(self, **options: object) -> dict:
        """The value as plain dicts and lists."""
        return _bare(self, False)

    dict = to_dict

    def model_dump_json(self, *, indent: int | None = None, exclude_none: bool = False, **options: object) -> str:
        """The value as a JSON text."""
        return json.dumps(_bare(self, exclude_none), indent=indent)

    to_json = model_dump_json


def revived(value: object) -> object:
    """A recorded value as it is given to an agent: made anew each time, so that the agent may change it."""
    if isinstance(value, dict):
        return Replayed((key, revived(item)) for key, item in value.items())
    if isinstance(value, list):
        return [revived(item) for item in value]
    return value


def is_foreign(value: object) -> bool:
    """Whether a value is an object that can be recorded by one of its own methods."""
    return _dump_of(value) is not None


def plain(value: object) -> object:
    """A value as plain JSON, with nothing in it that somebody else could still change. Raises CaseError, with the place, for what is none."""
    return _plain(value, MAX_DEPTH)


def _plain(value: object, levels: int) -> object:
    if isinstance(value, str) or value is None or isinstance(value, (int, float)):
        return value
    if not levels:
        raise CaseError(f"the value nests deeper than {MAX_DEPTH} levels")
    place: object = None
    try:
        if isinstance(value, dict):
            members = {}
            for place, item in value.items():
                if not isinstance(place, str):
                    raise CaseError(f"a key is a text, not {json_kind(place)}")
                members[place] = item if type(item) is str else _plain(item, levels - 1)
            return members
        if type(value) is list or isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
            items = []
            for place, item in enumerate(value):
                items.append(_plain(item, levels - 1))
            return items
    except CaseError as error:
        raise error.located(path=(place,) if isinstance(place, (str, int)) else ()) from None
    dump = _dump_of(value)
    if dump is None:
        raise CaseError(f"a {type(value).__name__} cannot be recorded: pass JSON values, or objects with a method to_dict")
    return _plain(dump(), levels - 1)


def _dump_of(value: object):
    """The function that gives an object as plainer data, or None where it has none."""
    kind = type(value)
    for name in _DUMPS:
        if callable(getattr(kind, name, None)):
            return getattr(value, name)
    fields = getattr(kind, "__dataclass_fields__", None)
    if isinstance(fields, dict):
        return lambda: {name: getattr(value, name) for name in fields if hasattr(value, name)}
    if hasattr(kind, "__members__") and hasattr(value, "value"):
        return lambda: value.value
    return None


def _bare(value: object, exclude_none: bool) -> object:
    if isinstance(value, dict):
        return {key: _bare(item, exclude_none) for key, item in value.items() if item is not None or not exclude_none}
    if isinstance(value, list):
        return [_bare(item, exclude_none) for item in value]
    return value
