"""A judge's recorded verdict: a function of the user's gave scores to the recorded conversation once, and they advise ever after.

A score is from 0 to 1, one a dimension. The threshold of 0.5 that they are compared with is a choice, and no finding: nothing about a judge says that its
0.5 is where good begins. Set another by `--judge-threshold`, from verdicts that people gave.

The verdict is one on the recorded conversation. Where a candidate's is another, nobody judged that.
"""
from __future__ import annotations

from ..data.conversation import Conversation
from ..ground.canonical import digest
from ..ground.errors import CaseError
from ..ground.exact import exact
from ..text.quoting import quote
from .recording import Recording

THRESHOLD = "0.5"


def verdict_of(scores: object, source: str, recording: Recording) -> dict:
    """The verdict as a recording keeps it. Raises CaseError for scores that are none."""
    if not isinstance(scores, dict) or not scores:
        raise CaseError('a judge gives a mapping from dimensions to scores: {"tone": 0.8}')
    for name, score in scores.items():
        if not isinstance(name, str) or not name:
            raise CaseError("a judge's dimension has a name")
        if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1:
            raise CaseError(f"the judge's score of {quote(name)} is no number from 0 to 1")
    return {"source": source, "of": digest(recording.trajectory), "scores": dict(scores)}


def read_threshold(text: str):
    """A threshold from 0 to 1 as an exact number. Raises CaseError."""
    number = exact(text)
    if not exact(0) <= number <= exact(1):
        raise CaseError("the threshold of a judge is a number from 0 to 1")
    return number


def advice(recording: Recording, conversation: Conversation, threshold: object, gates: bool) -> tuple:
    """`(outcome, lines)`: what the recorded verdict says, and the outcome that it makes of a pass where it gates, else None."""
    name = "judge (gates)" if gates else "judge (advises)"
    if recording.judge is None:
        return ("inconclusive" if gates else None), [f"  {name}: no verdict is recorded; judge-record makes one"]
    if digest(conversation.given) != recording.judge["of"]:
        return ("inconclusive" if gates else None), [f"  {name}: the recorded verdict is on another conversation than the candidate's"]
    least = read_threshold(str(threshold))
    scores = recording.judge["scores"]
    below = [dimension for dimension in sorted(scores) if exact(scores[dimension]) < least]
    shown = ", ".join(f"{dimension} {exact(scores[dimension]).decimal(2)}{' (below)' if dimension in below else ''}" for dimension in sorted(scores))
    return ("fail" if gates and below else None), [f"  {name}: {shown}; threshold {least}"]
