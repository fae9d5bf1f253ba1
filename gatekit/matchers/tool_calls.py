"""The tool calls of a conversation, held against the calls that are expected.

A mode is a relation of what was made (actual) to what is expected, and reads in that direction:

    strict      the same steps with the same calls, and nothing else
    in_order    each expected step is found at a later step than the one before it; more may be called between
    unordered   the same calls in any order, and nothing else
    subset      each call that was made is an expected one; not all of those need be made, but one at least: a rule over nothing does not hold
    superset    each expected call was made; more may be

Each expected call needs a call of its own: two of the same are met by two. Order is that of steps: the calls of one message are made at once, at one
step. A list inside the list stands for calls that are made at once.
"""
from __future__ import annotations

from ..ground.canonical import same
from ..ground.errors import CaseError
from .expected_calls import ExpectedCall, call_words, read_expected
from .fields import Field
from .outcome import Compared, Said, blind, failed, held, unknown
from .pairing import paired
from .table import MatcherType

_MOST_REASONS = 5
_MOST_TURNS = 50
# Reasons stay cheap on the longest conversation: beyond so many pairs steps are not aligned, and beyond so many calls the nearest one is not looked for.
_MOST_ALIGNED = 250_000
_MOST_COMPARED = 100
_FAR = 10**9  # further than any number of arguments


def _tool_calls(values: dict):
    mode = values["mode"]
    steps = read_expected(values["expected"], values["args"], values["unordered"])
    looks_at_steps, compare, _ = _MODES[mode]
    if not looks_at_steps:
        for place, step in enumerate(values["expected"]):
            if not isinstance(step, dict):
                words = f"mode {mode} does not look at steps, and a list says what is made at once: list its calls one by one"
                raise CaseError(words, path=("expected", place))
    ignored = {call.name for step in steps for call in step if call.ignores}

    def check(reading):
        conversation = reading.conversation
        if conversation is None:
            return unknown("no messages were recorded, so there are no tool calls to look at", values["expected"])
        calls = conversation.calls
        if mode == "subset" and not calls:
            return blind("no tool was called: a rule over nothing does not hold", values["expected"], [])
        reasons = compare(steps, calls)
        if not reasons:
            return held(reading, reason=f"the tool calls are as expected ({mode})")
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        words = "; ".join(reason.words for reason in reasons[:_MOST_REASONS]) + more
        turns = tuple(sorted({reason.call.turn for reason in reasons if reason.call is not None})[:_MOST_TURNS])
        compared = Compared("said", said=tuple(reason.said for reason in reasons))
        return failed(words, values["expected"], _shown(calls, ignored, looks_at_steps), turns=turns, compared=compared)

    return check


def _steps_of(calls) -> list:
    """The calls by step."""
    steps: list = []
    for call in calls:
        if steps and steps[-1][0].step == call.step:
            steps[-1].append(call)
        else:
            steps.append([call])
    return steps


def _shown(calls, ignored: set, by_step: bool) -> list:
    """The calls in the form of `expected`, so that the two can be held against each other."""
    steps = [[{"name": call.name} if call.name in ignored else {"name": call.name, "args": call.arguments} for call in step] for step in _steps_of(calls)]
    return [step[0] if len(step) == 1 else step for step in steps] if by_step else [call for step in steps for call in step]


# The modes: each gives the reasons for which the calls are not as expected.


def _in_any_order(steps: tuple, calls) -> tuple:
    """The expected calls that were not made, each with the words for its place, and the calls that none of them is met by."""
    expected = [one for step in steps for one in step]
    partners = paired(expected, calls, ExpectedCall.met_by)
    taken = {at for at in partners if at is not None}
    lacking = [(one, "") for one, at in zip(expected, partners) if at is None]
    return lacking, [call for at, call in enumerate(calls) if at not in taken]


def _superset(steps: tuple, calls) -> list:
    return [_lack(*item) for item in _unmet(*_in_any_order(steps, calls))]


def _unordered(steps: tuple, calls) -> list:
    lacking, spare = _in_any_order(steps, calls)
    unmet = _unmet(lacking, spare)
    return [_lack(*item) for item in unmet] + _unexpected(steps, spare, unmet)


def _subset(steps: tuple, calls) -> list:
    lacking, spare = _in_any_order(steps, calls)
    near = [item for item in _unmet(lacking, spare) if item[2] is not None]
    differing = [_Reason(f"{_beyond(call)}; the expected {one} differs: {one.difference(call)}", call, _differing(one, call)) for one, _, call in near]
    return differing + _unexpected(steps, spare, near)


