"""Have debates held for a study: ask for them, work on their branches, use what comes of them."""

from studyapp.services.debates.branches import branch_execute, branches_sweep
from studyapp.services.debates.requests import (
    Trunk,
    WantedDebate,
    committee_request,
    debate_request,
    trials_request,
)
from studyapp.services.debates.steering import debate_cancel, debate_retry, debate_take

__all__ = [
    "Trunk",
    "WantedDebate",
    "branch_execute",
    "branches_sweep",
    "committee_request",
    "debate_cancel",
    "debate_request",
    "debate_retry",
    "debate_take",
    "trials_request",
]
