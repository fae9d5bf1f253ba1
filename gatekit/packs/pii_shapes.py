"""Finds e-mail addresses, phone numbers, card numbers and IBANs in a text, for redaction.

A text is read in its own case; white space may have been folded to single spaces, and segments are divided by line feeds, across which nothing is
found. Every pass is linear in the length of the text: patterns are bounded, and what they propose is looked at once.

What is found has an identity, by which it is numbered: of an e-mail address the whole in lower case (mailboxes that tell case apart are allowed and hardly
exist), of a phone number its digits without the signs between them, the international prefix and a bracketed trunk zero, with its extension; of a card
its digits; of an IBAN its characters in upper case. A national number and the same number with its country code are two.
"""
from __future__ import annotations

from ..ground.record import Record
from . import pii
from .compiled import compiled


class Personal(Record):
    """A place in a text that holds personal data: its offsets, its `name` (of `pii.NAMES`) and its `identity`."""

    __slots__ = ("start", "end", "name", "identity")
    start: int
    end: int
    name: str
    identity: str

    def __init__(self, start: int, end: int, name: str, identity: str) -> None:
        self._set(start, end, name, identity)


def find_personal(text: str, names: tuple) -> list:
    """The personal data of some kinds in a text, as `Personal`s; of several that overlap all are given.

    text: any string, without characters that Unicode 13.0 does not know. names: of `pii.NAMES`.
    """
    return [found for name in names for found in _FINDERS[name](text)]


# --- e-mail ----------------------------------------------------------------------------------------------------------------------------

def _emails(text: str):
    if "@" not in text and "%40" not in text:
        return
    reached = 0
    for at in compiled(pii.AT).finditer(text):
        start = _local_start(text, max(reached, at.start() - pii.LONGEST_LOCAL), at.start())
        domain = at.group(1) or at.group(2)
        if start < at.start() and domain.rpartition(".")[2].lower() not in pii.FILE_ENDINGS:
            reached = at.end()
            yield Personal(start, at.end(), "email", f"{text[start:at.start()]}@{domain}".lower())


def _local_start(text: str, first: int, end: int) -> int:
    """Where the local part begins that ends at the at sign."""
    backwards = text[first:end][::-1]
    if backwards[:1] == '"':
        quoted = compiled(pii.LOCAL_QUOTED).match(backwards)
        return end - quoted.end() if quoted else end
    shape = pii.LOCAL_SPACELESS if compiled(pii.SPACELESS).match(backwards) else pii.LOCAL
    local = compiled(shape).match(backwards)
    if local is None:
        return end
    start = end - local.end()
    before = compiled(pii.LOCAL_BEFORE).match(text, start, end)
    while before and before.end() > start:
        start = before.end()
        before = compiled(pii.LOCAL_BEFORE).match(text, start, end)
    return start


# --- phone -----------------------------------------------------------------------------------------------------------------------------

_LEAST, _MOST = 7, 15
_ROUND = "00000"  # what a sum ends in
_LEAST_TOGETHER = 9  # digits behind a plus sign and without a sign between them: less is a difference of two sums


def _digits(text: str) -> str:
    return "".join(compiled("[0-9]+").findall(text))


def _phones(text: str):
    for found in compiled(pii.PHONE_INTERNATIONAL).finditer(text):
        number = _international(found.group(1))
        if number:
            start = found.start()
            if number.count(")") > number.count("(") and text[max(0, start - 1) : start] == "(":  # (+44) 1632 960001
                start -= 1
            yield _phone(found, start, number, _digits(number.replace("(0)", "")))
    for pattern, least, most in pii.PHONE_NATIONAL:
        found = compiled(pattern).search(text)
        while found:
            number = _national(found.group(1), least, most)
            if number:
                yield _phone(found, found.start(1), number, _digits(number))
            # Behind a number that is shorter than it looked the next may begin.
            found = compiled(pattern).search(text, found.start(1) + len(number) if number else found.end())
    low = text.lower()
    for pattern in pii.PHONE_ANNOUNCED if any(word in low for word in pii.ANNOUNCING) else ():
        for found in compiled(pattern).finditer(text):
            digits = _digits(found.group(1))
            if _LEAST <= len(digits) <= _MOST and len(set(digits)) > 1 and not compiled(pii.PHONE_NEVER).match(found.group(1)):
                yield _phone(found, found.start(1), found.group(1), digits)


def _phone(found, start: int, number: str, digits: str) -> Personal:
    """The number, as far as it goes; an extension belongs to the whole of what was found."""
    whole, extension = found.group(1), found.group(found.re.groups)
    if len(number) < len(whole):
        return Personal(start, found.start(1) + len(number), "phone", digits)
    return Personal(start, found.end(), "phone", f"{digits};{extension}" if extension else digits)


def _shorter(number: str) -> str:
    """The number without its last group of digits; empty where there is but one."""
    return number.rstrip("0123456789)").rstrip(" -./()")


