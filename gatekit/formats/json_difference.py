"""Where two JSON values differ, place by place.

    an object   key by key, in sorted order
    a list      of the same length by position; of the same elements in another order as that; else what both begin and end with is set aside, then each
                element of the rest takes one that is the same, and what is left over is held against each other by position

Values nest at most MAX_DEPTH deep (ground/canonical.py), so recursion is bounded.
"""
from __future__ import annotations

from ..ground.canonical import canonical, same

UNLIKE, MISSING, MORE, ORDER = "unlike", "missing", "more", "order"


def differences(expected: object, actual: object, subset: bool = False, steps: tuple = ()):
    """Yield `(steps, kind, expected, actual)` for each place at which two JSON values differ.

    `steps` are the keys and indices that lead there: in the expected value, or for MORE in the actual one. Of MISSING there is no actual value, of MORE no
    expected one, of ORDER (a list of the same elements) neither is given. With `subset` keys that are not expected are passed over.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted({*expected, *(() if subset else actual)}):
            if key not in actual:
                yield (*steps, key), MISSING, expected[key], None
            elif key not in expected:
                yield (*steps, key), MORE, None, actual[key]
            else:
                yield from differences(expected[key], actual[key], subset, (*steps, key))
    elif isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        yield from _list_differences(expected, actual, subset, steps)
    elif not same(expected, actual):
        yield steps, UNLIKE, expected, actual


def _list_differences(expected: list | tuple, actual: list | tuple, subset: bool, steps: tuple):
    if len(expected) == len(actual):
        unlike = [place for place, (one, other) in enumerate(zip(expected, actual)) if not same(one, other)]
        if len(unlike) > 1 and sorted(canonical(expected[place]) for place in unlike) == sorted(canonical(actual[place]) for place in unlike):
            yield steps, ORDER, None, None
            return
        for place in unlike:
            yield from differences(expected[place], actual[place], subset, (*steps, place))
        return
    least = min(len(expected), len(actual))
    first = last = 0
    while first < least and same(expected[first], actual[first]):
        first += 1
    while last < least - first and same(expected[-1 - last], actual[-1 - last]):
        last += 1
    theirs = [(place, canonical(expected[place])) for place in range(first, len(expected) - last)]
    ours = [(place, canonical(actual[place])) for place in range(first, len(actual) - last)]
    missing, more = _left_over(theirs, ours), _left_over(ours, theirs)
    for place, other in zip(missing, more):
        yield from differences(expected[place], actual[other], subset, (*steps, place))
    for place in missing[len(more) :]:
        yield (*steps, place), MISSING, expected[place], None
    for place in more[len(missing) :]:
        yield (*steps, place), MORE, None, actual[place]


def _left_over(some: list, others: list) -> list:
    """The places of the spelt elements that are left once each of the others has taken one that is the same."""
    counts: dict = {}
    for _, spelling in others:
        counts[spelling] = counts.get(spelling, 0) + 1
    left = []
    for place, spelling in some:
        if counts.get(spelling):
            counts[spelling] -= 1
        else:
            left.append(place)
    return left
