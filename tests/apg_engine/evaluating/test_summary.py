from __future__ import annotations

import json
from dataclasses import replace

import pytest

from apg_engine.debates.courtroom.confidence import Parts
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.opinions import Vote
from apg_engine.evaluating.published import PUBLISHED
from apg_engine.evaluating.rows import Row
from apg_engine.evaluating.summary import rows_summarise
from apg_engine.evaluating.summary_json import summary_to_dict
from apg_engine.evaluating.summary_markdown import rate_told, summary_markdown
from apg_engine.spending.spent import Spent
from tests.apg_engine.evaluating.benches import row

S, R = Label.SUPPORT, Label.REFUTE
SETTINGS = {"data": {"claims": "own"}, "systems": {"single": {"offline": True}}}


def tried(item: str, parts: Parts, *, found: Label = S, label: Label = S) -> Row:
    made = row(item, found=found, label=label, system="courtroom", confidence=1.0)
    return replace(made, opinion=replace(made.opinion, parts=parts))


def test_a_claim_left_open_is_not_right_and_is_told_apart_from_a_wrong_one() -> None:
    rows = [row("a", found=S), row("b", found=R), row("c", found=None), row("d", found=R, label=R)]
    (run,) = rows_summarise(rows).runs
    assert (run.accuracy.hits, run.accuracy.n) == (2, 4)
    assert (run.accuracy_decided.hits, run.accuracy_decided.n) == (2, 3)
    assert dict(run.endings) == {"decided": 3, "undecided": 1}
    # F1 of SUPPORT 2/4, of REFUTE 2/3
    assert run.macro_f1 == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_refute_is_told_beside_its_base_rate_and_rounds_by_verdict() -> None:
    rows = [
        row("a", found=R, rounds=2),
        row("b", found=R, label=R, rounds=4),
        row("c", found=S, rounds=5),
        row("d", found=None, label=R, rounds=9),
    ]
    (run,) = rows_summarise(rows).runs
    assert (run.refute_found.hits, run.refute_known.hits, run.refute_known.n) == (2, 1, 3)
    assert dict(run.rounds_by_finding) == {
        "REFUTE": (3.0, 2),
        "SUPPORT": (5.0, 1),
        "open": (9.0, 1),
    }


def test_seeds_are_spread_and_an_oracle_knows_which_was_right() -> None:
    rows = [row(item, found=found, seed=seed) for item, seed, found in (
        ("a", 0, S), ("b", 0, R), ("c", 0, R), ("a", 1, R), ("b", 1, S), ("c", 1, R), ("x", 1, S),
    )]  # fmt: skip
    (one,) = rows_summarise(rows).seeds
    assert (one.seeds, one.items) == ((0, 1), 3)
    assert list(one.accuracies) == pytest.approx([1 / 3, 1 / 3])
    assert one.spread == pytest.approx(0)
    assert (one.oracle.hits, one.oracle.n) == (2, 3)
    assert (one.flips.pairs, one.flips.flipped) == (3, 2)


def test_flips_are_told_by_whether_the_premises_were_the_same() -> None:
    rows = [
        row("a", found=S, premises=("One.", "Two.")),
        row("a", found=R, premises=("one.", "two."), seed=1),
        row("b", found=S, premises=("One.",)),
        row("b", found=R, premises=("Two.",), seed=1),
        row("c", found=S, premises=("One.",)),
        row("c", found=S, premises=("Two.",), seed=1),
    ]
    (one,) = rows_summarise(rows).seeds
    assert (one.same_premises.flipped, one.same_premises.pairs) == (1, 1)
    assert (one.other_premises.flipped, one.other_premises.pairs) == (1, 2)


def test_ballots_are_reckoned_again_without_each_adjustment() -> None:
    parts = Parts(consensus=0.5, quality=0.5, role_switch=0.1, reflection=0.05)
    rows = [tried(str(n), parts) for n in range(6)]
    (run,) = rows_summarise(rows).runs
    reports = run.calibration
    found = (reports.paper, reports.without_role_switch, reports.without_reflection)
    # All are right: the error is 1 less the confidence 0.8 * 0.5 + 0.3 * 0.5 + ...
    assert [report.value for report in found if report] == [
        pytest.approx(0.3), pytest.approx(0.4), pytest.approx(0.35)
    ]  # fmt: skip
    assert reports.stated is not None
    assert reports.stated.value == 0.0
    assert len(reports.weights) == 5
    assert reports.fitted is not None
    assert reports.fitted.value < 0.3


def test_seeds_stand_in_their_order_whatever_order_their_claims_ended_in() -> None:
    rows = [
        row("a", found=S, system="vote", seed=2),
        row("a", found=S, system="mad", seed=1),
        row("a", found=R, system="vote", seed=0),
    ]
    summary = rows_summarise(rows)
    assert [(run.system, run.seed) for run in summary.runs] == [
        ("vote", 0),
        ("vote", 2),
        ("mad", 1),
    ]
    assert (summary.seeds[0].seeds, summary.seeds[0].accuracies) == ((0, 2), (0.0, 1.0))


def test_plain_averaging_takes_the_scores_of_those_who_voted() -> None:
    votes = (Vote("a", S, "voted", 0.9), Vote("b", R, "voted", 0.5), Vote("c", None, "x", 0.1))
    (run,) = rows_summarise([row("a", found=S, confidence=1.0, votes=votes)]).runs
    assert run.calibration.averaged is not None
    assert run.calibration.averaged.value == pytest.approx(0.3)
    assert run.calibration.averaged.coverage == 1.0


