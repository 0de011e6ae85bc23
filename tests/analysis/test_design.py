"""Position, carry-over and order from recorded positions; exclusions; calibration; agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.dataset import Dataset
from analysis.errors import OptionError
from analysis.load import load
from analysis.results.crossover import crossovers
from analysis.results.design import design_check
from analysis.results.exclusions import exclusions_apply, reading_sensitivity
from analysis.results.full import full
from analysis.results.interaction import overall_interactions
from analysis.results.plain import plain
from analysis.results.subgroups import calibrations, cohort_groups, comparison, fidelity_trends
from analysis.schema import LongRow
from analysis.stats.undefined import Reason
from tests.analysis.studies import N33, ROW, bundle, choice, rating, study, trial


def sided(differences: dict[str, list[int]]) -> list[LongRow]:
    """Ratings 3 for the baseline and 3 + d for apg, with apg left or right as named."""
    rows: list[LongRow] = []
    for left, values in differences.items():
        for d in values:
            person = f"p{len(rows)}"
            rows += trial(person, 3, 3 + d, left=left)
    return rows


def test_the_arm_is_freed_from_an_effect_of_the_position(tmp_path: Path) -> None:
    # By hand: apg left 2, 1, 2, 1 (mean 1.5); apg right 0, 1, 0, -1 (mean 0).
    rows = sided({"apg": [2, 1, 2, 1], "baseline": [0, 1, 0, -1]})
    (found,) = crossovers(load(bundle(tmp_path, rows)))
    assert (found.n_treatment_left, found.n_treatment_right) == (4, 4)
    assert found.arm.value == pytest.approx(0.75)
    assert found.position.value == pytest.approx(0.75)
    # Pooled variance (1 + 2) / 6 = .5, SE of the difference .5: t = 3 for both halves.
    assert found.position.t == pytest.approx(3.0)
    assert found.arm.t == pytest.approx(3.0)
    assert found.position.df == 6


def test_unequal_numbers_of_both_positions_do_not_bias_the_arm(tmp_path: Path) -> None:
    rows = sided({"apg": [1, 1, 1, 1, 1, 2], "baseline": [-1, -1, -2]})
    (found,) = crossovers(load(bundle(tmp_path, rows)))
    assert found.arm.value == pytest.approx((7 / 6 - 4 / 3) / 2)


def test_one_position_only_is_confounded_and_nothing_is_estimated(tmp_path: Path) -> None:
    rows = sided({"baseline": [1, 0, 2, 1]})
    dataset = load(bundle(tmp_path, rows))
    (found,) = crossovers(dataset)
    assert (found.arm.value, found.position.value) == (None, None)
    assert found.position.reason.value == "confounded"
    assert "baseline always stood left" in design_check(dataset).sentences[0]


def test_the_published_study_is_confounded_in_position_and_order() -> None:
    check = design_check(load(N33))
    assert [d.left for d in check.scenarios] == [{"baseline": 33, "apg": 0}] * 2
    assert [d.order for d in check.scenarios] == [{1: 33}, {2: 33}]
    assert any("fixed place in the order" in sentence for sentence in check.sentences)


def test_positions_that_nobody_recorded_are_said_to_be_so(tmp_path: Path) -> None:
    rows = [replace(row, left_arm="", position="") for row in study([(1, 2), (2, 3)])]
    assert "not recorded" in design_check(load(bundle(tmp_path, rows))).sentences[0]


def timed(person: str, seconds: int, *, status: str = "complete") -> list[LongRow]:
    minutes, rest = divmod(seconds, 60)
    at = f"2026-11-30T10:{minutes:02d}:{rest:02d}Z"
    number = int(person.strip("p"))
    rows = trial(person, 1 + number % 3, 2 + number % 4)
    return [replace(row, answered_at=at, status=status) for row in rows]


def excluded(folder: Path, rows: list[LongRow], *rules: Mapping[str, object]) -> Dataset:
    return exclusions_apply(load(bundle(folder, rows, plan={"exclusions": list(rules)})))


def test_fast_readers_leave_by_the_rule_that_was_set(tmp_path: Path) -> None:
    rows = [*timed("p1", 20), *timed("p2", 200), *timed("p3", 59), *timed("p4", 60)]
    found = excluded(tmp_path, rows, {"rule": "too_fast", "value": 60})
    assert found.participants == ("p2", "p4")
    assert found.left_out[0].ids == ("p1", "p3")


def test_each_participant_is_counted_under_the_first_rule_only(tmp_path: Path) -> None:
    rows = [*timed("p1", 20, status="partial"), *timed("p2", 20), *timed("p3", 200)]
    slow, fast = {"rule": "incomplete"}, {"rule": "too_fast", "value": 60}
    found = excluded(tmp_path, rows, slow, fast)
    assert [out.ids for out in found.left_out] == [("p1",), ("p2",)]


def test_who_left_before_the_first_pair_did_not_reach_the_end(tmp_path: Path) -> None:
    asked = replace(ROW, participant_id="p2", scenario="", trial_order=None, left_arm="", arm="")
    asked = replace(asked, measure="background.age", kind="background", position="", value="60")
    rows = [*timed("p1", 200), replace(asked, status="partial")]
    found = excluded(tmp_path, rows, {"rule": "incomplete"})
    assert (found.participants, found.left_out[0].ids) == (("p1",), ("p2",))


def test_straight_lining_needs_enough_ratings(tmp_path: Path) -> None:
    rows = [*trial("p1", 3, 3), *trial("p1", 3, 3, scenario="s2"), *trial("p2", 3, 3)]
    found = excluded(tmp_path, rows, {"rule": "straight_lining", "value": 4})
    assert found.left_out[0].ids == ("p1",)


def test_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="'mood' in the plan"):
        excluded(tmp_path, timed("p1", 99), {"rule": "mood"})


def test_reading_time_is_shown_as_sensitivity_and_not_applied(tmp_path: Path) -> None:
    rows = [*timed("p1", 20), *timed("p2", 45), *timed("p3", 90), *timed("p4", 400)]
    dataset = load(bundle(tmp_path, rows))
    found = {row.seconds: row for row in reading_sensitivity(dataset)}
    assert {seconds: row.removed for seconds, row in found.items()} == {30: 1, 60: 2, 120: 3}
    assert len(dataset.participants) == 4


def test_studies_without_times_have_no_such_rows() -> None:
    assert reading_sensitivity(load(N33)) == ()


def test_trust_is_split_by_the_own_faithful_choice() -> None:
    # R: mean(d[faith == o]); ../shared/field/statistics.md 1.2
    s026 = next(found for found in calibrations(load(N33)) if found.scenario == "s026")
    means = {group.level: (group.test.n, group.test.mean) for group in s026.groups}
    assert means["apg"][0] == 25
    assert means["apg"][1] == pytest.approx(1.12)
    assert (means["baseline"][0], means["neither"][0]) == (7, 1)
    assert means["baseline"][1] == 0


def many_scenarios() -> list[LongRow]:
    rows: list[LongRow] = []
    for scenario, shift in (("a", 0), ("b", 1), ("c", 2)):
        for number in range(1, 7):
            base = 1 + number % 2
            rated = min(5, base + shift + (number + (scenario == "b")) % 3)
            rows += trial(f"p{number}", base, rated, scenario=scenario)
    return rows


def test_trust_follows_fidelity_over_three_scenarios(tmp_path: Path) -> None:
    pairs = {s: {"fidelity_difference": v} for s, v in (("a", 0.1), ("b", 0.4), ("c", 0.8))}
    dataset = load(bundle(tmp_path, many_scenarios(), pairs=pairs))
    (found,) = fidelity_trends(dataset)
    assert found.trend is not None
    # R: cor.test(1:3, 1:3, method = "spearman")$p.value; 2 of 6 orders lie as far out.
    assert (found.trend.n, found.trend.rho) == (3, 1)
    assert found.trend.p == pytest.approx(1 / 3)


def test_trust_against_fidelity_needs_three_scenarios_and_says_so(tmp_path: Path) -> None:
    pairs = {s: {"fidelity_difference": v} for s, v in (("a", 0.1), ("b", 0.4), ("c", None))}
    (found,) = fidelity_trends(load(bundle(tmp_path, many_scenarios(), pairs=pairs)))
    assert (found.trend, found.scenarios) == (None, 2)
    assert found.reason is Reason.TOO_FEW_SCENARIOS
    assert {trend.scenarios for trend in fidelity_trends(load(N33))} == {0}


def test_three_scenarios_get_one_overall_test(tmp_path: Path) -> None:
    (found,) = overall_interactions(load(bundle(tmp_path, many_scenarios())))
    assert found.row is not None
    assert found.row.df == (2, 10)
    assert overall_interactions(load(N33)) == ()


def test_an_anova_without_error_variance_gives_no_p_of_zero(tmp_path: Path) -> None:
    # pingouin: F = inf and p = 0 for double differences that do not vary.
    rows = [
        row
        for scenario, shift in (("a", 0), ("b", 1), ("c", 2))
        for person in ("p1", "p2", "p3", "p4")
        for row in trial(person, 2, 2 + shift, scenario=scenario)
    ]
    dataset = load(bundle(tmp_path, rows))
    (found,) = overall_interactions(dataset)
    assert (found.row, found.reason) == (None, Reason.ZERO_VARIANCE)
    assert plain(full(dataset))["overall"][0]["reason"] == "zero_variance"


def test_cohorts_are_compared_only_where_there_are_two(tmp_path: Path) -> None:
    rows = [
        replace(row, cohort="expert" if int(row.participant_id.strip("p")) > 3 else "crowd")
        for row in study([(1, 2), (2, 2), (3, 4), (1, 4), (2, 5), (1, 3)])
    ]
    (found,) = comparison(cohort_groups(load(bundle(tmp_path, rows))))
    assert [group.level for group in found.groups] == ["crowd", "expert"]
    assert found.two_groups is not None
    assert found.two_groups.mean == pytest.approx(2 / 3 - 8 / 3)
    assert cohort_groups(load(N33)) == ()


def test_a_choice_without_a_rating_is_no_trial_that_breaks_the_crossover(tmp_path: Path) -> None:
    rows = [*sided({"apg": [1, 2], "baseline": [0, 1]}), choice("p90", "apg")]
    rows.append(rating("p91", "apg", 4))
    (found,) = crossovers(load(bundle(tmp_path, rows)))
    assert found.n_treatment_left + found.n_treatment_right == 4
