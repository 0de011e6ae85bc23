"""Trials by rules, and the numbers of the preset."""

from __future__ import annotations

from pathlib import Path

from apg_engine import ModelSpec
from apg_engine.auditors.known_pairs import KnownPairs
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import JUDGES
from apg_engine.debates.courtroom.verdicts import Finding
from tests.apg_engine.auditors.scorers import REFUTES, SUPPORTS, RuleScorer
from tests.apg_engine.debates.courtroom.trials import hold, offline, setting


def test_a_trial_by_rules_is_whole_and_named_as_what_it_is() -> None:
    debate = offline()

    assert debate.is_whole
    assert debate.details["cast"]["court"]["name"] == "offline rule-based court 1"
    assert all(one["offline"] for one in debate.details["cast"].values())
    assert debate.verdict.finding in set(Finding)
    assert debate.chunks
    assert set(debate.documents) == {chunk.partition("#")[0] for chunk in debate.chunks}


def test_equal_trials_by_rules_are_equal() -> None:
    assert offline(seed=3).details == offline(seed=3).details


def test_rules_abstain_where_nothing_is_near() -> None:
    debate = offline(claim="Violins were invented by Norwegian sailors.")

    assert {one.status for one in debate.ballots} == {"abstained"}
    assert debate.verdict.outcome == "no quorum"


def test_judges_on_one_cross_encoder_score_a_pair_once() -> None:
    scorer = RuleScorer(lambda evidence, _: REFUTES if " not " in evidence else SUPPORTS)
    roles = {judge: ModelSpec(kind="nli", path="folder") for judge in JUDGES}
    config = setting(roles=roles, same_family=True, both_orders=True)
    loaded: list[Path] = []

    def load(folder: Path) -> KnownPairs:
        loaded.append(folder)
        return KnownPairs(scorer)

    debate = hold(config, cast_build(config, environment={}, load=load))

    assert [one.status for one in debate.ballots] == ["voted"] * 3
    assert loaded == [Path("folder")]
    assert len(scorer.seen) == len(set(scorer.seen)) > 1


def test_seed_0_cuts_a_claim_at_each_conjunction_and_other_seeds_draw_where() -> None:
    claim = (
        "Cloth masks reduce influenza in schools, but nurses need surgical masks and pupils touch "
        "their masks often."
    )
    cut = {seed: offline(claim=claim, seed=seed, rounds=1).matter.premises for seed in range(8)}

    assert cut[0] == (
        "Cloth masks reduce influenza in schools",
        "nurses need surgical masks",
        "pupils touch their masks often",
    )
    assert (claim.rstrip("."),) in cut.values()
    assert len(set(cut.values())) > 2
    assert all(" ".join(one).split()[-1] == "often" for one in cut.values())


def test_a_claim_is_cut_into_no_more_premises_than_allowed_and_loses_no_word() -> None:
    claim = "Cats sleep for long hours and barley grows near rivers and harbours need dredging."

    assert offline(claim=claim, premises_most=2).matter.premises == (
        "Cats sleep for long hours",
        "barley grows near rivers and harbours need dredging",
    )


def test_the_preset_holds_the_papers_numbers() -> None:
    config = setting()

    assert (config.rounds, config.quorum, config.judges) == (
        10,
        2,
        ("judge_a", "judge_b", "judge_c"),
    )
    assert (config.search.novelty, config.search.redundancy, config.search.gain) == (0.2, 0.7, 0.05)
