"""Embedding vectors as they are recorded: lists of numbers, compared by their exact values."""
from __future__ import annotations

import re

from .errors import CaseError

_DIGEST = r"(?:sha256:)?([0-9a-f]{64})"


def check_vector(vector: object, what: str) -> None:
    """Raise CaseError for what is no vector, is empty, or has no direction; `what` says whose vector it is."""
    if not isinstance(vector, list) or not all(isinstance(item, (int, float)) and not isinstance(item, bool) and item - item == 0 for item in vector):
        raise CaseError(f"the recorded vector of {what} is no list of numbers: record it anew")
    if not any(vector):
        raise CaseError(f"the recorded vector of {what} is {'all zeros' if vector else 'empty'}: it has no direction to compare")


def integers(vector: object, what: str) -> list:
    """A vector's exact values, all scaled by one power of two. Raises CaseError as `check_vector` does."""
    check_vector(vector, what)
    ratios = [item.as_integer_ratio() for item in vector]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios]


def spelt_digest(text: str) -> str | None:
    """The one spelling (`sha256:` and small letters) of a digest, however it is spelt; None for what is no digest."""
    found = re.fullmatch(_DIGEST, text.lower())
    return "sha256:" + found.group(1) if found else None
