"""References resolved: RFC 3986, section 5.2, and the fragments that JSON Schema puts on them (RFC 6901).

A base may be empty here, for a schema that says nothing of where it lives; relative names then stay as they are.
"""
from __future__ import annotations

import re

_PARTS = r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?"  # RFC 3986, appendix B


def split_fragment(uri: str) -> tuple:
    """A URI as (what stands before the fragment, the fragment)."""
    before, _, fragment = uri.partition("#")
    return before, fragment


def resolved(base: str, reference: str) -> str:
    """The URI that a reference means, seen from a base."""
    scheme, authority, path, query, fragment = _split(reference)
    if scheme is None:
        base_scheme, base_authority, base_path, base_query, _ = _split(base)
        scheme = base_scheme
        if authority is None:
            authority = base_authority
            if not path:
                path = base_path
                query = base_query if query is None else query
            elif path[0] == "/":
                path = _without_dots(path)
            else:
                merged = "/" + path if base_authority is not None and not base_path else base_path[: base_path.rfind("/") + 1] + path
                path = _without_dots(merged)
        else:
            path = _without_dots(path)
    elif authority is not None:
        path = _without_dots(path)
    return (
        (scheme + ":" if scheme is not None else "")
        + ("//" + authority if authority is not None else "")
        + path
        + ("?" + query if query is not None else "")
        + ("#" + fragment if fragment is not None else "")
    )


def pointer(fragment: str) -> tuple:
    """The steps of a JSON Pointer that stands in a fragment."""
    steps = percent_decoded(fragment).split("/")[1:]
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def percent_decoded(text: str) -> str:
    """The text with its percent-encoded octets read as UTF-8; octets that are none are kept as they stand."""
    if "%" not in text:
        return text

    def octets(match):
        try:
            return bytes.fromhex(match.group().replace("%", "")).decode("utf-8")
        except UnicodeDecodeError:
            return match.group()

    return re.sub("(?:%[0-9A-Fa-f]{2})+", octets, text)


def _split(uri: str) -> tuple:
    return re.fullmatch(_PARTS, uri, re.S).groups()


def _without_dots(path: str) -> str:
    kept: list = []
    steps = path.split("/")
    for place, step in enumerate(steps):
        last = place == len(steps) - 1
        if step == ".." or step == ".":
            if step == ".." and kept and kept != [""]:
                kept.pop()
            if last:
                kept.append("")
        else:
            kept.append(step)
    return "/".join(kept)
