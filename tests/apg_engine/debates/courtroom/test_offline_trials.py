"""Trials by rules, and the numbers of the preset."""

from __future__ import annotations

from apg_engine.debates.courtroom.verdicts import Finding
from tests.apg_engine.debates.courtroom.trials import offline, setting


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


def test_the_preset_holds_the_papers_numbers() -> None:
    config = setting()

    assert (config.rounds, config.quorum, config.judges) == (
        10,
        2,
        ("judge_a", "judge_b", "judge_c"),
    )
    assert (config.search.novelty, config.search.redundancy, config.search.gain) == (0.2, 0.7, 0.05)
