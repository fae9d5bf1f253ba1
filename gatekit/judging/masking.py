"""What a project masks, as it is written in a `gatekit.yaml` or given in Python.

`masks` are patterns by name, `pii` names of ready masks (packs/pii.py). What comes of both are the masks of a Redaction: `(name, pattern)`, of a ready one
`(name, None)`.
"""
from __future__ import annotations

import re

from ..ground.canonical import json_kind
from ..ground.errors import CaseError, nearest
from ..matchers.fields import pattern_that_says_something
from ..text.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What no mask may be found in: plain words and the blanks between them, which say nothing of anybody; and more of them than a report shows of a text.
_PLAIN_WORDS = ("x", "lorem ipsum dolor sit amet, consectetur adipiscing elit")
_AT_LENGTH = 12


def read_masks(masks: Mapping[str, str] | None, pii: Sequence[str] | None) -> tuple:
    """The masks of a Redaction. Raises CaseError, with the place as `path`, for what cannot be meant; None stands for nothing given."""
    return _own(masks) + _ready(pii)


def as_given(masks: tuple) -> dict:
    """The arguments `masks` and `pii` that some masks were read from."""
    own, ready = {name: pattern for name, pattern in masks if pattern is not None}, [name for name, pattern in masks if pattern is None]
    return {"masks": own or None, "pii": ready or None}


def _own(masks: object) -> tuple:
    if masks is None:
        return ()
    if not isinstance(masks, dict) or not masks or not all(isinstance(pattern, str) for pattern in masks.values()):
        raise CaseError('masks is a mapping of names to patterns, as {"order": "ORD-[0-9]+"}: leave it out, or name a pattern', path=("masks",))
    for name, pattern in masks.items():
        if not isinstance(name, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", name):
            raise CaseError("the name of a mask is a word, as `order`", path=("masks", name))
        try:
            _check(pattern)
        except CaseError as error:
            raise error.located(path=("masks", name)) from None
    return tuple(masks.items())


def _check(source: str) -> None:
    pattern = pattern_that_says_something(source)
    for words in _PLAIN_WORDS:
        if pattern.search(words) or pattern.search(" ".join([words] * _AT_LENGTH)):
            raise CaseError(f"the pattern is found in {words!r} too, so that little would be left of a report: say more of what it hides")


def _ready(names: object) -> tuple:
    if names is None:
        return ()
    from ..packs.pii import NAMES  # few runs have ready masks

    if not isinstance(names, (list, tuple)) or not names:
        raise CaseError(f"pii is a list of ready masks, as [{', '.join(NAMES)}]: leave it out, or name one", path=("pii",))
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise CaseError(f"a ready mask is named by text, not {json_kind(name)}", path=("pii", place))
        if name not in NAMES:
            near = nearest(name, NAMES)
            mend = f"did you mean {near}?" if near else f"there are {', '.join(NAMES)}"
            raise CaseError(f"there is no ready mask {quote(name)}: {mend}", path=("pii", place))
        if name in names[:place]:
            raise CaseError(f"{name} is named twice: leave one out", path=("pii", place))
    return tuple((name, None) for name in names)
