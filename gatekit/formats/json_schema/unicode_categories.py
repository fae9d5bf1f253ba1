"""The general categories of Unicode as ranges of code points, pinned to Unicode 13.0 as all tables of the package are.

Worked out from the unicodedata module when a pattern first asks for one.
"""
from __future__ import annotations

import unicodedata

from ...text.characters import UNKNOWN

# The names of PropertyValueAliases.txt (Unicode 13.0) for each category or group of categories.
_NAMES = """
    L Letter; LC Cased_Letter; Lu Uppercase_Letter; Ll Lowercase_Letter; Lt Titlecase_Letter; Lm Modifier_Letter; Lo Other_Letter;
    M Mark Combining_Mark; Mn Nonspacing_Mark; Mc Spacing_Mark; Me Enclosing_Mark;
    N Number; Nd Decimal_Number digit; Nl Letter_Number; No Other_Number;
    P Punctuation punct; Pc Connector_Punctuation; Pd Dash_Punctuation; Ps Open_Punctuation; Pe Close_Punctuation; Pi Initial_Punctuation;
    Pf Final_Punctuation; Po Other_Punctuation;
    S Symbol; Sm Math_Symbol; Sc Currency_Symbol; Sk Modifier_Symbol; So Other_Symbol;
    Z Separator; Zs Space_Separator; Zl Line_Separator; Zp Paragraph_Separator;
    C Other; Cc Control cntrl; Cf Format; Cs Surrogate; Co Private_Use; Cn Unassigned
"""
CATEGORIES = {name: row.split()[0] for row in _NAMES.split(";") for name in row.split()}
_LAST = 0x10FFFF
_PRIVATE_PLANES = 0xF0000  # from here on all that is assigned is private use
_BINARY = {"Any": ((0, _LAST),), "ASCII": ((0, 0x7F),)}
_CHANGED = {0x1734: "Mn"}  # assigned in Unicode 13.0, and of another category since
_RANGES: dict = {}


def ranges_of(name: str) -> tuple | None:
    """The ranges (first, last) of a category by any of its names, or None where there is none of that name."""
    if name in _BINARY:
        return _BINARY[name]
    category = CATEGORIES.get(name)
    if category is None:
        return None
    if category not in _RANGES:
        wanted = ("Lu", "Ll", "Lt") if category == "LC" else (category,)
        _RANGES[category] = _merged(span for each, spans in _by_category().items() if each.startswith(wanted) for span in spans)
    return _RANGES[category]


def complement(ranges) -> tuple:
    """All code points that are not in sorted ranges."""
    found, following = [], 0
    for first, last in ranges:
        if following < first:
            found.append((following, first - 1))
        following = last + 1
    if following <= _LAST:
        found.append((following, _LAST))
    return tuple(found)


_SPANS: dict = {}


def _by_category() -> dict:
    """The ranges of each category: those that Unicode 13.0 does not know, and what the unicodedata module says of all between them."""
    if not _SPANS:
        unknown = [tuple(int(end, 16) for end in span.split("-")) for span in UNKNOWN.split()]
        spans: dict = {"Cn": [(span[0], span[-1]) for span in unknown]}
        following = 0
        for first, last in [*spans["Cn"], (_LAST + 1, None)]:
            while following < first:
                category, start = _category(following), following
                following = first if following >= _PRIVATE_PLANES else following + 1
                while following < first and _category(following) == category:
                    following += 1
                spans.setdefault(category, []).append((start, following - 1))
            following = first if last is None else last + 1
        _SPANS.update(spans)
    return _SPANS


def _category(code: int) -> str:
    return _CHANGED.get(code) or unicodedata.category(chr(code))


def _merged(spans) -> tuple:
    found: list = []
    for first, last in sorted(spans):
        if found and found[-1][1] + 1 == first:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return tuple(found)
