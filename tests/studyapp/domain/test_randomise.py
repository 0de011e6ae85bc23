"""Trials are balanced, unconfounded, and re-derived from the seed alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyapp.domain.randomise import Trial, block_size, trials_draw, williams_rows

SEEDS = st.integers(min_value=0, max_value=2**62)
SIZES = st.integers(min_value=1, max_value=6)
FIRST_DRAWS = ["1R0R", "1L0L", "0L1R", "0R1L", "0L1R", "1R0R", "1L0L", "0R1L"]


def cohort_of(count: int, *, scenarios: int, seed: int = 7) -> list[tuple[Trial, ...]]:
    return [
        trials_draw(seed=seed, cohort="open", enrolment=number, scenarios=scenarios)
        for number in range(1, count + 1)
    ]


def test_the_design_of_four_is_the_published_one() -> None:
    assert williams_rows(4) == ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))


@pytest.mark.parametrize("scenarios", range(1, 9))
def test_each_scenario_stands_at_each_place_equally_often(scenarios: int) -> None:
    rows = williams_rows(scenarios)
    for place in range(scenarios):
        counts = Counter(row[place] for row in rows)
        assert set(counts.values()) == {len(rows) // scenarios}


@pytest.mark.parametrize("scenarios", range(2, 9))
def test_each_scenario_follows_each_other_equally_often(scenarios: int) -> None:
    counts = Counter(pair for row in williams_rows(scenarios) for pair in pairwise(row))
    assert len(counts) == scenarios * (scenarios - 1)
    assert len(set(counts.values())) == 1


@given(seed=SEEDS, scenarios=SIZES, block=st.integers(min_value=0, max_value=50))
def test_within_a_block_each_side_is_balanced_per_scenario_and_place(
    seed: int, scenarios: int, block: int
) -> None:
    size = block_size(scenarios)
    cells: Counter[tuple[int, int, bool]] = Counter()
    for number in range(block * size + 1, (block + 1) * size + 1):
        trials = trials_draw(seed=seed, cohort="open", enrolment=number, scenarios=scenarios)
        assert sorted(trial.scenario for trial in trials) == list(range(scenarios))
        cells.update(
            (trial.scenario, place, trial.treatment_is_left) for place, trial in enumerate(trials)
        )
    assert len(set(cells.values())) == 1
    assert len(cells) == scenarios * scenarios * 2


@given(seed=SEEDS, count=st.integers(min_value=1, max_value=70))
def test_at_any_moment_sides_and_orders_are_within_half_a_block_of_balance(
    seed: int, count: int
) -> None:
    lefts: Counter[int] = Counter()
    orders: Counter[tuple[int, ...]] = Counter()
    for trials in cohort_of(count, scenarios=2, seed=seed):
        lefts.update(trial.scenario for trial in trials if trial.treatment_is_left)
        orders[tuple(trial.scenario for trial in trials)] += 1
    half = block_size(2) // 2
    assert all(abs(2 * lefts[scenario] - count) <= half for scenario in (0, 1))
    assert abs(orders[0, 1] - orders[1, 0]) <= half


def test_sixty_participants_are_balanced_exactly() -> None:
    cells = Counter(
        (tuple(trial.scenario for trial in trials), trials[0].treatment_is_left)
        for trials in cohort_of(60, scenarios=2)
    )
    assert set(cells.values()) == {15}


def test_staying_on_a_side_and_changing_it_are_balanced_too() -> None:
    same = Counter(
        trials[0].treatment_is_left == trials[1].treatment_is_left
        for trials in cohort_of(60, scenarios=2)
    )
    assert same[True] == same[False] == 30


@pytest.mark.parametrize("scenarios", [3, 4])
def test_no_two_scenarios_always_share_a_side(scenarios: int) -> None:
    cohort = cohort_of(block_size(scenarios) * 10, scenarios=scenarios)
    by_scenario = [{trial.scenario: trial.treatment_is_left for trial in row} for row in cohort]
    for one, other in combinations(range(scenarios), 2):
        same = sum(sides[one] == sides[other] for sides in by_scenario)
        assert 0.2 < same / len(cohort) < 0.8


def test_it_is_the_same_draw_each_time() -> None:
    assert cohort_of(20, scenarios=3) == cohort_of(20, scenarios=3)


def test_the_first_draws_of_a_seed_never_change() -> None:
    """A stored study must be re-derived by later versions: this row is part of the contract."""
    drawn = [
        "".join(f"{trial.scenario}{'L' if trial.treatment_is_left else 'R'}" for trial in trials)
        for trials in cohort_of(8, scenarios=2, seed=20261130)
    ]
    assert drawn == FIRST_DRAWS


def test_cohorts_of_one_study_are_drawn_apart() -> None:
    drawn = {
        cohort: [
            trials_draw(seed=7, cohort=cohort, enrolment=number, scenarios=2)
            for number in range(1, 21)
        ]
        for cohort in ("open", "experts")
    }
    assert drawn["open"] != drawn["experts"]


def test_a_study_without_scenarios_draws_nothing() -> None:
    assert trials_draw(seed=7, cohort="open", enrolment=3, scenarios=0) == ()


def test_it_refuses_an_enrolment_number_below_one() -> None:
    with pytest.raises(ValueError, match="enrolment number 0 must be at least 1"):
        trials_draw(seed=7, cohort="open", enrolment=0, scenarios=2)
