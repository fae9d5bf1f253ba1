"""Host names: those of RFC 1123, and internationalised ones by IDNA 2008 (RFC 5890 to 5893, punycode by RFC 3492).

The Unicode data are pinned to Unicode 13.0: a character that it does not know is in no host name. Scripts are told from the names of
characters, and which Arabic letters join only to the right from a table of the commonest, as Python has no data for either.
"""
from __future__ import annotations

import re
import unicodedata

from ...text.characters import unknown_characters

_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOTS = "[.\u3002\uff0e\uff61]"
MAX_LENGTH = 253

# RFC 5892, section 2.6.
_VALID = frozenset("\xdf\u03c2\u06fd\u06fe\u0f0b\u3007")
_DISALLOWED = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
_LETTERS_AND_DIGITS = frozenset(("Ll", "Lo", "Lm", "Mn", "Mc", "Nd"))
# Sections 2.3, 2.4 and 2.9: ignorable characters, those for musical and other symbols, and old Hangul letters.
_IGNORABLE = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f\uffa0"
    "\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\U0001d100-\U0001d1ff\U0001d200-\U0001d24f]"
)
_NOT_JOINING = "\u0621\u0674"
_RIGHT_JOINING = frozenset(
    "\u0622\u0623\u0624\u0625\u0627\u0629\u062f\u0630\u0631\u0632\u0648\u0671\u0672\u0673\u0675\u0676\u0677\u0688\u0689\u068a"
    "\u068b\u068c\u068d\u068e\u068f\u0690\u0691\u0692\u0693\u0694\u0695\u0696\u0697\u0698\u0699\u06c0\u06c3\u06c4\u06c5\u06c6"
    "\u06c7\u06c8\u06c9\u06ca\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef"
    + _NOT_JOINING
)


def is_ascii_host(text: str) -> bool:
    """Whether a text is a host name in ASCII; a label that begins with `xn--` must be the spelling of a valid one."""
    if not 0 < len(text) <= MAX_LENGTH or not text.isascii():
        return False
    for label in text.split("."):
        if re.fullmatch(_LABEL, label) is None or label[:4].lower() == "xn--" and _decoded(label) is None:
            return False
    return True


def is_host(text: str) -> bool:
    """Whether a text is a host name, in ASCII or not."""
    if not 0 < len(text) <= MAX_LENGTH:
        return False
    labels, length = [], -1
    for label in re.split(_DOTS, text):
        spelt = label
        if not label.isascii():
            if not is_label(label):
                return False
            spelt = "xn--" + _encoded(label)
        elif label[:4].lower() == "xn--":
            label = _decoded(label)
            if label is None:
                return False
        if re.fullmatch(_LABEL, spelt) is None:
            return False
        length += len(spelt) + 1
        labels.append(label)
    right_to_left = any(_directions(label) & _FROM_RIGHT for label in labels)
    return length <= MAX_LENGTH and (not right_to_left or all(_reads_one_way(label) for label in labels))


def is_label(label: str) -> bool:
    """Whether a label with characters beyond ASCII is valid: RFC 5891, section 4.2, and RFC 5892."""
    if not 0 < len(label) <= 63 or label != unicodedata.normalize("NFC", label):
        return False
    if label[0] == "-" or label[-1] == "-" or label[2:4] == "--" or unicodedata.category(label[0])[0] == "M":
        return False
    return all(_is_valid(label, place) for place in range(len(label))) and (not _directions(label) & _FROM_RIGHT or _reads_one_way(label))


def _is_valid(label: str, place: int) -> bool:
    character = label[place]
    if character in _CONTEXTS:
        return _CONTEXTS[character](label, place)
    if character in _VALID:
        return True
    if character.isascii():
        return character.islower() or character.isdigit() or character == "-"
    if character in _DISALLOWED or character in unknown_characters or re.match(_IGNORABLE, character):
        return False
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    return folded == character and unicodedata.category(character) in _LETTERS_AND_DIGITS


# Characters that depend on what stands around them: RFC 5892, appendix A.

def _is_of(script: str, character: str) -> bool:
    return unicodedata.name(character, "").startswith(script)


def _joins(label: str, place: int) -> bool:
    return place > 0 and unicodedata.combining(label[place - 1]) == 9  # a virama


def _parts(label: str, place: int) -> bool:
    """A zero-width non-joiner between two letters that would join."""
    if _joins(label, place):
        return True
    skipped = "".join({each for each in label if unicodedata.category(each) in ("Mn", "Cf")})
    before, after = label[:place].rstrip(skipped)[-1:], label[place + 1 :].lstrip(skipped)[:1]
    arabic = bool(before and after) and unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return arabic and before not in _RIGHT_JOINING and after not in _NOT_JOINING


