"""What a system says about a claim, and the Protocol every system keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.confidence import Parts
from apg_engine.errors import EngineError
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.journal import CallJournal

DECIDED = "decided"
UNDECIDED = "undecided"


class EvaluationStoppedError(EngineError):
    """The budget is spent; what there is of a claim is in its journal, and no row is written."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one judge of a system said.

    Attributes:
        label: None where the judge gave none.
        status: how its answer came out: `voted`, `abstained`, or why there is none.
        score: how sure it is, or how good it finds what it saw, in 0 to 1; None if it says nothing.
        exchanged: what it said with the sides exchanged: a label, or why there is none; empty where
            it was not asked.
    """

    judge: str
    label: Label | None
    status: str
    score: float | None = None
    exchanged: str = ""

    @property
    def is_flipped(self) -> bool | None:
        """Whether the order of the sides decided the vote; None without a vote in both."""
        if self.label is None or self.exchanged not in set(Label):
            return None
        return self.exchanged != self.label


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a system says about one claim.

    Attributes:
        label: None where it decides nothing.
        ending: `decided`, `undecided`, or how the call ended that it could not go on without.
        confidence: in 0 to 1; None where it gives none.
        rounds: whole rounds held in the first debate; 0 where nobody debates.
        documents: distinct documents that were shown to somebody.
        chunks: distinct texts of them, by their content.
        votes: of its judges.
        parts: what its confidence is made of, for a court.
        premises: into which parts it took the claim, for a court.
    """

    label: Label | None
    ending: str
    confidence: float | None = None
    rounds: int = 0
    documents: int = 0
    chunks: int = 0
    votes: tuple[Vote, ...] = ()
    parts: Parts | None = None
    premises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Allowance:
    """What another system took for the same claim; None where that is not known."""

    calls: int | None = None
    tokens: int | None = None


NO_ALLOWANCE = Allowance()


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a system is given to judge one claim with.

    Attributes:
        seed: of its dice; with a model that samples, another seed is another sample.
        journal: every call stands in it; one for each claim, system and seed.
        budget: of the whole evaluation.
        allowance: of a system that is to spend no more than another one did.
    """

    seed: int
    journal: CallJournal
    budget: DebateBudget
    allowance: Allowance = NO_ALLOWANCE


class System(Protocol):
    """Anything that can judge a claim."""

    @property
    def name(self) -> str:
        """What rows and reports call it."""

    @property
    def offline(self) -> bool:
        """True where no model is asked: rules, a local cross-encoder, or a control."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What makes its answers, as JSON: a folder of results is kept to it."""

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Judge a claim. Nobody looks at its label.

        Raises:
            ScopeSpentError, EvaluationStoppedError: the budget does not hold the next call.
            JournalMismatchError: the journal belongs to another claim or other settings.
        """
