"""Curtailed sampling: whether a batch can still change its verdict, so that a run may stop where it cannot.

Whatever the samples that are still to come turn out to be, a settled outcome stays. What they can turn out to be is said by their statuses: any of them,
unless a caller knows better. So a pass is settled early only where no later sample can be transient beyond the bound, diverged, inconclusive, for review
or under a veto; a failure, where even passes alone would not bring the rate down.
"""
from __future__ import annotations

from ..ground.errors import CaseError, nearest
from ..ground.exact import Exact
from ..text.quoting import quote
from .rates import BatchSummary, Thresholds
from .verdict import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def settled(
    counts: Mapping[str, int], remaining: int, thresholds: Thresholds, vetoed: bool = False, can_be: Iterable[str] = STATUSES, can_veto: bool = True
) -> str | None:
    """The outcome that a batch has whatever its remaining samples are; None where it still depends on them.

    Args:
        counts: how many samples had which status so far; a status that is left out had none.
        remaining: how many samples are still to come, from 0 on.
        thresholds: what the batch is held to.
        vetoed: whether a rule with a veto failed so far.
        can_be: the statuses that a remaining sample can have, at least one; by default all.
        can_veto: whether a rule with a veto can still fail.
    Raises CaseError for a count or a status that cannot be meant.
    """
    can_be = frozenset(can_be)
    for status in (*counts, *can_be):
        if status not in STATUSES:
            near = nearest(str(status), STATUSES)
            raise CaseError(f"there is no status {quote(str(status))}" + (f": did you mean {near}?" if near else f": there are {', '.join(STATUSES)}"))
    if not can_be:
        raise CaseError("a remaining sample has some status: name at least one", path=("can_be",))
    if not isinstance(remaining, int) or isinstance(remaining, bool) or remaining < 0:
        raise CaseError("remaining is a count: a whole number from 0 on", path=("remaining",))
    now = _summary(counts, thresholds, vetoed)
    if vetoed or not remaining:
        return now.outcome
    reachable = _reachable(now, dict(counts), remaining, can_be, can_veto)
    return reachable.pop() if len(reachable) == 1 else None


def _reachable(now: BatchSummary, counts: dict, remaining: int, can_be: frozenset, can_veto: bool) -> set:
    """The outcomes that may still come; every one that can is among them."""
    held_to = now.thresholds
    judgeable, failing = can_be & {"passed", "check_failed", "error"}, can_be & {"check_failed", "error"}
    all_samples = now.samples + remaining
    fewest_transient = now.transient + (remaining if can_be == {"transient"} else 0)
    most_transient = now.transient + (remaining if "transient" in can_be else 0)
    fewest_judged = now.judged + (remaining if can_be == judgeable else 0)
    most_judged = now.judged + (remaining if judgeable else 0)
    # The bounds that make a batch inconclusive before its rate is looked at: whether they are crossed for certain, and whether they may be.
    surely_cut = Exact(fewest_transient, all_samples) > held_to.max_transient or most_judged < held_to.min_judged
    maybe_cut = Exact(most_transient, all_samples) > held_to.max_transient or fewest_judged < held_to.min_judged
    # The rate is lowest where all that is left passes, and highest where all of it fails.
    lowest = _with(counts, "passed", remaining if "passed" in can_be else 0, held_to)
    highest = _with(counts, "error", remaining if failing else 0, held_to)
    if can_be == failing:
        lowest = highest
    elif can_be == {"passed"}:
        highest = lowest
    elif not lowest.judged:
        lowest = highest  # none can pass, so that whatever comes to be judged fails
    surely_above = lowest.judged > 0 and lowest.is_above
    outcomes = set()
    if can_veto and failing or not surely_cut and highest.judged > 0 and highest.is_above:
        outcomes.add("fail")
    if maybe_cut:
        outcomes.add("inconclusive")
    if surely_cut or surely_above:
        return outcomes
    diverges = now.diverged > 0
    waits = now.inconclusive + now.review > 0
    if diverges or "diverged" in can_be:
        outcomes.add("diverged")
    if not diverges:
        # Where the rate itself is compared, it is shown to be low enough wherever it is not above.
        surely_shown = held_to.confidence is None or highest.judged > 0 and highest.is_shown
        if waits or can_be & {"inconclusive", "review"} or not surely_shown:
            outcomes.add("inconclusive")
        if not waits and can_be - {"diverged", "inconclusive", "review"} and lowest.judged > 0 and lowest.is_shown:
            outcomes.add("pass")
    return outcomes


def _with(counts: dict, status: str, more: int, thresholds: Thresholds) -> BatchSummary:
    return _summary({**counts, status: counts.get(status, 0) + more}, thresholds, False)


def _summary(counts: Mapping[str, int], thresholds: Thresholds, vetoed: bool) -> BatchSummary:
    return BatchSummary(*(counts.get(status, 0) for status in STATUSES), thresholds, vetoed)
