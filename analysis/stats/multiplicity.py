"""Adjust p values over a declared family; an undefined test is no member of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Adjusted:
    """One member of the family with its raw and adjusted p; all null if the test is undefined."""

    name: str
    p: float | None
    holm: float | None
    bh: float | None


def family_adjust(tests: Mapping[str, float | None]) -> tuple[Adjusted, ...]:
    """Adjust a family given as name to p.

    Undefined tests leave the family, as in R's `p.adjust`; statsmodels counts them in.
    """
    names = [name for name, p in tests.items() if p is not None]
    values = [p for p in tests.values() if p is not None]
    by_holm = dict(zip(names, holm(values), strict=True))
    by_bh = dict(zip(names, benjamini_hochberg(values), strict=True))
    return tuple(Adjusted(name, p, by_holm.get(name), by_bh.get(name)) for name, p in tests.items())


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down p values, in the order given."""
    n = len(values)
    return _running(values, lambda rank, p: (n - rank) * p, descending=False)


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up p values, in the order given."""
    n = len(values)
    return _running(values, lambda rank, p: n / (rank + 1) * p, descending=True)


def _running(
    values: Sequence[float], weigh: Callable[[int, float], float], *, descending: bool
) -> list[float]:
    """Weigh by ascending rank, then keep the running maximum (up) or minimum (down)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranked = list(enumerate(order))
    result = [0.0] * len(values)
    bound = 1.0 if descending else 0.0
    for rank, place in reversed(ranked) if descending else ranked:
        weighed = min(1.0, weigh(rank, values[place]))
        bound = min(bound, weighed) if descending else max(bound, weighed)
        result[place] = bound
    return result
