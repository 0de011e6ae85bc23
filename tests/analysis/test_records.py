"""The tables beside the answers: who took part, withdrew, was left out, and how they looked."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.bundle import bundle_zip, csv_bytes
from analysis.dataset import pairs_of
from analysis.errors import BundleError
from analysis.load import LoadOptions, load
from analysis.records import (
    ASSIGNMENTS_FILE,
    EXCLUSIONS_FILE,
    PARADATA_FILE,
    PARTICIPANTS_FILE,
    RECORD_FILES,
    WITHDRAWN_FILE,
    ExclusionRow,
    RecordRow,
    columns_of,
)
from analysis.report.pages import design_page
from tests.analysis.record_rows import (
    ASSIGNMENT,
    PARTICIPANT,
    PEOPLE,
    REPORT,
    TOMBSTONE,
    Tables,
    participants,
    read,
)
from tests.analysis.studies import bundle


def refusal(folder: Path, records: Tables, **more: Any) -> str:
    with pytest.raises(BundleError) as caught:
        read(folder, records, **more)
    return str(caught.value)


def test_every_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    tables: Tables = {
        PARTICIPANTS_FILE: [
            *participants(p1="none", p2="180"),
            replace(PARTICIPANT, participant_id="p9", status="screened_out", source="=panel"),
        ],
        ASSIGNMENTS_FILE: [replace(ASSIGNMENT, left_arm="baseline", presented_at="2026-11-30")],
        PARADATA_FILE: [REPORT, replace(REPORT, item_kind="measure", item="trust", changes=2)],
        WITHDRAWN_FILE: [TOMBSTONE, replace(TOMBSTONE, scenario="s2", trial_order=2)],
        EXCLUSIONS_FILE: [ExclusionRow("small", "p4", "duplicate", "took part twice")],
    }
    found = read(tmp_path, tables).records
    assert {
        PARTICIPANTS_FILE: list(found.participants),
        ASSIGNMENTS_FILE: list(found.assignments),
        PARADATA_FILE: list(found.paradata),
        WITHDRAWN_FILE: list(found.withdrawn),
        EXCLUSIONS_FILE: list(found.exclusions),
    } == tables


def test_a_bundle_without_the_tables_is_read_as_before(tmp_path: Path) -> None:
    assert pairs_of(load(bundle(tmp_path, PEOPLE))) == pairs_of(
        read(tmp_path, {PARTICIPANTS_FILE: participants()})
    )


@pytest.mark.parametrize(
    ("file", "row", "place"),
    [
        (PARTICIPANTS_FILE, replace(PARTICIPANT, status="gone"), "row 2, column status"),
        (PARTICIPANTS_FILE, replace(PARTICIPANT, participant_id=""), "column participant_id"),
        (PARTICIPANTS_FILE, replace(PARTICIPANT, time_pressure="2.5"), "column time_pressure"),
        (PARTICIPANTS_FILE, replace(PARTICIPANT, time_pressure="x" * 41), "column time_pressure"),
        (ASSIGNMENTS_FILE, replace(ASSIGNMENT, left_arm="left"), "column left_arm"),
        (ASSIGNMENTS_FILE, replace(ASSIGNMENT, scenario=""), "column scenario"),
        (PARADATA_FILE, replace(REPORT, item="baseline"), "column item"),
        (PARADATA_FILE, replace(REPORT, item_kind="page"), "column item_kind"),
        (PARADATA_FILE, replace(REPORT, scroll_coverage=1.01), "column scroll_coverage"),
        (PARADATA_FILE, replace(REPORT, visible_seconds=-1.0), "column visible_seconds"),
        (PARADATA_FILE, replace(REPORT, visible_seconds=float("nan")), "column visible_seconds"),
        (PARADATA_FILE, replace(REPORT, changes=-1), "column changes"),
        (WITHDRAWN_FILE, replace(TOMBSTONE, trial_order=0), "column trial_order"),
        (EXCLUSIONS_FILE, ExclusionRow("small", "p1", "", ""), "column rule"),
    ],
)
def test_a_cell_that_may_not_be_is_refused_by_its_place(
    tmp_path: Path, file: str, row: RecordRow, place: str
) -> None:
    message = refusal(tmp_path, {file: [row]})
    assert f"bundle.zip/{file}, row 2" in message
    assert place in message


@pytest.mark.parametrize(
    ("file", "row"),
    [
        (PARTICIPANTS_FILE, PARTICIPANT),
        (ASSIGNMENTS_FILE, ASSIGNMENT),
        (PARADATA_FILE, REPORT),
        (WITHDRAWN_FILE, TOMBSTONE),
        (EXCLUSIONS_FILE, ExclusionRow("small", "p1", "duplicate", "")),
    ],
)
def test_a_line_that_stands_twice_is_refused(tmp_path: Path, file: str, row: RecordRow) -> None:
    assert f"{file}, rows 2 and 3" in refusal(tmp_path, {file: [row, row]})


@pytest.mark.parametrize("file", sorted(RECORD_FILES))
def test_a_table_without_a_required_column_is_refused(tmp_path: Path, file: str) -> None:
    _, required = RECORD_FILES[file]
    path = _with_file(bundle(tmp_path, PEOPLE), file, csv_bytes(("study",), [["small"]]))
    with pytest.raises(BundleError) as caught:
        load(path, LoadOptions(unverified=True))
    assert f"{file}, row 1: found no column {', '.join(required)}" in str(caught.value)


def test_a_table_that_the_manifest_does_not_describe_is_refused(tmp_path: Path) -> None:
    head = columns_of(ExclusionRow)
    path = _with_file(
        bundle(tmp_path, PEOPLE), EXCLUSIONS_FILE, csv_bytes(head, [["small", "p1", "x", "y"]])
    )
    with pytest.raises(BundleError, match=r"exclusions\.csv: found SHA-256"):
        load(path)


def test_a_table_that_is_gone_although_described_is_refused(tmp_path: Path) -> None:
    # Whoever takes exclusions.csv out of a bundle brings the left-out people back.
    path = bundle(
        tmp_path,
        PEOPLE,
        records={EXCLUSIONS_FILE: [ExclusionRow("small", "p4", "duplicate", "took part twice")]},
    )
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "folder")
    (tmp_path / "folder" / EXCLUSIONS_FILE).unlink()
    with pytest.raises(BundleError, match=r"exclusions\.csv: found no such file"):
        load(tmp_path / "folder")
    (notice,) = load(tmp_path / "folder", LoadOptions(unverified=True)).notices
    assert "exclusions.csv IS GONE" in notice


def test_somebody_missing_among_the_participants_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path, {PARTICIPANTS_FILE: participants()[:3]})
    assert "1 missing that stand in another table" in message
    assert "Participants: p4." in message


def test_a_trial_shown_otherwise_than_assigned_is_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, {ASSIGNMENTS_FILE: [replace(ASSIGNMENT, left_arm="apg")]})
    assert "column left_arm, scenario s1: found apg, but baseline in long.csv" in message


def test_a_tombstone_that_names_its_participant_is_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, {WITHDRAWN_FILE: [replace(TOMBSTONE, tombstone="p2")]})
    assert "stands in no other table" in message


def test_withdrawals_are_counted_by_people_and_shown_in_the_flow(tmp_path: Path) -> None:
    tables: Tables = {
        WITHDRAWN_FILE: [
            TOMBSTONE,
            replace(TOMBSTONE, scenario="s2", trial_order=2),
            replace(TOMBSTONE, tombstone="2", scenario="", status="partial"),
        ]
    }
    counts = {"recruited": 9, "consented": 6, "background": 6, "complete": 5, "withdrawn": 2}
    path = bundle(tmp_path, PEOPLE, records=tables, participants=counts)
    page = design_page(path)
    assert (
        '<th scope="row">Withdrew; their answers are deleted</th><td class="n">\u22122</td>' in page
    )
    assert '<th scope="row">Opened the study</th><td class="n">9</td>' in page
    counts["withdrawn"] = 3
    assert "found 2 withdrawn participants; allowed: 3" in refusal(
        tmp_path, tables, participants=counts
    )


def test_the_teams_exclusions_leave_every_test_and_are_named(tmp_path: Path) -> None:
    tables: Tables = {
        EXCLUSIONS_FILE: [
            ExclusionRow("small", "p4", "duplicate", "took part twice"),
            ExclusionRow("small", "p4", "known", "knows the authors"),
            ExclusionRow("small", "p2", "known", "knows the authors"),
        ]
    }
    found = read(tmp_path, tables)
    assert pairs_of(found)[0].ids == ("p1", "p3")
    assert {out.rule: out.ids for out in found.left_out} == {
        "took part twice": ("p4",),
        "knows the authors": ("p2",),
    }


def test_leaving_everybody_out_is_refused(tmp_path: Path) -> None:
    rows = [ExclusionRow("small", f"p{n}", "known", "") for n in (1, 2, 3, 4)]
    assert "every participant left out" in refusal(tmp_path, {EXCLUSIONS_FILE: rows})


def _with_file(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path) as archive:
        files = {member: archive.read(member) for member in archive.namelist()}
    path.write_bytes(bundle_zip({**files, name: content}))
    return path
