"""One table as one file: every text comes back as it was given, from every form."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest

from studyapp.errors import ExportError
from studyapp.models import Response, Study
from studyapp.seams import analysis
from studyapp.services.export.forms.sav_file import sav_names
from studyapp.services.export.forms.source import ColumnType, TableSource
from studyapp.services.export.forms.xlsx_file import ROW_LIMIT, xlsx_write
from tests.studyapp.exporting import NASTY, study_state
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db

_FORMS = ("csv", "csv_excel", "xlsx", "sav", "parquet", "jsonl")
_RUNS_IN_A_SPREADSHEET = set("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


@pytest.fixture
def study() -> Study:
    """A study whose comments hold every nasty text."""
    study = study_state(random.Random(5), people=16).study
    trials = list(
        Response.objects.filter(measure="why").order_by("pk").values_list("pk", flat=True)
    )
    assert len(trials) >= 5
    texts = "\x1f".join(NASTY)
    for place, pk in enumerate(trials):
        value = NASTY[place % len(NASTY)] if place else texts
        Response.objects.filter(pk=pk).update(value=value)
    return study


def _stored(study: Study) -> list[str]:
    answers = Response.objects.filter(assignment__participant__study=study, measure="why")
    return sorted(answers.values_list("value", flat=True))


@pytest.mark.parametrize("form", _FORMS)
def test_every_text_comes_back_as_it_was_given(study: Study, tmp_path: Path, form: str) -> None:
    rows = _READ[form](packed(study, tmp_path, form=form, table="long"))

    assert sorted(row["value"] for row in rows if row["measure"] == "why") == _stored(study)


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("table", ["long", "wide", "participants", "assignments", "paradata"])
def test_every_form_of_a_table_has_the_rows_of_the_csv(
    study: Study, tmp_path: Path, form: str, table: str
) -> None:
    plain = _READ["csv"](packed(study, tmp_path, form="csv", table=table))
    found = _READ[form](packed(study, tmp_path, form=form, table=table))

    names = sav_names(list(plain[0])) if form == "sav" else tuple(plain[0])
    assert [tuple(row) for row in found] == [names] * len(plain)
    for ours, theirs in zip(plain, found, strict=True):
        assert [_same(value) for value in ours.values()] == [
            _same(value) for value in theirs.values()
        ]


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("table", ["long", "wide"])
def test_the_same_state_gives_the_same_bytes(
    study: Study, tmp_path: Path, form: str, table: str
) -> None:
    first = packed(study, tmp_path, form=form, table=table).read_bytes()

    assert packed(study, tmp_path, form=form, table=table).read_bytes() == first


def test_report_55_no_cell_of_a_csv_or_xlsx_runs_as_a_formula(study: Study, tmp_path: Path) -> None:
    """onaio/onadata PR#3024: formulas in answers."""
    for form in ("csv", "csv_excel"):
        with packed(study, tmp_path, form=form).open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for line in csv.reader(file) for cell in line]
        assert not [cell for cell in cells if cell[:1] in _RUNS_IN_A_SPREADSHEET]
    sheet = openpyxl.load_workbook(packed(study, tmp_path, form="xlsx")).active
    assert sheet is not None
    filled: list[Any] = [cell for row in sheet.iter_rows() for cell in row]
    texts = [cell for cell in filled if isinstance(cell.value, str)]
    assert {cell.data_type for cell in texts} == {"s"}
    unsafe = [cell for cell in texts if cell.value[:1] in _RUNS_IN_A_SPREADSHEET]
    assert unsafe
    assert all(cell.quotePrefix for cell in unsafe)


def test_report_56_a_heading_that_begins_like_a_formula_is_disarmed(
    study: Study, tmp_path: Path
) -> None:
    """SandeepVashishtha/Eventra#16675: headers were not neutralised."""
    measures = [dict(row) for row in study.measures]
    measures[1]["question"] = "=1+1"
    Study.objects.filter(pk=study.pk).update(measures=measures)

    path = packed(study, tmp_path, form="csv", table="wide", headings="labels")
    head = _head(path)
    sheet = openpyxl.load_workbook(
        packed(study, tmp_path, form="xlsx", table="wide", headings="labels")
    ).active

    assert "'=1+1" in head
    assert sheet is not None
    assert [cell.data_type for cell in sheet[1] if cell.value == "=1+1"] == ["s"]


