"""How far judges agree, with each other and with what is known, and paired tests of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from apg_engine.annotation.agreement import cohen_kappa
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.opinions import Vote


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of a panel beyond chance.

    Attributes:
        judges: seats of the panel.
        items: claims on which all of them voted; only these count.
        pairwise: Cohen's kappa averaged over all pairs of seats; None where chance explains all.
        fleiss: Fleiss' kappa; None where chance explains all.
    """

    judges: int
    items: int
    pairwise: float | None
    fleiss: float | None


@dataclass(frozen=True, slots=True)
class PairedTest:
    """McNemar's exact test of two systems on the same claims with the same seed.

    `first_only` are the claims only the first one has right; p is two-sided.
    """

    first: str
    second: str
    seed: int
    items: int
    first_only: int
    second_only: int
    p: float


def judges_agreement(panels: Sequence[Sequence[Vote]]) -> JudgeAgreement | None:
    """Compare the seats of a panel over claims; None where there is no panel of two.

    A panel of another size than the largest one, or with a missing vote, is left out.
    """
    seats = max(map(len, panels), default=0)
    whole = [[vote.label for vote in panel] for panel in panels if len(panel) == seats]
    ratings = [[one.value for one in labels if one is not None] for labels in whole]
    ratings = [labels for labels in ratings if len(labels) == seats]
    if seats < 2:
        return None
    pairs = [
        cohen_kappa([(labels[a], labels[b]) for labels in ratings])
        for a, b in combinations(range(seats), 2)
    ]
    known = [kappa for kappa in pairs if kappa is not None]
    return JudgeAgreement(
        judges=seats,
        items=len(ratings),
        pairwise=math.fsum(known) / len(known) if len(known) == len(pairs) else None,
        fleiss=fleiss_kappa([_counts(labels) for labels in ratings]),
    )


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Give Fleiss' kappa (1971), by statsmodels.

    Args:
        counts: for each item how many raters chose each category; the same number of raters.

    Returns:
        None without items, or where all raters chose one and the same category.
    """
    if not counts or sum(any(row[at] for row in counts) for at in range(len(counts[0]))) < 2:
        return None
    # Takes a second to load, and the engine is imported without it.
    from statsmodels.stats.inter_rater import fleiss_kappa as fleiss

    return float(fleiss([list(row) for row in counts], method="fleiss"))


def macro_f1(pairs: Sequence[tuple[Label, Label | None]], labels: Sequence[Label]) -> float:
    """Give the unweighted mean of the labels' F1 scores.

    Args:
        pairs: what is known and what was found; nothing found misses its label.
        labels: of the task; one that never occurs scores 0.
    """
    return math.fsum(_f1(pairs, label) for label in labels) / len(labels)


def mcnemar_exact(first: Sequence[bool], second: Sequence[bool]) -> tuple[int, int, float]:
    """Give how often only the first, and only the second, is right, and the exact two-sided p.

    Without a difference nothing speaks against equality and p is 1.

    Raises:
        ValueError: the two are not about the same items.
    """
    pairs = list(zip(first, second, strict=True))
    one, other = pairs.count((True, False)), pairs.count((False, True))
    if one + other == 0:
        return one, other, 1.0
    from statsmodels.stats.contingency_tables import mcnemar

    table = [[pairs.count((True, True)), one], [other, pairs.count((False, False))]]
    return one, other, float(mcnemar(table, exact=True).pvalue)


def paired_tests(
    correct: Mapping[tuple[str, int], Mapping[str, bool]],
) -> tuple[PairedTest, ...]:
    """Compare every two systems on the claims both have judged, seed by seed.

    Args:
        correct: by system and seed, whether each claim was judged right.
    """
    found = []
    for (first, seed), (second, other) in combinations(correct, 2):
        shared = [item for item in correct[first, seed] if item in correct[second, other]]
        if seed != other or not shared:
            continue
        one, two, p = mcnemar_exact(
            [correct[first, seed][item] for item in shared],
            [correct[second, seed][item] for item in shared],
        )
        found.append(PairedTest(first, second, seed, len(shared), one, two, p))
    return tuple(found)


def _counts(labels: Sequence[str]) -> list[int]:
    return [labels.count(label.value) for label in Label]


def _f1(pairs: Sequence[tuple[Label, Label | None]], label: Label) -> float:
    hits = pairs.count((label, label))
    known = sum(one is label for one, _ in pairs)
    found = sum(one is label for _, one in pairs)
    return 2 * hits / (known + found) if known + found else 0.0
