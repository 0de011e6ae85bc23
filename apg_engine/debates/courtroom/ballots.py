"""Ballots of judges, and the panel's decision: a broken ballot is no vote.

The papers do not name the six dimensions of a judge's scores, nor the quality q; both are ours.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from apg_engine.debates.courtroom.verdicts import Finding

# Ours: what a written judgment can be asked of without knowing which side is right.
DIMENSIONS: Final = (
    "evidence_quality",
    "evidence_coverage",
    "logical_validity",
    "rebuttal",
    "source_reliability",
    "uncertainty_handling",
)
SCORE_MOST: Final = 10


class BallotStatus(StrEnum):
    """Whether a judge voted, and if not, why not."""

    VOTED = "voted"
    ABSTAINED = "abstained"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One judge's ballot; finding and scores only where the judge voted.

    Attributes:
        scores: a number from 0 to SCORE_MOST for each of DIMENSIONS.
        exchanged: what the same judge said with the sides exchanged; None if it was not asked.
        is_cut: the budget held no call for this judge, so that the panel is not a whole one.
    """

    judge: str
    family: str
    status: BallotStatus
    finding: Finding | None = None
    scores: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    reason: str = ""
    cited: tuple[str, ...] = ()
    exchanged: Finding | BallotStatus | None = None
    is_cut: bool = False

    def __post_init__(self) -> None:
        if (self.status is BallotStatus.VOTED) != (self.finding is not None):
            raise ValueError(f"{self.judge}: a ballot has a finding exactly when it was cast")
        if self.finding is None:
            return
        if self.finding is Finding.INCONCLUSIVE:
            raise ValueError(f"{self.judge}: a judge who finds neither abstains")
        wrong = [name for name in DIMENSIONS if not _is_score(self.scores.get(name))]
        if wrong or len(self.scores) != len(DIMENSIONS):
            raise ValueError(
                f"{self.judge}: scores need a number from 0 to {SCORE_MOST} for each of "
                f"{', '.join(DIMENSIONS)}"
            )


class PanelOutcome(StrEnum):
    """How a panel came to its finding."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    TIED = "tied"
    NO_QUORUM = "no quorum"


@dataclass(frozen=True, slots=True)
class PanelDecision:
    """What a panel found.

    `consensus` (sigma) is the share of the cast votes that the finding has, and `quality` (q) the
    mean score of those who cast it over all dimensions, divided by SCORE_MOST; both are 0 where
    there is no finding. `eligible` counts all judges, also those without a vote.
    """

    finding: Finding
    outcome: PanelOutcome
    votes: Mapping[Finding, int]
    eligible: int
    consensus: float
    quality: float

    @property
    def cast(self) -> int:
        """How many judges voted."""
        return sum(self.votes.values())


def panel_decide(ballots: Sequence[Ballot], *, quorum: int = 2) -> PanelDecision:
    """Count the ballots: a majority of the votes cast, if at least `quorum` were cast.

    A tie has no winner: no judge is first.

    Raises:
        ValueError: there is no judge, one votes twice, or the quorum cannot be met.
    """
    judges = [ballot.judge for ballot in ballots]
    if not ballots or len(set(judges)) != len(judges):
        raise ValueError(f"a panel needs judges with names of their own; found {judges}")
    if not 1 <= quorum <= len(ballots):
        raise ValueError(f"quorum {quorum} of {len(ballots)} judges cannot be met")
    votes = Counter(ballot.finding for ballot in ballots if ballot.finding is not None)
    cast = sum(votes.values())
    if cast < quorum:
        return _undecided(PanelOutcome.NO_QUORUM, votes, len(ballots))
    finding, most = votes.most_common(1)[0]
    if 2 * most <= cast:
        return _undecided(PanelOutcome.TIED, votes, len(ballots))
    return PanelDecision(
        finding=finding,
        outcome=PanelOutcome.UNANIMOUS if most == cast else PanelOutcome.MAJORITY,
        votes=MappingProxyType(dict(votes)),
        eligible=len(ballots),
        consensus=most / cast,
        quality=_quality([ballot for ballot in ballots if ballot.finding is finding]),
    )


def _undecided(outcome: PanelOutcome, votes: Mapping[Finding, int], eligible: int) -> PanelDecision:
    return PanelDecision(
        finding=Finding.INCONCLUSIVE,
        outcome=outcome,
        votes=MappingProxyType(dict(votes)),
        eligible=eligible,
        consensus=0.0,
        quality=0.0,
    )


def _quality(ballots: Sequence[Ballot]) -> float:
    scores = [ballot.scores[name] for ballot in ballots for name in DIMENSIONS]
    return math.fsum(scores) / (len(scores) * SCORE_MOST)


def _is_score(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= SCORE_MOST