def test_report_57_the_excel_variant_says_that_it_is_utf_8(study: Study, tmp_path: Path) -> None:
    """getodk/central-backend#792: Excel takes a CSV for UTF-8 only with a byte order mark."""
    plain = packed(study, tmp_path, form="csv").read_bytes()
    excel = packed(study, tmp_path, form="csv_excel").read_bytes()

    assert not plain.startswith(b"\xef\xbb\xbf")
    assert excel == b"\xef\xbb\xbf" + plain
    assert "Nəxʷsƛ̕ay̓ 你好 😀 العربية".encode() in plain


def test_label_headings_say_what_was_asked(study: Study, tmp_path: Path) -> None:
    path = packed(study, tmp_path, form="csv", table="wide", headings="labels")

    head = _head(path)

    assert "How far do you trust this report? (baseline)" in head
    assert "How old are you?" in head
    assert len(set(head)) == len(head)


def test_an_spss_file_says_what_columns_and_values_mean(study: Study, tmp_path: Path) -> None:
    _, meta = pyreadstat.read_sav(str(packed(study, tmp_path, form="sav", table="wide")))

    labels: dict[str, Any] = meta.variable_value_labels
    assert labels["trust_apg"][1.0] == "not at all"
    assert labels["trust_apg"][5.0] == "fully"
    assert labels["preferred"]["apg"] == "the report of the arm apg"
    assert labels["background.age"] == {"young": "under 40", "old": "40 or more"}
    assert labels["awake"]["failed"] == "another answer was given"
    assert meta.column_names_to_labels["preferred"] == "Which report do you prefer?"


def test_names_that_spss_does_not_take_are_changed_and_stay_apart() -> None:
    assert sav_names(["a-b", "a_b", "1st", "-x", "A_B", "y."]) == (
        "a_b", "a_b_2", "v_1st", "v__x", "A_B_3", "y",
    )  # fmt: skip
    assert all(len(name) <= 64 for name in sav_names(["x" * 80, "x" * 81]))


def test_a_sheet_that_is_too_small_is_refused_and_told_what_is_not(tmp_path: Path) -> None:
    source = TableSource(
        path=tmp_path / "none.csv",
        rows=ROW_LIMIT + 1,
        columns=("a",),
        headings=("a",),
        labels=("a",),
        types=(ColumnType.TEXT,),
        value_labels={},
    )

    with pytest.raises(ExportError, match=r"1048576 rows.* holds 1048575.*CSV or Parquet"):
        xlsx_write(source, tmp_path / "a.xlsx")

    assert not (tmp_path / "a.xlsx").exists()


def test_parquet_has_numbers_flags_and_times_as_such(study: Study, tmp_path: Path) -> None:
    schema = pq.read_table(packed(study, tmp_path, form="parquet")).schema

    kinds = {field.name: str(field.type) for field in schema}
    assert kinds["trial_order"] == "int64"
    assert kinds["is_test"] == "bool"
    assert kinds["answered_at"] == "timestamp[ms, tz=UTC]"
    assert kinds["value"] == "string"


def _head(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def _csv_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [
            {key: analysis.text_unescape(value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def _xlsx_rows(path: Path) -> list[dict[str, Any]]:
    sheet = openpyxl.load_workbook(path).active
    assert sheet is not None
    head, *lines = sheet.iter_rows(values_only=True)
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    # Excel's own escapes for what XML cannot hold; openpyxl leaves them to its reader.
    unescape = openpyxl.utils.escape.unescape
    return [
        {
            str(key): unescape(value) if isinstance(value, str) else value
            for key, value in row.items()
        }
        for row in rows
    ]


def _sav_rows(path: Path) -> list[dict[str, Any]]:
    frame, _ = pyreadstat.read_sav(str(path))
    return [dict(row) for row in frame.to_dict("records")]


def _parquet_rows(path: Path) -> list[dict[str, Any]]:
    return list(pq.read_table(path).to_pylist())


def _jsonl_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


_READ: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "csv": _csv_rows,
    "csv_excel": _csv_rows,
    "xlsx": _xlsx_rows,
    "sav": _sav_rows,
    "parquet": _parquet_rows,
    "jsonl": _jsonl_rows,
}


def _same(value: Any) -> Any:
    """Bring a cell of any form to what the CSV has: texts, and numbers without their type."""
    if value is None or value == "" or (isinstance(value, float) and pd.isna(value)):
        return ""
    if isinstance(value, bool) or value in ("true", "false"):
        return float(value in (True, "true"))
    if hasattr(value, "isoformat"):
        return value.isoformat(timespec="milliseconds")
    try:
        return float(value)
    except ValueError:
        return value
