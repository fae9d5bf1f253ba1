"""The sources of a sample: the texts that an answer was made from.

`sources` of a sample is one of

    a list         of texts, and of mappings {url, text, ...}: `text` is what the source says, `url` (which may be left out) what it is cited by; other keys are
                   passed over
    a mapping      from what a source is cited by to its text: {"https://acme.example/about": "Acme was founded in 1999."}

An empty list was recorded: there were no sources, and so nothing stands in any. Where the field is missing, nobody knows. Several sources of one URL are
parts of it. A shape that is none of these is an error, when a rule asks for it: a source that was half read would prove too little or too much.
"""
from __future__ import annotations

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, nearest
from ..ground.record import Record
from ..text.quoting import quote
from ..text.urls import url_key, without_scheme
from .sample import Sample


class Source(Record):
    """One text that an answer was made from: what it is cited by (or None), and what it says."""

    __slots__ = ("url", "text", "_key")

    def __init__(self, url: str | None, text: str) -> None:
        self._set(url, text, None if url is None else url_key(url))

    def is_cited_by(self, url: str) -> bool:
        """Whether a URL is that of the source (see urls.py)."""
        key = url_key(url)
        return self._key is not None and (key == self._key or key == without_scheme(self._key) or self._key == without_scheme(key))


def sources_of(sample: Sample) -> tuple | None:
    """The sources that a sample was recorded with; None where none were. Raises CaseError, with the place as `path`, for a shape that cannot be meant."""
    given = sample.sources
    if given is None:
        return None
    if isinstance(given, dict):
        if "text" in given:
            raise CaseError('sources are a list, or a mapping from URLs to texts: write one source as [{"url": ..., "text": ...}]', path=("sources",))
        return tuple(_source({"url": url, "text": text}, (url,)) for url, text in given.items())
    return tuple(_source({"text": item} if isinstance(item, str) else item, (place,)) for place, item in enumerate(given))


def _source(given: object, path: tuple) -> Source:
    if not isinstance(given, dict):
        raise CaseError(f"a source is text, or a mapping with url and text, not {json_kind(given)}", path=("sources", *path))
    text, url = given.get("text"), given.get("url")
    if text is None:
        near = nearest("text", [str(key) for key in given if key != "url"])
        raise CaseError('a source has no "text"' + (f": is it {quote(near)}?" if near else ": name what it says"), path=("sources", *path))
    if not isinstance(text, str):
        raise CaseError(f"the text of a source is text, not {json_kind(text)}", path=("sources", *path))
    if url is not None and (not isinstance(url, str) or not url.strip()):
        words = "is empty" if isinstance(url, str) else f"is text, not {json_kind(url)}"
        raise CaseError(f"the url of a source {words}", path=("sources", *path))
    return Source(url, text)
