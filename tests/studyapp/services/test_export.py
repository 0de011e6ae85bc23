"""What leaves the site as a bundle, read back the way a researcher's computer reads it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis import schema
from analysis.load import LoadOptions, load
from analysis.records import RECORD_FILES
from studyapp.models import Event, Participant, Response
from studyapp.services.export import ExportReceipt, bundle_export
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete, person_enrolled, trials_answered

pytestmark = pytest.mark.django_db

_LATER = THEN + timedelta(days=9)


@pytest.fixture
def sample() -> SampleStudy:
    return sample_study()


def test_the_bundle_loads_back_with_every_stored_answer(
    sample: SampleStudy, tmp_path: Path
) -> None:
    people_complete(sample, count=5)

    receipt = _export(sample, tmp_path / "a.zip")

    dataset = load(tmp_path / "a.zip", LoadOptions(include_test=True))
    background = sum(len(person.background or {}) for person in Participant.objects.all())
    assert len(dataset.rows) == Response.objects.count() + background == receipt.rows
    assert len(dataset.participants) == receipt.participants == 5
    assert dataset.arms == ("baseline", "apg")
    assert dataset.kind == "demo study: conceptual replication, test data"


def test_every_row_names_the_arm_that_stood_at_its_position(
    sample: SampleStudy, tmp_path: Path
) -> None:
    people_complete(sample, count=4)
    _export(sample, tmp_path / "a.zip")

    exported = {
        (row["participant_id"], row["scenario"], row["measure"], row["position"]): row
        for row in _table(tmp_path / "a.zip", schema.LONG_FILE)
    }

    for response in Response.objects.select_related("assignment__participant"):
        assignment = response.assignment
        row = exported[
            assignment.participant.code,
            assignment.scenario.key,
            response.measure,
            response.side,
        ]
        left, right = ("apg", "baseline") if assignment.treatment_is_left else ("baseline", "apg")
        by_position = {"left": left, "right": right}
        assert row["left_arm"] == left
        assert row["arm"] == by_position.get(response.side, "")
        assert schema.text_unescape(row["value"]) == by_position.get(response.value, response.value)


def test_the_manifest_tells_the_truth_about_the_files(sample: SampleStudy, tmp_path: Path) -> None:
    people_complete(sample, count=3)
    _export(sample, tmp_path / "a.zip")

    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        manifest = json.loads(archive.read(schema.MANIFEST_FILE))
        names = set(archive.namelist())
        assert names == {schema.MANIFEST_FILE, *manifest["files"]} > {*schema.FILES, *RECORD_FILES}
        for name, entry in manifest["files"].items():
            assert entry["sha256"] == hashlib.sha256(archive.read(name)).hexdigest()
    tables = (schema.LONG_FILE, schema.WIDE_FILE, schema.CODEBOOK_FILE)
    rows = {name: len(_table(tmp_path / "a.zip", name)) for name in tables}
    assert {name: manifest["files"][name]["rows"] for name in tables} == rows
    assert rows[schema.WIDE_FILE] == 6
    assert manifest["difference"] == "apg - baseline"
    assert manifest["models"]["mode"] == "offline"
    assert manifest["participants"] == {
        "consented": 3, "background": 3, "complete": 3, "screened_out": 0, "withdrawn": 0,
    }  # fmt: skip
    assert set(schema.MANIFEST_REQUIRED) <= manifest.keys()


def test_the_same_state_gives_the_same_bytes(sample: SampleStudy, tmp_path: Path) -> None:
    people_complete(sample, count=3)

    _export(sample, tmp_path / "a.zip")
    _export(sample, tmp_path / "b.zip", days=30)

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_participant_who_stopped_is_exported_as_partial(
    sample: SampleStudy, tmp_path: Path
) -> None:
    person = person_enrolled(sample, number=1)
    trials_answered(sample, person, trials=1)
    person_enrolled(sample, number=2)

    _export(sample, tmp_path / "a.zip")

    rows = _table(tmp_path / "a.zip", schema.LONG_FILE)
    assert {row["status"] for row in rows} == {"partial"}
    assert len({row["participant_id"] for row in rows}) == 2
    assert len(_table(tmp_path / "a.zip", schema.WIDE_FILE)) == 1


@pytest.mark.parametrize(
    "formula", ["=HYPERLINK(1)", "+1", "-1", "@a", "'=quoted", '=1,"2"\nthree', "plain, ü 你好 😀"]
)
def test_a_formula_in_a_comment_is_disarmed_and_comes_back_unchanged(
    sample: SampleStudy, tmp_path: Path, formula: str
) -> None:
    people_complete(sample, count=1, comment=formula)

    _export(sample, tmp_path / "a.zip")

    cells = [
        cell
        for name in (schema.LONG_FILE, schema.WIDE_FILE)
        for row in _table(tmp_path / "a.zip", name)
        for cell in row.values()
    ]
    assert not [cell for cell in cells if cell[:1] in set("=+-@\t\r\n")]
    texts = {row.value for row in load(tmp_path / "a.zip").rows if row.kind == schema.TEXT}
    assert texts == {formula}


def test_formulas_in_the_title_and_in_questions_are_disarmed(tmp_path: Path) -> None:
    sample = sample_study()
    measures = [*sample.study.measures]
    measures[0] = {**measures[0], "question": "=cmd|' /C calc'!A0"}
    type(sample.study).objects.filter(pk=sample.study.pk).update(measures=measures)

    _export(sample, tmp_path / "a.zip")

    rows = _table(tmp_path / "a.zip", schema.CODEBOOK_FILE)
    assert {row["question"] for row in rows if row["measure"] == measures[0]["key"]} == {
        "'=cmd|' /C calc'!A0"
    }


def test_the_codebook_describes_every_column_of_every_table(
    sample: SampleStudy, tmp_path: Path
) -> None:
    people_complete(sample, count=1, comment="a word")
    _export(sample, tmp_path / "a.zip")

    described = {
        (row["file"], row["column"]) for row in _table(tmp_path / "a.zip", schema.CODEBOOK_FILE)
    }

    assert {name for name, _ in described} > {schema.LONG_FILE, schema.WIDE_FILE, *RECORD_FILES}
    for name in {name for name, _ in described}:
        assert {(name, column) for column in _head(tmp_path / "a.zip", name)} == {
            entry for entry in described if entry[0] == name
        }


def test_test_participants_of_a_live_study_stay_out_unless_asked_for(tmp_path: Path) -> None:
    sample = sample_study()
    people_complete(sample, count=2)
    type(sample.study).objects.filter(pk=sample.study.pk).update(is_test=False)

    assert _export(sample, tmp_path / "a.zip").participants == 0
    assert _export(sample, tmp_path / "b.zip", include_test=True).participants == 2


def test_the_number_of_queries_does_not_grow_with_the_answers(tmp_path: Path) -> None:
    small, large = sample_study(slug="small"), sample_study(slug="large", debates=2)
    people_complete(small, count=1)
    people_complete(large, count=6)

    assert _queries(small, tmp_path) == _queries(large, tmp_path)


def test_taking_data_out_is_logged(sample: SampleStudy, tmp_path: Path) -> None:
    receipt = _export(sample, tmp_path / "a.zip")

    event = Event.objects.get(kind="bundle.exported")
    assert event.payload["actor"] == "shell"
    assert event.payload["long_sha256"] == receipt.long_sha256


def test_the_command_writes_the_bundle(
    sample: SampleStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people_complete(sample, count=2)

    call_command("export_study", "sample", "--out", str(tmp_path / "a.zip"))

    assert "2 participants" in capsys.readouterr().out
    assert len(load(tmp_path / "a.zip").participants) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_the_command_refuses_an_unknown_study(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no study 'nope'") as refusal:
        call_command("export_study", "nope", "--out", str(tmp_path / "a.zip"))

    assert refusal.value.returncode == 2
    assert not list(tmp_path.iterdir())


def _export(
    sample: SampleStudy, path: Path, *, days: int = 0, include_test: bool | None = None
) -> ExportReceipt:
    with path.open("wb") as target:
        return bundle_export(
            study_id=sample.study.pk,
            target=target,
            actor_id=None,
            now=_LATER + timedelta(days=days),
            include_test=include_test,
        )


def _table(path: Path, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        text = archive.read(name).decode(schema.ENCODING)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _head(path: Path, name: str) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        text = archive.read(name).decode(schema.ENCODING)
    return next(csv.reader(io.StringIO(text, newline="")))


def _queries(sample: SampleStudy, tmp_path: Path) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        _export(sample, tmp_path / "q.zip")
    return len(captured)


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx"])
def test_the_command_writes_one_table_as_one_file(
    sample: SampleStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    people_complete(sample, count=2)

    call_command(
        "export_study", "sample", "--out", str(tmp_path / "a"), "--form", form, "--table",
        "participants", "--headings", "labels",
    )  # fmt: skip

    assert ": 2 rows" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert Event.objects.get(kind="export.built").payload["actor"] == "shell"


def test_the_command_keeps_the_arms_of_a_running_study_sealed(
    sample: SampleStudy, tmp_path: Path
) -> None:
    type(sample.study).objects.filter(pk=sample.study.pk).update(is_test=False, kind="study")

    for more in ([], ["--form", "csv"]):
        with pytest.raises(CommandError, match="sealed") as refusal:
            call_command("export_study", "sample", "--out", str(tmp_path / "a"), *more)
        assert refusal.value.returncode == 2
    assert not list(tmp_path.iterdir())

    call_command("export_study", "sample", "--out", str(tmp_path / "a"), "--blind")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
