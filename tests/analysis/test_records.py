"""The tables beside the answers: who took part, withdrew, was left out, and how they looked."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.bundle import bundle_zip, csv_bytes
from analysis.dataset import Dataset, pairs_of, pressure_of
from analysis.errors import BundleError, OptionError
from analysis.load import LoadOptions, load
from analysis.records import (
    ASSIGNMENTS_FILE,
    EXCLUSIONS_FILE,
    PARADATA_FILE,
    PARTICIPANTS_FILE,
    RECORD_FILES,
    WITHDRAWN_FILE,
    AssignmentRow,
    ExclusionRow,
    ParadataRow,
    ParticipantRow,
    RecordRow,
    WithdrawnRow,
    columns_of,
)
from analysis.report.pages import design_page
from analysis.results.exclusions import exclusions_apply, reading_sensitivity
from analysis.results.full import full
from analysis.results.subgroups import comparison, pressure_groups
from analysis.schema import LongRow
from tests.analysis.studies import ROW, bundle, choice, study, text_file, trial

Tables = Mapping[str, Sequence[RecordRow]]
PEOPLE = study([(2, 4), (3, 3), (1, 5), (2, 3)])
PARTICIPANT = ParticipantRow("small", "p1", "open", "en", "link", "", "complete", False, False)
ASSIGNMENT = AssignmentRow("small", "p1", "open", "s1", "b1", 1, "", "", "", "")
REPORT = ParadataRow("small", "p1", "s1", 1, "report", "left", 40.5, 0.9, None)
TOMBSTONE = WithdrawnRow("small", "1", "open", "s1", "b1", "apg", 1, "complete")


def participants(**pressure: str) -> list[ParticipantRow]:
    """The four people of the small study, with the time pressure of each that is named."""
    return [
        replace(PARTICIPANT, participant_id=f"p{n}", time_pressure=pressure.get(f"p{n}", ""))
        for n in (1, 2, 3, 4)
    ]


def read(folder: Path, records: Tables, rows: Sequence[LongRow] = PEOPLE, **more: Any) -> Dataset:
    return load(bundle(folder, rows, records=records, **more))


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


ATTENTION = replace(ROW, measure="check", kind="attention", arm="", position="", value="passed")


def attentive() -> list[LongRow]:
    """The small study; p2 failed a check, p3 failed two."""
    failed = {"p1": 0, "p2": 1, "p3": 2, "p4": 0}
    sides = {row.participant_id: row.left_arm for row in PEOPLE}
    return [
        *PEOPLE,
        *(
            replace(
                ATTENTION,
                participant_id=person,
                left_arm=sides[person],
                measure=f"check{n}",
                value="failed" if n <= count else "passed",
            )
            for person, count in failed.items()
            for n in (1, 2)
        ),
    ]


@pytest.mark.parametrize(
    ("rule", "rows", "out", "text"),
    [
        ({"rule": "attention"}, attentive(), ("p2", "p3"), "more than 0 attention checks"),
        ({"rule": "attention", "value": 1}, attentive(), ("p3",), "more than 1 attention checks"),
        (
            {"rule": "minimum_exposure", "item_kind": "report", "value": 20},
            PEOPLE,
            ("p3", "p4"),
            "looked at a report for less than 20 s",
        ),
        (
            {"rule": "scroll_coverage", "item_kind": "report", "value": 0.5},
            PEOPLE,
            ("p1",),
            "saw less than 50 % of a report",
        ),
    ],
)
def test_the_plans_rules_on_attention_and_paradata(
    tmp_path: Path, rule: Mapping[str, Any], rows: list[LongRow], out: tuple[str, ...], text: str
) -> None:
    found = exclusions_apply(
        read(tmp_path, {PARADATA_FILE: looks()}, rows, plan={"exclusions": [rule]})
    )
    assert [(left.ids, text in left.rule) for left in found.left_out] == [(out, True)]


def looks() -> list[ParadataRow]:
    """Both reports of everybody; p3 glanced at one, p4 at both, p1 saw the half of one."""
    seconds = {"p1": (30, 40), "p2": (25, 90), "p3": (60, 5), "p4": (3, 4)}
    coverage = {"p1": (1.0, 0.4), "p2": (1.0, 1.0), "p3": (0.5, 1.0), "p4": (1.0, 1.0)}
    return [
        replace(
            REPORT,
            participant_id=person,
            item=("left", "right")[side],
            visible_seconds=float(both[side]),
            scroll_coverage=coverage[person][side],
        )
        for person, both in seconds.items()
        for side in (0, 1)
    ]


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        ({"rule": "attention"}, "needs attention checks"),
        ({"rule": "minimum_exposure", "item_kind": "trace", "value": 5}, "needs paradata of a"),
        ({"rule": "scroll_coverage", "item_kind": "report", "value": 0.5}, "needs scroll coverage"),
        ({"rule": "too_fast", "value": 5}, "needs times"),
        ({"rule": "minimum_exposure", "item_kind": "turn", "value": 5}, "item_kind 'turn'"),
        ({"rule": "minimum_exposure", "item_kind": "report"}, "value None"),
        ({"rule": "too_fast", "value": True}, "value True"),
    ],
)
def test_a_rule_that_cannot_be_checked_is_refused(
    tmp_path: Path, rule: Mapping[str, Any], missing: str
) -> None:
    # Passing everybody would look as if the preregistered rule had been applied.
    rows = [replace(row, presented_at="", answered_at="") for row in PEOPLE]
    with pytest.raises(OptionError, match=missing):
        exclusions_apply(read(tmp_path, {}, rows, plan={"exclusions": [rule]}))


def test_reading_sensitivity_uses_what_was_in_view_and_attention(tmp_path: Path) -> None:
    dataset = read(tmp_path, {PARADATA_FILE: looks()}, attentive())
    removed = {(row.basis, row.seconds): row.removed for row in reading_sensitivity(dataset)}
    assert removed["visible", 30] == 1  # p4 saw both reports for 7 s
    assert removed["visible", 120] == 4
    assert removed["elapsed", 120] == 0
    assert removed["attentive", None] == 2
    assert len(dataset.participants) == 4


def test_time_pressure_is_tested_from_least_to_most(tmp_path: Path) -> None:
    levels = {"p1": "60", "p2": "none", "p3": "60", "p4": "180"}
    dataset = read(tmp_path, {PARTICIPANTS_FILE: participants(**levels)})
    (found,) = comparison(pressure_groups(dataset))
    assert [(group.level, group.test.n) for group in found.groups] == [
        ("none", 1),
        ("180", 1),
        ("60", 2),
    ]
    assert found.grouping == "time_pressure"
    assert found.trend is not None


def test_a_trials_time_pressure_wins_over_the_participants(tmp_path: Path) -> None:
    dataset = read(
        tmp_path,
        {
            PARTICIPANTS_FILE: participants(p1="none", p2="none"),
            ASSIGNMENTS_FILE: [replace(ASSIGNMENT, time_pressure="90")],
        },
    )
    assert pressure_of(dataset) == {("s1", "p1"): "90", ("s1", "p2"): "none"}


def test_levels_without_an_order_get_no_trend(tmp_path: Path) -> None:
    levels = {"p1": "calm", "p2": "none", "p3": "calm", "p4": "none"}
    (found,) = comparison(
        pressure_groups(read(tmp_path, {PARTICIPANTS_FILE: participants(**levels)}))
    )
    assert found.trend is None


@pytest.mark.parametrize(
    "text",
    [
        """participant_id,measure,arm,value,time_pressure
