"""The calls that a rule expects, and what a call that was made differs in.

A call is met by one of the same tool whose arguments agree. How they are compared is a mode, by default or by tool:

    exact     the same JSON value: 1 is 1.0, "1" is not 1, true is not 1
    subset    the expected arguments stand in the actual ones, as in `json_subset`
    ignore    any arguments, also such as could not be parsed

For a tool it may also be a list of the arguments that are compared, each exactly, or a mapping of single arguments to a mode, where the others are
compared exactly. An expected call without `args` is met by any arguments that could be parsed: malformed ones are met by `ignore` alone.
"""
from __future__ import annotations

from ..ground.canonical import canonical, json_kind, same
from ..ground.errors import CaseError, nearest
from ..text.quoting import quote
from .contract import equal_to, subset_difference
from .fields import refuse_unknown
from .outcome import Compared

MODES = ("exact", "subset", "ignore")
_ANY = object()
_LONGEST_VALUE = 80
_MOST_SHOWN = 8


class ExpectedCall:
    """One expected call: the tool's `name`, and `difference`, which tells what a call of that tool differs in, as words, or None where it is met."""

    __slots__ = ("name", "args", "difference", "ignores", "_is_same", "_parts")

    def __init__(self, name: str, args: object, mode: object, unordered: bool) -> None:
        self.name = name
        self.args = args
        self.ignores = mode == "ignore"
        self._parts = _parts(args, mode, unordered)
        self.difference = _difference(args, mode, unordered)
        self._is_same = mode == "exact" and args is not _ANY and not unordered

    def met_by(self, call) -> bool:
        """Whether a call that was made is this one."""
        if call.name != self.name:
            return False
        if self._is_same:  # no words are needed
            return not call.malformed and same(self.args, call.arguments)
        return self.difference(call) is None

    def sides(self, call) -> tuple:
        """How the arguments of a call of this tool are compared: for each way a Compared, what is expected and what came; empty where the call is not met by that."""
        return () if call.malformed else self._parts(call.arguments)

    def __str__(self) -> str:
        return call_words(self.name, self.args, "..." if self.args is _ANY else "")


def call_words(name: str, arguments: object, instead: str = "") -> str:
    """A call as a reader writes it: `book(to: "SFO", seats: 2)`. What is long is named by its size: nothing is cut, for it could be cut inside a secret."""
    if instead:
        return f"{name}({instead})"
    if not isinstance(arguments, dict):
        return f"{name}({_value_words(arguments)})"
    inside = [f"{key}: {_value_words(arguments[key])}" for key in sorted(arguments)]
    return f"{name}({', '.join(inside[:_MOST_SHOWN])}{', ...' if len(inside) > _MOST_SHOWN else ''})"


def _value_words(value: object) -> str:
    if isinstance(value, (dict, list)) and len(value) > _MOST_SHOWN:
        return f"{json_kind(value)} of {len(value)}"
    spelt = canonical(value)
    return spelt if len(spelt) <= _LONGEST_VALUE else f"{json_kind(value)} of {len(value) if isinstance(value, str) else len(spelt)} characters"


def read_expected(expected: object, args: object, unordered: bool) -> tuple:
    """The steps that a rule expects, each a tuple of ExpectedCalls that are made at once. Raises CaseError, with the place as `path`."""
    if not isinstance(expected, (list, tuple)):
        mend = f": write [{quote(expected)}] as [{{\"name\": {quote(expected)}}}]" if isinstance(expected, str) else ""
        raise CaseError(f'"expected" is a list of calls, as [{{"name": "search"}}], not {json_kind(expected)}{mend}', path=("expected",))
    if not expected:
        raise CaseError('"expected" is an empty list: to say that no tool is called, use the invariant max_calls with a value of 0', path=("expected",))
    steps = []
    for place, step in enumerate(expected):
        group = isinstance(step, (list, tuple))
        if group and not step:
            raise CaseError("an empty group: a group holds the calls that are made at once", path=("expected", place))
        steps.append([(("expected", place, inner) if group else ("expected", place), call) for inner, call in enumerate(step if group else [step])])
    named: dict = {}  # tool: the arguments that calls of it are expected to have
    for path, call in (item for step in steps for item in step):
        _refuse_bad_call(call, path)
        named.setdefault(call["name"], []).append(call.get("args", _ANY))
    modes = _modes(args, named)
    return tuple(tuple(_call(path, call, modes, unordered) for path, call in step) for step in steps)


def _refuse_bad_call(call: object, path: tuple) -> None:
    if not isinstance(call, dict):
        mend = f': write {{"name": {quote(call)}}}' if isinstance(call, str) else ""
        raise CaseError(f'an expected call is a mapping with a "name", not {json_kind(call)}{mend}', path=path)
    try:
        refuse_unknown(call, ("name", "args"), "an expected call")
    except CaseError as error:
        raise error.located(path=path) from None
    name = call.get("name")
    if not isinstance(name, str) or not name.strip():
        raise CaseError('an expected call has a "name": the name of a tool, as text', path=(*path, "name") if "name" in call else path)
    if "args" in call and call["args"] is None:
        raise CaseError('"args" is null: leave it out where any arguments will do, or write {} for none at all', path=(*path, "args"))
    if "args" in call and not isinstance(call["args"], (dict, list, str)):
        raise CaseError(f'"args" are a mapping of arguments to their values, not {json_kind(call["args"])}', path=(*path, "args"))
    if call.get("args") in MODES:
        raise CaseError(f'"args" of an expected call are its arguments: {quote(call["args"])} stands beside "expected", not in it', path=(*path, "args"))


