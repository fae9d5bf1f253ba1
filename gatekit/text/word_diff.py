"""What changed in a text, word by word: `You are a [-helpful-] {+friendly+} agent`, with the unchanged words far from a change left out.

The edits are the fewest that lead from one text to the other (ground/alignment.py). Where there would be more than `MOST_EDITS` of them, all words between
the common ends count as changed.
"""
from __future__ import annotations

import re

from ..ground.alignment import common
from .characters import spaceless_scripts
from .labels import LABEL

MOST_EDITS = 200
STEPS = KEPT, GONE, NEW, GAP = "=", "-", "+", "~"
_AROUND = 4
_LONGEST = 60
_LONG_WORD = 60
_PIECE = re.compile("[A-Za-z0-9]{1,40}|[^A-Za-z0-9]{1,40}")
# What stands for something hidden is shown whole, or it would be read as another one.
_HIDDEN = re.sub(r"\?P<[a-z]+>", "?:", LABEL)
_WORD = re.compile(rf"(?:[^\s\[<]+|{_HIDDEN}|[\[<])+")
_HIDDEN_OR_NOT = re.compile(f"({_HIDDEN})")
_BRACKETS = {KEPT: "%s", GONE: "[-%s-]", NEW: "{+%s+}", GAP: "..."}


class _Glued(str):
    """A word that stands close to the one before it."""


def word_diff(old: str, new: str) -> tuple:
    """The lines that show how a text became another: one, or none where the words are the same (then only white space differs, and that is said).

    Of a script that is written without spaces each character is a word, of a very long word (JSON, a link, base64) each piece.
    """
    steps = word_steps(old, new)
    if not steps:
        return ("only white space differs",) if old != new else ()
    return (spelt(steps),)


def word_steps(old: str, new: str, most: int = MOST_EDITS) -> tuple:
    """How a text became another, as `(kind, words)`: KEPT, GONE, NEW, or GAP where unchanged words are left out; empty where the words are the same."""
    left, right = _words(old), _words(new)
    if left == right:
        return ()
    first = 0
    while first < min(len(left), len(right)) and left[first] == right[first]:
        first += 1
    last = 0
    while last < min(len(left), len(right)) - first and left[-1 - last] == right[-1 - last]:
        last += 1
    middle = _edits(left[first : len(left) - last], right[first : len(right) - last], most)
    return tuple(_told([(KEPT, left[:first]), *middle, (KEPT, left[len(left) - last :])]))


def spelt(steps: tuple) -> str:
    """The steps on one line: what is gone as `[-so-]`, what is new as `{+so+}`."""
    return " ".join(_BRACKETS[kind].replace("%s", words) for kind, words in steps)


def _words(text: str) -> list:
    found: list = []
    for word in text.split() if "[" not in text and "<" not in text else _WORD.findall(text):
        pieces = [word] if len(word) <= _LONG_WORD and word.isascii() else _pieces(word)
        found.append(pieces[0])
        found += map(_Glued, pieces[1:])
    return found


def _pieces(word: str) -> list:
    """A long word, or one that is not only of ASCII, in pieces: what stands for something hidden stays in one."""
    parts = _HIDDEN_OR_NOT.split(word)
    return [piece for place, part in enumerate(parts) for piece in ([part] if place % 2 else _characters(part))]


def _characters(word: str) -> list:
    """A word as its characters of scripts without spaces, and what stands between them."""
    pieces, at = [], 0
    for place, character in enumerate(word):
        if character in spaceless_scripts:
            pieces += [word[at:place]] * (at < place) + [character]
            at = place + 1
    pieces += [word[at:]] * (at < len(word))
    return [part for piece in pieces for part in (_PIECE.findall(piece) if len(piece) > _LONG_WORD else [piece])]


def _joined(words: list) -> str:
    return "".join([word if isinstance(word, _Glued) else f" {word}" for word in words]).lstrip(" ")


def _edits(left: list, right: list, most: int) -> list:
    """`(kind, words)` that lead from one list of words to the other; of a change what is gone comes first."""
    pairs = common(left, right, most)
    if pairs is None:
        return [(GONE, left), (NEW, right)]
    groups, x, y = [], 0, 0
    for at, other in [*pairs, (len(left), len(right))]:
        if at > x or other > y or not groups:
            groups += [(GONE, left[x:at]), (NEW, right[y:other]), (KEPT, [])]
        groups[-1][1].extend(left[at : at + 1])
        x, y = at + 1, other + 1
    return groups


def _told(groups: list):
    """The groups that hold words, as they are shown: far from a change nothing, of a long change its beginning."""
    runs: list = []
    for kind, words in groups:
        if words and runs and kind == KEPT == runs[-1][0]:
            runs[-1] = (KEPT, runs[-1][1] + words)
        elif words:
            runs.append((kind, words))
    for place, (kind, words) in enumerate(runs):
        if kind != KEPT:
            yield kind, _joined(words if len(words) <= _LONGEST else [*words[:_LONGEST], f"... ({len(words)} words)"])
            continue
        around = _AROUND * (1 + isinstance(words[len(words) // 2], _Glued) * 2)
        head = words[:around] if place else []
        tail = words[-around:] if place < len(runs) - 1 else []
        if len(words) <= len(head) + len(tail) + 1:
            yield KEPT, _joined(words)
        else:
            yield from [(KEPT, _joined(head))] * bool(head) + [(GAP, "")] + [(KEPT, _joined(tail))] * bool(tail)