a,trust,baseline,2,60
a,trust,apg,4,60
b,trust,baseline,3,none
b,trust,apg,3,none
""",
        """participant_id,trust_baseline,trust_apg,time_pressure
a,2,4,60
b,3,3,none
""",
        """participant.code,x.1.player.trust_baseline,x.1.player.trust_apg,\
x.1.player.time_pressure,x.1.player.scenario
a,2,4,60,all
b,3,3,none,all
""",
    ],
)
def test_time_pressure_comes_from_any_table_of_answers(tmp_path: Path, text: str) -> None:
    dataset = load(text_file(tmp_path, text))
    assert pressure_of(dataset) == {("all", "a"): "60", ("all", "b"): "none"}
    assert {measure.key for measure in dataset.measures} == {"trust"}


def test_two_levels_of_time_pressure_in_one_trial_are_refused(tmp_path: Path) -> None:
    text = (
        "participant_id,measure,arm,value,time_pressure\na,trust,apg,4,60\na,trust,baseline,4,9\n"
    )
    with pytest.raises(BundleError, match="9, but 60 in row 2 of the same trial"):
        load(text_file(tmp_path, text))


def blinded() -> list[LongRow]:
    """The small study as it is exported while its arm key is sealed."""
    rows = [*PEOPLE, choice("p1", "left"), choice("p2", "neither")]
    return [replace(row, arm="", left_arm="") for row in rows]


def test_a_blind_bundle_has_a_design_check_and_no_report(tmp_path: Path) -> None:
    path = bundle(tmp_path, blinded(), blind=True)
    page = design_page(path)
    assert "which arm stood where is sealed" in page
    assert "baseline" not in page
    with pytest.raises(BundleError, match="a blind bundle, which names no arm"):
        load(path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"arm": "apg"}, "column arm: found 'apg'"),
        ({"left_arm": "apg"}, "column left_arm: found 'apg'"),
        ({"position": ""}, "column position: found nothing"),
    ],
)
def test_a_blind_bundle_that_names_an_arm_is_refused(
    tmp_path: Path, change: Mapping[str, Any], place: str
) -> None:
    first, *others = blinded()
    path = bundle(tmp_path, [replace(first, **change), *others], blind=True)
    with pytest.raises(BundleError) as caught:
        load(path, LoadOptions(allow_blind=True))
    assert place in str(caught.value)


def test_confidence_is_read_on_its_scale_and_tested_by_no_arm(tmp_path: Path) -> None:
    sure = replace(ROW, measure="sure", kind="confidence", arm="", position="", value=3)
    measures = [
        {"key": "trust", "kind": "rating", "scale": [1, 5]},
        {"key": "sure", "kind": "confidence", "scale": [1, 3]},
    ]
    dataset = load(bundle(tmp_path, [*PEOPLE, sure], measures=measures))
    assert [row.value for row in dataset.rows if row.kind == "confidence"] == [3]
    assert {row.measure for row in full(dataset, models=False).core.ratings} == {"trust"}
    with pytest.raises(BundleError, match="a whole number from 1 to 3"):
        load(bundle(tmp_path, [*PEOPLE, replace(sure, value=4)], measures=measures))


def test_an_attention_check_is_passed_or_failed(tmp_path: Path) -> None:
    rows = [*trial("p1", 2, 3), replace(ATTENTION, value="yes")]
    with pytest.raises(BundleError, match="allowed: passed, failed"):
        load(bundle(tmp_path, rows))


def _with_file(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path) as archive:
        files = {member: archive.read(member) for member in archive.namelist()}
    path.write_bytes(bundle_zip({**files, name: content}))
    return path