def _between_ls(label: str, place: int) -> bool:
    return label[place - 1 : place] == "l" and label[place + 1 : place + 2] == "l"


def _before_greek(label: str, place: int) -> bool:
    return _is_of("GREEK", label[place + 1 : place + 2] or "-")


def _after_hebrew(label: str, place: int) -> bool:
    return place > 0 and _is_of("HEBREW", label[place - 1])


def _with_japanese(label: str, place: int) -> bool:
    return any(_is_of(script, each) for each in label for script in ("HIRAGANA LETTER", "KATAKANA LETTER", "CJK UNIFIED", "IDEOGRAPHIC"))


def _digits_of_one_kind(label: str, place: int) -> bool:
    return not (re.search("[\u0660-\u0669]", label) and re.search("[\u06f0-\u06f9]", label))


_CONTEXTS = {
    "\u200c": _parts, "\u200d": _joins, "\xb7": _between_ls, "\u0375": _before_greek, "\u05f3": _after_hebrew, "\u05f4": _after_hebrew,
    "\u30fb": _with_japanese, **dict.fromkeys(map(chr, [*range(0x660, 0x66A), *range(0x6F0, 0x6FA)]), _digits_of_one_kind),
}


# Texts that read from right to left: RFC 5893, section 2.

_FROM_RIGHT = {"R", "AL", "AN"}
_NEUTRAL = {"EN", "ES", "CS", "ET", "ON", "BN", "NSM"}


def _directions(label: str) -> set:
    return {unicodedata.bidirectional(character) for character in label}


def _reads_one_way(label: str) -> bool:
    directions = _directions(label)
    first = unicodedata.bidirectional(label[0])
    last = [way for way in map(unicodedata.bidirectional, label) if way != "NSM"][-1:]
    if first in ("R", "AL"):
        allowed = directions <= _NEUTRAL | _FROM_RIGHT and not {"EN", "AN"} <= directions
        return allowed and last[0] in ("R", "AL", "EN", "AN")
    return first == "L" and directions <= _NEUTRAL | {"L"} and last[0] in ("L", "EN")


# Punycode: RFC 3492, sections 5 and 6.

def _decoded(label: str) -> str | None:
    """What a label that begins with `xn--` spells, or None where that is no valid label."""
    spelt = label[4:].lower()
    basic, _, digits = spelt.rpartition("-")
    found, code, place, bias = list(basic), 128, 0, 72
    at = 0
    while at < len(digits):
        before, weight, step = place, 1, 36
        while True:
            if at == len(digits):
                return None
            digit = ord(digits[at]) - 97 if digits[at].isalpha() else ord(digits[at]) - 22
            at += 1
            place += digit * weight
            threshold = min(max(step - bias, 1), 26)
            if digit < threshold:
                break
            weight *= 36 - threshold
            step += 36
        bias = _bias(place - before, len(found) + 1, before == 0)
        code += place // (len(found) + 1)
        place %= len(found) + 1
        if code > 0x10FFFF:
            return None
        found.insert(place, chr(code))
        place += 1
    text = "".join(found)
    return text if not text.isascii() and is_label(text) and _encoded(text) == spelt else None


def _encoded(label: str) -> str:
    basic = [character for character in label if character.isascii()]
    written = basic + ["-"] if basic else []
    code, delta, bias, done = 128, 0, 72, len(basic)
    while done < len(label):
        following = min(ord(character) for character in label if ord(character) >= code)
        delta += (following - code) * (done + 1)
        code = following
        for character in label:
            if ord(character) < code:
                delta += 1
            elif ord(character) == code:
                written.append(_digits(delta, bias))
                bias = _bias(delta, done + 1, done == len(basic))
                delta, done = 0, done + 1
        delta, code = delta + 1, code + 1
    return "".join(written)


def _digits(delta: int, bias: int) -> str:
    written, step = "", 36
    while True:
        threshold = min(max(step - bias, 1), 26)
        if delta < threshold:
            return written + _digit(delta)
        rest, digit = divmod(delta - threshold, 36 - threshold)
        written += _digit(threshold + digit)
        delta, step = rest, step + 36


def _digit(value: int) -> str:
    return chr(97 + value if value < 26 else 22 + value)


def _bias(delta: int, count: int, first: bool) -> int:
    delta = delta // 700 if first else delta // 2
    delta += delta // count
    step = 0
    while delta > 455:
        delta //= 35
        step += 36
    return step + 36 * delta // (delta + 38)
