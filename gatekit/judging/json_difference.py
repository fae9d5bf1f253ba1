"""Where two JSON values differ, place by place.

    an object   key by key, in sorted order
    a list      each expected element is paired with an actual one: what is the same and in order first, then what is the same elsewhere, then what is alike
                (nearest first), then what stands in the same gap. A pair that is not the same is told by what differs in it, what has no partner as missing
                or not expected, and partners in another order as that. So one element that was inserted is one difference

Where the order of lists does not matter elements are paired wherever they stand. Values nest at most MAX_DEPTH deep (ground/canonical.py), so recursion is
bounded.
"""
from __future__ import annotations

from ..ground.alignment import common, increasing
from ..ground.canonical import canonical, same
from ..matchers.contract import Unordered, stands_in, subset_difference
from ..matchers.pairing import paired

UNLIKE, MISSING, MORE, ORDER = "unlike", "missing", "more", "order"
_MOST_EDITS = 100  # beyond so many, elements that are the same are paired in the order in which they stand
_MOST_FITTED = 20_000  # pairs, in all, of which one may stand in the other
_MOST_LIKENED = 500  # elements for which one that is alike is looked for
_MOST_SIGNS = 60  # of one element, by which it is known
_COMMON_SIGN = 20  # what so many elements have says little
_ALIKE = 300  # thousandths of all signs, weighed
_WEIGHT = 1000
_LONG = 5000  # characters of a text that its signs are taken from


def differences(expected: object, actual: object, subset: bool = False, unordered: bool = False, root: tuple = ()):
    """Yield `(steps, kind, expected, actual, there)` for each place at which two JSON values differ.

    `steps` are the keys and indices that lead there in the expected value, `there` those in the actual one; both begin with `root`. Of MISSING there is no
    actual value but the keys that stand there and were not expected, of MORE no expected one. Of ORDER, `expected` tells whether nothing but the order
    differs, and `actual` are the pairs of indexes of those that moved. With `subset` keys that are not expected are passed over, with `unordered` the order
    of lists.
    """
    return (_Unordered if unordered else _Ordered)(subset).of_values(expected, actual, tuple(root), tuple(root))


class _Ordered:
    def __init__(self, subset: bool) -> None:
        self.subset = subset
        self.room = _MOST_FITTED

    def fits(self, one: object, other: object) -> bool:
        """Whether an actual value is as expected."""
        return same(one, other) or self.subset and subset_difference(one, other) is None

    def of_values(self, expected: object, actual: object, steps: tuple, there: tuple):
        if isinstance(expected, dict) and isinstance(actual, dict):
            yield from self._of_objects(expected, actual, steps, there)
        elif isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
            yield from self.of_lists(expected, actual, steps, there)
        elif not same(expected, actual):
            yield steps, UNLIKE, expected, actual, there

    def _of_objects(self, expected: dict, actual: dict, steps: tuple, there: tuple):
        new = sorted(key for key in actual if key not in expected)
        for key in sorted({*expected, *(() if self.subset else new)}):
            if key not in actual:
                yield (*steps, key), MISSING, expected[key], new, (*there, key)
            elif key not in expected:
                yield (*there, key), MORE, None, actual[key], (*there, key)
            else:
                yield from self.of_values(expected[key], actual[key], (*steps, key), (*there, key))

    def of_lists(self, expected: list | tuple, actual: list | tuple, steps: tuple, there: tuple):
        first, last = self._ends(expected, actual)
        left, right = list(range(first, len(expected) - last)), list(range(first, len(actual) - last))
        theirs, ours = {at: canonical(expected[at]) for at in left}, {at: canonical(actual[at]) for at in right}
        kept = self._kept(expected, actual, left, right, theirs, ours)
        pairs = dict(kept)
        gaps = _gaps(kept, left, right)
        gone, new = _rest(left, right, pairs)
        moved = _same_elsewhere(gone, new, theirs, ours)
        pairs.update(moved)
        gone, new = _rest(gone, new, pairs)
        pairs.update(_alike(expected, actual, gone, new, self.subset))
        gone, new = _rest(gone, new, pairs)
        pairs.update(_in_one_gap(gone, new, *gaps))
        gone, new = _rest(gone, new, pairs)
        order = sorted(pairs)
        still = increasing([pairs[at] for at in order])
        if len(still) < len(order):
            is_all = not gone and not new and all(self.fits(expected[at], actual[pairs[at]]) for at in order)
            yield steps, ORDER, is_all, [(at, pairs[at]) for place, at in enumerate(order) if place not in still and at != pairs[at]], there
        yield from self._told(expected, actual, pairs, gone, new, steps, there)

    def _ends(self, expected: list | tuple, actual: list | tuple) -> tuple:
        """How many elements at the beginning and at the end are as expected."""
        least, first, last = min(len(expected), len(actual)), 0, 0
        while first < least and self.fits(expected[first], actual[first]):
            first += 1
        while last < least - first and self.fits(expected[-1 - last], actual[-1 - last]):
            last += 1
        return first, last

    def _kept(self, expected, actual, left: list, right: list, theirs: dict, ours: dict) -> list:
        """The pairs that are as expected and in order: by position where that leaves the fewest, else what the two lists have in common."""
        by_position = [(at, at) for at in left if self.fits(expected[at], actual[at])] if len(expected) == len(actual) else None
        left_over = len(left) - len(by_position) if by_position is not None else len(left) + len(right)
        if left_over <= 1:
            return by_position or []
        found = common(list(theirs.values()), list(ours.values()), _MOST_EDITS)
        if found is None:
            pairs = sorted(_same_elsewhere(left, right, theirs, ours).items())
            still = increasing([other for _, other in pairs])
            in_order = [pair for place, pair in enumerate(pairs) if place in still]
        else:
            in_order = [(left[at], right[other]) for at, other in found]
        edits = len(left) + len(right) - 2 * len(in_order)
        return by_position if by_position is not None and left_over < edits else in_order

    def _told(self, expected, actual, pairs: dict, gone: list, new: list, steps: tuple, there: tuple):
        for at in sorted({*pairs, *gone}):
            if at in pairs:
                yield from self.of_values(expected[at], actual[pairs[at]], (*steps, at), (*there, pairs[at]))
            else:
                yield (*steps, at), MISSING, expected[at], (), (*there, at)
        for at in new:
            yield (*there, at), MORE, None, actual[at], (*there, at)


