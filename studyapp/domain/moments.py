"""Moments as browsers count them."""

from __future__ import annotations

from datetime import datetime


def epoch_ms(moment: datetime) -> int:
    """Return the milliseconds since 1970 in UTC, as JavaScript's `Date.now()` counts them."""
    return round(moment.timestamp() * 1000)
