"""Texts that researchers bring: stored whole or not at all, for whichever arms a study names."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.load import load
from studyapp.errors import FrozenError, NoContrastError, PairsRefusedError
from studyapp.models import Event, Scenario, StimulusPair, Study
from studyapp.selectors.lint import study_lint
from studyapp.services.export import bundle_export
from studyapp.services.study import UploadedFile, pairs_load, study_close, study_open
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete

pytestmark = pytest.mark.django_db

_ROWS = [
    ("scenario-1", "old", 'The port, they said, "waits";\nthe crane stays.'),
    ("scenario-1", "new", "Żuraw stoi. The crane stays shut until spring."),
    ("scenario-2", "new", "The river is low and the gates stay closed."),
    ("scenario-2", "old", "The farms get water on two days of each week."),
]


@pytest.fixture
def draft() -> SampleStudy:
    sample = sample_study(state="draft")
    Study.objects.update(reference_arm="old", treatment_arm="new")
    sample.study.refresh_from_db()
    return sample


def _csv(
    rows: Sequence[tuple[str, ...]], *, head: str = "scenario,arm,text", by: str = ","
) -> bytes:
    quoted = [by.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    return "\r\n".join([head, *quoted, ""]).encode("utf-8-sig")


def _json(rows: Sequence[tuple[str, ...]]) -> bytes:
    names = ("scenario", "arm", "text")
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows]).encode()


def _load(sample: SampleStudy, data: bytes, name: str = "mine.csv") -> list[str]:
    file = UploadedFile(name, data)
    return pairs_load(study_id=sample.study.pk, file=file, actor_id=None, now=THEN)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("mine.csv", _csv(_ROWS)),
        ("mine.csv", _csv(_ROWS, head="scenario;arm;text", by=";")),
        ("mine.json", _json(_ROWS)),
    ],
)
def test_each_scenario_gets_both_texts_under_their_arms(
    draft: SampleStudy, name: str, data: bytes
) -> None:
    assert _load(draft, data, name) == ["scenario-1", "scenario-2"]

    first, second = (row.pair for row in Scenario.objects.order_by("position"))
    assert first
    assert second
    assert (first.reference_text, first.treatment_text) == (_ROWS[0][2], _ROWS[1][2])
    assert (second.reference_text, second.treatment_text) == (_ROWS[3][2], _ROWS[2][2])
    assert first.manifest["models"] == {"mode": "own", "names": [], "auditor_offline": False}
    sha256 = hashlib.sha256(data).hexdigest()
    assert first.manifest["source"] == {"file": name, "sha256": sha256}
    assert Event.objects.get(kind="texts.brought").payload["sha256"] == sha256


def _changed(place: int, **cells: str) -> list[tuple[str, ...]]:
    names = ("scenario", "arm", "text")
    rows: list[tuple[str, ...]] = list(_ROWS)
    rows[place] = tuple(cells.get(name, rows[place][at]) for at, name in enumerate(names))
    return rows


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (_csv(_changed(2, scenario="scenario-9")), "mine.csv: row 4, scenario: found 'scenario-9'"),
        (_csv(_changed(1, arm="apg")), "mine.csv: row 3, arm: found 'apg'; allowed: old, new"),
        (_csv(_changed(3, text=" \n")), "mine.csv: row 5, text: found 0 characters"),
        (_csv(_changed(0, text="x" * 100_001)), "row 2, text: found 100001 characters"),
        (_csv([*_ROWS, _ROWS[0]]), "row 6, arm: found 'old' of 'scenario-1', which row 2 has"),
        (_csv(_ROWS[:3]), "row 4, arm: found only 'new' of 'scenario-2'"),
        (_csv(_ROWS, head="scenario,arm,report"), "row 1: found scenario, arm, report"),
        (_csv([*_ROWS, ("scenario-1", "old")]), "row 6: found 2 cells"),
        (b'scenario,arm,text\nscenario-1,old,"cut', "row 2: found unexpected end"),
        (b"", "row 1: found nothing"),
        (b"scenario,arm,text\n", "the file: found no text"),
        (b"scenario,arm,text\n\xff\xfe", "byte 19: found no UTF-8"),
        (b'[{"scenario": "scenario-1"}]', "row 1: found scenario; allowed: scenario, arm, text"),
        (b'[{"scenario": "scenario-1", "arm": "old", "text": 7}]', "row 1, text: found int"),
        (b"[7]", "row 1: found int"),
        (b'{"a": 1}', "the file: found dict"),
        (b"[" * 100_000, "the file: found "),
    ],
)
def test_a_wrong_file_is_refused_by_row_and_field_and_changes_nothing(
    draft: SampleStudy, data: bytes, told: str
) -> None:
    before = list(Scenario.objects.order_by("position").values_list("pair", "run"))

    with pytest.raises(PairsRefusedError) as refused:
        _load(draft, data)

    assert told in str(refused.value)
    assert list(Scenario.objects.order_by("position").values_list("pair", "run")) == before
    assert StimulusPair.objects.count() == 2
    assert not Event.objects.filter(kind="texts.brought").exists()


def test_what_no_database_can_hold_becomes_a_mark(draft: SampleStudy) -> None:
    _load(draft, _json(_changed(0, text="a\0b\ud800c")), "mine.json")
    assert Scenario.objects.earliest("position").pair.reference_text == "a\ufffdb\ufffdc"  # type: ignore[union-attr]


def test_one_text_twice_is_no_contrast_and_keeps_the_study_shut(draft: SampleStudy) -> None:
    _load(draft, _csv(_changed(1, text=f" {_ROWS[0][2]}\n")))

    with pytest.raises(NoContrastError):
        study_open(study_id=draft.study.pk, actor_id=None, now=THEN)


def test_the_lint_reads_own_texts_for_the_names_of_their_arms(draft: SampleStudy) -> None:
    Study.objects.update(reference_arm="alpha", treatment_arm="omega")
    rows = [("scenario-1", "alpha", "The harbour waits."), ("scenario-1", "omega", "By omega.")]

    _load(draft, _csv(rows))

    (found, *_) = study_lint(draft.study.pk)
    assert [naming.quote for naming in found.lint.treatment] != []


def test_a_launched_study_takes_none(draft: SampleStudy) -> None:
    study_open(study_id=draft.study.pk, actor_id=None, now=THEN)
    with pytest.raises(FrozenError, match="new version"):
        _load(draft, _csv(_ROWS))


def _exported(sample: SampleStudy) -> bytes:
    study_open(study_id=sample.study.pk, actor_id=None, now=THEN)
    people_complete(sample, count=4)
    study_close(study_id=sample.study.pk, actor_id=None, now=THEN)
    target = io.BytesIO()
    bundle_export(study_id=sample.study.pk, target=target, actor_id=None, now=THEN)
    return target.getvalue()


def test_an_export_follows_the_arms_and_says_own_texts(draft: SampleStudy, tmp_path: Path) -> None:
    _load(draft, _csv(_ROWS))
    bundle = tmp_path / "own.zip"
    bundle.write_bytes(_exported(draft))

    with zipfile.ZipFile(bundle) as files:
        manifest: dict[str, Any] = json.loads(files.read("manifest.json"))
        readme = files.read("README.txt").decode()
        prov = json.loads(files.read("prov/scenario-1.json"))
        codebook = files.read("codebook.csv").decode()
        wide = files.read("wide.csv").decode()
    assert manifest["models"] == {"mode": "own", "names": []}
    assert manifest["difference"] == "new - old"
    assert "Texts written by: own texts, brought by the researchers (own)" in readme
    assert "Difference: new - old" in readme
    labels = {row.get("prov:label") for row in prov["entity"].values()}
    assert {"own texts: old", "own texts: new"} <= labels
    head = wide.splitlines()[0]
    assert "_old" in head
    assert "_new" in head
    assert "_apg" not in head
    assert "own for the researchers" in codebook
    data = load(bundle)
    assert data.arms == ("old", "new")
    assert any("Own texts" in str(notice) for notice in data.notices)


def test_the_shell_takes_the_file(
    draft: SampleStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_bytes(_csv(_ROWS))
    call_command("load_pairs", "sample", file)
    assert "own texts stored for scenario-1, scenario-2" in capsys.readouterr().out
    file.write_bytes(_csv(_ROWS[:1]))
    with pytest.raises(CommandError, match="row 2, arm"):
        call_command("load_pairs", "sample", file)
    with pytest.raises(CommandError, match="No such file"):
        call_command("load_pairs", "sample", tmp_path / "gone.csv")
    with pytest.raises(CommandError, match="no study"):
        call_command("load_pairs", "nowhere", file)
