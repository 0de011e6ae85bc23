from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from apg_engine.debates.courtroom.confidence import Parts
from apg_engine.errors import InputError
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.opinions import Opinion, Vote
from apg_engine.evaluating.rows import COLUMNS, ROWS, TABLE, EvaluationRows, Row, rows_load
from tests.apg_engine.evaluating.benches import NO_CALLS, row


def whole() -> Row:
    opinion = Opinion(
        label=Label.REFUTE,
        ending="decided",
        confidence=0.7,
        rounds=3,
        documents=2,
        chunks=4,
        votes=(Vote("judge_a", Label.REFUTE, "voted", 0.6), Vote("judge_b", None, "unparsed")),
        parts=Parts(1.0, 0.6, 0.05, -0.02),
        premises=("one", "two"),
    )
    return Row("=item", "courtroom", 2, Label.SUPPORT, opinion, NO_CALLS)


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(whole())
        rows.append(row("b", found=None))
    assert rows_load(tmp_path) == (whole(), row("b", found=None))


def test_the_table_has_a_line_for_each_row_and_no_formula(tmp_path: Path) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(whole())
    table = list(csv.DictReader((tmp_path / TABLE).read_text("utf-8").splitlines()))
    assert list(table[0]) == list(COLUMNS)
    assert (table[0]["item"], table[0]["correct"], table[0]["votes_cast"]) == ("'=item", "0", "1")


def test_each_item_system_and_seed_has_one_row(tmp_path: Path) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(row("a", found=Label.SUPPORT))
        rows.append(row("a", found=Label.SUPPORT, seed=1))
        with pytest.raises(InputError, match="one row"):
            rows.append(row("a", found=None))
    assert len(rows_load(tmp_path)) == 2


def test_a_half_written_row_is_cut_off_and_the_table_follows(tmp_path: Path) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(row("a", found=Label.SUPPORT))
    with (tmp_path / ROWS).open("ab") as file:
        file.write(b'{"item": "b", "sys')
    (tmp_path / TABLE).write_text("item\na\nb,half", "utf-8")

    with EvaluationRows(tmp_path) as rows:
        rows.append(row("b", found=None))

    assert [one.item for one in rows_load(tmp_path)] == ["a", "b"]
    assert [
        line["item"] for line in csv.DictReader((tmp_path / TABLE).read_text("utf-8").splitlines())
    ] == ["a", "b"]


@pytest.mark.parametrize("line", ["[]", "{}", "x", '{"item": "a"}'])
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / ROWS).write_text(f"{line}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        rows_load(tmp_path)
    assert caught.value.place == "line 1"


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(row("a", found=None))
    text = (tmp_path / ROWS).read_text("utf-8")
    (tmp_path / ROWS).write_text(text * 2, "utf-8")
    with pytest.raises(InputError, match="line 2"), EvaluationRows(tmp_path):
        pass


def test_two_processes_cannot_write_in_one_folder(tmp_path: Path) -> None:
    refused = pytest.raises(InputError, match="another process")
    with EvaluationRows(tmp_path), refused, EvaluationRows(tmp_path):
        pass


def test_a_folder_without_rows_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=ROWS):
        rows_load(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": "x"}, "seed: str"),
        ({"spent": {"calls": None}}, "spent.calls: NoneType"),
        ({"opinion": {"confidence": "high"}}, "opinion.confidence: str"),
        ({"opinion": {"confidence": 7}}, "7: no share"),
        ({"opinion": {"confidence": float("nan")}}, "nan: no share"),
        ({"opinion": {"rounds": [1]}}, "opinion.rounds: list"),
    ],
)
def test_a_row_that_was_edited_is_named(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with EvaluationRows(tmp_path) as rows:
        rows.append(row("a", found=None))
    data = json.loads((tmp_path / ROWS).read_text("utf-8"))
    for key, value in change.items():
        data[key] = {**data[key], **value} if isinstance(value, dict) else value
    (tmp_path / ROWS).write_text(f"{json.dumps(data)}\n", "utf-8")

    with pytest.raises(InputError, match=told):
        rows_load(tmp_path)