def _in_order(steps: tuple, calls) -> list:
    made = _steps_of(calls)
    lacking, taken, begin, last = [], set(), 0, None
    for step in steps:
        partners: list = []
        for at in range(begin, len(made)):
            partners = _made_at_once(step, made[at])
            if partners:
                taken.update(map(id, partners))
                begin, last = at + 1, partners[0]
                break
        if not partners:
            after = f" after {_words(last)} on turn {last.turn}" if last else ""
            lacking += [(step[at], after + _at_once(step, at)) for at in _rest(step, made[begin:], taken)]
    return [_lack(*item) for item in _unmet(lacking, [call for call in calls if id(call) not in taken])]


def _made_at_once(step: tuple, calls: list) -> list:
    """The calls of one step that an expected step is met by; none where one of it is missing."""
    if len(step) == 1:
        return [call for call in calls if step[0].met_by(call)][:1]
    partners = paired(step, calls, ExpectedCall.met_by)
    return [] if None in partners else [calls[at] for at in partners]


def _rest(step: tuple, made: list, taken: set) -> list:
    """Which calls of an expected step are missing where most of it was made at once; those that were made there are taken."""
    best: list = [None] * len(step)
    where: list = []
    for calls in made if len(step) > 1 else ():
        partners = paired(step, calls, ExpectedCall.met_by)
        if partners.count(None) < best.count(None):
            best, where = partners, calls
    taken.update(id(where[at]) for at in best if at is not None)
    return [at for at, partner in enumerate(best) if partner is None]


def _at_once(step: tuple, at: int) -> str:
    others = [str(one) for place, one in enumerate(step) if place != at]
    return f" at once with {' and '.join(others)}" if others else ""


def _strict(steps: tuple, calls) -> list:
    made = _steps_of(calls)
    if len(steps) == len(made) and all(map(_same_step, steps, made)):
        return []
    lacking, spare, places = [], [], {}
    for expected, actual in _gaps(steps, made):
        for at in range(max(len(expected), len(actual))):
            step, there = steps[expected[at]] if at < len(expected) else (), made[actual[at]] if at < len(actual) else ()
            partners = paired(step, there, ExpectedCall.met_by)
            unmade = [place for place, partner in enumerate(partners) if partner is None]
            lacking += [(step[place], f" as step {expected[at] + 1} of {len(steps)}{_at_once(step, place)}") for place in unmade]
            left = [call for place, call in enumerate(there) if place not in partners]
            spare += left
            others = f", at once with {len(there) - 1} more" if len(there) > 1 else ""
            places.update((id(call), f" as step {actual[at] + 1} of {len(made)}{others}") for call in left)
    unmet = _unmet(lacking, spare)
    return [_lack(*item, places) for item in unmet] + _unexpected(steps, spare, unmet)


def _same_step(step: tuple, calls: list) -> bool:
    return len(step) == len(calls) and bool(_made_at_once(step, calls))


def _gaps(steps: tuple, made: list) -> list:
    """Where the steps that were made leave the expected ones: the indexes of both between steps that are the same (a longest common subsequence)."""
    first, last = 0, (len(steps), len(made))
    while first < min(last) and _same_step(steps[first], made[first]):
        first += 1
    while min(last) > first and _same_step(steps[last[0] - 1], made[last[1] - 1]):
        last = last[0] - 1, last[1] - 1
    rows, columns = range(first, last[0]), range(first, last[1])
    if len(rows) * len(columns) > _MOST_ALIGNED:
        return [(rows, columns)]
    same = [[_same_step(steps[row], made[column]) for column in columns] for row in rows]
    length = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]  # of the longest common subsequence from a row and a column on
    for row in reversed(range(len(rows))):
        for column in reversed(range(len(columns))):
            length[row][column] = length[row + 1][column + 1] + 1 if same[row][column] else max(length[row + 1][column], length[row][column + 1])
    gaps, row, column, since = [], 0, 0, (0, 0)
    while row < len(rows) and column < len(columns):
        if same[row][column]:
            gaps.append((rows[since[0] : row], columns[since[1] : column]))
            row, column = since = row + 1, column + 1
        elif length[row + 1][column] >= length[row][column + 1]:
            row += 1
        else:
            column += 1
    return [*gaps, (rows[since[0] :], columns[since[1] :])]


# The reasons.


