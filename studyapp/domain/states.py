"""The states of studies, cohorts and runs, and which moves between them are allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studyapp.errors import IllegalMoveError

Moves = Mapping[str, frozenset[str]]

# "open" is what people read as live. A draft may go live without a pilot: demo and test studies
# need none.
STUDY_MOVES: Final[Moves] = {
    "draft": frozenset({"piloting", "open"}),
    "piloting": frozenset({"draft", "open"}),
    "open": frozenset({"paused", "closed"}),
    "paused": frozenset({"open", "closed"}),
    "closed": frozenset({"archived"}),
    "archived": frozenset(),
}
# In which a study lets newcomers in, in which who has begun may go on, in which all is over.
TAKING: Final = frozenset({"piloting", "open"})
WALKED: Final = TAKING | {"paused"}
ENDED: Final = frozenset({"closed", "archived"})

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
