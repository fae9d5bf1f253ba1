"""What two sequences have in common, in order.

The fewest edits that lead from one to the other: E. W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986), whose time grows
with the number of edits and not with the length.
"""
from __future__ import annotations


def common(left: list, right: list, most: int) -> list | None:
    """The pairs of indexes of a longest common subsequence, in order; None where more than `most` edits lead from the one to the other."""
    first, least = 0, min(len(left), len(right))
    while first < least and left[first] == right[first]:
        first += 1
    last = 0
    while last < least - first and left[-1 - last] == right[-1 - last]:
        last += 1
    trail = _trail(left[first : len(left) - last], right[first : len(right) - last], most)
    if trail is None:
        return None
    width, height = len(left) - first - last, len(right) - first - last
    middle = [(first + x, first + y) for x, y in _kept(trail, width, height)]
    return [(at, at) for at in range(first)] + middle + [(len(left) - at, len(right) - at) for at in range(last, 0, -1)]


def _trail(left: list, right: list, most: int) -> list | None:
    """By the number of edits, how far into the left one each diagonal was reached before; None where more edits are needed."""
    width, height = len(left), len(right)
    reach, trail = {1: 0}, []
    if abs(width - height) > most:
        return None
    for edits in range(min(width + height, most) + 1):
        trail.append(dict(reach))
        for k in range(-edits, edits + 1, 2):
            x = reach[k + 1] if k == -edits or k != edits and reach[k - 1] < reach[k + 1] else reach[k - 1] + 1
            while x < width and x - k < height and left[x] == right[x - k]:
                x += 1
            reach[k] = x
            if x >= width and x - k >= height:
                return trail
    return None


def _kept(trail: list, x: int, y: int) -> list:
    kept: list = []
    for edits in range(len(trail) - 1, -1, -1):
        reach, k = trail[edits], x - y
        is_new = k == -edits or k != edits and reach[k - 1] < reach[k + 1]
        start = 0 if not edits else reach[k + 1] if is_new else reach[k - 1] + 1
        kept += [(place, place - k) for place in range(x - 1, start - 1, -1)]
        x, y = start, start - k
        if edits:
            x, y = (x, y - 1) if is_new else (x - 1, y)
    return kept[::-1]


def increasing(numbers: list) -> set:
    """The places of a longest strictly increasing subsequence (C. Schensted, 1961, by piles)."""
    tops: list = []  # of each length the place at which the one with the smallest end ends
    before: list = []
    for place, number in enumerate(numbers):
        low, high = 0, len(tops)
        while low < high:
            middle = (low + high) // 2
            if numbers[tops[middle]] < number:
                low = middle + 1
            else:
                high = middle
        before.append(tops[low - 1] if low else None)
        tops[low : low + 1] = [place]
    kept, place = set(), tops[-1] if tops else None
    while place is not None:
        kept.add(place)
        place = before[place]
    return kept
