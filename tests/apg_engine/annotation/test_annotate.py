from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import Label
from apg_engine.annotation.sheet import COLUMNS, items_list
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.calibration.card_files import card_read
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.cli.parser import main
from apg_engine.provenance.verification import run_load
from tests.apg_engine.provenance.runs import offline_run
from tests.apg_engine.traces_for_tests import agreeing, two_sided

Says = Callable[[str], str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return offline_run(tmp_path_factory.mktemp("runs") / "run", two_sided())


def annotate(*arguments: object) -> int:
    return main(["annotate", *map(str, arguments)], environment={})


@pytest.fixture
def sheet(run: Path, tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    assert annotate(run, "--sheet", path) == 0
    return path


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def filled(sheet: Path, name: str, says: Says, delimiter: str = ",") -> Path:
    path = sheet.with_name(name)
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, delimiter=delimiter)
    table.writeheader()
    for row in rows(sheet):
        table.writerow({**row, "judgement": says(row["id"])})
    path.write_text(out.getvalue(), "utf-8-sig", newline="")
    return path


def truth_of(run: Path) -> Says:
    """A rater who agrees with the auditor on what is supported."""
    labels = {item.id: item.verdict.label for item in items_list([run_load(run)])}
    return lambda name: "supported" if labels[name] is Label.SUPPORTED else "Not_enough"


def test_the_sheet_holds_every_claim_once_and_no_verdict(run: Path, sheet: Path) -> None:
    result = run_load(run).result
    claims = {s.text for pair in result.pairs for s in pair.sentences if s.kind.value == "claim"}
    told = rows(sheet)

    assert sorted(row["sentence"] for row in told) == sorted(claims)
    assert len({row["id"] for row in told}) == len(told)
    assert {row["judgement"] for row in told} == {""}
    text = sheet.read_text("utf-8-sig")
    for word in ("undetermined", "ladder", "pair", "PF", "offline", "verdict"):
        assert word not in text


def test_order_and_ids_tell_nothing_and_come_again(run: Path, sheet: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.csv", tmp_path / "other.csv"
    annotate(run, "--sheet", again)
    annotate(run, "--sheet", other, "--seed", "2")
    drafts = [item.id for item in items_list([run_load(run)])]

    assert again.read_bytes() == sheet.read_bytes()
    assert [row["id"] for row in rows(other)] != [row["id"] for row in rows(sheet)]
    assert [row["id"] for row in rows(sheet)] != drafts
    assert sorted(row["id"] for row in rows(other)) == sorted(drafts)


def test_the_raters_get_the_record_the_auditor_had(run: Path, sheet: Path) -> None:
    record = sheet.with_suffix(".record.md").read_text("utf-8")

    for turn in two_sided().turns:
        assert turn.text in record
    assert "[T1] Water Board, turn" in record


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    trace = replace(two_sided(), title="=1+1", question="@cmd")
    run, sheet = offline_run(tmp_path / "r", trace), tmp_path / "s.csv"
    annotate(run, "--sheet", sheet)

    assert {row["debate"] for row in rows(sheet)} == {"'=1+1"}
    assert {row["question"] for row in rows(sheet)} == {"'@cmd"}


def test_two_raters_are_compared(
    run: Path, sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    says = truth_of(run)
    one = filled(sheet, "one.csv", says)
    two = filled(sheet, "two.csv", says, delimiter=";")

    assert annotate(run, "--read", one, "--read", two, "--json") == 0

    found = json.loads(capsys.readouterr().out)
    n = len(rows(sheet))
    assert found["raters"] == ["one.csv", "two.csv"]
    assert (found["judged"], found["settled"]) == (n, n)
    assert found["pairs"] == [
        {"first": "one.csv", "second": "two.csv", "agreed": n, "n": n, "kappa": 1.0}
    ]
    assert found["alpha"] == 1.0


def test_ties_doubts_and_blanks_settle_nothing(
    run: Path, sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = [row["id"] for row in rows(sheet)][:3]
    capsys.readouterr()
    one = filled(
        sheet, "one.csv", lambda name: {first: "supported", second: "unsure"}.get(name, "")
    )
    two = filled(
        sheet,
        "two.csv",
        lambda name: {first: "contradicted", second: "unsure", third: "supported"}.get(name, ""),
    )
    annotate(run, "--read", one, "--read", two, "--json")

    found = json.loads(capsys.readouterr().out)
    assert found["judged"] == 3
    assert found["truths"] == {third: "supported"}


def test_the_card_counts_the_auditor_against_the_raters(
    run: Path, sheet: Path, tmp_path: Path
) -> None:
    one = filled(sheet, "one.csv", truth_of(run))
    card_file = tmp_path / "card.json"

    assert annotate(run, "--read", one, "--card", card_file) == 0

    card = card_read(card_file)
    assert card.support.n == len(rows(sheet))
    assert card.support.true_positives == card.support.positives > 0
    assert card.support.false_positives == 0
    assert card.auditor_sha256 == auditor_sha256(LadderAuditor())
    assert card.fits(language="en")


def test_a_rater_who_disagrees_lowers_the_card(run: Path, sheet: Path, tmp_path: Path) -> None:
    one = filled(sheet, "one.csv", lambda _: "contradicted")
    card_file = tmp_path / "card.json"
    annotate(run, "--read", one, "--card", card_file)

    card = card_read(card_file)
    assert card.support.positives == 0
    assert card.support.false_positives > 0
    assert card.contradiction is not None


def test_several_debates_share_a_sheet(run: Path, tmp_path: Path) -> None:
    other, sheet = offline_run(tmp_path / "other", agreeing()), tmp_path / "s.csv"
    annotate(run, other, "--sheet", sheet)

    assert len(rows(sheet)) == len(items_list([run_load(run), run_load(other)]))


def broken(sheet: Path, name: str, content: bytes) -> Path:
    path = sheet.with_name(name)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "nothing"),
        (b"a,b\n1,2\n", "row 1"),
        (b"id,judgement\nffffffffffff,supported\n", "ffffffffffff"),
        (b"id,judgement\nX,maybe\n", "row 2, judgement"),
        (b"id,judgement\nX,supported\nX,supported\n", "row 3"),
        (b"id,judgement\n\xff,supported\n", "byte 13"),
    ],
)
def test_a_bad_sheet_is_told_with_its_place(
    content: bytes, word: str, run: Path, sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = rows(sheet)[0]["id"].encode()
    bad = broken(sheet, "bad.csv", content.replace(b"X", first))

    assert annotate(run, "--read", bad) == 2
    told = capsys.readouterr().err
    assert "bad.csv" in told
    assert word in told


def test_it_writes_or_reads_and_not_both(run: Path, sheet: Path, tmp_path: Path) -> None:
    assert annotate(run) == 2
    assert annotate(run, "--sheet", sheet, "--read", sheet) == 2
    assert annotate(run, "--read", tmp_path / "none.csv") == 2
    assert annotate(tmp_path, "--sheet", sheet) == 2


def test_a_sheet_that_people_have_written_in_is_not_overwritten(
    run: Path, sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert annotate(run, "--sheet", sheet) == 0
    done = filled(sheet, "sheet.csv", lambda _: "supported").read_bytes()

    assert annotate(run, "--sheet", sheet) == 2
    assert "people may have written in" in capsys.readouterr().err
    assert sheet.read_bytes() == done