def _unmet(lacking: list, spare: list) -> list:
    """Each expected call that was not made, its place in words, and the spare call that explains it, or None.

    A spare call that meets it stands at another place than is expected; else it is the one of the same tool that differs least.
    """
    explained: list = [None] * len(lacking)
    used: set = set()
    for at, (one, _) in enumerate(lacking):
        explained[at] = next((call for call in spare if id(call) not in used and one.met_by(call)), None)
        used.add(id(explained[at]))
    near = [
        (_distance(one, call), at, place)
        for at, (one, _) in enumerate(lacking[:_MOST_COMPARED])
        for place, call in enumerate(spare[:_MOST_COMPARED])
        if call.name == one.name
    ]
    for _, at, place in sorted(near):
        if explained[at] is None and id(spare[place]) not in used:
            explained[at] = spare[place]
            used.add(id(spare[place]))
    return [(one, where, call) for (one, where), call in zip(lacking, explained)]


def _distance(one, call) -> int:
    """In how many arguments a call differs."""
    if call.malformed or not isinstance(call.arguments, dict) or not isinstance(one.args, dict):
        return _FAR
    keys = {*one.args, *call.arguments}
    return sum(key not in one.args or key not in call.arguments or not same(one.args[key], call.arguments[key]) for key in keys)


class _Reason:
    """Why the calls are not as expected: in words, the call that was made and shows it (or None), and as a difference."""

    __slots__ = ("words", "call", "said")

    def __init__(self, words: str, call, said: Said) -> None:
        self.words, self.call, self.said = words, call, said


def _lack(one, where: str, call, places: dict | None = None) -> _Reason:
    if call is None:
        return _Reason(f"missing call: {one}", None, Said(words=f"expected call {one}: it is missing"))
    difference = one.difference(call)
    if difference is None:
        place = (places or {}).get(id(call), "")
        words = f"out of order: {_words(call)} was made on turn {call.turn}{place}, and is expected{where}"
        return _Reason(words, call, Said(_made(call), f"in another order: it {f'was made{place}, and ' * bool(place)}is expected{where}"))
    return _Reason(f"missing call: {one}; the call on turn {call.turn} differs: {difference}", call, _differing(one, call))


def _differing(one, call) -> Said:
    """In which arguments a call differs from the expected one."""
    sides = one.sides(call)
    return Said(_made(call), "" if sides else one.difference(call), sides=sides)


def _made(call) -> str:
    return f"turn {call.turn}, call {call.name}: "


def _unexpected(steps: tuple, spare: list, unmet: list) -> list:
    """The calls that were made and explain nothing that is missing."""
    explaining = {id(call) for _, _, call in unmet}
    return [
        _spare(call, ": it was made more often than is expected" if any(one.met_by(call) for step in steps for one in step) else "")
        for call in spare
        if id(call) not in explaining
    ]


def _spare(call, more: str) -> _Reason:
    return _Reason(_beyond(call) + more, call, Said(_made(call), f"not expected: {_words(call)}{more}"))


def _beyond(call) -> str:
    return f"unexpected call on turn {call.turn}: {_words(call)}"


def _words(call) -> str:
    return call_words(call.name, call.arguments, "malformed arguments" if call.malformed else "")


# Mode: whether it looks at steps, what is wrong with the calls (a list of reasons), and what it asks for.
_MODES = {
    "strict": (True, _strict, "the same steps with the same calls, and nothing else"),
    "in_order": (True, _in_order, "the expected steps one after the other; more may be called between"),
    "unordered": (False, _unordered, "the same calls in any order, and nothing else"),
    "subset": (False, _subset, "each call that was made is an expected one, and one at least was made"),
    "superset": (False, _superset, "each expected call was made; more may be"),
}

TYPES = (
    MatcherType(
        "tool_calls",
        3,
        "The tool calls of the conversation are the expected ones, each of which needs a call of its own; a list inside the list is of calls made at once.",
        (
            Field("expected", "calls", "the calls: a name, and args where the arguments matter"),
            Field("mode", "choice", "how the calls that were made relate to these", "strict", {name: about for name, (_, _, about) in _MODES.items()}),
            Field(
                "args",
                "call arguments",
                "how arguments are compared: exact, subset (the expected ones stand in the actual ones) or ignore; or by tool, "
                "where a list names the arguments that are compared, and a mapping the mode of single ones",
                "exact",
            ),
            Field("unordered", "boolean", "the order of lists in the arguments does not matter", False),
        ),
        _tool_calls,
        (),
    ),
)
