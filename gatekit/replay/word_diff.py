"""What changed in a text, word by word: `You are a [-helpful-] {+friendly+} agent`, with the unchanged words far from a change left out."""
from __future__ import annotations

_AROUND = 4
_MOST = 400
_LONGEST = 60


def word_diff(old: str, new: str) -> tuple:
    """The lines that show how a text became another: one, or none where the words are the same (then only white space differs, and that is said).

    Words common to both ends are set aside; of the rest the longest common sequence is kept. Of two rests of more than 400 words all counts as changed.
    """
    left, right = old.split(), new.split()
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
            pieces.append(" ".join(words))
        else:
            text = " ".join(words if len(words) <= _LONGEST else [*words[:_LONGEST], f"... ({len(words)} words)"])
            pieces.append(f"[-{text}-]" if kind == "-" else "{+" + text + "+}")
    return " ".join(pieces)


def _near(words: list, changed_before: bool, changed_after: bool) -> list:
    """The unchanged words that stand next to a change."""
    head = words[:_AROUND] if changed_before else []
    tail = words[-_AROUND:] if changed_after else []
    return words if len(words) <= len(head) + len(tail) + 1 else [*head, "...", *tail]