def _international(number: str) -> str:
    """What of the digits behind a plus sign can be called; empty where nothing can: a sum, a coordinate."""
    digits = _digits(number.replace("(0)", ""))
    code = compiled(pii.COUNTRY_CODE).match(digits)
    if code is None or compiled(pii.PHONE_DECIMAL).match(number):
        return ""
    most = min(_MOST, code.end() + pii.MOST_DIGITS.get(code.group(), _MOST))
    while len(digits) > most:
        number = _shorter(number)
        digits = _digits(number.replace("(0)", ""))
    if len(digits) < _LEAST or len(set(digits)) == 1 or code.group() in ("1", "7") and len(digits) < 11:
        return ""
    return "" if number.isdecimal() and (len(digits) < _LEAST_TOGETHER or digits.endswith(_ROUND)) else number


def _national(number: str, least: int, most: int) -> str:
    """What of a number of one country can be called: one more group behind it may be something else. Empty where nothing can: a date, say."""
    first = number.partition("/")[0].rstrip()
    if len(_digits(first)) >= least:  # 01632 960001/01632 960002
        number = first
    if len(_digits(number)) > most:
        number = _shorter(number)
    return number if least <= len(_digits(number)) <= most and not compiled(pii.PHONE_NEVER).match(number) else ""


# --- card ------------------------------------------------------------------------------------------------------------------------------

_SHORTEST_CARD, _LONGEST_CARD = 12, 19
_LONGEST_PREFIX = 6
_DOUBLED = str.maketrans("0123456789", "0246813579")  # twice a digit, less nine where it has two
_lengths_by_prefix: dict = {}


def _cards(text: str):
    for found in compiled(pii.CARD).finditer(text):
        groups = found.group().replace("-", " ").split(" ")
        at, place = found.start(), 0
        while place < len(groups):
            digits, count = _card_from(groups, place) if len(groups[place]) >= pii.SMALLEST_GROUP else ("", 0)
            if count:
                end = at + len(digits) + count - 1
                yield Personal(at, end, "card", digits)
                at, place = end + 1, place + count
            else:
                at, place = at + len(groups[place]) + 1, place + 1


def _card_from(groups: list, first: int) -> tuple:
    """The card's number that begins with a group, and of how many groups it is; ("", 0) where none does. Of two the longer is meant."""
    digits, found, lengths = "", ("", 0), None
    for place in range(first, len(groups)):
        digits += groups[place]
        if len(digits) > _LONGEST_CARD:
            break
        if len(digits) >= _SHORTEST_CARD:
            if lengths is None:
                lengths = _lengths(digits[:_LONGEST_PREFIX])
            if len(digits) in lengths and _luhn(digits) and len(set(digits)) > 1 and not (len(digits) == 13 and _is_bar_code(digits)):
                found = digits, place - first + 1
        if len(groups[place]) < pii.SMALLEST_GROUP:
            break
    return found


def _lengths(prefix: str) -> set:
    """How long the numbers of the issuer are that begin with six digits; empty for those of none."""
    known = _lengths_by_prefix.get(prefix)
    if known is None:
        known = {
            length
            for _, ranges, lengths in pii.ISSUERS
            if any(first <= int(prefix[: len(str(first))]) <= last for first, last in ranges)
            for length in lengths
        }
        if len(_lengths_by_prefix) > 10000:
            _lengths_by_prefix.clear()
        _lengths_by_prefix[prefix] = known
    return known


def _luhn(digits: str) -> bool:
    once, twice = digits[-1::-2].encode("ascii"), digits[-2::-2].translate(_DOUBLED).encode("ascii")
    return (sum(once) + sum(twice) - 48 * len(digits)) % 10 == 0  # 48 is the byte of 0


def _is_bar_code(digits: str) -> bool:
    """Whether the check digit is that of a bar code (EAN-13): cards of thirteen digits are hardly issued any more."""
    return sum(int(digit) * (1 + 2 * (place % 2)) for place, digit in enumerate(digits)) % 10 == 0


# --- iban ------------------------------------------------------------------------------------------------------------------------------

_CLASSES = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}
_countries: dict = {}  # country: what its IBAN looks like as it is written, and what it is made of


def _ibans(text: str):
    reached = 0
    for found in compiled(pii.IBAN).finditer(text):
        start = found.start()
        country = text[start : start + 2].upper()
        if start < reached or country not in pii.IBANS:
            continue
        written, made_of = _countries.get(country) or _country(country)
        whole = written.match(text, start)
        if whole is None:
            continue
        identity = whole.group().replace(" ", "").replace("-", "").upper()
        if made_of.match(identity, 4) and int("".join(str(int(one, 36)) for one in identity[4:] + identity[:4])) % 97 == 1:
            reached = whole.end()
            yield Personal(start, reached, "iban", identity)


def _country(country: str) -> tuple:
    parts = compiled("([0-9]+)([nac])").findall(pii.IBANS[country])
    length = 4 + sum(int(count) for count, _ in parts)
    made_of = "".join(f"{_CLASSES[kind]}{{{count}}}" for count, kind in parts)
    _countries[country] = compiled(rf"(?:[A-Za-z0-9][ -]?){{{length - 1}}}[A-Za-z0-9](?![A-Za-z0-9])"), compiled(rf"{made_of}\Z")
    return _countries[country]


_FINDERS = {"email": _emails, "phone": _phones, "card": _cards, "iban": _ibans}