class _Unordered(_Ordered):
    def of_lists(self, expected: list | tuple, actual: list | tuple, steps: tuple, there: tuple):
        theirs, ours = dict(enumerate(Unordered(expected).inside)), dict(enumerate(Unordered(actual).inside))
        pairs = _same_elsewhere([*theirs], [*ours], *({at: one.mark for at, one in side.items()} for side in (theirs, ours)))
        gone, new = _rest([*theirs], [*ours], pairs)
        if self.subset and len(gone) * len(new) <= self.room:
            self.room -= len(gone) * len(new)
            known: dict = {}
            partners = paired(gone, new, lambda at, other: stands_in(theirs[at], ours[other], known))
            pairs.update((at, new[partner]) for at, partner in zip(gone, partners) if partner is not None)
            gone, new = _rest(gone, new, pairs)
        pairs.update(_alike(expected, actual, gone, new, self.subset))
        gone, new = _rest(gone, new, pairs)
        if len(gone) == len(new) == 1:
            pairs[gone.pop()] = new.pop()
        yield from self._told(expected, actual, pairs, gone, new, steps, there)


def _rest(left: list, right: list, pairs: dict) -> tuple:
    taken = {*pairs.values()}
    return [at for at in left if at not in pairs], [at for at in right if at not in taken]


def _same_elsewhere(left: list, right: list, theirs: dict, ours: dict) -> dict:
    """Pairs of places with the same spelling, in the order in which they stand."""
    free: dict = {}
    for at in reversed(right):
        free.setdefault(ours[at], []).append(at)
    return {at: free[theirs[at]].pop() for at in left if free.get(theirs[at])}


def _gaps(kept: list, left: list, right: list) -> tuple:
    """Of each place that is not kept, after how many kept pairs it stands."""
    found = []
    for side, places in enumerate((left, right)):
        borders, gaps, passed = [pair[side] for pair in kept], {}, 0
        for at in places:
            while passed < len(borders) and borders[passed] <= at:
                passed += 1
            gaps[at] = passed
        found.append(gaps)
    return tuple(found)


def _in_one_gap(gone: list, new: list, left: dict, right: dict) -> dict:
    """What is left over between the same neighbours, one by one."""
    free: dict = {}
    for at in reversed(new):
        free.setdefault(right[at], []).append(at)
    return {at: free[left[at]].pop() for at in gone if free.get(left[at])}


def _alike(expected: list | tuple, actual: list | tuple, gone: list, new: list, subset: bool) -> dict:
    """Pairs of elements that have much in common, the nearest first. What few others have weighs more than what many have."""
    gone = gone[:_MOST_LIKENED]
    if not gone or not new:
        return {}
    theirs, ours = [_signs(expected[at]) for at in gone], [_signs(actual[at]) for at in new]
    counts: list = [{}, {}]
    for side, elements in enumerate((theirs, ours)):
        for signs in elements:
            for sign in signs:
                counts[side][sign] = counts[side].get(sign, 0) + 1
    holders: dict = {}
    for place, signs in enumerate(ours):
        for sign in signs:
            if counts[1][sign] <= _COMMON_SIGN:
                holders.setdefault(sign, []).append(place)

    def weight(sign: str) -> int:
        return _WEIGHT // max(counts[0].get(sign, 0), counts[1].get(sign, 0))

    heavy = [sum(map(weight, signs)) for signs in ours]
    found = []
    for place, signs in enumerate(theirs):
        weights = {sign: weight(sign) for sign in signs}
        shared: dict = {}
        for sign, weighs in weights.items():
            for other in holders.get(sign, ()):
                shared[other] = shared.get(other, 0) + weighs
        of = sum(weights.values())
        for other, weighs in shared.items():
            whole = 2 * of if subset else of + heavy[other]
            if 2000 * weighs >= _ALIKE * whole:
                found.append((-(2000 * weighs // whole), abs(gone[place] - new[other]), gone[place], new[other]))
    pairs: dict = {}
    taken: set = set()
    for _, _, at, other in sorted(found):
        if at not in pairs and other not in taken:
            pairs[at] = other
            taken.add(other)
    return pairs


def _signs(value: object) -> dict:
    """What an element is known by: its single values below their keys, of a text its words; whatever their case and type."""
    signs: dict = {}
    waiting = [("", value)]
    while waiting and len(signs) < _MOST_SIGNS:
        place, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{place}/{key}", value[key]) for key in sorted(value, reverse=True)[-_MOST_SIGNS:]]
        elif isinstance(value, (list, tuple)):
            waiting += [(place, item) for item in reversed(value[:_MOST_SIGNS])]
        else:
            words = value[:_LONG].lower().split() if isinstance(value, str) else [canonical(value)]
            signs.update((f"{place} {word}", None) for word in words[:_MOST_SIGNS])
    return signs
