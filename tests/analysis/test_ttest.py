"""`python analysis/ttest.py`, from outside."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.reproduce import run
from tests.analysis.studies import N33, ROOT, bundle, choice, long_file, rating, study, text_file

SCRIPT = ROOT / "analysis" / "ttest.py"


def script(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        cwd=cwd, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.fixture
def reproduction(capsys: pytest.CaptureFixture[str]) -> str:
    assert run([], reference=N33) == 0
    return capsys.readouterr().out


def test_it_reproduces_the_published_study_from_any_directory(tmp_path: Path) -> None:
    done = script(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "t(32) = 3.11, p = .0039" in done.stdout


def test_it_says_why_the_printed_t_cannot_be_right(reproduction: str) -> None:
    last = reproduction.splitlines()[-1]
    assert last.startswith("t(32) = 3.11, p = .0039; 3.12 cannot be")
    assert "3.07, 3.11 and 3.16" in last


def test_it_fits_a_terminal_of_100_columns(reproduction: str) -> None:
    assert max(map(len, reproduction.splitlines())) <= 100


@pytest.mark.parametrize(
    "line",
    [
        "    paired t            t(32) = 0.49, p = .6245, d_z = 0.09, 95 % CI [-0.26, 0.43]",
        "    difference          M +0.82, SD 1.51, 95 % CI [0.28, 1.35]",
        "    Wilcoxon            W+ = 283.5, W- = 67.5, p = .0041 (exact)",
        "    sign test           19 up, 7 down, 7 equal, p = .0290 (exact)",
        "    equivalence         not shown within 0.5: TOST p = .0661, 90 % CI [-0.29, 0.54]",
    ],
)
def test_it_prints_the_rows_of_the_study(reproduction: str, line: str) -> None:
    assert line in reproduction.splitlines()


@pytest.mark.parametrize(
    ("measure", "counts", "shares"),
    [
        ("faithful", "25 7 1 0", "75.8 % p .0046 / 78.1 % p .0021"),
        ("faithful", "14 8 7 4", "42.4 % p .4869 / 63.6 % p .2863"),
        ("ready_made", "11 22 0 0", "33.3 % p .0801 / 33.3 % p .0801"),
        ("fluent", "11 22 0 0", "33.3 % p .0801 / 33.3 % p .0801"),
    ],
)
def test_it_prints_the_choices(reproduction: str, measure: str, counts: str, shares: str) -> None:
    folded = [" ".join(line.split()) for line in reproduction.splitlines()]
    assert f"{measure} {counts} {shares}" in folded


def test_every_published_figure_has_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json"], reference=N33) == 0
    claims = json.loads(capsys.readouterr().out)["published"]
    verdicts = {(claim["claim"], claim["printed"]): claim["verdict"] for claim in claims}
    assert verdicts["s026 trust: t(32)", "3.12"] == "differs"
    assert verdicts["s026 trust: p", "0.0039"] == "agrees"
    assert verdicts["found APG more faithful", "75.8 %"] == "agrees"
    assert verdicts['"over 75 %" preferred APG', "> 75 %"] == "partly"
    assert verdicts["predominantly STEM and technical", "most"] == "differs"
    assert list(verdicts.values()).count("agrees") == 11


def test_json_has_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--json"], reference=N33)
    results = json.loads(capsys.readouterr().out)
    test = results["scenarios"]["s026"]["trust"]["t_test"]
    # R 4.2.2, t.test(B, A, paired = TRUE)
    assert test["t"] == pytest.approx(3.11380163120642, abs=1e-12)
    assert test["p"] == pytest.approx(0.00387631186435871, abs=1e-12)


def test_undefined_is_null_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bundle(tmp_path, study([(2, 3), (3, 4), (1, 2), (4, 5), (2, 3)]))
    assert run([str(path), "--json"], reference=N33) == 0
    test = json.loads(capsys.readouterr().out)["scenarios"]["s1"]["trust"]["t_test"]
    assert (test["t"], test["p"], test["reason"]) == (None, None, "zero_variance")
    assert run([str(path)], reference=N33) == 0
    assert "undefined: the differences do not vary" in capsys.readouterr().out


def test_an_export_of_test_data_is_analysed_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [replace(row, is_test=True, models="offline") for row in study([(2, 3), (3, 4), (1, 4)])]
    assert run([str(bundle(tmp_path, rows))], reference=N33) == 0
    text = capsys.readouterr().out
    assert "!! ALL PARTICIPANTS ARE TEST DATA" in text
    assert "offline" in text
    assert "t(2) = " in text


def test_a_half_pair_is_counted_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [*study([(2, 4), (3, 3), (2, 5)]), rating("p4", "apg", 5), choice("p4", "apg")]
    path = long_file(tmp_path, rows)
    assert run([str(path)], reference=N33) == 0
    assert "1 with one rating only, left out: p4" in capsys.readouterr().out
    assert run([str(path), "--strict"], reference=N33) == 2
    assert "p4" in capsys.readouterr().err


def test_bad_input_gives_one_message_and_status_2(tmp_path: Path) -> None:
    path = long_file(tmp_path, [*study([(2, 4)]), rating("p1", "apg", 4)])
    done = script(str(path), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("ttest.py: long.csv, rows 3 and 4: found two answers")
    assert done.stderr.count("\n") == 1


def test_a_tampered_bundle_gives_status_2_unless_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "b"
    with zipfile.ZipFile(bundle(tmp_path, study([(2, 4), (1, 1), (3, 5)]))) as archive:
        archive.extractall(folder)
    long_file(folder, study([(2, 5), (1, 1), (3, 5)]))
    assert run([str(folder)], reference=N33) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "b/long.csv" in told.err
    assert run([str(folder), "--unverified"], reference=N33) == 0
    assert "NOT THE FILE ITS MANIFEST DESCRIBES" in capsys.readouterr().out


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    command = f"'{sys.executable}' '{SCRIPT}' | head -1"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_outside_the_environment_it_says_how_to_activate_it(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    done = subprocess.run(
        [str(tmp_path / "bare" / "bin" / "python"), str(SCRIPT)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert ".venv/bin/activate" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_script_loads_neither_scipy_stats_nor_pandas(tmp_path: Path) -> None:
    code = (
        "import sys, runpy; sys.argv = ['ttest.py', '--json']\n"
        f"try: runpy.run_path({str(SCRIPT)!r}, run_name='__main__')\n"
        "except SystemExit: pass\n"
        "heavy = {'scipy.stats', 'pandas', 'pingouin', 'statsmodels', 'matplotlib'}\n"
        "sys.exit(','.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


WIDE_HEAD = "participant_id,trust_baseline,trust_apg\n"


def printed(folder: Path, lines: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    path = text_file(folder, WIDE_HEAD + "".join(f"{line}\n" for line in lines))
    assert run([str(path)], reference=N33) == 0
    return capsys.readouterr().out


def test_a_constant_shift_is_told_with_its_exact_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Edge case 2: t is undefined, the exact tests are not.
    out = printed(tmp_path, [f"p{n},{n % 4 + 1},{n % 4 + 2}" for n in range(9)], capsys)
    assert "every difference in trust, apg minus baseline, is +1.00 (n = 9)" in " ".join(
        out.split()
    )
    assert "cannot be tested" not in out


def test_equal_ratings_have_no_wilcoxon_and_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(tmp_path, [f"p{n},{n % 5 + 1},{n % 5 + 1}" for n in range(9)], capsys)
    assert "W+ = 0, W- = 0, p undefined: all differences are zero" in out


def test_two_pairs_are_tested_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Edge case 20: n = 2 works (t(1)) and warns.
    out = " ".join(printed(tmp_path, ["a,3,4", "b,2,4"], capsys).split())
    assert "t(1) = 3.00" in out
    assert "Complete pairs: 2. Whatever was answered, no exact test can reach a p below" in out
    assert "g_av = -" in out
    assert "r_rb = 1.00;" in out


def test_ten_thousand_pairs_keep_whole_rank_sums_and_the_width(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(tmp_path, [f"p{n},{n % 5 + 1},{n * n % 5 + 1}" for n in range(10_001)], capsys)
    assert max(map(len, out.splitlines())) <= 88
    assert "e+0" not in out
    assert " 10001    " in out


def test_a_scale_of_a_hundred_points_prints_no_row_of_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = text_file(tmp_path, WIDE_HEAD + "a,3,94\nb,20,4\nc,50,77\n")
    assert run([str(path), "--scale", "0-100"], reference=N33) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 88
