"""Exact tests on whole-number differences: sign flips, Wilcoxon with ties and zeros, sign test.

All three condition on the sizes of the differences and ask how many of the 2^n ways to set their
signs give a sum at least as far from zero. The whole distribution is counted, not sampled: a
dynamic programme over whole-number weights, packed into one Python integer so that a step is one
shift and one addition. Libraries are exact without ties only (scipy's `method="exact"` ignores
them, its `auto` changes method at n = 14); R's exactRankTests and coin are matched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scipy.special import ndtr

from analysis.saying import say
from analysis.stats.binomial import binomial_p_half
from analysis.stats.undefined import Reason

EXACT_LIMIT: Final = 200
EXACT, NORMAL = say("exact"), say("normal_corrected")


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Permutation test on the sum of differences; `n` counts all pairs, zeros included."""

    n: int
    total: int
    p: float | None
    p_greater: float | None
    method: str
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class Wilcoxon:
    """Signed-rank test with midranks.

    `w_plus` is R's V, the ranks of positive differences. `zeros` says what became of the zero
    differences: `dropped` (Wilcoxon) or `ranked` and then dropped (Pratt).
    """

    n_positive: int
    n_negative: int
    n_zero: int
    w_plus: float
    w_minus: float
    p: float | None
    p_greater: float | None
    method: str
    zeros: str
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class SignTest:
    """Exact binomial test of positive against negative differences."""

    n_positive: int
    n_negative: int
    p: float | None
    reason: Reason = Reason.NONE


def sign_flip(differences: Sequence[int]) -> SignFlip:
    """Test by all sign changes of the differences; p is two-sided unless named otherwise.

    Exact up to `EXACT_LIMIT` non-zero differences, beyond that normal and labelled so. With only
    zeros every sign change gives the same sum, so p is 1; without pairs it is null.
    """
    n, total = len(differences), sum(differences)
    if not n:
        return SignFlip(0, 0, None, None, EXACT, Reason.TOO_FEW)
    weights = [abs(d) for d in differences if d]
    positive = sum(d for d in differences if d > 0)
    p, greater = _signed_sum_test(weights, positive)
    return SignFlip(n, total, p, greater, _method(weights))


def wilcoxon(differences: Sequence[int], *, pratt: bool = False) -> Wilcoxon:
    """Signed-rank test on differences; `pratt` ranks the zeros before it drops them."""
    signed = doubled_ranks(differences, pratt=pratt)
    plus = sum(rank for rank in signed if rank > 0)
    weights = [abs(rank) for rank in signed]
    n_positive = sum(d > 0 for d in differences)
    n_negative = sum(d < 0 for d in differences)
    p, greater = _signed_sum_test(weights, plus) if weights else (None, None)
    return Wilcoxon(
        n_positive=n_positive,
        n_negative=n_negative,
        n_zero=len(differences) - n_positive - n_negative,
        w_plus=plus / 2,
        w_minus=(sum(weights) - plus) / 2,
        p=p,
        p_greater=greater,
        method=_method(weights),
        zeros="ranked" if pratt else "dropped",
        reason=Reason.NONE if weights else Reason.NO_NONZERO,
    )


def sign_test(differences: Sequence[int]) -> SignTest:
    """Test whether positive and negative differences are equally likely; zeros are left out."""
    n_positive = sum(d > 0 for d in differences)
    n_negative = sum(d < 0 for d in differences)
    p = binomial_p_half(n_positive, n_positive + n_negative)
    reason = Reason.NO_NONZERO if p is None else Reason.NONE
    return SignTest(n_positive, n_negative, p, reason)


def doubled_ranks(differences: Sequence[int], *, pratt: bool = False) -> list[int]:
    """Midranks of the sizes, doubled to be whole, with the sign of the difference; no zeros."""
    sizes = sorted(abs(d) for d in differences if d or pratt)
    first = {size: place for place, size in reversed(list(enumerate(sizes)))}
    last = {size: place for place, size in enumerate(sizes)}
    # Places count from 0, so the doubled midrank is first + last + 2.
    return [int(math.copysign(first[abs(d)] + last[abs(d)] + 2, d)) for d in differences if d]


def integers_from(values: Sequence[float], *, decimals: int) -> tuple[int, ...]:
    """Scale measured decimals to whole numbers, so that equal sizes tie although floats do not.

    `decimals` is the declared precision: 0.1 + 0.2 and 0.3 become the same 3 with one decimal.
    """
    return tuple(round(value * 10**decimals) for value in values)


def _signed_sum_test(weights: Sequence[int], positive: int) -> tuple[float, float]:
    """P two-sided and P greater for the sum of the positive weights."""
    if not weights:
        return 1.0, 1.0
    if len(weights) > EXACT_LIMIT:
        return _normal(weights, positive)
    total = sum(weights)
    counts = _sum_counts(weights)
    # 2T - total is symmetric: the far tail has the same size as the near one.
    near, far = sorted((positive, total - positive))
    tail = sum(counts[: near + 1])
    both = 2 * tail if near != far else 2 ** len(weights)
    every = 2 ** len(weights)
    return min(1.0, both / every), min(1.0, sum(counts[positive:]) / every)


def _sum_counts(weights: Sequence[int]) -> list[int]:
    """How many sign patterns give each sum of positive weights, from 0 to their total."""
    width = len(weights) // 8 + 1
    packed = 1
    for weight in weights:
        packed += packed << (8 * width * weight)
    size = (sum(weights) + 1) * width
    data = packed.to_bytes(size, "little")
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, size, width)]


def _normal(weights: Sequence[int], positive: int) -> tuple[float, float]:
    centred = 2 * positive - sum(weights)
    sd = math.sqrt(sum(weight * weight for weight in weights))
    # Sums lie on a lattice of twice the common divisor; half a step is the correction.
    step = math.gcd(*weights)
    two = min(1.0, 2.0 * float(ndtr(-max(0.0, abs(centred) - step) / sd)))
    return two, float(ndtr(-(centred - step) / sd))


def _method(weights: Sequence[int]) -> str:
    return EXACT if len(weights) <= EXACT_LIMIT else NORMAL
