"""Tables opened and saved by LibreOffice: every text comes back as it was, and nothing was run."""

from __future__ import annotations

import csv
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest

from studyapp.models import Response, Study
from studyapp.seams import analysis
from tests.studyapp.exporting import NASTY, study_state
from tests.studyapp.services.export.packing import packed

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(180)]

# Comma, double quotes, UTF-8, from the first line; every field a text, no number guessed.
_READ_CSV: Final = "--infilter=CSV:44,34,76,1,,0,true,false"
_GUESS_CSV: Final = "--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,,true"
_WRITE_CSV: Final = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false"


@pytest.fixture
def study() -> Study:
    """A study whose comments are every nasty text, and whose title begins like a formula."""
    study = study_state(random.Random(5), people=30).study
    trials = Response.objects.filter(measure="why").order_by("pk").values_list("pk", flat=True)
    for text, pk in zip(NASTY, trials, strict=False):
        Response.objects.filter(pk=pk).update(value=text)
    assert trials.count() >= len(NASTY)
    return study


def test_a_csv_comes_back_with_every_text(study: Study, tmp_path: Path) -> None:
    for form in ("csv", "csv_excel"):
        path = packed(study, tmp_path, form=form)
        saved = _saved(path, tmp_path / form, _WRITE_CSV, _READ_CSV)
        assert _texts_of_csv(saved) == _stored(study)


def test_a_csv_that_is_opened_with_every_guess_runs_nothing(study: Study, tmp_path: Path) -> None:
    """As by a double click where formulas are let through: a cell is what the file says."""
    path = packed(study, tmp_path, form="csv_excel")
    bare = tmp_path / "bare.csv"
    bare.write_text("=1+1\n")

    assert _formulas(_saved(bare, tmp_path / "bare", "xlsx", _GUESS_CSV)) == ["=1+1"]
    assert _formulas(_saved(path, tmp_path / "guess", "xlsx", _GUESS_CSV)) == []


def test_a_workbook_comes_back_with_every_text(study: Study, tmp_path: Path) -> None:
    path = packed(study, tmp_path, form="xlsx")
    saved = _saved(path, tmp_path / "as-csv", _WRITE_CSV)
    with saved.open(encoding="utf-8", newline="") as file:
        texts = sorted(row["value"] for row in csv.DictReader(file) if row["measure"] == "why")
    assert texts == _stored(study)


def _saved(path: Path, folder: Path, form: str, *more: str) -> Path:
    """Have LibreOffice open a file and save it in another form."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("needs LibreOffice: apt-get install libreoffice-calc-nogui")
    profile = f"-env:UserInstallation=file://{folder.parent}/profile"
    command = [program, profile, "--headless", *more, "--convert-to", form, "--outdir", str(folder)]
    done = subprocess.run(
        [*command, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    (saved,) = folder.iterdir()
    return saved


def _formulas(path: Path) -> list[str]:
    sheet = openpyxl.load_workbook(path).active
    assert sheet is not None
    cells: list[Any] = [cell for row in sheet.iter_rows() for cell in row]
    return [cell.value for cell in cells if cell.data_type == "f"]


def _texts_of_csv(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "why"]
    return sorted(analysis.text_unescape(row["value"]) for row in rows)


def _stored(study: Study) -> list[str]:
    answers = Response.objects.filter(assignment__participant__study=study, measure="why")
    return sorted(answers.values_list("value", flat=True))
