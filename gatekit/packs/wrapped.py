"""Finds secrets that stand in a text wrapped: in base64, in hexadecimal, or behind percent escapes.

What is unwrapped, and how far:

    base64       runs of 20 characters and more of either alphabet (`+/` or `-_`), with or without padding, over line ends too, wherever in such a run they begin
    hexadecimal  24 digits and more, in one run or in pairs (`67 68 6f`, `67:68:6f`, `\\x67\\x68\\x6f`)
    percent      what stands between white space and holds an escape such as `%5F`

Bytes are read as ASCII, and as UTF-16 where every second is zero. What comes out is searched for key shapes, and unwrapped again, at most DEPTH times in all, and
no more than MOST characters come out of one text: what is wrapped deeper, or lies behind more, is not found. Nor is what was compressed or encrypted. All is
linear in the length of the text.
"""
from __future__ import annotations

from .compiled import compiled
from .secret_shapes import Secret, find_secrets

DEPTH = 3
MOST = 8_000_000

_BASE64 = r"[A-Za-z0-9+/_-]{20,}(?:[ \n\r]{1,2}[A-Za-z0-9+/_-]{20,})*(?:[ \n\r]{1,2}[A-Za-z0-9+/_-]+(?==))?"
_LAST_LINE = r"[ \n\r]{1,2}(?:[A-Za-z0-9+/_-]{4}){1,4}(?![A-Za-z0-9+/=_-])"  # of what stands on several lines and needs no padding; or a word
_HEXADECIMAL = r"[0-9A-Fa-f]{24,}|(?<![0-9A-Fa-f])[0-9A-Fa-f]{2}(?:[ :,-][0-9A-Fa-f]{2}){11,}(?![0-9A-Fa-f])|(?:\\x[0-9A-Fa-f]{2}){12,}"
_ESCAPED = r"[^\s\"'<>]+"
_ESCAPES = "(?:%[0-9A-Fa-f]{2})+"
_SHOWN = "[ -~]{12}"  # the shortest secret is longer
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
# Each character as its six bits in two octal digits: a number in a base that is a power of two is read in linear time.
_OCTAL = {ord(character): f"{place:02o}" for place, character in enumerate(_ALPHABET + "+/")}
_OCTAL.update({ord("-"): "76", ord("_"): "77", 32: "", 10: "", 13: ""})
_PLAIN = bytes(byte if 32 <= byte < 127 else 10 for byte in range(256))


def find_wrapped(text: str) -> list:
    """The stretches of a text that hold a secret in a wrapping, as `Secret`s in order and without overlap. The kind names both: `github token in base64`."""
    found: list = []
    for start, end, kind, _ in _wrapped(text, DEPTH, [MOST]):
        if not found or start >= found[-1].end:
            found.append(Secret(start, end, kind))
    return found


def _wrapped(text: str, depth: int, left: list) -> list:
    """`(start, end, kind, whether the secret goes on to the end)` of each wrapped secret, in order; `left` is how many characters may still come out."""
    found: list = []
    for start, end, wrapping, unwrap in _stretches(text):
        if left[0] <= 0:
            break
        if found and found[-1][0] == start and not found[-1][3]:
            continue  # all of it stands in the shorter stretch that begins there
        for plain in unwrap(text[start:end]):
            left[0] -= len(plain)
            inside = find_secrets(plain)
            kind = inside[0].kind if inside else None
            if kind is None and depth > 1:
                kind = next((kind for _, _, kind, _ in _wrapped(plain, depth - 1, left)), None)
            if kind is not None:
                if found and found[-1][0] == start:
                    found.pop()
                found.append((start, end, f"{kind} in {wrapping}", bool(inside) and inside[-1].end == len(plain)))
                break
    return sorted(found)


def _stretches(text: str):
    """Yield each stretch that may wrap something: where it stands, its wrapping, and the function that undoes it."""
    for match in compiled(_HEXADECIMAL).finditer(text):
        yield (*match.span(), "hexadecimal", _from_hexadecimal)
    for match in compiled(_BASE64).finditer(text):
        yield (*match.span(), "base64", _from_base64)
        last = compiled(_LAST_LINE).match(text, match.end())
        if last:
            yield match.start(), last.end(), "base64", _from_base64
    if "%" in text:
        for match in compiled(_ESCAPED).finditer(text):
            if compiled(_ESCAPES).search(text, *match.span()):
                yield (*match.span(), "percent escapes", _from_percent)


def _from_base64(wrapped: str):
    digits = wrapped.translate(_OCTAL)
    for skipped in range(4):  # a run may begin with what is no part of it: the end of a path, say
        octal = digits[2 * skipped :]
        bits = 3 * len(octal)
        if bits >= 96:
            number = int(octal, 8) >> bits % 8
            yield from _shown(number.to_bytes(bits // 8, "big"))


def _from_hexadecimal(wrapped: str):
    digits = wrapped.replace("\\x", "")
    if not digits.isalnum():
        digits = "".join(compiled("[0-9A-Fa-f]").findall(digits))
    for skipped in range(2):
        yield from _shown(bytes.fromhex(digits[skipped : len(digits) - (len(digits) - skipped) % 2]))


def _from_percent(wrapped: str):
    yield compiled(_ESCAPES).sub(lambda escapes: bytes.fromhex(escapes.group().replace("%", "")).decode("utf-8", "replace"), wrapped)


def _shown(raw: bytes):
    """The text that bytes show, if they show any."""
    if raw.count(0) * 3 > len(raw):
        raw = raw.replace(b"\0", b"")
    plain = raw.translate(_PLAIN).decode("ascii")
    if compiled(_SHOWN).search(plain):
        yield plain
