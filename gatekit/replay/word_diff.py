"""What changed in a text, word by word: `You are a [-helpful-] {+friendly+} agent`, with the unchanged words far from a change left out."""
from __future__ import annotations

import re

from ..text.characters import spaceless_scripts

_AROUND = 4
_MOST = 400
_LONGEST = 60
_LONG_WORD = 60
_PIECE = re.compile("[A-Za-z0-9]{1,40}|[^A-Za-z0-9]{1,40}")


class _Glued(str):
    """A word that stands close to the one before it."""


def word_diff(old: str, new: str) -> tuple:
    """The lines that show how a text became another: one, or none where the words are the same (then only white space differs, and that is said).

    Of a script that is written without spaces each character is a word, of a very long word (JSON, a link, base64) each piece.
    Words common to both ends are set aside; of the rest the longest common sequence is kept. Of two rests of more than 400 words all counts as changed.
    """
    left, right = _words(old), _words(new)
    if left == right:
        return ("only white space differs",) if old != new else ()
    first = 0
    while first < min(len(left), len(right)) and left[first] == right[first]:
        first += 1
    last = 0
    while last < min(len(left), len(right)) - first and left[-1 - last] == right[-1 - last]:
        last += 1
    middle = _edits(left[first : len(left) - last], right[first : len(right) - last])
    steps = [("=", word) for word in left[:first]] + middle + [("=", word) for word in left[len(left) - last :]]
    return (_line(steps),)


def _words(text: str) -> list:
    found: list = []
    for word in text.split():
        pieces = _characters(word) if not word.isascii() else _PIECE.findall(word) if len(word) > _LONG_WORD else [word]
        found.append(pieces[0])
        found += map(_Glued, pieces[1:])
    return found


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


def _edits(left: list, right: list) -> list:
    """`("=", word)`, `("-", word)` and `("+", word)` that lead from one list of words to the other."""
    if len(left) > _MOST or len(right) > _MOST:
        return [("-", word) for word in left] + [("+", word) for word in right]
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if left[i] == right[j] else max(lengths[i + 1][j], lengths[i][j + 1])
    steps, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            steps.append(("=", left[i]))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            steps.append(("-", left[i]))
            i += 1
        else:
            steps.append(("+", right[j]))
            j += 1
    return steps + [("-", word) for word in left[i:]] + [("+", word) for word in right[j:]]


def _line(steps: list) -> str:
    pieces, place = [], 0
    while place < len(steps):
        kind, start = steps[place][0], place
        while place < len(steps) and steps[place][0] == kind:
            place += 1
        words = [word for _, word in steps[start:place]]
        if kind == "=":
            words = _near(words, start > 0, place < len(steps))
            pieces.append(_joined(words))
        else:
            text = _joined(words if len(words) <= _LONGEST else [*words[:_LONGEST], f"... ({len(words)} words)"])
            pieces.append(f"[-{text}-]" if kind == "-" else "{+" + text + "+}")
    return " ".join(pieces)


def _near(words: list, changed_before: bool, changed_after: bool) -> list:
    """The unchanged words that stand next to a change."""
    around = _AROUND * (1 + isinstance(words[len(words) // 2], _Glued) * 2)
    head = words[:around] if changed_before else []
    tail = words[-around:] if changed_after else []
    return words if len(words) <= len(head) + len(tail) + 1 else [*head, "...", *map(str, tail[:1]), *tail[1:]]
