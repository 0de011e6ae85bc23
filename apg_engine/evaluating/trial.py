"""The courtroom as a system, whole and with one of its parts taken away.

Only the trial is held: its written judgment, which the gate then checks, changes no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from apg_engine.debates.budget import DebateBudget, DebateLimits, ScopeSpentError
from apg_engine.debates.courtroom.ballots import DIMENSIONS, SCORE_MOST, Ballot
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.config import Ablations, CourtroomConfig, courtroom_config_to_dict
from apg_engine.debates.courtroom.holding import CourtroomDebate, courtroom_hold
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.debates.stopping import StopReason
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.evaluating.opinions import (
    DECIDED,
    UNDECIDED,
    EvaluationStoppedError,
    Opinion,
    Sitting,
    Vote,
)
from apg_engine.retrieval.evidence_index import EvidenceIndex
from apg_engine.spending.budget import Amount

_WHOLE: Final = Ablations()
# The paper takes one part away at a time.
ABLATIONS: Final[Mapping[str, Ablations]] = {
    "courtroom": _WHOLE,
    "no_rag": replace(_WHOLE, progressive_rag=False),
    "no_switch": replace(_WHOLE, role_switching=False),
    "one_judge": replace(_WHOLE, judges=1),
    "no_reflection": replace(_WHOLE, self_reflection=False),
}
# Not part of what makes an answer: they come with each claim.
_OF_CLAIM: Final = ("claim", "seed")


class ClaimBudget(DebateBudget):
    """The limits of one trial inside those of the whole evaluation.

    Attributes:
        is_whole_spent: the evaluation had too little left, and not only this trial.
    """

    def __init__(self, limits: DebateLimits, *, whole: DebateBudget) -> None:
        super().__init__(limits, prices=whole.prices)
        self._whole = whole
        self.is_whole_spent = False

    def reserve(self, *, role: str, round_: int, amount: Amount) -> None:
        """Set something aside in both.

        Raises:
            ScopeSpentError: one of them has too little left.
        """
        try:
            self._whole.reserve(role=role, round_=round_, amount=amount)
        except ScopeSpentError:
            self.is_whole_spent = True
            raise
        try:
            super().reserve(role=role, round_=round_, amount=amount)
        except ScopeSpentError:
            self._whole.settle(role=role, round_=round_, reserved=amount, used=Amount())
            raise

    def settle(self, *, role: str, round_: int, reserved: Amount, used: Amount) -> None:
        """Put what a call used in the place of what was set aside, in both."""
        self._whole.settle(role=role, round_=round_, reserved=reserved, used=used)
        super().settle(role=role, round_=round_, reserved=reserved, used=used)


class Trial:
    """Tries each claim.

    Args:
        name: as rows call it.
        config: of every trial; claim and seed are replaced.
        cast: who plays.
        index: what evidence is sought in.
        digest: of the index, so that results of two indexes are not mixed.
    """

    def __init__(
        self,
        name: str,
        config: CourtroomConfig,
        cast: Cast,
        index: EvidenceIndex,
        *,
        digest: str = "",
    ) -> None:
        self.name = name
        self._config, self._cast, self._index = config, cast, index
        self._digest = digest
        specs = [config.spec(role) for role in cast.seats]
        self.offline = all(spec.kind in {"offline", "nli"} for spec in specs)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The configuration, and what the index is."""
        data = courtroom_config_to_dict(self._config)
        shown = {name: value for name, value in data.items() if name not in _OF_CLAIM}
        index = f"{self._index.embedder.name} {self._digest[:12]}".strip()
        return {**shown, "index": index, "warnings": list(self._cast.warnings)}

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Try a claim.

        Raises:
            EvaluationStoppedError: the evaluation's budget ended one of the runs, which says
                nothing about the claim; a trial's own limit is an ending like others.
        """
        budget = ClaimBudget(self._config.limits, whole=sitting.budget)
        config = replace(self._config, claim=claim.claim, seed=sitting.seed)
        debate = courtroom_hold(
            config,
            index=self._index,
            cast=self._cast,
            journal=sitting.journal,
            budget=budget,
        )
        if budget.is_whole_spent:
            raise EvaluationStoppedError(_budget_told(debate))
        return _opinion(debate)


def _opinion(debate: CourtroomDebate) -> Opinion:
    verdict = debate.verdict
    decided = verdict.finding is not Finding.INCONCLUSIVE
    return Opinion(
        label=Label(verdict.finding.value) if decided else None,
        ending=_ending(debate, is_decided=decided),
        confidence=verdict.confidence,
        rounds=debate.rounds,
        documents=len(set(debate.documents)),
        chunks=len(set(debate.chunks)),
        votes=tuple(map(_vote, debate.ballots)),
        parts=verdict.parts if decided else None,
        premises=debate.matter.premises,
    )


def _budget_told(debate: CourtroomDebate) -> str:
    stop = debate.stop
    is_budget = stop.reason is StopReason.BUDGET
    return stop.detail if is_budget else "the budget of the evaluation is spent"


def _ending(debate: CourtroomDebate, *, is_decided: bool) -> str:
    """Say why there is no verdict: a run a failed call ended is not tried at all."""
    if is_decided:
        return DECIDED
    return UNDECIDED if debate.first.stop.is_whole else debate.first.stop.reason.value


def _vote(ballot: Ballot) -> Vote:
    """Take the mean of a ballot's scores for what its judge says of the case, in 0 to 1."""
    exchanged = ballot.exchanged.value if ballot.exchanged else ""
    if ballot.finding is None:
        return Vote(ballot.judge, None, ballot.status.value, exchanged=exchanged)
    mean = sum(ballot.scores[name] for name in DIMENSIONS) / (len(DIMENSIONS) * SCORE_MOST)
    return Vote(ballot.judge, Label(ballot.finding.value), ballot.status.value, mean, exchanged)
