"""Pairing what is expected with what is there, each with one of its own: a maximum matching, so that no greedy choice hides a pairing that exists.

Augmenting paths, one for each left element (Kuhn's algorithm, after Berge 1957), without recursion: at most (left elements) x (pairs that fit) steps.
"""
from __future__ import annotations


def paired(left: list, right: list, fits) -> list:
    """The index of the right element that each left one is paired with, None where it is left over; as many are paired as can be.

    `fits(one, other)` tells whether two elements may be paired. A left element that could be paired stays so whatever follows it, so the earlier
    ones are served first.
    """
    return _matched([[at for at, other in enumerate(right) if fits(one, other)] for one in left])


def _matched(choices: list) -> list:
    """The same, of the indexes that each left element may be paired with."""
    partner: list = [None] * len(choices)
    owner: dict = {}  # the right elements that are taken, and by which left one
    for start in range(len(choices)):
        came_from, free = _path(start, choices, owner)
        while free is not None:
            one = came_from[free]
            owner[free], partner[one], free = one, free, partner[one]
    return partner


def _path(start: int, choices: list, owner: dict) -> tuple:
    """From which left element each right one was reached, and a free right one that was, or None."""
    came_from: dict = {}
    waiting = [start]
    while waiting:
        one = waiting.pop()
        for at in choices[one]:
            if at not in came_from:
                came_from[at] = one
                if at not in owner:
                    return came_from, at
                waiting.append(owner[at])
    return came_from, None


def pairs_all(left: list, right: list, fits, among=None) -> bool:
    """Whether each left element can be paired with a right one of its own. `among(one)` are the indexes of those that it can fit at all (None: any)."""
    if len(left) > len(right):
        return False
    choices = []
    for one in left:
        choices.append([at for at in (range(len(right)) if among is None else among(one)) if fits(one, right[at])])
        if not choices[-1]:
            return False
    return None not in _matched(choices)
