"""The states of studies, cohorts and runs, and which moves between them are allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studyapp.errors import IllegalMoveError

Moves = Mapping[str, frozenset[str]]

STUDY_MOVES: Final[Moves] = {
    "draft": frozenset({"open"}),
    "open": frozenset({"paused", "closed"}),
    "paused": frozenset({"open", "closed"}),
    "closed": frozenset(),
}

COHORT_MOVES: Final[Moves] = {
    "open": frozenset({"paused", "closed"}),
    "paused": frozenset({"open", "closed"}),
    "closed": frozenset(),
}

# "running" to "queued" is the sweep's move for a worker that died; failed and cancelled runs go
# back to "queued" when a researcher retries them, and keep their recorded calls.
RUN_MOVES: Final[Moves] = {
    "queued": frozenset({"running", "cancelled"}),
    "running": frozenset({"finished", "failed", "cancelled", "queued"}),
    "finished": frozenset(),
    "failed": frozenset({"queued"}),
    "cancelled": frozenset({"queued"}),
}


def states_before(moves: Moves, target: str) -> tuple[str, ...]:
    """Name the states from which `target` may be reached, for a conditional update."""
    return tuple(state for state, targets in moves.items() if target in targets)


def move_refusal(
    *, what: str, found: str, target: str, allowed: tuple[str, ...]
) -> IllegalMoveError:
    """Say that a move was refused, and from which states it would be allowed."""
    return IllegalMoveError(
        f"{what} is {found}; it can become {target} only when it is {' or '.join(allowed)}"
    )
