"""Small studies written as the files a researcher would hand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.bundle import bundle_files, bundle_zip, csv_bytes
from analysis.errors import BundleError
from analysis.load import LoadOptions, load
from analysis.records import RecordRow
from analysis.schema import LONG_COLUMNS, LongRow, long_cells

ROOT = Path(__file__).resolve().parents[2]
N33 = ROOT / "fixtures" / "n33"
SHARED = ROOT.parent / "shared"

ROW = LongRow(
    study="small",
    design_hash="d0",
    participant_id="p1",
    cohort="open",
    language="en",
    scenario="s1",
    trial_order=1,
    measure="trust",
    kind="rating",
    arm="baseline",
    position="left",
    value=3,
    left_arm="baseline",
    presented_at="2026-11-30T10:00:00Z",
    answered_at="2026-11-30T10:05:00Z",
    status="complete",
    is_test=False,
    is_bot=False,
    models="live",
)
MANIFEST: Mapping[str, Any] = {
    "study": {"slug": "small", "title": "A small study"},
    "arms": ["baseline", "apg"],
    "measures": [
        {"key": "trust", "kind": "rating", "scale": [1, 5]},
        {"key": "faithful", "kind": "choice"},
        {"key": "comment", "kind": "text"},
    ],
    "seed": 7,
    "design_hash": "d0",
    "kind": "a study made up for a test",
    "models": {"mode": "live", "names": ["m"]},
    "created_at": "2026-11-30T12:00:00Z",
}


def rating(person: str, arm: str, value: int, *, scenario: str = "s1", left: str = "") -> LongRow:
    """One rating; by default the baseline stands left for odd people and right for even ones."""
    left = left or ("baseline" if int(person.strip("p") or 0) % 2 else "apg")
    return replace(
        ROW,
        participant_id=person,
        arm=arm,
        value=value,
        scenario=scenario,
        left_arm=left,
        position="left" if arm == left else "right",
    )


def trial(person: str, baseline: int, apg: int, **place: str) -> list[LongRow]:
    """Both ratings of one person in one scenario."""
    return [rating(person, "baseline", baseline, **place), rating(person, "apg", apg, **place)]


def choice(person: str, value: str, *, scenario: str = "s1", measure: str = "faithful") -> LongRow:
    """One choice about the pair."""
    left = "baseline" if int(person.strip("p") or 0) % 2 else "apg"
    about = replace(ROW, participant_id=person, scenario=scenario, measure=measure, left_arm=left)
    return replace(about, kind="choice", arm="", position="", value=value)


def study(pairs: Iterable[tuple[int, int]]) -> list[LongRow]:
    """One scenario, one person for each (baseline, apg) pair."""
    return [row for i, (x, y) in enumerate(pairs, start=1) for row in trial(f"p{i}", x, y)]


def long_file(folder: Path, rows: Sequence[LongRow]) -> Path:
    """Write `long.csv`."""
    path = folder / "long.csv"
    path.write_bytes(csv_bytes(LONG_COLUMNS, map(long_cells, rows)))
    return path


def bundle(
    folder: Path,
    rows: Sequence[LongRow],
    *,
    records: Mapping[str, Sequence[RecordRow]] | None = None,
    **manifest: Any,
) -> Path:
    """Write a bundle as a zip."""
    full = {**MANIFEST, **manifest}
    files = bundle_files(rows=rows, codebook=(), manifest=full, readme="hi\n", records=records)
    path = folder / "bundle.zip"
    path.write_bytes(bundle_zip(files))
    return path


def text_file(folder: Path, text: str, name: str = "data.csv") -> Path:
    """Write a table given as text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def refusal(path: Path, options: LoadOptions | None = None) -> str:
    """What is said of a file that cannot be read."""
    with pytest.raises(BundleError) as caught:
        load(path, options or LoadOptions())
    return str(caught.value)
