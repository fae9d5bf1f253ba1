"""Which characters a reader takes for which: tables for the views of a text.

`TYPOGRAPHY` holds what typesetting puts in place of an ASCII character. It is a table of its own because compatibility
normalisation (NFKC) does not do it: it leaves curly quotes alone, and turns U+2011 into U+2010, which is not the hyphen of the keyboard.

`LOOKALIKES` holds letters of other scripts that are drawn like a Latin letter: the pairs of Unicode Technical Standard 39
(confusables) that are the same at a glance in common fonts, each in its own case. ASCII letters are never look-alikes of each other.
"""
from __future__ import annotations

TYPOGRAPHY = {
    "'": "\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40\u05f3",
    '"': "\u00ab\u00bb\u02ba\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u301d\u301e\u301f\uff02\u05f4",
    "-": "\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d",
    "...": "\u2026",
    ".": "\u066b",
    "/": "\u2044\u2215",
    ",": "\u066c",
    "%": "\u066a",
    "\u00a2": "\uffe0",
    "\u00a3": "\uffe1",
    "\u00a5": "\uffe5",
    "\u20a9": "\uffe6",
}

LOOKALIKES = {
    # Cyrillic
    "A": "\u0410", "B": "\u0412", "C": "\u0421", "E": "\u0415", "H": "\u041d", "I": "\u0406\u04c0", "J": "\u0408", "K": "\u041a",
    "M": "\u041c", "O": "\u041e", "P": "\u0420", "Q": "\u051a", "S": "\u0405", "T": "\u0422", "W": "\u051c", "X": "\u0425",
    "Y": "\u0423\u04ae", "G": "\u050c", "a": "\u0430", "c": "\u0441", "d": "\u0501", "e": "\u0435", "h": "\u04bb", "i": "\u0456",
    "j": "\u0458", "k": "\u043a", "l": "\u04cf", "o": "\u043e", "p": "\u0440", "q": "\u051b", "s": "\u0455", "w": "\u051d", "x": "\u0445",
    "y": "\u0443\u04af", "v": "\u0475", "V": "\u0474", "g": "\u050d", "b": "\u042c\u044c", "m": "\u043c", "t": "\u0442", "n": "\u043f",
    "r": "\u0433",
}

GREEK_LOOKALIKES = {
    "A": "\u0391", "B": "\u0392", "E": "\u0395", "Z": "\u0396", "H": "\u0397", "I": "\u0399", "K": "\u039a", "M": "\u039c", "N": "\u039d",
    "O": "\u039f", "P": "\u03a1", "T": "\u03a4", "Y": "\u03a5", "X": "\u03a7", "a": "\u03b1", "b": "\u03b2", "e": "\u03b5", "i": "\u03b9",
    "j": "\u03f3", "k": "\u03ba", "n": "\u03b7", "o": "\u03bf", "p": "\u03c1", "t": "\u03c4", "u": "\u03c5", "v": "\u03bd", "w": "\u03c9",
    "x": "\u03c7", "y": "\u03b3", "C": "\u03f9", "c": "\u03f2",
}

# Latin letters in other clothes that compatibility normalisation leaves alone: small capitals, dotless forms, and the white-on-black
# letters in circles and squares.
CLOTHED = {
    "a": "\u1d00\u0251", "b": "\u0299", "c": "\u1d04", "d": "\u1d05", "e": "\u1d07", "g": "\u0261\u0262", "h": "\u029c", "i": "\u026a\u0131",
    "j": "\u1d0a\u0237", "k": "\u1d0b", "l": "\u029f", "m": "\u1d0d", "n": "\u0274", "o": "\u1d0f", "p": "\u1d18", "r": "\u0280", "s": "\ua731",
    "t": "\u1d1b", "u": "\u1d1c", "v": "\u1d20", "w": "\u1d21", "y": "\u028f", "z": "\u1d22",
}


def by_character(*tables: dict) -> dict:
    """Tables of `meaning: spellings` turned round: spelling to meaning."""
    return {spelling: meaning for table in tables for meaning, spellings in table.items() for spelling in spellings}


def clothed() -> dict:
    """`CLOTHED` turned round, with the white-on-black capitals (U+1F150 to U+1F189) and the regional letters (U+1F1E6 on)."""
    table = by_character(CLOTHED)
    for first in (0x1F150, 0x1F170, 0x1F1E6):
        table.update((chr(first + place), chr(65 + place)) for place in range(26))
    return table
