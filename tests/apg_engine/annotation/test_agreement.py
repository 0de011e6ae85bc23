from __future__ import annotations

import pytest

from apg_engine.annotation.agreement import cohen_kappa, krippendorff_alpha


def pairs(table: dict[tuple[str, str], int]) -> list[tuple[str, str]]:
    return [pair for pair, count in table.items() for _ in range(count)]


@pytest.mark.reference
def test_kappa_of_a_two_by_two_table() -> None:
    """Cohen's kappa on Wikipedia, "Simple example": 50 proposals, kappa 0.40."""
    table = {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}

    assert cohen_kappa(pairs(table)) == pytest.approx(0.4)


@pytest.mark.reference
def test_alpha_of_two_observers_and_binary_data() -> None:
    """Krippendorff (2011), section A: ten units, alpha 0.095."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    units = [[str(a), str(b)] for a, b in zip(first, second, strict=True)]

    assert krippendorff_alpha(units) == pytest.approx(0.095, abs=5e-4)


@pytest.mark.reference
def test_alpha_of_four_observers_with_missing_ratings() -> None:
    """Krippendorff (2011), section C: twelve units, four observers, nominal alpha 0.743."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [
        [None if rating is None else str(rating) for rating in unit]
        for unit in zip(*observers, strict=True)
    ]

    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_full_agreement_is_one_and_systematic_disagreement_is_below_zero() -> None:
    same = [("a", "a"), ("b", "b"), ("c", "c")]
    opposed = [("a", "b"), ("b", "a")]

    assert cohen_kappa(same) == krippendorff_alpha(same) == 1
    assert cohen_kappa(opposed) == -1
    assert (krippendorff_alpha(opposed) or 0) < 0


def test_nothing_is_claimed_where_chance_explains_everything() -> None:
    assert cohen_kappa([]) is None
    assert cohen_kappa([("a", "a")] * 5) is None
    assert krippendorff_alpha([["a", "a"]] * 5) is None
    assert krippendorff_alpha([["a", None], [None, "b"]]) is None
