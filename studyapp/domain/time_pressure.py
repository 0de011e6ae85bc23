"""Time pressure of a cohort: a visible countdown, and what happens when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from studyapp.errors import MeasureError

# What a page sends at zero takes a moment to arrive.
GRACE: Final = timedelta(seconds=3)
_SECONDS_LIMIT: Final = 3600


class AtZero(StrEnum):
    """What the end of the time does: nothing but a note, a warning, or no further answers."""

    RECORD = "record"
    WARN = "warn"
    LOCK = "lock"


@dataclass(frozen=True, slots=True)
class TimePressure:
    """`seconds` for one trial from opening its debate; 0 means no limit.

    With `turn_seconds` above 0 the debate unfolds turn by turn at that pace.
    """

    seconds: int = 0
    at_zero: AtZero = AtZero.RECORD
    turn_seconds: int = 0

    @property
    def minutes(self) -> str:
        """The time of a trial as minutes and seconds, such as 2:30."""
        return f"{self.seconds // 60}:{self.seconds % 60:02d}"

    def unfolding_seconds(self, turns: int) -> int:
        """Say after how many seconds the last of so many turns has appeared."""
        return self.turn_seconds * max(turns - 1, 0)

    def ends_at(self, opened_at: datetime | None) -> datetime | None:
        """Return when the time of a trial ends, or None while it does not run."""
        if not self.seconds or opened_at is None:
            return None
        return opened_at + timedelta(seconds=self.seconds)

    def is_over(self, opened_at: datetime | None, *, now: datetime) -> bool:
        """Say whether the time ran out."""
        ends_at = self.ends_at(opened_at)
        return ends_at is not None and now > ends_at

    def is_locked(self, opened_at: datetime | None, *, now: datetime) -> bool:
        """Say whether later answers are refused; what was on its way at zero is still taken."""
        ends_at = self.ends_at(opened_at)
        return self.at_zero is AtZero.LOCK and ends_at is not None and now > ends_at + GRACE

    def may_end(self, opened_at: datetime | None, *, now: datetime) -> bool:
        """Say whether a trial may be ended for lack of time; a browser's clock may be early."""
        ends_at = self.ends_at(opened_at)
        return self.at_zero is AtZero.LOCK and ends_at is not None and now > ends_at - GRACE


def time_pressure_load(row: Mapping[str, object]) -> TimePressure:
    """Read a cohort's stored time pressure; an empty object means none.

    Raises:
        MeasureError: a key is unknown or holds something that is not allowed.
    """
    unknown = sorted(set(row) - {"seconds", "at_zero", "turn_seconds"})
    if unknown:
        raise MeasureError(
            f"time_pressure: {unknown[0]!r} is unknown; allowed are seconds, at_zero, turn_seconds"
        )
    at_zero = row.get("at_zero", AtZero.RECORD)
    if at_zero not in tuple(AtZero):
        raise MeasureError(f"time_pressure: at_zero is {at_zero!r}; allowed are record, warn, lock")
    return TimePressure(
        seconds=_seconds(row, "seconds"),
        at_zero=AtZero(str(at_zero)),
        turn_seconds=_seconds(row, "turn_seconds"),
    )


def _seconds(row: Mapping[str, object], key: str) -> int:
    value = row.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _SECONDS_LIMIT:
        raise MeasureError(
            f"time_pressure: {key} is {value!r}; allowed is a number from 0 to {_SECONDS_LIMIT}"
        )
    return value
