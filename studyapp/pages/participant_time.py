"""How much of a trial's time is left, as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from studyapp.selectors.reading import TrialReading


@dataclass(frozen=True, slots=True)
class TimeView:
    """A trial's time as a page shows it; `ends_in_ms` is None where nothing runs out."""

    ends_in_ms: int | None
    at_zero: str
    turn_seconds: int
    elapsed_ms: int

    @property
    def is_over(self) -> bool:
        """Say whether nothing is left."""
        return self.ends_in_ms is not None and self.ends_in_ms <= 0

    @property
    def left(self) -> str:
        """What is left, as minutes and seconds."""
        seconds = max(0, (self.ends_in_ms or 0) // 1000)
        return f"{seconds // 60}:{seconds % 60:02d}"


def time_view(reading: TrialReading, *, now: datetime) -> TimeView:
    """Say what is left of a trial's time."""
    opened_at = reading.trace_opened_at
    ends_at = reading.pressure.ends_at(opened_at)
    return TimeView(
        ends_in_ms=_ms(ends_at - now) if ends_at else None,
        at_zero=reading.pressure.at_zero.value if ends_at else "",
        turn_seconds=reading.pressure.turn_seconds,
        elapsed_ms=_ms(now - opened_at) if opened_at else 0,
    )


def _ms(span: timedelta) -> int:
    return round(span / timedelta(milliseconds=1))
