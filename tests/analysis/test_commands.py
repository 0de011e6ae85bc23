"""The small commands of `python -m analysis`, and the comparison with R."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from analysis.commands import run
from analysis.compare_r import compare_r, compare_text, rscript
from analysis.errors import AnalysisError, OptionError
from analysis.load import load
from analysis.reproduce import run as ttest
from analysis.stats.simulation import OrdinalDesign, ordinal_power
from tests.analysis.studies import N33

PUBLISHED = [
    "consistency", "--n", "33", "--scale", "1-5", "--mean", "3.27", "--sd", "1.21",
    "--reference-mean", "2.45", "--reference-sd", "0.90",
]  # fmt: skip


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_consistency_finds_the_only_sums_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    # Enumeration in R; ../shared/field/statistics.md 3
    text = said(capsys, *PUBLISHED, "--t", "3.12", "--p", "0.0039")
    assert "possible; sum 108 with squares 400 (36 sets of counts)" in text
    assert "possible; sum 81 with squares 225 (21 sets of counts)" in text
    assert "68 values are possible" in text
    assert "Printed t = 3.12: impossible; next to it are 3.0720 (p = 0.004319), 3.1138" in text
    assert "Printed p = 0.0039: possible; it belongs to t = 3.1138." in text


def test_consistency_of_a_possible_t(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Printed t = 3.11: possible; it is 3.1138" in said(capsys, *PUBLISHED, "--t", "3.11")


def test_consistency_refuses_an_impossible_mean(capsys: pytest.CaptureFixture[str]) -> None:
    # Brown and Heathers' GRIM: 28 whole numbers cannot have a mean of 5.19.
    text = said(
        capsys, "consistency", "--n", "28", "--scale", "1-7", "--mean", "5.19", "--sd", "1.0"
    )
    assert "impossible; no 28 whole ratings" in text


def test_consistency_refuses_figures_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["consistency", "--n", "33", "--mean", "3,27", "--sd", "1.21"]) == 2
    assert "mean '3,27' must be a decimal number as printed" in capsys.readouterr().err


def test_power_of_a_sample(capsys: pytest.CaptureFixture[str]) -> None:
    # pwr::pwr.t.test
    assert "n = 33 finds d_z = 0.503" in said(capsys, "power", "--n", "33")
    assert "34 pairs for 0.8" in said(capsys, "power", "--n", "33", "--d-z", "0.5")


def test_power_by_simulation_is_the_same_for_the_same_seed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["power", "--n", "20", "--shares", "10,30,35,20,5", "--simulations", "200"]
    first, second = said(capsys, *command), said(capsys, *command)
    assert first == second
    assert said(capsys, *command, "--seed", "2") != first


def test_without_an_effect_the_simulation_finds_alpha() -> None:
    design = OrdinalDesign((1, 2, 3, 2, 1), odds_ratio=1.0, correlation=0.3)
    found = ordinal_power(design, n=30, simulations=1500, rng=np.random.default_rng(5))
    assert found.t_test == pytest.approx(0.05, abs=4 * found.standard_error)
    assert found.sign_flip <= 0.05 + 4 * found.standard_error


def test_more_pairs_and_larger_shifts_find_more() -> None:
    def share(odds_ratio: float, n: int) -> float:
        design = OrdinalDesign((10, 30, 35, 20, 5), odds_ratio)
        return ordinal_power(design, n=n, simulations=300, rng=np.random.default_rng(1)).sign_flip

    assert share(1.5, 30) < share(3.0, 30) < share(3.0, 60)


@pytest.mark.parametrize(
    ("design", "message"),
    [
        (OrdinalDesign((1.0,), 2.0), "two or more"),
        (OrdinalDesign((1.0, 0.0), 2.0), "positive"),
        (OrdinalDesign((1.0, 1.0), 0.0), "odds ratio"),
        (OrdinalDesign((1.0, 1.0), 2.0, 1.5), "correlation"),
    ],
)
def test_a_design_that_makes_no_sense_is_refused(design: OrdinalDesign, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ordinal_power(design, n=10, simulations=10, rng=np.random.default_rng(1))


@pytest.mark.parametrize("arguments", [["--n", "1"], ["--n", "9", "--d-z", "0"]])
def test_power_refuses_what_has_no_answer(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["power", *arguments]) == 2
    assert capsys.readouterr().err.startswith("analysis: ")


def program(folder: Path, answer: str) -> str:
    """A program in R's place that gives a fixed answer."""
    path = folder / "Rscript"
    path.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '%s' '{answer}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_answers_of_r_are_set_beside_ours(tmp_path: Path) -> None:
    answer = (
        '{"t": 3.11380163120642, "p": 0.5, "ci_low": null, "ci_high": null, "w_plus": 283.5, '
        '"wilcoxon_p": null, "sign_flip_p": null, "sign_test_p": null, "version": "4.2.2"}'
    )
    rows = list(compare_r(load(N33), program=program(tmp_path, answer)))
    s026 = {row.name: row for row in rows if row.scenario == "s026"}
    assert s026["t"].agrees
    assert not s026["p"].agrees
    text = compare_text(iter(s026.values()))
    assert "DIFFERS" in text
    assert "not computed" in text


def test_an_r_that_answers_nonsense_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="R could not be asked"):
        list(compare_r(load(N33), program=program(tmp_path, "oops")))


def test_without_r_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert ttest(["--compare-r"], reference=N33) == 2
    assert "needs Rscript" in capsys.readouterr().err


@pytest.mark.timeout(120)
def test_r_agrees_on_the_published_study() -> None:
    found = rscript()
    if found is None:
        pytest.skip("needs Rscript: install R (Debian: apt-get install r-base-core)")
    rows = list(compare_r(load(N33), program=found))
    assert len(rows) == 16
    assert [row for row in rows if not row.agrees] == []
