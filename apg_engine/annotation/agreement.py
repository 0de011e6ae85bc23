"""How far raters agree beyond chance, on categories without an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Rating = str | None


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Give Cohen's kappa (1960) for two raters.

    Args:
        pairs: what the two said about each unit that both judged.

    Returns:
        The share of agreement beyond chance, at most 1; None without units, or where both used
        one and the same category throughout, so that chance explains everything.
    """
    if not pairs:
        return None
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs) / n
    expected = sum(first[label] * second[label] for label in first) / (n * n)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(units: Sequence[Sequence[Rating]]) -> float | None:
    """Give Krippendorff's alpha for nominal data, any number of raters and missing ratings.

    From coincidences, as in Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.

    Args:
        units: for each unit the raters' ratings; None where a rater gave none.

    Returns:
        Alpha, at most 1; None where no unit has two ratings, or only one category occurs.
    """
    paired = [[rating for rating in unit if rating is not None] for unit in units]
    paired = [ratings for ratings in paired if len(ratings) > 1]
    values: Counter[str] = Counter()
    disagreed = 0.0
    for ratings in paired:
        counts = Counter(ratings)
        values.update(counts)
        same = sum(count * (count - 1) for count in counts.values())
        disagreed += (len(ratings) * (len(ratings) - 1) - same) / (len(ratings) - 1)
    n = sum(values.values())
    by_chance = n * n - sum(count * count for count in values.values())
    return 1 - (n - 1) * disagreed / by_chance if by_chance else None
