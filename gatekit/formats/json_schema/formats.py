"""The formats of JSON Schema: each with its check and what it asks for, in words.

Sources: RFC 3339 (dates and times; its appendix A for durations), RFC 5321 and 6531 (e-mail), RFC 1123 and 5890 to 5893 (host names),
RFC 2673 and 4291 (IP addresses), RFC 3986 and 3987 (URIs and IRIs), RFC 4122 (UUIDs), RFC 6570 (URI templates), RFC 6901 and
draft-handrews-relative-json-pointer-01 (pointers). Each check takes time linear in the text.
"""
from __future__ import annotations

import re
import unicodedata

from ...ground.errors import CaseError
from .ecma_patterns import ecma_pattern
from .host_names import is_ascii_host, is_host

_COMPILED: dict = {}


def _fits(pattern: str, text: str):
    """The match of the whole text with a pattern, which is compiled when first asked for."""
    compiled = _COMPILED.get(pattern)
    if compiled is None:
        compiled = _COMPILED[pattern] = re.compile(pattern, re.A)
    return compiled.fullmatch(text)


def _matching(pattern: str):
    return lambda text: _fits(pattern, text) is not None


# Dates and times

_DATE = "([0-9]{4})-([0-9]{2})-([0-9]{2})"
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    found = _fits(_DATE, text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + (leap and month == 2)


def is_time(text: str) -> bool:
    """A second 60 is a leap second, and these fall on the end of a day in UTC."""
    found = _fits(_TIME, text)
    if found is None:
        return False
    hour, minute, second = map(int, found.groups()[:3])
    sign, ahead_hours, ahead_minutes = found.groups("0")[3:]
    if hour > 23 or minute > 59 or second > 60 or int(ahead_hours) > 23 or int(ahead_minutes) > 59:
        return False
    ahead = int(ahead_hours) * 60 + int(ahead_minutes)
    return second < 60 or (hour * 60 + minute + (ahead if sign == "-" else -ahead)) % 1440 == 1439


def is_date_time(text: str) -> bool:
    return text[10:11] in ("T", "t") and is_date(text[:10]) and is_time(text[11:])


_IN_DAY = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DURATION = f"P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)(?:{_IN_DAY})?|{_IN_DAY})"


# Names and addresses

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_WIDE_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]"
_QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'
_WIDE_QUOTED = '"(?:[ !#-\\[\\]-~\x80-\U0010ffff]|\\\\[ -~])*"'


def _is_email(text: str, atom: str, quoted: str, is_domain) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(local.encode("utf-8", "surrogatepass")) > 64 or _fits(rf"{atom}+(?:\.{atom}+)*|{quoted}", local) is None:
        return False
    if domain[:1] == "[" and domain[-1:] == "]":
        inside = domain[1:-1]
        return is_ipv6(inside[5:]) if inside[:5].lower() == "ipv6:" else is_ipv4(inside)
    return is_domain(domain)


def is_email(text: str) -> bool:
    return _is_email(text, _ATOM, _QUOTED, is_ascii_host)


def is_idn_email(text: str) -> bool:
    return _is_email(text, _WIDE_ATOM, _WIDE_QUOTED, lambda domain: is_host(unicodedata.normalize("NFC", domain)))


_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
is_ipv4 = _matching(_IPV4)


def is_ipv6(text: str) -> bool:
    if len(text) > 45:
        return False
    before, gap, after = text.partition("::")
    words = [part.split(":") if part else [] for part in (before, after)]
    last = words[1] if gap else words[0]
    count = len(words[0]) + len(words[1])
    if last and "." in last[-1]:
        if not is_ipv4(last.pop()):
            return False
        count += 1
    if any(_fits("[0-9A-Fa-f]{1,4}", word) is None for part in words for word in part):
        return False
    return count < 8 if gap else count == 8


# URIs

_UNRESERVED = r"A-Za-z0-9._~\-"
_UCS = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000efffd"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_SUB = "!$&'()*+,;="
_BROKEN_ENCODING = "%(?![0-9A-Fa-f]{2})"


