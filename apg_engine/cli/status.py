"""Exit statuses of the command line."""

from __future__ import annotations

from enum import IntEnum

from apg_engine.results import Outcome


class ExitStatus(IntEnum):
    """What the shell is told."""

    PUBLISHED = 0
    BAD_INPUT = 2
    DIVERGENCE = 3
    NOT_JUDGED = 4
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141


OF_OUTCOME = {
    Outcome.SYNTHESIS: ExitStatus.PUBLISHED,
    Outcome.DIVERGENCE: ExitStatus.DIVERGENCE,
    Outcome.NOT_JUDGED: ExitStatus.NOT_JUDGED,
}
