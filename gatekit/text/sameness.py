"""In what two texts differ that read alike: white space, case, the Unicode form, a line feed at the end, typography.

Where a character stands in a text that Unicode 13.0 does not know, only white space is evened out: what a newer Python makes of it is another thing.
"""
from __future__ import annotations

import unicodedata

from .characters import pinned
from .views import CAREFUL, Part, fold

# What can be evened out, in words and as a function of a text; the first that makes two texts the same is what they differ in.
_EVENINGS = (
    ("a newline at the end differs", lambda text: text.rstrip("\r\n")),
    ("white space differs", lambda text: " ".join(text.split())),
    ("the Unicode form differs (composed and decomposed letters)", lambda text: unicodedata.normalize("NFC", text)),
    ("upper and lower case differ", str.lower),
)
_TOGETHER = (("white space", _EVENINGS[1][1]), ("the Unicode form", _EVENINGS[2][1]), ("case", _EVENINGS[3][1]))


def only_difference(left: str, right: str) -> str | None:
    """What alone differs in two texts, in words: `only white space differs`; None where more than that does, or nothing."""
    if left == right:
        return None
    is_known = pinned(left) is left and pinned(right) is right
    for words, evened in _EVENINGS if is_known else _EVENINGS[:2]:
        if evened(left) == evened(right):
            return f"only {words}"
    if not is_known:
        return None
    needed = [name for name, _ in _TOGETHER if _evened(left, name) != _evened(right, name)]
    if _evened(left) == _evened(right):
        return f"only {' and '.join(needed)} differ"
    if _read(left) == _read(right):
        return "only typography or markup differs (quotes, dashes, emphasis, case)"
    return None


def _evened(text: str, but: str | None = None) -> str:
    """A text with all evened out but one thing."""
    for name, evened in _TOGETHER:
        text = text if name == but else evened(text)
    return text


def _read(text: str) -> str:
    return fold(Part(text, 0, len(text)), CAREFUL)
