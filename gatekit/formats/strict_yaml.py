"""YAML read strictly: a subset of YAML 1.2.2, and nothing that two readers of YAML could take for different values.

Read: one document; block and flow mappings and lists; plain, quoted and block scalars over any number of lines; comments; `---` before
the document and `...` behind it; line ends of any system; a byte-order mark. What is read means what YAML 1.2 says, by its core schema.

Refused, with the place and the mend:
- a plain scalar that YAML 1.1 reads otherwise than YAML 1.2 (`no`, `0123`, `12:30`, `1e3`, `2024-05-01`): `yaml_scalars` has the table;
- a key that stands twice, or is no text; NaN and infinity; what `strict_json` refuses of numbers, depth, size and bytes;
- tabs as indentation; anchors, aliases, tags, directives, explicit keys (`? `), a second document, an empty one;
- outside of quotes, characters that YAML does not know, or takes for line ends in one version and not in the other (U+0085, U+2028).

Every JSON document is YAML, and is read as `strict_json` reads it, or refused. The modules below are loaded with the first document.
"""
from __future__ import annotations

from .json_lexis import Fault, line_and_column
from .strict_json import document_text, format_error


def read_yaml(data: str | bytes) -> object:
    """The value of a YAML document, of the types that JSON has.

    Args:
        data: text, or bytes in UTF-8.
    Raises:
        FormatError: it is not YAML, or one of the module's rules refuses it; with `line`, `column` and `path`.
    """
    text = _unix_lines(document_text(data, "YAML"))
    return _read(text, None)


def place_of(text: str, path: tuple) -> tuple:
    """The line and column, counted from 1, of the deepest part of a path that stands in a YAML text: a key, or the start of an item.

    The text was read before. It is read once more: a place is asked for once, when something is wrong.
    """
    return places_of(text, [path])[0]


def places_of(text: str, paths: list) -> list:
    """As `place_of`, for many paths at once."""
    text = _unix_lines(document_text(text, "YAML"))
    places: dict = {}
    whole = _read(text, places)
    found = []
    for path in paths:
        value, best = whole, 0
        for part in path:
            place = places.get((id(value), part))
            if place is None:
                break
            best, value = place, value[part]
        found.append(line_and_column(text, best))
    return found


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _read(text: str, places: dict | None) -> object:
    from .yaml_reader import Reader

    try:
        return Reader(text, places).document()
    except Fault as fault:
        raise format_error(text, fault) from None
