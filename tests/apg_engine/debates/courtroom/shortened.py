"""A trial without a search, and an answer that failed."""

from __future__ import annotations

from apg_engine.calls import CallStatus, ChatReply
from tests.apg_engine.debates.courtroom.trials import ALONE

FIXED = {**ALONE, "progressive_rag": False}

FAILED = ChatReply(CallStatus.UNAVAILABLE, text="", detail="Error after 15 attempts")