def _reference(wide: str, wide_query: str) -> str:
    """The pattern of RFC 3986, appendix A, with percent signs checked elsewhere.

    The groups are the scheme, the host in brackets, and the path where there is no authority.
    """
    allowed = _UNRESERVED + _SUB + wide + "%"
    authority = rf"//(?:[{allowed}:]*@)?(?:\[([^\[\]]*)\]|[{allowed}]*)(?::[0-9]*)?(?:/[{allowed}:@/]*)?"
    rest = rf"(?:\?[{allowed}:@/?{wide_query}]*)?(?:#[{allowed}:@/?]*)?"
    return rf"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:{authority}|([{allowed}:@/]*)){rest}"


_FUTURE_ADDRESS = rf"[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB}:]+"
_URI = _reference("", "")
_IRI = _reference(_UCS, _PRIVATE)


def _is_reference(text: str, pattern: str, absolute: bool) -> bool:
    found = _fits(pattern, text)
    if found is None or re.search(_BROKEN_ENCODING, text):
        return False
    scheme, literal, path = found.groups()
    if absolute and scheme is None:
        return False
    if path and (path.startswith("//") or scheme is None and ":" in path.partition("/")[0]):
        return False
    return literal is None or is_ipv6(literal) or _fits(_FUTURE_ADDRESS, literal) is not None


_VARIABLE = r"[A-Za-z0-9_%]+(?:\.[A-Za-z0-9_%]+)*(?::[1-9][0-9]{0,3}|\*)?"
_EXPRESSION = f"{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*}}"
_LITERALS = "[!#-;=?-\\[\\]_a-z~\x80-\U0010ffff]*"


def is_uri_template(text: str) -> bool:
    """Expressions are put away, as a character that completes no percent-encoding; what is left must be literals."""
    return _fits(_LITERALS, re.sub(_EXPRESSION, "-", text)) is not None and re.search(_BROKEN_ENCODING, text) is None


def is_regex(text: str) -> bool:
    try:
        ecma_pattern(text)
    except CaseError:
        return False
    return True


def is_pointer(text: str) -> bool:
    return text[:1] in ("", "/") and re.search("~(?![01])", text) is None


def is_relative_pointer(text: str) -> bool:
    found = re.match("(?:0|[1-9][0-9]*)", text)
    return found is not None and (text[found.end():] == "#" or is_pointer(text[found.end():]))


# name: (check, what must be)
FORMATS = {
    "date-time": (is_date_time, "a date and time such as 2024-05-31T12:00:00Z"),
    "date": (is_date, "a date such as 2024-05-31"),
    "time": (is_time, "a time such as 12:00:00Z"),
    "duration": (_matching(_DURATION), "a duration such as P1DT12H"),
    "email": (is_email, "an e-mail address such as name@example.com"),
    "idn-email": (is_idn_email, "an e-mail address such as name@example.com"),
    "hostname": (is_ascii_host, "a host name such as www.example.com"),
    "idn-hostname": (is_host, "a host name such as www.example.com"),
    "ipv4": (is_ipv4, "an IPv4 address such as 192.0.2.1"),
    "ipv6": (is_ipv6, "an IPv6 address such as 2001:db8::1"),
    "uri": (lambda text: _is_reference(text, _URI, True), "a URI such as https://example.com/a"),
    "uri-reference": (lambda text: _is_reference(text, _URI, False), "a URI or relative reference such as ../a"),
    "iri": (lambda text: _is_reference(text, _IRI, True), "an IRI such as https://example.com/a"),
    "iri-reference": (lambda text: _is_reference(text, _IRI, False), "an IRI or relative reference such as ../a"),
    "uuid": (_matching("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"), "a UUID such as 123e4567-e89b-12d3-a456-426614174000"),
    "uri-template": (is_uri_template, "a URI template such as /orders/{id}"),
    "json-pointer": (is_pointer, "a JSON Pointer such as /a/0"),
    "relative-json-pointer": (is_relative_pointer, "a relative JSON Pointer such as 1/a"),
    "regex": (is_regex, "a regular expression of ECMA-262"),
}
