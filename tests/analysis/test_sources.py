"""Files that others wrote: named columns and oTree's wide export."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from analysis.dataset import choices_of, pairs_of, trials_of
from analysis.errors import BundleError
from analysis.load import LoadOptions, load
from analysis.reproduce import run
from tests.analysis.studies import N33, text_file


def test_columns_of_any_name_can_be_mapped(tmp_path: Path) -> None:
    path = text_file(tmp_path, "ID;Q7;Q8\na;2;4\nb;3;3\n")
    columns = {"participant_id": "ID", "trust_baseline": "Q7", "trust_apg": "Q8"}
    (pairs,) = pairs_of(load(path, LoadOptions(columns=columns)))
    assert pairs.differences == (2, 0)


def test_a_mapped_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = text_file(tmp_path, "ID,Q7\na,2\n")
    with pytest.raises(BundleError, match="no column Q9; allowed: ID, Q7"):
        load(path, LoadOptions(columns={"participant_id": "Q9"}))


def test_the_command_takes_the_mapping(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = text_file(tmp_path, "ID,Q7,Q8\na,2,4\nb,3,3\n")
    mapping = "participant_id=ID,trust_baseline=Q7,trust_apg=Q8"
    assert run([str(path), "--columns", mapping, "--json"], reference=N33) == 0
    found = json.loads(capsys.readouterr().out)["scenarios"]["all"]["trust"]
    assert found["t_test"]["mean"] == 1


OTREE = """\
participant.code,participant._is_bot,session.is_demo,debate.1.player.id_in_group,\
debate.1.player.scenario,debate.1.player.left_arm,debate.1.player.trust_baseline,\
debate.1.player.trust_apg,debate.1.player.faithful,debate.2.player.id_in_group,\
debate.2.player.scenario,debate.2.player.left_arm,debate.2.player.trust_baseline,\
debate.2.player.trust_apg,debate.2.player.faithful
abc,0,0,1,energy,apg,2,4,apg,1,stalemate,baseline,3,3,neither
def,0,0,2,stalemate,baseline,1,5,apg,2,energy,apg,2,2,baseline
ghi,1,0,3,energy,apg,1,1,apg,3,stalemate,apg,1,1,apg
jkl,0,0,4,energy,apg,4,,apg,4,,,,,
"""


def test_an_otree_export_is_read_round_by_round(tmp_path: Path) -> None:
    dataset = load(text_file(tmp_path, OTREE))
    assert dataset.source.format == "otree"
    energy, stalemate = pairs_of(dataset)
    assert (energy.scenario, energy.ids, energy.differences) == ("energy", ("abc", "def"), (2, 0))
    assert energy.incomplete == ("jkl",)
    assert (stalemate.ids, stalemate.differences) == (("abc", "def"), (0, 4))
    assert choices_of(dataset)[1].answers == {"abc": "neither", "def": "apg"}
    assert trials_of(dataset)["energy", "abc"].left_arm == "apg"
    assert dataset.left_out[0].ids == ("ghi",)


def test_a_bad_cell_of_an_otree_export_names_its_row(tmp_path: Path) -> None:
    path = text_file(tmp_path, OTREE.replace("stalemate,baseline,1,5", "stalemate,baseline,1,9"))
    with pytest.raises(BundleError, match="row 3, column trust_apg: found '9'"):
        load(path)


def test_the_flat_table_has_a_line_for_each_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--csv"], reference=N33) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(lines) == 6
    trust = next(r for r in lines if (r["scenario"], r["measure"]) == ("s026", "trust"))
    # R 4.2.2, paired t test
    assert float(trust["t"]) == pytest.approx(3.11380163120642)
    assert trust["undefined"] == ""
