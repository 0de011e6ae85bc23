"""Ask the proposer for a draft; anything but a whole text is a typed failure."""

from __future__ import annotations

from apg_engine.calls import CallStatus
from apg_engine.journal import CallLedger
from apg_engine.proposers.protocol import Proposal, Proposer
from apg_engine.states import Reason

_FAILURES = {
    CallStatus.EMPTY: Reason.PROPOSER_EMPTY,
    CallStatus.REFUSED: Reason.PROPOSER_REFUSED,
    CallStatus.TRUNCATED: Reason.PROPOSER_TRUNCATED,
    CallStatus.CONTEXT_OVERFLOW: Reason.PROPOSER_CONTEXT_OVERFLOW,
    CallStatus.PROMPT_CUT: Reason.PROPOSER_PROMPT_CUT,
    CallStatus.TIMEOUT: Reason.PROPOSER_TIMEOUT,
    CallStatus.UNAVAILABLE: Reason.PROPOSER_UNAVAILABLE,
    CallStatus.BAD_REQUEST: Reason.PROPOSER_BAD_REQUEST,
    CallStatus.SCRIPT_ENDED: Reason.PROPOSER_SCRIPT_ENDED,
}


def draft_write(
    *, proposer: Proposer, proposal: Proposal, calls: CallLedger
) -> tuple[str, Reason | None, str]:
    """Get one draft.

    Returns:
        The draft, why there is none (None if there is one), and the model's own words on that.
    """
    reply = proposer.propose(proposal, calls)
    if reply.status is not CallStatus.OK:
        return "", _FAILURES[reply.status], reply.detail
    draft = reply.text.strip()
    if not draft:
        return "", Reason.PROPOSER_EMPTY, reply.detail
    return draft, None, ""
