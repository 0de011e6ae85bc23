"""A trial's verdict: what the panel found, how, and how sure that makes the court."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from apg_engine.debates.courtroom.ballots import Ballot, PanelDecision
from apg_engine.debates.courtroom.confidence import (
    REFLECTION_SPAN,
    Parts,
    confidence_of,
    reflection_delta,
    role_switch_delta,
)
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.play import Reflected
from apg_engine.debates.courtroom.released import quality_as_released
from apg_engine.debates.courtroom.steps import DEFENSE, PLAINTIFF
from apg_engine.debates.courtroom.verdicts import Finding


@dataclass(frozen=True, slots=True)
class Tried:
    """What one run came to.

    Attributes:
        is_whole: the debate ended by a rule; only then a panel judges.
    """

    ballots: tuple[Ballot, ...]
    decision: PanelDecision
    is_whole: bool

    @property
    def cited(self) -> frozenset[str]:
        """Exhibits the ballots for the finding cite."""
        return frozenset(
            id_
            for ballot in self.ballots
            if ballot.finding is self.decision.finding
            for id_ in ballot.cited
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of a trial.

    Attributes:
        finding: SUPPORT, REFUTE or INCONCLUSIVE.
        outcome: unanimous, majority, tied or no quorum.
        confidence: 0 to 1; None without a finding.
        parts: what the confidence is made of.
        votes: by finding, of those cast.
        eligible: all judges.
    """

    finding: Finding
    outcome: str
    confidence: float | None
    parts: Parts
    votes: dict[str, int]
    eligible: int


def verdict_of(
    first: Tried,
    switched: Tried | None,
    *,
    config: CourtroomConfig,
    reflections: Sequence[Reflected],
) -> Verdict:
    """Put the verdict together from the first run; the switched one only changes how sure it is.

    Args:
        first: what the first run came to.
        switched: what the run with exchanged counsel came to, if there was one.
        config: of the trial.
        reflections: of the first run, or of the switched one under P3.
    """
    decision = first.decision
    parts = Parts(
        consensus=decision.consensus,
        quality=decision.quality,
        role_switch=_role_switch(first, switched),
        reflection=_reflection(decision.finding, reflections),
    )
    if config.released.confidence_as_released:
        parts = _as_released(parts, first)
    decided = decision.finding is not Finding.INCONCLUSIVE
    return Verdict(
        finding=decision.finding,
        outcome=decision.outcome.value,
        confidence=confidence_of(parts) if decided else None,
        parts=parts,
        votes={finding.value: count for finding, count in sorted(decision.votes.items())},
        eligible=decision.eligible,
    )


def verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    """Give a verdict as JSON."""
    return {
        "finding": verdict.finding.value,
        "outcome": verdict.outcome,
        "confidence": verdict.confidence,
        "parts": {
            "consensus": verdict.parts.consensus,
            "quality": verdict.parts.quality,
            "role_switch": verdict.parts.role_switch,
            "reflection": verdict.parts.reflection,
        },
        "votes": verdict.votes,
        "eligible": verdict.eligible,
    }


def _role_switch(first: Tried, switched: Tried | None) -> float:
    if switched is None:
        return 0.0
    return role_switch_delta(
        first.decision.finding,
        switched.decision.finding,
        cited=first.cited,
        cited_switched=switched.cited,
    )


def _reflection(finding: Finding, reflections: Sequence[Reflected]) -> float:
    scores = {
        side: [one.reflection.score for one in reflections if one.party == side]
        for side in (PLAINTIFF, DEFENSE)
    }
    if finding is Finding.SUPPORT:
        return reflection_delta(scores[PLAINTIFF], scores[DEFENSE])
    if finding is Finding.REFUTE:
        return reflection_delta(scores[DEFENSE], scores[PLAINTIFF])
    return 0.0


def _as_released(parts: Parts, first: Tried) -> Parts:
    """P12: three scores of all judges, and a difference of reflections that is not scaled."""
    return replace(
        parts,
        quality=quality_as_released(first.ballots),
        reflection=parts.reflection / REFLECTION_SPAN,
    )
