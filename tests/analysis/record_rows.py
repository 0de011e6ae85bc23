"""The tables beside the answers of one small study, a row of each to be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.dataset import Dataset
from analysis.load import load
from analysis.records import (
    AssignmentRow,
    ParadataRow,
    ParticipantRow,
    RecordRow,
    WithdrawnRow,
)
from analysis.schema import LongRow
from tests.analysis.studies import ROW, bundle, study

Tables = Mapping[str, Sequence[RecordRow]]
PEOPLE = study([(2, 4), (3, 3), (1, 5), (2, 3)])
PARTICIPANT = ParticipantRow("small", "p1", "open", "en", "link", "", "complete", False, False)
ASSIGNMENT = AssignmentRow("small", "p1", "open", "s1", "b1", 1, "", "", "", "")
REPORT = ParadataRow("small", "p1", "s1", 1, "report", "left", 40.5, 0.9, None)
TOMBSTONE = WithdrawnRow("small", "1", "open", "s1", "b1", "apg", 1, "complete")
ATTENTION = replace(ROW, measure="check", kind="attention", arm="", position="", value="passed")


def participants(**pressure: str) -> list[ParticipantRow]:
    """The four people of the small study, with the time pressure of each that is named."""
    return [
        replace(PARTICIPANT, participant_id=f"p{n}", time_pressure=pressure.get(f"p{n}", ""))
        for n in (1, 2, 3, 4)
    ]


def read(folder: Path, records: Tables, rows: Sequence[LongRow] = PEOPLE, **more: Any) -> Dataset:
    """The small study with tables beside it, as it is loaded."""
    return load(bundle(folder, rows, records=records, **more))
