"""What stands under a name in JSON, and in the texts of JSON inside it; and how it is spelt there."""
from __future__ import annotations

import json

from ..ground.canonical import canonical

_MOST_MEMBERS = 10000
_MOST_LEVELS = 5  # of JSON inside a text of JSON


def members(value: object):
    """Yield what stands under a name in a JSON value or a text: the name, the text or number, and how often it is written as JSON there."""
    waiting, left = [("", value, 1)], _MOST_MEMBERS
    while waiting and left:
        name, value, levels = waiting.pop()
        left -= 1
        if isinstance(value, dict):
            waiting += [(key, item, levels) for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            waiting += [(name, item, levels) for item in value]
        elif isinstance(value, str):
            if name:
                yield name, value, levels
            if "{" in value and '"' in value and levels < _MOST_LEVELS:  # as a call's arguments are
                from ..text.json_in_prose import all_json

                waiting += [("", found, levels + 1) for _, _, found in all_json(value)]
        elif name:
            yield name, value, levels


def spellings(value: str, levels: int) -> list:
    """A text as it is read, as JSON writes it, as JSON writes that, and so on; with its letters as they are, and as escapes."""
    spelt = [value]
    for written in (canonical, json.dumps):
        latest = value
        for _ in range(levels):
            latest = written(latest)[1:-1]
            spelt.append(latest)
    return list(dict.fromkeys(spelt))
