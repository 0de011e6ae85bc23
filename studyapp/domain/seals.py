"""The chain over a study's log: each link covers a batch of events and the link before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from studyapp.domain.digest import json_sha256

# What the first link of a chain names as the link before it.
CHAIN_START: Final = ""


def seal_digest(
    *,
    study: str,
    number: int,
    before: str,
    events: Sequence[tuple[int, str]],
    sealed_at: datetime,
) -> str:
    """Return the SHA-256 of one link.

    Args:
        study: slug of the study; empty for what concerns no study.
        number: place of the link in the chain, from 1.
        before: digest of the link before, or `CHAIN_START`.
        events: primary key and digest of each event of the batch, in order.
        sealed_at: when the link was made.
    """
    return json_sha256(
        {
            "study": study,
            "number": number,
            "before": before,
            "events": [[key, sha256] for key, sha256 in events],
            "sealed_at": sealed_at.astimezone(UTC).isoformat(),
        }
    )
