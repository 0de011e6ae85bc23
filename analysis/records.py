"""Tables that a bundle may hold beside its answers, each with its row, one line a row.

They say who took part, what was assigned, how it was looked at, who withdrew and who is left out.
Bundles from before these tables have none of them. They are written and kept as the tables of
`analysis.schema`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from analysis.schema import STATUSES

PARTICIPANTS_FILE: Final = "participants.csv"
ASSIGNMENTS_FILE: Final = "assignments.csv"
PARADATA_FILE: Final = "paradata.csv"
WITHDRAWN_FILE: Final = "withdrawn.csv"
EXCLUSIONS_FILE: Final = "exclusions.csv"
PARTICIPANT_STATUSES: Final = (*STATUSES, "screened_out", "failed_attention")
TRACE, TURN, REPORT, PAIR, MEASURE = "trace", "turn", "report", "pair", "measure"
ITEM_KINDS: Final = (TRACE, TURN, REPORT, PAIR, MEASURE)


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """Someone who consented and did not withdraw: one line of `participants.csv`.

    People who left no answer have one too. `time_pressure` is empty where it was not recorded,
    `none` where there was no countdown, its whole seconds where there was, or another short name
    of a level; `source` says where the link was, never who the person is elsewhere.
    """

    study: str
    participant_id: str
    cohort: str
    language: str
    source: str
    time_pressure: str
    status: str
    is_test: bool
    is_bot: bool


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """A scenario assigned to a participant, opened or not: one line of `assignments.csv`.

    A `time_pressure` here wins over the participant's.
    """

    study: str
    participant_id: str
    cohort: str
    scenario: str
    block: str
    trial_order: int | None
    left_arm: str
    time_pressure: str
    presented_at: str
    answered_at: str


@dataclass(frozen=True, slots=True)
class ParadataRow:
    """How one item of one trial was looked at: one line of `paradata.csv`.

    `item` is a turn's address, `left` or `right` for a report (never its arm), a measure's key,
    and empty for the whole trace or pair. `visible_seconds` counts without idle time,
    `scroll_coverage` is the share of the item that was in view at some time (0 to 1).
    """

    study: str
    participant_id: str
    scenario: str
    trial_order: int | None
    item_kind: str
    item: str
    visible_seconds: float | None
    scroll_coverage: float | None
    changes: int | None


@dataclass(frozen=True, slots=True)
class WithdrawnRow:
    """What is left of an assignment whose participant withdrew: one line of `withdrawn.csv`.

    `tombstone` joins the lines of one person and is not the person's code.
    """

    study: str
    tombstone: str
    cohort: str
    scenario: str
    block: str
    left_arm: str
    trial_order: int | None
    status: str


@dataclass(frozen=True, slots=True)
class ExclusionRow:
    """A decision of the study's team to leave a participant out: one line of `exclusions.csv`."""

    study: str
    participant_id: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Records:
    """All tables of one bundle; each is empty where the bundle does not have it."""

    participants: tuple[ParticipantRow, ...] = ()
    assignments: tuple[AssignmentRow, ...] = ()
    paradata: tuple[ParadataRow, ...] = ()
    withdrawn: tuple[WithdrawnRow, ...] = ()
    exclusions: tuple[ExclusionRow, ...] = ()


RecordRow = ParticipantRow | AssignmentRow | ParadataRow | WithdrawnRow | ExclusionRow
# Bundles from before these tables have none of them. The second part names the columns that a
# table must have; the others may be missing, and unknown ones are passed over.
RECORD_FILES: Final[dict[str, tuple[type[RecordRow], tuple[str, ...]]]] = {
    PARTICIPANTS_FILE: (ParticipantRow, ("participant_id", "status")),
    ASSIGNMENTS_FILE: (AssignmentRow, ("participant_id", "scenario")),
    PARADATA_FILE: (
        ParadataRow,
        ("participant_id", "scenario", "item_kind", "visible_seconds"),
    ),
    WITHDRAWN_FILE: (WithdrawnRow, ("tombstone",)),
    EXCLUSIONS_FILE: (ExclusionRow, ("participant_id", "rule")),
}


def columns_of(row_type: type[Any]) -> tuple[str, ...]:
    """The columns of a table, in order, from the type of its rows."""
    return tuple(field.name for field in fields(row_type))
