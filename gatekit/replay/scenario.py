"""A scenario: an agent, what a user says to it turn by turn, and the invariants that hold over the whole conversation.

    @gatekit.scenario
    def support_happy():
        return Scenario("support_happy", agent=make_agent, turns=["...", "..."], invariants=[...], client=ask_model, tools={"find_order": find_order})

`make_agent(client, tools)` makes the agent: it gives a function (or an object that is called) from the user's words to the reply's text. Both may be
asynchronous. The agent asks its model through `client` and calls tools through `tools`, a mapping from names to functions, and through nothing else.
"""
from __future__ import annotations

from ..ground.errors import CaseError, nearest
from ..invariants.results import read_invariants
from ..text.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_REGISTERED: dict = {}  # name: the function that makes the scenario


class Scenario:
    """What is recorded once and replayed against every change. It does not change.

    Args:
        name: its name, as reports print it.
        agent: a function of `(client, tools)` that gives what answers the user: a function from text to text; both may be asynchronous.
        turns: what the user says, one text a turn.
        invariants: what holds over the whole conversation: matchers of invariant types, their mappings, names, or functions with `@invariant`.
        client: what asks the model: a function, or an object whose `method` is named (dotted, `chat.completions.create`; or a list of such).
        connect: in the place of `client`: a function without arguments that makes it. A replay never calls it, so that it needs no key.
        tools: a mapping from names to functions.
        case: the id of the golden case that the recorded conversation is a sample of.
    Raises CaseError for what cannot be meant.
    """

    __slots__ = ("name", "agent", "turns", "invariants", "client", "connect", "method", "tools", "case")

    def __init__(
        self,
        name: str,
        agent: Callable[..., object],
        turns: Sequence[str],
        *,
        invariants: Sequence[object] = (),
        client: object = None,
        connect: Callable[[], object] | None = None,
        method: str | Sequence[str] | None = None,
        tools: Mapping[str, Callable[..., object]] | None = None,
        case: str | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise CaseError("a scenario has a name: Scenario('support_happy', ...)", path=("name",))
        if not callable(agent):
            raise CaseError("the agent of a scenario is a function of (client, tools)", path=("agent",))
        if isinstance(turns, str) or not isinstance(turns, (list, tuple)) or not turns:
            raise CaseError("the turns of a scenario are a list of what the user says, at least one", path=("turns",))
        for place, turn in enumerate(turns):
            if not isinstance(turn, str) or not turn.strip():
                raise CaseError("a turn is what the user says, as text", path=("turns", place))
        if isinstance(invariants, (str, dict)) or not isinstance(invariants, (list, tuple)):
            raise CaseError("the invariants of a scenario are a list", path=("invariants",))
        try:
            invariants = read_invariants(invariants)
        except CaseError as error:
            raise error.located(path=("invariants",)) from None
        if client is not None and connect is not None:
            raise CaseError("client and connect exclude each other: connect is called to make the client", path=("connect",))
        if connect is not None and not callable(connect):
            raise CaseError("connect is a function without arguments that makes the client", path=("connect",))
        if tools is not None and not isinstance(tools, dict):
            raise CaseError('tools are a mapping from names to functions: {"find_order": find_order}', path=("tools",))
        if case is not None and (not isinstance(case, str) or not case):
            raise CaseError("case is the id of a golden case", path=("case",))
        for field, value in zip(self.__slots__, (name, agent, tuple(turns), invariants, client, connect, method, dict(tools or {}), case)):
            object.__setattr__(self, field, value)

    def __setattr__(self, name, value):
        raise AttributeError("a Scenario does not change: make a new one")

    __delattr__ = __setattr__

    def __repr__(self):
        return f"Scenario({quote(self.name)}, {len(self.turns)} turns, {len(self.invariants)} invariants)"


def scenario(given):
    """Register a function that makes a Scenario, under its own name or another: `@scenario`, `@scenario("name")`. The function is called when it is wanted."""
    if isinstance(given, str):
        if not given.strip():
            raise CaseError('a scenario is registered under a name: @scenario("support_happy")')
        return lambda function: _register(given, function)
    return _register(getattr(given, "__name__", ""), given)


def _register(name: str, function):
    if not callable(function) or not name:
        raise CaseError("@scenario stands on a function that gives a Scenario")
    known = _REGISTERED.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__):
        raise CaseError(f"there is a scenario {quote(name)} already: give this one another name")
    _REGISTERED[name] = function
    return function


def scenario_in(module, name: str) -> Scenario:
    """The scenario of a name in a module: an attribute that is one, or a function that gives one (by its own name or the registered one). Raises CaseError."""
    found = getattr(module, name, None)
    if found is None:
        registered = _REGISTERED.get(name)
        found = registered if registered is not None and registered.__module__ == module.__name__ else None
    if found is None:
        known = [key for key, function in _REGISTERED.items() if function.__module__ == module.__name__]
        known += [key for key, value in vars(module).items() if isinstance(value, Scenario)]
        near = nearest(name, known)
        raise CaseError(f"the module {quote(module.__name__)} has no scenario {quote(name)}" + (f": did you mean {near}?" if near else ""))
    if not isinstance(found, Scenario) and callable(found):
        found = found()
    if not isinstance(found, Scenario):
        raise CaseError(f"{quote(name)} of the module {quote(module.__name__)} gives a {type(found).__name__}, and no Scenario")
    return found
