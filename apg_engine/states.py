"""The states of a run, the table of allowed moves, and every reason a run can end with."""

from __future__ import annotations

from enum import StrEnum

from apg_engine.errors import IllegalMoveError


class State(StrEnum):
    """Where a run stands."""

    ASSEMBLING = "assembling"
    PROPOSING = "proposing"
    AUDITING = "auditing"
    DECIDING = "deciding"
    REPAIRING = "repairing"
    REPORTING = "reporting"
    PUBLISHED = "published"
    DIVERGED = "diverged"
    NOT_JUDGED = "not judged"


MOVES: dict[State, frozenset[State]] = {
    State.ASSEMBLING: frozenset({State.PROPOSING, State.NOT_JUDGED}),
    State.PROPOSING: frozenset({State.AUDITING, State.REPORTING, State.NOT_JUDGED}),
    State.AUDITING: frozenset({State.DECIDING, State.NOT_JUDGED}),
    State.DECIDING: frozenset({State.REPAIRING, State.REPORTING, State.PUBLISHED}),
    State.REPAIRING: frozenset({State.PROPOSING}),
    State.REPORTING: frozenset({State.DIVERGED}),
    State.PUBLISHED: frozenset(),
    State.DIVERGED: frozenset(),
    State.NOT_JUDGED: frozenset(),
}


class Reason(StrEnum):
    """Why a run ended as it did. The last group ends a run that cannot be judged."""

    PASSED = "passed"

    PAIRS_USED = "pairs_used"
    IDENTICAL_DRAFT = "identical_draft"
    OSCILLATING_DRAFT = "oscillating_draft"
    DELETION_ONLY = "deletion_only"

    EMPTY_CORPUS = "empty_corpus"
    NO_CLAIMS = "no_claims"
    NOT_AUDITED = "not_audited"
    PROPOSER_EMPTY = "proposer_empty"
    PROPOSER_REFUSED = "proposer_refused"
    PROPOSER_TRUNCATED = "proposer_truncated"
    PROPOSER_CONTEXT_OVERFLOW = "proposer_context_overflow"
    PROPOSER_PROMPT_CUT = "proposer_prompt_cut"
    PROPOSER_TIMEOUT = "proposer_timeout"
    PROPOSER_UNAVAILABLE = "proposer_unavailable"
    PROPOSER_BAD_REQUEST = "proposer_bad_request"
    PROPOSER_SCRIPT_ENDED = "proposer_script_ended"
    AUDITOR_UNPARSED = "auditor_unparsed"
    AUDITOR_EMPTY = "auditor_empty"
    AUDITOR_REFUSED = "auditor_refused"
    AUDITOR_TRUNCATED = "auditor_truncated"
    AUDITOR_CONTEXT_OVERFLOW = "auditor_context_overflow"
    AUDITOR_PROMPT_CUT = "auditor_prompt_cut"
    AUDITOR_TIMEOUT = "auditor_timeout"
    AUDITOR_UNAVAILABLE = "auditor_unavailable"
    AUDITOR_BAD_REQUEST = "auditor_bad_request"
    AUDITOR_SCRIPT_ENDED = "auditor_script_ended"


REASONS = tuple(reason.value for reason in Reason)


def move(current: State, target: State) -> State:
    """Give the next state.

    Raises:
        IllegalMoveError: the table does not hold this move.
    """
    if target not in MOVES[current]:
        allowed = ", ".join(sorted(MOVES[current])) or "none, the run has ended"
        raise IllegalMoveError(f"no move from {current} to {target}; allowed: {allowed}")
    return target
