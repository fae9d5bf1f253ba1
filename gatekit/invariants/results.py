"""Invariants over a conversation that is no sample: one that just ran."""
from __future__ import annotations

from ..data.reading import Reading
from ..data.sample import Sample
from ..ground.errors import CaseError, GatekitError
from ..matchers.catalogue import registered
from ..matchers.matcher import Matcher
from ..text.quoting import quote
from .custom import InvariantResult


def read_invariants(given) -> tuple:
    """The invariants of a list, as Matchers: each a Matcher, its mapping, a name, or a function that was registered with `@invariant`.

    Raises CaseError, with the place in the list as `path`, for what is none.
    """
    read = []
    for place, one in enumerate(given):
        try:
            read.append(_read(one))
        except CaseError as error:
            raise error.located(path=(place,)) from None
    return tuple(read)


def _read(given: object) -> Matcher:
    if callable(given):
        row = registered(given)
        if row is not None and row.invariant:
            return Matcher(row.name)
        raise CaseError(f"the function {quote(getattr(given, '__name__', 'given'))} is no invariant: register it with @gatekit.invariant")
    return Matcher.invariant(given)


def results(invariants, conversation, usage: dict | None = None) -> tuple:
    """What each invariant says of a conversation, in their order, as InvariantResults.

    Args:
        invariants: as `read_invariants` takes them.
        conversation: a Conversation.
        usage: what was recorded of tokens, cost and latency, for `budget`.
    Raises:
        CaseError: one of them is no invariant. One that crashes is a result with the outcome `error`.
    """
    reading = Reading(Sample.of_conversation(conversation, usage), "", explains=True)
    return tuple(_result(matcher, reading) for matcher in read_invariants(invariants))


def _result(matcher: Matcher, reading: Reading) -> InvariantResult:
    name = matcher.name or matcher.type
    try:
        outcome = matcher.check(reading)
    except GatekitError as error:
        return InvariantResult(name, False, error.message, "error")
    return InvariantResult(name, outcome.state == "pass", outcome.reason, "idle" if outcome.idle else outcome.state, outcome.turns)
