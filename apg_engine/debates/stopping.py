"""Why a debate ends: one enum, and one table that is asked in its order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from apg_engine.debates.records import AnswerStatus

# Rounds in a row without newly admitted evidence after which a debate has run dry.
_DRY_ROUNDS = 2


class StopReason(StrEnum):
    """Every end a debate can have; it is stored with each of them."""

    BUDGET = "budget"
    EMPTY = "empty"
    REFUSED = "refused"
    EXHAUSTED = "exhausted"
    CONTEXT = "context"
    UNAVAILABLE = "unavailable"
    BAD_REQUEST = "bad_request"
    SCRIPT_ENDED = "script_ended"
    UNPARSED = "unparsed"
    MAX_ROUNDS = "max_rounds"
    NOTHING_NEW = "nothing_new"
    CONFORMITY = "conformity"
    RESOLVED = "resolved"
    NO_NEW_EVIDENCE = "no_new_evidence"

    @property
    def is_whole(self) -> bool:
        """True where a rule ended the debate; else what there is of it is a partial result."""
        return self in _WHOLE


_WHOLE = frozenset(
    {
        StopReason.MAX_ROUNDS,
        StopReason.NOTHING_NEW,
        StopReason.CONFORMITY,
        StopReason.RESOLVED,
        StopReason.NO_NEW_EVIDENCE,
    }
)
OF_FAILURE = {
    AnswerStatus.EMPTY: StopReason.EMPTY,
    AnswerStatus.REFUSED: StopReason.REFUSED,
    AnswerStatus.TRUNCATED: StopReason.EXHAUSTED,
    AnswerStatus.CONTEXT_OVERFLOW: StopReason.CONTEXT,
    AnswerStatus.PROMPT_CUT: StopReason.CONTEXT,
    AnswerStatus.TIMEOUT: StopReason.UNAVAILABLE,
    AnswerStatus.UNAVAILABLE: StopReason.UNAVAILABLE,
    AnswerStatus.BAD_REQUEST: StopReason.BAD_REQUEST,
    AnswerStatus.SCRIPT_ENDED: StopReason.SCRIPT_ENDED,
    AnswerStatus.UNPARSED: StopReason.UNPARSED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What the rules know about a debate after a round.

    Attributes:
        budget_spent: a call was not made because it could go beyond a limit.
        failed: how the call ended that a turn needed; None if none failed.
        stale_rounds: rounds in a row in which no turn said anything new.
        dissent_tested: each party has answered another at least once.
        dry_rounds: rounds in a row without newly admitted evidence; 0 where none is sought.
        critic_resolved: the critic finds the question settled.
        moved_without_evidence: a party gave way and no new evidence was shown to it before.
    """

    rounds_held: int = 0
    rounds_planned: int = 1
    budget_spent: bool = False
    failed: AnswerStatus | None = None
    stale_rounds: int = 0
    dissent_tested: bool = False
    dry_rounds: int = 0
    critic_resolved: bool = False
    moved_without_evidence: bool = False


Rule = Callable[[Standing], StopReason | None]


def stop_find(standing: Standing) -> StopReason | None:
    """Give the first reason of the table that applies, or None to go on."""
    return next((reason for rule in STOP_RULES if (reason := rule(standing))), None)


def _spent(standing: Standing) -> StopReason | None:
    return StopReason.BUDGET if standing.budget_spent else None


def _failed(standing: Standing) -> StopReason | None:
    return OF_FAILURE[standing.failed] if standing.failed else None


def _held(standing: Standing) -> StopReason | None:
    done = standing.rounds_held >= standing.rounds_planned
    return StopReason.MAX_ROUNDS if done else None


def _stale(standing: Standing) -> StopReason | None:
    return StopReason.NOTHING_NEW if standing.stale_rounds else None


def _conforming(standing: Standing) -> StopReason | None:
    """Giving way to a claim that nothing new speaks for settles nothing."""
    settled = standing.dissent_tested and standing.critic_resolved
    return StopReason.CONFORMITY if settled and standing.moved_without_evidence else None


def _resolved(standing: Standing) -> StopReason | None:
    settled = standing.dissent_tested and standing.critic_resolved
    return StopReason.RESOLVED if settled else None


def _dry(standing: Standing) -> StopReason | None:
    dry = standing.dissent_tested and standing.dry_rounds >= _DRY_ROUNDS
    return StopReason.NO_NEW_EVIDENCE if dry else None


STOP_RULES: tuple[Rule, ...] = (_spent, _failed, _held, _stale, _conforming, _resolved, _dry)
