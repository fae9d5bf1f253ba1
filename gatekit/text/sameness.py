"""In what two texts differ that read alike: white space, invisible characters, case, the Unicode form, typography, letters that look alike.

Where a character stands in a text that Unicode 13.0 does not know, only white space is evened out: what a newer Python makes of it is another thing.
"""
from __future__ import annotations

import re
import unicodedata

from .characters import format_characters, pinned, unseen_characters
from .spans import replaced
from .spellings import GREEK_LOOKALIKES, LOOKALIKES, TYPOGRAPHY, by_character, clothed
from .views import has_markup

_MOST_MARKED = 100_000  # characters of a text that is read as Markdown
_MARK = "\ufeff"
_FULL_WIDTH = {point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)}


def _translated(table: dict):
    by_point = {ord(character): meaning for character, meaning in table.items()}
    return lambda text: text if text.isascii() else text.translate(by_point)


def _seen(text: str) -> str:
    """A text without what shows nothing of itself."""
    if text.isascii():
        return text
    return text.translate({ord(character): None for character in set(text) if character in format_characters or character in unseen_characters})


def _even_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unwrapped(text: str) -> str:
    if len(text) > _MOST_MARKED or not has_markup(text, False):
        return text
    from .markdown import unwrap

    return replaced(text, unwrap(text)[0])


def _trimmed(text: str) -> str:
    """A text without white space at the ends of its lines, and line ends at its own."""
    return re.sub("(?<![ \t])[ \t]+(?=\n|\\Z)", "", _even_lines(text)).rstrip()


# What can be evened out, in the order in which it is. Each kind has readings, `(subject, what is said where it alone differs, evening)`: the first that is
# enough is said, and the last evens out all that the others do.
_KINDS = (
    (("Markdown", "Markdown differs (emphasis, code ticks, links and their targets, backslashes)", _unwrapped),),
    (
        ("line ends", "line ends differ (CRLF and LF)", _even_lines),
        ("a newline at the end", "a newline at the end differs", lambda text: text.rstrip("\r\n")),
        ("white space at the ends of lines", "white space at the ends of lines differs", _trimmed),
        ("white space", "white space differs", lambda text: " ".join(text.split())),
        ("white space", "white space differs: some stands where the other text has none", lambda text: "".join(text.split())),
    ),
    (
        ("a byte-order mark at the start", "a byte-order mark at the start differs", lambda text: text.lstrip(_MARK)),
        ("invisible characters", "invisible characters differ", _seen),
    ),
    (("the Unicode form", "the Unicode form differs (composed and decomposed letters)", lambda text: unicodedata.normalize("NFC", text)),),
    (("typography", "typography differs (quotes, dashes, dots)", _translated(by_character(TYPOGRAPHY))),),
    (("full-width characters", "full-width characters differ", lambda text: text.translate(_FULL_WIDTH)),),
    (("letters that look alike", "letters that look alike differ (of other scripts)", _translated({**by_character(LOOKALIKES, GREEK_LOOKALIKES), **clothed()})),),
    (("case", "upper and lower case differ", str.lower),),
)
_WHITE_SPACE = 1  # of these
_NAMED = {
    " ": "a space", "\t": "a tab", "\n": "a newline", "\r": "a carriage return", "\u00a0": "a no-break space", "\u200b": "a zero-width space",
    "\u200c": "a zero-width non-joiner", "\u200d": "a zero-width joiner", "\u2060": "a word joiner", "\u00ad": "a soft hyphen", _MARK: "a byte-order mark",
}  # fmt: skip


def only_difference(left: str, right: str) -> str | None:
    """What alone differs in two texts, in words: `only white space differs`; None where more than that does, or nothing."""
    if left == right:
        return None
    known = range(len(_KINDS)) if pinned(left) is left and pinned(right) is right else (_WHITE_SPACE,)
    needed = {kind: _KINDS[kind][-1] for kind in known}
    if not _are_even(left, right, needed):
        return None
    for kind in known:
        fewer = {other: reading for other, reading in needed.items() if other != kind}
        if _are_even(left, right, fewer):
            needed = fewer
    for kind in needed:
        needed[kind] = next(reading for reading in _KINDS[kind] if _are_even(left, right, {**needed, kind: reading}))
    if len(needed) == 1:
        [(_, words, _)] = needed.values()
        return f"only {words}"
    *subjects, last = (subject for subject, _, _ in needed.values())
    return f"only {', '.join(subjects)} and {last} differ"


def _are_even(left: str, right: str, readings: dict) -> bool:
    for _, _, evening in readings.values():
        left, right = evening(left), evening(right)
    return left == right


def character_words(text: str, at: int) -> str:
    """What stands at a place of a text, where a reader cannot tell it by its looks; letters of ASCII are themselves."""
    character = text[at : at + 1]
    if not character:
        return "the end"
    return _NAMED.get(character) or (character if "!" <= character <= "~" else f"U+{ord(character):04X}")
