"""McNemar's exact test: do the same people say yes to one question more often than to another?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.stats.binomial import binomial_p_half


@dataclass(frozen=True, slots=True)
class McNemar:
    """The four counts by label, and p from those who answered differently.

    `first_only` said yes to the first question only, and so on. With nobody in `first_only` and
    `second_only` nothing speaks against equality and p is 1 (libraries give 0 or fail).
    """

    neither: int
    second_only: int
    first_only: int
    both: int
    p: float


def mcnemar(first: Mapping[str, bool], second: Mapping[str, bool]) -> McNemar:
    """Compare two yes/no answers of the same people, matched by id; others are left out."""
    people = [(first[person], second[person]) for person in first if person in second]
    first_only, second_only = people.count((True, False)), people.count((False, True))
    p = binomial_p_half(first_only, first_only + second_only)
    return McNemar(
        neither=people.count((False, False)),
        second_only=second_only,
        first_only=first_only,
        both=people.count((True, True)),
        p=1.0 if p is None else p,
    )
