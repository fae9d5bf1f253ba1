"""Tier 5: what only a person can decide. It never passes and never fails by itself."""
from __future__ import annotations

from ..data.reading import is_blank
from ..ground.errors import CaseError
from ..text.quoting import quote
from .fields import Field
from .outcome import Outcome
from .table import MatcherType


def _human_review(values: dict):
    criteria = values["criteria"]
    for place, criterion in enumerate(criteria):
        if is_blank(criterion):
            raise CaseError("a criterion is empty: say what to look for", path=("criteria", place))
    words = "a person decides: " + "; ".join(map(quote, criteria))
    waiting = Outcome("review", words, list(criteria))
    return lambda reading: waiting


TYPES = (
    MatcherType(
        "human_review", 5, "A person decides by the criteria.", (Field("criteria", "text or texts", "what to look for, as text or a list"),), _human_review, ()
    ),
)
