"""The lower tail of a binomial distribution, compared exactly with a level: integers only, no floats and no tables.

    P(X <= k), where X counts the failures among n samples that each fail with the chance p

Every term of the distribution is its neighbour times a fraction of small integers. So the terms are summed outwards from k, downwards and upwards, each
as a share of the term at k; nothing huge or tiny is ever worked out, and since all terms together make 1,

    P(X <= k) <= level   where   below * (1 - level) <= above * level

with `below` the sum from k downwards and `above` the sum over k. Both are integer intervals: of each term a lower and an upper bound in fixed point,
rounded down and up, and for the terms that were not reached a geometric series. The sum stops as soon as the intervals decide, a few standard deviations
from k. Where the width of the numbers is what is missing, it is widened; where even that decides nothing the two are equal, or as good as: then whole
integers decide, as far as they stay within bounds.
"""
from __future__ import annotations

from ..ground.exact import Exact

# Bits after the point, one width after the other. A level has at most 640 digits (ground/exact.py), about 2130 bits.
_WIDTHS = (96, 384, 1536, 6144)
# So many bits may the whole distribution's common denominator have, to be summed in whole integers.
_EXACT_BITS = 1 << 17


def compare_tail(failures: int, samples: int, chance: Exact, level: Exact) -> int | None:
    """The sign of P(X <= failures) - level: -1, 0 or 1.

    Args:
        failures: k, from 0 on.
        samples: n, from 0 on.
        chance: p, from 0 to 1.
        level: above 0 and below 1.
    None where the two differ by less than 2^-6000 among so many samples that they cannot be told apart.
    """
    hit, whole = chance.numerator, chance.denominator
    missed = whole - hit
    if failures >= samples or not hit:
        return 1
    if not missed:
        return -1
    share, of = level.numerator, level.denominator
    if hit == missed and samples == 2 * failures + 1:
        return _sign(of - 2 * share)  # the two halves of a symmetric distribution: exactly 1/2, however many samples there are
    for bits in _WIDTHS:
        sign = _compare_within(bits, (failures, samples, missed, hit), (samples - failures, samples, hit, missed), share, of)
        if sign:
            return sign
    if samples * whole.bit_length() <= _EXACT_BITS:
        return _compare_exactly(failures, samples, hit, missed, share, of)
    return None


def _compare_within(bits: int, down: tuple, up: tuple, share: int, of: int) -> int:
    """The sign, by intervals with so many bits after the point; 0 where they decide nothing."""
    one = 1 << bits
    below, above = _Sum(one, *down), _Sum(one, *up)
    steps = 8
    while True:
        below.add(steps)
        above.add(steps)
        # The term at k belongs to the lower tail alone.
        at_least, at_most = below.low * (of - share), above.high_with_rest()
        if at_most is not None and at_least > (at_most - one) * share:
            return 1
        at_most, at_least = below.high_with_rest(), (above.low - one) * share
        if at_most is not None and at_most * (of - share) < at_least:
            return -1
        if below.done and above.done:
            return 0
        steps += steps >> 1


class _Sum:
    """The terms from `place` on towards 0, in shares of the first one, summed from below and from above.

    A term is the one before it times place * gain / ((samples - place + 1) * loss).
    """

    __slots__ = ("low", "high", "done", "_place", "_samples", "_gain", "_loss", "_term")

    def __init__(self, one: int, place: int, samples: int, gain: int, loss: int) -> None:
        self.low = self.high = one
        self._term = (one, one)
        self._place, self._samples, self._gain, self._loss = place, samples, gain, loss
        self.done = not place

    def add(self, steps: int) -> None:
        """Take in so many more terms, as far as there are any that are not nothing."""
        if self.done:
            return
        place, gain, loss = self._place, self._gain, self._loss
        low, high = self._term
        low_sum, high_sum = self.low, self.high
        last = max(place - steps, 0)
        beside = self._samples + 1
        while place > last and low:
            times, by = place * gain, (beside - place) * loss
            low = low * times // by
            high = -(-high * times // by)
            low_sum += low
            high_sum += high
            place -= 1
        self.low, self.high, self._term, self._place = low_sum, high_sum, (low, high), place
        self.done = not place or not low

    def high_with_rest(self) -> int | None:
        """An upper bound of the whole sum: each later term is smaller by at least the factor of the next one. None while the terms still grow."""
        if not self._place:
            return self.high
        times, by = self._place * self._gain, (self._samples + 1 - self._place) * self._loss
        return self.high - (-self._term[1] * times // (by - times)) if times < by else None


def _compare_exactly(failures: int, samples: int, hit: int, missed: int, share: int, of: int) -> int:
    """The sign in whole integers: each term over the common denominator (hit + missed) ** samples."""
    term = total = missed ** samples
    for place in range(failures):
        term = term * (samples - place) * hit // ((place + 1) * missed)
        total += term
    return _sign(total * of - share * (hit + missed) ** samples)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
