"""URLs: where they stand in a text, and which two are one.

A URL in a text begins with a scheme and `://`, or with `www.`, and goes on to white space, a quote, an angle bracket or the like; marks that end a
sentence, a bracket or an emphasis around it are no part of it. A bare domain (`acme.example`) is a name and no URL.

Two URLs are one if their keys are the same. By RFC 3986, section 6.2.2 and 6.2.3:

    scheme and host           in lower case: HTTPS://Acme.Example is https://acme.example
    the scheme's own port     left out: :80 of http, :443 of https
    percent escapes           in capitals, and those of letters, digits and `-._~` undone: %7Ea is ~a, %2f is %2F
and further, since a citation means the page:
    the fragment              left out: #pricing
    a slash at the path's end left out: /about/ is /about

Nothing else is (angle brackets around a URL are no part of it, by appendix C): `http` is not `https`, `www.acme.example` is not `acme.example`, and path and query keep their case. What is no URL (a file's name, an id)
is compared as it is, without white space or angle brackets around it. One without a scheme (`www.acme.example`) is met by that address with any.
"""
from __future__ import annotations

import re

_PORTS = {"http": ":80", "https": ":443", "ftp": ":21", "ws": ":80", "wss": ":443"}
_SCHEME = "[A-Za-z][A-Za-z0-9+.-]{0,19}://"
_PART = r"[^\s<>\"`{}|\\^\u00ab\u00bb\u2018-\u201f\u3000-\u303f\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff01]"
URL = rf"(?<![A-Za-z0-9+.-])(?:{_SCHEME}|[wW]{{3}}\.(?=[^\W_])){_PART}+"
_WHOLE = r"([A-Za-z][A-Za-z0-9+.-]{0,19})://([^/?#]*)([^?#]*)(\?[^#]*)?"
_ENDS = ".,;:!?'*_~"
_CLOSERS = {")": "(", "]": "["}
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def url_end(text: str, start: int, end: int) -> int:
    """Where the URL ends that a match of URL takes for reaching from `start` to `end`."""
    opened = {closer: text.count(opener, start, end) - text.count(closer, start, end) for closer, opener in _CLOSERS.items()}
    while end > start:
        last = text[end - 1]
        if last in _CLOSERS and opened[last] < 0:
            opened[last] += 1
        elif last not in _ENDS:
            break
        end -= 1
    return end


def url_key(url: str) -> str:
    """What two spellings of one URL share."""
    url = url.strip()
    if url[:1] == "<" and url[-1:] == ">":
        url = url[1:-1].strip()
    bare = url[:4].lower() == "www."
    found = re.match(_WHOLE, "http://" + url if bare else url)
    if found is None:
        return url
    scheme, place, path, query = found.groups("")
    scheme = scheme.lower()
    user, at, host = place.rpartition("@")
    host = host.lower()
    if host.endswith(_PORTS.get(scheme, "/")):
        host = host[: -len(_PORTS[scheme])]
    path = re.sub("%[0-9A-Fa-f]{2}", _escape, path)
    query = re.sub("%[0-9A-Fa-f]{2}", _escape, query)
    return ("" if bare else scheme + ":") + "//" + user + at + host + (path[:-1] if path[-1:] == "/" else path) + query


def without_scheme(key: str) -> str:
    """The key of a URL as that of one without a scheme."""
    return key[key.find("//") :] if "://" in key else key


def _escape(found) -> str:
    character = chr(int(found.group()[1:], 16))
    return character if character in _UNRESERVED else found.group().upper()
