"""Matchers of a team's own: a pure function of the sample, registered under a type name.

    @gatekit.matcher("polite", tier=2)
    def polite(sample, *, words=("please",)):
        "The answer uses a polite word."
        return any(word in sample.text for word in words), "no polite word"

The keyword arguments of the function are the fields of the type, the first line of its docstring is its reference. It returns True or False,
or a pair of that and the reason; None in the place of True or False means that it could not tell. Anything else that it returns, and
anything that it raises, is a fault of the rule, never of the sample.
"""
from __future__ import annotations

from ..data.sample import Sample
from ..ground.errors import CaseError, GatekitError
from ..text.quoting import quote, visible
from .catalogue import TYPES, is_known, type_named
from .fields import REQUIRED, Field
from .outcome import failed, held, unknown
from .table import EVERY, MatcherType

_DELAYED = 0x2A0  # the flags of the code of generators, coroutines and async generators

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Function = TypeVar("Function", bound=Callable[..., object])


def matcher(type: str, *, tier: int | None = None) -> Callable[[Function], Function]:
    """Register the decorated function as a type of matcher. `tier` is 1 to 5. Raises CaseError for a name that is taken."""
    if not isinstance(type, str) or not type or isinstance(tier, bool) or tier not in (1, 2, 3, 4, 5):
        raise CaseError('a matcher is registered with a name and a tier from 1 to 5: @matcher("polite", tier=2)')

    def register(function: Function) -> Function:
        refuse_taken(type, function)
        TYPES[type] = MatcherType(type, tier, first_line(function, "A matcher of the team's own."), fields_of(type, function, "sample"), _compile(type, function), (), function=function)
        return function

    return register


def refuse_taken(type: str, function) -> None:
    """Refuse a name that another rule has. (The same function comes again where its module is imported again.)"""
    known = type_named(type).function if is_known(type) else None
    if is_known(type) and (known is None or (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__)):
        raise CaseError(f"there is a rule of type {quote(type)} already: give this one another name")


def first_line(function, otherwise: str) -> str:
    """What a function says of itself: the first line of its docstring."""
    return (function.__doc__ or otherwise).strip().split("\n")[0]


def answer_of(what: str, function, /, *arguments, **given):
    """What a team's function returns. Raises GatekitError naming it where it raises anything."""
    try:
        return function(*arguments, **given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a rule does not end the run
        raise GatekitError(f"{what} crashed: {said(error)}") from None


def said(error: BaseException) -> str:
    """What was raised, in words fit to be shown: its class, and what it says of itself if that can be had."""
    text = words(error)
    return f"{error.__class__.__name__}: {text}" if text else error.__class__.__name__


def words(value: object) -> str:
    """A foreign value as text on one line. One that cannot even be turned into text is named by its class."""
    try:
        return visible(str(value))
    except Exception:
        return f"a {value.__class__.__name__} without words"


def fields_of(type: str, function, of: str) -> tuple:
    """The fields of a rule of a team's own: the keyword arguments of its function, which takes `of` before them."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount != 1 or code.co_flags & 0x0C:
        raise CaseError(f"the function of {quote(type)} takes the {of}, and its fields as keyword arguments: def check({of}, *, field=None)")
    if code.co_flags & _DELAYED:
        raise CaseError(f"the function of {quote(type)} is async or a generator: write a plain one that returns its answer")
    names = code.co_varnames[1 : 1 + code.co_kwonlyargcount]
    defaults = function.__kwdefaults__ or {}
    return tuple(Field(name, "json", f"a keyword argument of {function.__name__}", defaults.get(name, REQUIRED)) for name in names)


def own_fields(values: dict) -> dict:
    """The values that go to the function of a rule of a team's own."""
    return {name: value for name, value in values.items() if name not in EVERY}


def _compile(type: str, function):
    def compile(values: dict):
        given = own_fields(values)

        def check(reading):
            sample = reading.sample
            if not isinstance(sample.output, str):
                sample = Sample(**sample.fields)  # with an output of its own, which it may change
            answer = answer_of(f"the matcher of type {quote(type)}", function, sample, **given)
            holds, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, f"{type} does not hold")
            if holds is True:
                return held(reading, reason=f"{type} holds")
            if holds is False:
                return failed(words(reason))
            if holds is None and isinstance(answer, tuple):
                return unknown(words(reason))
            raise GatekitError(f"the matcher of type {quote(type)} returned a {answer.__class__.__name__}: it returns True or False, or a pair of that and a reason")

        return check

    return compile