def _call(path: tuple, call: dict, modes: dict, unordered: bool) -> ExpectedCall:
    name, args = call["name"], call.get("args", _ANY)
    mode = modes[name]
    if args is not _ANY and not isinstance(args, dict) and not isinstance(mode, str):
        raise CaseError(f"the arguments of {quote(name)} are compared one by one, and here they are {json_kind(args)}", path=(*path, "args"))
    if mode == "subset" and args in ({}, []):
        raise CaseError('no arguments stand in any: leave "args" out where any will do, or compare them exactly where there must be none', path=(*path, "args"))
    return ExpectedCall(name, args, mode, unordered)


def _modes(args: object, named: dict) -> dict:
    """The mode of each expected tool: one of MODES, or a pair of a mapping of single arguments to theirs and the mode of the others."""
    if not isinstance(args, dict):
        _refuse_no_mode(args, ("args",), "args", " or a mapping of tools to how theirs are compared")
        return dict.fromkeys(named, args)
    if not args:
        raise CaseError('"args" is an empty mapping: leave it out, or name a tool', path=("args",))
    for tool in args:
        if tool not in named:
            near = nearest(str(tool), named)
            mend = f": did you mean {quote(near)}?" if near else f": it expects {', '.join(sorted(named))}"
            raise CaseError(f'"args" names the tool {quote(str(tool))}, which "expected" does not' + mend, path=("args", tool))
    return {tool: _mode(args[tool], tool, named[tool]) if tool in args else "exact" for tool in named}


def _mode(given: object, tool: str, expected: list) -> object:
    path = ("args", tool)
    keys = sorted({key for args in expected if isinstance(args, dict) for key in args})
    if isinstance(given, (list, tuple)):
        modes = {}
        for place, key in enumerate(given):
            if not isinstance(key, str):
                raise CaseError(f"a list here holds the names of the arguments that are compared, not {json_kind(key)}", path=(*path, place))
            _refuse_unexpected(key, keys, tool, (*path, place))
            modes[key] = "exact"
        others = "ignore"
    elif isinstance(given, dict):
        modes, others = given, "exact"
        for key, mode in given.items():
            _refuse_no_mode(mode, (*path, key), key)
            if mode != "ignore":
                _refuse_unexpected(key, keys, tool, (*path, key))
    else:
        _refuse_no_mode(given, path, tool, ", a list of the arguments that are compared, or a mapping of arguments to a mode")
        return given
    if not modes:
        raise CaseError(f"nothing says how the arguments of {quote(tool)} are compared: name one, or write ignore", path=path)
    return modes, others


def _refuse_no_mode(given: object, path: tuple, what: str, more: str = "") -> None:
    if not isinstance(given, str) or given not in MODES:
        near = nearest(given, MODES) if isinstance(given, str) else None
        shown = quote(given) if isinstance(given, str) else json_kind(given)
        raise CaseError(f"{quote(what)} is one of {', '.join(MODES)}{more}, not {shown}" + (f": did you mean {near}?" if near else ""), path=path)


def _refuse_unexpected(key: object, keys: list, tool: str, path: tuple) -> None:
    if key not in keys:
        near = nearest(str(key), keys)
        mend = f": did you mean {quote(near)}?" if near else f": they have {', '.join(keys)}" if keys else ': they have no "args"'
        raise CaseError(f"no expected call of {quote(tool)} has the argument {quote(str(key))}" + mend, path=path)


def _difference(args: object, mode: object, unordered: bool):
    """A function of a call of the same tool: what its arguments differ in, as words, or None."""
    if mode == "ignore":
        return lambda call: None
    compare = _comparison(args, mode, unordered)

    def difference(call):
        return f"its arguments are malformed: {call.malformed}" if call.malformed else compare(call.arguments)

    return difference


def _comparison(args: object, mode: object, unordered: bool):
    if args is _ANY:
        return lambda actual: None
    if mode == "exact":
        return equal_to(args, unordered)
    if mode == "subset":
        return lambda actual: subset_difference(args, actual, unordered)
    exactly, within = equal_to(_compared_by("exact", args, mode), unordered), _compared_by("subset", args, mode)

    def one_by_one(actual):
        if not isinstance(actual, dict):
            return f"expected an object, got {json_kind(actual)}"
        return exactly(_compared_by("exact", actual, mode)) or subset_difference(within, _compared_by("subset", actual, mode), unordered)

    return one_by_one


def _compared_by(way: str, arguments: dict, mode: tuple) -> dict:
    """The arguments that are compared in a way, where each has one of its own."""
    modes, others = mode
    return {key: item for key, item in arguments.items() if modes.get(key, others) == way}


def _parts(args: object, mode: object, unordered: bool):
    """A function of the arguments of a call: for each way in which they are compared a Compared, what is expected and what came."""
    if args is _ANY or mode == "ignore":
        return lambda actual: ()
    ways = {way: Compared("json", way == "subset", unordered, ("args",)) for way in ("exact", "subset")}
    if isinstance(mode, str):
        return lambda actual: ((ways[mode], args, actual),)

    def parts(actual):
        if not isinstance(actual, dict):
            return ((ways["exact"], args, actual),)
        return tuple((ways[way], _compared_by(way, args, mode), _compared_by(way, actual, mode)) for way in ways)

    return parts
