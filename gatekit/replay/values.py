"""Foreign values as plain JSON, and plain JSON as something that an agent can use in their place.

    what an agent passes or gets                              recorded as
    JSON values, tuples                                       themselves; a tuple as a list
    an object with `model_dump`, `to_dict`, `dict`, `_asdict` what that gives
    a dataclass, an attrs class, a msgspec struct             its fields
    a SimpleNamespace                                         its attributes
    another mapping (it has `keys`)                           its members
    a member of an enumeration                                its value
    anything else                                             refused: `str()` of it would compare what nobody meant

On replay a mapping is a `Replayed`: a dict whose members are attributes too, as those of the object were that it stands for. What an answer's properties gave
(`response.output_text`) is no part of its data: it is recorded beside it (`properties_of`), and comes again as attributes alone. So are the names of the
classes of its objects (`classes_of`): an agent that asks by `isinstance` goes the way that it went.
"""
from __future__ import annotations

import json

from ..ground.canonical import MAX_DEPTH, canonical, json_kind
from ..ground.errors import CaseError
from .classes import loaded, named

_DUMPS = ("model_dump", "to_dict", "dict", "_asdict")
# Properties that say something of the class or of the library, and nothing of the answer.
_UNTOLD = ("_", "model_", "lc_")


class Replayed(dict):
    """A recorded mapping: a dict, and its members are attributes as well (where dict has no method of that name)."""

    __slots__ = ()

    def __getattr__(self, name: str):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the recorded value has no {name}: it has {', '.join(self) or 'nothing'}") from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        try:
            del self[name]
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


class _Answered(Replayed):
    """A recorded mapping in the place of an object: it has the object's properties, and `isinstance` takes it for one of its class where that is loaded."""

    __slots__ = ("_properties", "_name")

    def __getattr__(self, name: str):
        if name not in _Answered.__slots__ and name not in self and name in self._properties:
            return revived(self._properties[name])
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in _Answered.__slots__:
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    @property
    def __class__(self):
        return self._name and loaded(self._name) or type(self)

    def __reduce_ex__(self, protocol):
        return _answered, (dict(self), self._properties, self._name)


def _answered(members: dict, properties: dict, name: str | None) -> _Answered:
    made = _Answered(members)
    made._properties, made._name = properties, name
    return made


def answered(value: object, properties: dict, classes: dict, path: str = "") -> object:
    """A recorded answer as it is given to an agent: `properties` are those that its object had, `classes` the names of its objects' classes by their paths."""
    if not properties and not classes:
        return revived(value)
    if isinstance(value, dict):
        members = {key: answered(item, {}, classes, f"{path}/{key}") for key, item in value.items()}
        return _answered(members, properties, classes.get(path)) if properties or path in classes else Replayed(members)
    if isinstance(value, list):
        return [answered(item, {}, classes, f"{path}/{place}") for place, item in enumerate(value)]
    return value


def classes_of(value: object, made: object) -> dict:
    """The names of the classes of the objects that stand in a value, by their paths in its plain form `made`: `{"": ..., "/content/0": ...}`."""
    found: dict = {}
    waiting = [("", value, made)]
    while waiting:
        path, value, made = waiting.pop()
        if isinstance(made, dict):
            if not isinstance(value, dict):
                found[path] = named(type(value))
            items = [(key, value.get(key) if isinstance(value, dict) else getattr(value, key, None), item) for key, item in made.items()]
        elif isinstance(made, list) and isinstance(value, (list, tuple)):
            items = [(place, *pair) for place, pair in enumerate(zip(value, made))]
        else:
            continue
        waiting += [(f"{path}/{key}", inner, item) for key, inner, item in reversed(items) if inner is not None and isinstance(item, (dict, list))]
    return found


def properties_of(value: object, made: object) -> dict:
    """What the public properties of an object's class give, where they give plain data that does not stand in `made`, its own data."""
    if not isinstance(made, dict) or isinstance(value, dict) or not is_foreign(value):
        return {}
    found: dict = {}
    for name in dict.fromkeys(name for kind in type(value).__mro__ for name, member in vars(kind).items() if _is_property(member)):
        if not name.startswith(_UNTOLD) and name not in made:
            try:
                given = plain(getattr(value, name))
                canonical(given)
            except Exception:
                continue  # a property that fails, or gives what is no data, was of no use to the agent, or fails again
            found[name] = given
    return found


def _is_property(member: object) -> bool:
    return isinstance(member, property) or type(member).__name__ == "cached_property"


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
    try:
        given = dump()
    except Exception as error:
        raise CaseError(f"a {type(value).__name__} cannot be recorded: it does not give its data ({type(error).__name__})") from None
    return _plain(given, levels - 1)


def _dump_of(value: object):
    """The function that gives an object as plainer data, or None where it has none."""
    kind = type(value)
    for name in _DUMPS:
        if callable(getattr(kind, name, None)) and callable(getattr(value, name, None)):
            return _as_json(getattr(kind, name), getattr(value, name))
    fields = _fields_of(kind)
    if fields is not None:
        return lambda: {name: getattr(value, name) for name in fields if hasattr(value, name)}
    if any((base.__module__, base.__name__) == ("types", "SimpleNamespace") for base in kind.__mro__):
        return lambda: dict(value.__dict__)
    if hasattr(kind, "__members__") and hasattr(value, "value"):
        return lambda: value.value
    if callable(getattr(kind, "keys", None)) and hasattr(kind, "__getitem__") and not isinstance(value, dict):
        return lambda: {name: value[name] for name in value.keys()}
    return None


def _as_json(function, bound):
    """A method that gives an object's data, as JSON where it can be asked for that (`model_dump(mode="json")`): bytes and dates are text then."""
    code = getattr(function, "__code__", None)
    names = getattr(code, "co_varnames", None)
    takes = isinstance(names, tuple) and "mode" in names[: code.co_argcount + code.co_kwonlyargcount]
    return (lambda: bound(mode="json")) if takes else bound


def _fields_of(kind: type) -> list | None:
    """The names of the fields that a class declares, or None where it declares none."""
    for attribute in ("__dataclass_fields__", "__struct_fields__"):
        fields = getattr(kind, attribute, None)
        if isinstance(fields, (dict, tuple)):
            return list(fields)
    fields = getattr(kind, "__attrs_attrs__", None)
    return [field.name for field in fields] if isinstance(fields, tuple) else None


def _bare(value: object, exclude_none: bool) -> object:
    if isinstance(value, dict):
        return {key: _bare(item, exclude_none) for key, item in value.items() if item is not None or not exclude_none}
    if isinstance(value, list):
        return [_bare(item, exclude_none) for item in value]
    return value
