"""What the words look like that stand in place of something hidden: a secret, here and in a recording, what a mask hides, and a piece of either.

Redaction writes them, and hides none of them again; a difference shows each as one word.
"""
from __future__ import annotations

LABEL = (
    r"\[secret(?: [0-9]{1,6})?: (?P<kind>[^\[\]\n]{1,60}), [0-9]{1,7} characters\]|\[part of a secret\]"
    r"|<(?:part of )?(?P<mask>[A-Za-z][A-Za-z0-9_-]*)(?: [0-9]{1,6})?>"
)
