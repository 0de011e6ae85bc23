from __future__ import annotations

import pytest

from apg_engine.debates.courtroom.ballots import (
    DIMENSIONS,
    Ballot,
    BallotStatus,
    PanelOutcome,
    panel_decide,
)
from apg_engine.debates.courtroom.verdicts import Finding


def voted(judge: str, finding: Finding, score: float = 6.0) -> Ballot:
    scores = dict.fromkeys(DIMENSIONS, score)
    return Ballot(judge, f"family {judge}", BallotStatus.VOTED, finding, scores)


def broken(judge: str, status: BallotStatus = BallotStatus.UNPARSED) -> Ballot:
    return Ballot(judge, f"family {judge}", status)


def test_two_of_three_are_a_majority() -> None:
    found = panel_decide(
        [
            voted("a", Finding.REFUTE, 8),
            voted("b", Finding.SUPPORT, 1),
            voted("c", Finding.REFUTE, 6),
        ]
    )
    assert (found.finding, found.outcome) == (Finding.REFUTE, PanelOutcome.MAJORITY)
    assert found.consensus == pytest.approx(2 / 3)
    assert found.quality == pytest.approx(0.7)  # of those who found so


def test_a_broken_ballot_is_no_vote() -> None:
    found = panel_decide([voted("a", Finding.SUPPORT), voted("b", Finding.SUPPORT), broken("c")])
    assert (found.outcome, found.cast, found.eligible) == (PanelOutcome.UNANIMOUS, 2, 3)


@pytest.mark.parametrize("status", [one for one in BallotStatus if one is not BallotStatus.VOTED])
def test_without_a_quorum_nothing_is_found(status: BallotStatus) -> None:
    found = panel_decide([voted("a", Finding.SUPPORT), broken("b", status), broken("c", status)])
    assert (found.finding, found.outcome) == (Finding.INCONCLUSIVE, PanelOutcome.NO_QUORUM)
    assert (found.consensus, found.quality) == (0.0, 0.0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_tie_has_no_winner_whoever_is_first(order: tuple[int, int]) -> None:
    ballots = [voted("a", Finding.SUPPORT), voted("b", Finding.REFUTE)]
    found = panel_decide([ballots[at] for at in order])
    assert (found.finding, found.outcome) == (Finding.INCONCLUSIVE, PanelOutcome.TIED)


def test_a_ballot_says_what_it_must() -> None:
    with pytest.raises(ValueError, match="exactly when it was cast"):
        Ballot("a", "f", BallotStatus.UNPARSED, Finding.SUPPORT)
    with pytest.raises(ValueError, match="a judge who finds neither abstains"):
        voted("a", Finding.INCONCLUSIVE)
    with pytest.raises(ValueError, match="scores need a number"):
        voted("a", Finding.SUPPORT, 11)
    with pytest.raises(ValueError, match="scores need a number"):
        Ballot("a", "f", BallotStatus.VOTED, Finding.SUPPORT, {"logic": 5})


def test_a_panel_that_cannot_decide_is_refused() -> None:
    with pytest.raises(ValueError, match="names of their own"):
        panel_decide([voted("a", Finding.SUPPORT), voted("a", Finding.SUPPORT)])
    with pytest.raises(ValueError, match="cannot be met"):
        panel_decide([voted("a", Finding.SUPPORT)], quorum=2)
