"""How many columns of a terminal a text takes: two for a wide character of east Asia, none for a mark that stands on the character before it.

The table and the categories are those of Unicode 13.0 whatever the Python, so that lines break at the same places everywhere.
"""
from __future__ import annotations

from .characters import Ranges, category

# East_Asian_Width W or F (Unicode Standard Annex #11, EastAsianWidth.txt 13.0.0), gaps of unassigned characters closed; and whole what is set aside for
# ideographs and pictographs, which a newer terminal may draw.
WIDE = """
    1100-115F 231A-231B 2329-232A 23E9-23EC 23F0 23F3 25FD-25FE 2614-2615 2648-2653 267F 2693 26A1 26AA-26AB 26BD-26BE 26C4-26C5 26CE 26D4 26EA
    26F2-26F3 26F5 26FA 26FD 2705 270A-270B 2728 274C 274E 2753-2755 2757 2795-2797 27B0 27BF 2B1B-2B1C 2B50 2B55 2E80-303E 3041-3247 3250-4DBF
    4E00-A4C6 A960-A97C AC00-D7A3 F900-FAFF FE10-FE19 FE30-FE6B FF01-FF60 FFE0-FFE6 16FE0-1B2FB 1F004 1F0CF 1F18E 1F191-1F19A 1F200-1F320
    1F32D-1F335 1F337-1F37C 1F37E-1F393 1F3A0-1F3CA 1F3CF-1F3D3 1F3E0-1F3F0 1F3F4 1F3F8-1F43E 1F440 1F442-1F4FC 1F4FF-1F53D 1F54B-1F54E 1F550-1F567
    1F57A 1F595-1F596 1F5A4 1F5FB-1F64F 1F680-1F6C5 1F6CC 1F6D0-1F6D2 1F6D5-1F6DF 1F6EB-1F6EF 1F6F4-1F6FF 1F7E0-1F7EB 1F90C-1F93A 1F93C-1F945
    1F947-1F9FF 1FA70-1FAFF 20000-2FFFD 30000-3FFFD
"""
wide_characters = Ranges(WIDE)
_MARKS = ("Mn", "Me")


def columns(text: str) -> int:
    """How many columns a text takes in which no character acts."""
    return len(text) if text.isascii() else sum(map(_column, text))


def _column(character: str) -> int:
    if character < "\u0300":
        return 1
    return 0 if category(character) in _MARKS else 2 if character in wide_characters else 1