def test_flips_by_the_order_of_the_sides_are_of_votes_cast_in_both() -> None:
    votes = (
        Vote("a", S, "voted", 0.9, "SUPPORT"),
        Vote("b", S, "voted", 0.9, "REFUTE"),
        Vote("c", S, "voted", 0.9, "abstained"),
    )
    others = (
        Vote("a", R, "voted", 0.9, "REFUTE"),
        Vote("b", None, "abstained", None, "REFUTE"),
        Vote("c", R, "voted", 0.9),
    )
    rows = [row("x", found=S, votes=votes), row("y", found=R, votes=others)]
    summary = rows_summarise(rows)
    (run,) = summary.runs
    assert (run.order_flips.hits, run.order_flips.n) == (1, 3)
    page = summary_markdown(summary, settings=SETTINGS)
    assert f"| {rate_told(run.order_flips)} |" in page
    told = summary_to_dict(summary, settings=SETTINGS)
    assert told["runs"][0]["order_flips"]["hits"] == 1
    unasked = rows_summarise([row("x", found=S, votes=(Vote("a", S, "voted"),) * 2)])
    assert "not asked" in summary_markdown(unasked, settings=SETTINGS)


def test_a_single_judge_agrees_with_nobody_but_may_flip() -> None:
    summary = rows_summarise([row("x", found=S, votes=(Vote("a", S, "voted", 0.9, "REFUTE"),))])
    told = rate_told(summary.runs[0].order_flips)
    page = summary_markdown(summary, settings=SETTINGS)
    assert f"| 1 | - | - | - | {told} |" in page


def test_agreement_of_judges_stands_beside_the_accuracy_of_each_ablation() -> None:
    def panel(item: str, system: str, *labels: Label) -> Row:
        votes = tuple(Vote(str(n), label, "voted", 0.5) for n, label in enumerate(labels))
        found = max(labels, key=labels.count)
        return row(item, found=found, system=system, votes=votes)

    rows = [
        *[panel(str(n), "courtroom", *labels) for n, labels in enumerate([(S, S, S), (R, R, R)])],
        *[panel(str(n), "no_rag", *labels) for n, labels in enumerate([(S, S, R), (R, R, S)])],
    ]
    whole, without = rows_summarise(rows).runs
    assert whole.judges is not None
    assert without.judges is not None
    assert (whole.accuracy.hits, whole.judges.pairwise) == (1, 1.0)
    # Pairs of seats: (a, b) agree on both claims, c contradicts each of them: (1 - 1 - 1) / 3.
    assert without.judges.pairwise == pytest.approx(-1 / 3)
    # Fleiss: mean agreement 1/3, by chance 1/2.
    assert without.judges.fleiss == pytest.approx((1 / 3 - 1 / 2) / (1 - 1 / 2))
    page = summary_markdown(rows_summarise(rows), settings=SETTINGS)
    judges = page.partition("## Judges")[2].partition("## Calibration")[0]
    assert "| courtroom | 0 | 50.0 %" in judges
    assert "| 3 | 2 | -0.333 | -0.333 |" in judges


def test_a_cost_that_one_row_does_not_know_is_not_known() -> None:
    priced = replace(row("a", found=S), spent=Spent(2, 10, 5, 0.5, 1.0, 2))
    unknown = replace(row("b", found=S), spent=Spent(2, None, 5, None, 1.0, 0))
    (run,) = rows_summarise([priced, unknown]).runs
    assert (run.taken.calls, run.taken.cost, run.taken.tokens) == (2, None, None)
    (known,) = rows_summarise([priced]).runs
    assert (known.taken.cost, known.taken.cost_total, known.taken.tokens) == (0.5, 0.5, 15)


def test_the_published_table_is_that_of_the_paper_and_is_named_as_elsewhere() -> None:
    told = [round(100 * (one.accuracy.value or 0), 1) for one in PUBLISHED]
    assert told == [81.7, 71.7, 74.2, 77.5, 78.3, 80.8, 85.8, 80.0]
    page = summary_markdown(rows_summarise([row("a", found=S)]), settings=SETTINGS)
    own, _, published = page.partition("## Published elsewhere, not measured here")
    assert "81.7" not in own
    assert "81.7 % [73.8, 87.6] (98/120)" in published
    assert "no line of it is a result of this project" in published


def test_the_report_is_json_without_gaps_and_says_which_systems_are_offline() -> None:
    votes = (Vote("a", S, "voted", 0.9), Vote("b", S, "voted", 0.5))
    rows = [row(str(n), found=S, confidence=0.9, votes=votes) for n in range(3)]
    rows += [row(str(n), found=R, system="mad", seed=seed) for n in range(3) for seed in (0, 1)]
    summary = rows_summarise(rows)
    data = json.loads(json.dumps(summary_to_dict(summary, settings=SETTINGS), allow_nan=False))
    assert data["runs"][0]["accuracy"]["hits"] == 3
    assert data["paired_tests"][0]["p"] == 0.25
    assert data["published_elsewhere"]["rows"][0]["accuracy"]["hits"] == 98
    page = summary_markdown(summary, settings=SETTINGS)
    assert "no language model: single" in page
    assert "Fewer than 30 claims" in page


def test_a_share_is_told_with_its_interval_and_counts() -> None:
    assert rate_told(PUBLISHED[1].accuracy) == "71.7 % [63.0, 79.0] (86/120)"
