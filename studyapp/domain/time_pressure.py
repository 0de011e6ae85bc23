"""Time pressure of a cohort: a visible countdown, and what happens when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from studyapp.errors import MeasureError

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


def time_pressure_dump(pressure: TimePressure) -> dict[str, object]:
    """Write the time pressure as JSON-ready data; `time_pressure_load` reads it back."""
    return asdict(pressure)


def _seconds(row: Mapping[str, object], key: str) -> int:
    value = row.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _SECONDS_LIMIT:
        raise MeasureError(
            f"time_pressure: {key} is {value!r}; allowed is a number from 0 to {_SECONDS_LIMIT}"
        )
    return value
