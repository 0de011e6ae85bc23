"""The shocks of a trajectory, placed by turn number."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from apg_engine.errors import TraceError
from apg_engine.records import Severity, Shock, ShockKind
from apg_engine.traces.json_field import Field

_KIND_OF_TYPE = {
    "S1": ShockKind.EPISTEMIC_SHIFT,
    "S2": ShockKind.CASCADING_RISK,
    "S3": ShockKind.ZERO_SUM,
    "S4": ShockKind.AD_HOMINEM,
}


def shocks_of(
    root: Field, *, numbers: Sequence[int], warn: Callable[[str], None]
) -> tuple[Shock, ...]:
    """Read the shocks in order of their turn.

    Args:
        root: the whole document.
        numbers: the turns' numbers as the file gives them, ascending.
        warn: takes what is odd but readable.

    Raises:
        TraceError: a shock has no text, kind, severity or existing turn.
    """
    logs = root.first("shock_logs", "shocks")
    if logs.value is None:
        return ()
    shocks = [_shock(log, numbers, warn) for log in logs.items()]
    return tuple(sorted(shocks, key=lambda shock: shock.turn))


def _shock(log: Field, numbers: Sequence[int], warn: Callable[[str], None]) -> Shock:
    nested = log.get("metadata")
    details = nested if isinstance(nested.value, dict) else log
    return Shock(
        turn=_turn(log.first("turn_number", "turn"), numbers),
        kind=_kind(details.get("category"), log.get("shock_type"), warn),
        severity=Severity(details.get("severity").choice(tuple(Severity))),
        text=log.first("shock_text", "text").filled_text(),
    )


def _turn(field: Field, numbers: Sequence[int]) -> int:
    number = field.integer()
    position = bisect_left(numbers, number)
    if number < 1 or position == len(numbers):
        raise TraceError(field.file, field.place, f"the number {number}", f"1 to {numbers[-1]}")
    return position + 1


def _kind(category: Field, shock_type: Field, warn: Callable[[str], None]) -> ShockKind:
    if not category.present:
        return _KIND_OF_TYPE[shock_type.choice(tuple(_KIND_OF_TYPE))]
    kind = ShockKind(category.choice(tuple(ShockKind)))
    expected = _KIND_OF_TYPE.get(shock_type.value) if isinstance(shock_type.value, str) else None
    if expected is not None and expected is not kind:
        warn(f"{category.place} {kind} contradicts {shock_type.place}; the category was read")
    return kind
