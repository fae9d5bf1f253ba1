"""pass@k and pass^k: what k samples, drawn without putting back from those that were judged, would give. Exact fractions.

    pass@k   the chance that at least one of them passed: 1 - C(n - c, k) / C(n, k), the unbiased estimator of M. Chen et al., "Evaluating large language models
             trained on code" (2021)
    pass^k   the chance that all of them passed: C(c, k) / C(n, k); S. Yao et al., "tau-bench: a benchmark for tool-agent-user interaction" (2024)

of n samples judged, c of which passed. Neither is defined where n is below k.
"""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact

MOST_DRAWS = 1000


def all_good(good: int, among: int, k: int) -> Exact | None:
    """The chance that k draws from `among`, of which so many are good, are good ones only; None where there are fewer than k.

    Raises CaseError for a k that is not from 1 to 1000.
    """
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_DRAWS:
        raise CaseError(f"k is a whole number from 1 to {MOST_DRAWS}", path=("k",))
    if among < k:
        return None
    chosen = possible = 1
    for place in range(k):
        chosen, possible = chosen * max(good - place, 0), possible * (among - place)
    return Exact(chosen, possible)


def mean(shares: list, places: int) -> Exact:
    """The mean of some shares, at least one, rounded down to so many decimal places: a figure never says more than there is."""
    by_denominator: dict = {}
    for share in shares:
        by_denominator[share.denominator] = by_denominator.get(share.denominator, 0) + share.numerator
    total, whole = 0, 1
    for denominator, numerator in by_denominator.items():
        total, whole = total * denominator + numerator * whole, whole * denominator
    return Exact(total * 10**places // (whole * len(shares)), 10**places)
