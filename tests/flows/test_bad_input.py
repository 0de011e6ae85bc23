"""Bad input at the command line: named by file, place and what is allowed; nothing is changed."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.schema import LONG_COLUMNS
from tests.flows.house import ROOT, House, house_environment
from tests.flows.taking_part import ttest

pytestmark = pytest.mark.timeout(60)

DEBATE = json.loads((ROOT / "fixtures" / "debates" / "energy_allocation.json").read_text())
Change = Callable[[dict[str, Any]], None]


def _no_turns(debate: dict[str, Any]) -> None:
    debate["turns"] = []


def _empty_turn(debate: dict[str, Any]) -> None:
    debate["turns"][2]["text"] = "  "


def _wrong_version(debate: dict[str, Any]) -> None:
    debate["version"] = 99


def _too_large(debate: dict[str, Any]) -> None:
    debate["crisis_context"] = "x" * 20_000_001


def _nothing(_debate: dict[str, Any]) -> None:
    return


# name, what is done to a good debate, how much of the file is kept, what the message must name
TRACES: list[tuple[str, Change, float, tuple[str, ...]]] = [
    ("truncated", _nothing, 0.5, ("line", "column", "allowed")),
    ("no turns", _no_turns, 1.0, ("turns", "allowed")),
    ("an empty turn", _empty_turn, 1.0, ("turns[2]", "text", "allowed")),
    ("a wrong version", _wrong_version, 1.0, ("version", "99", "allowed", "1")),
    ("over the limit", _too_large, 1.0, ("bytes", "allowed", "20")),
]
BY_NAME = pytest.mark.parametrize(
    ("change", "kept", "named"), [row[1:] for row in TRACES], ids=[row[0] for row in TRACES]
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A migrated house without processes, on the embedded default."""
    folder = tmp_path_factory.mktemp("house")
    house = House(folder, house_environment(folder))
    house.manage("migrate", "--no-input", "-v", "0")
    yield house
    house.close()


def _spoilt(folder: Path, change: Change, kept: float) -> Path:
    debate = json.loads(json.dumps(DEBATE))
    change(debate)
    text = json.dumps(debate, indent=1)
    path = folder / "spoilt.json"
    path.write_text(text[: int(len(text) * kept)])
    return path


def _check(message: str, named: tuple[str, ...]) -> None:
    for part in ("spoilt.json", *named):
        assert part in message, f"{part!r} is not named in: {message}"
    assert "Traceback" not in message


@BY_NAME
def test_the_engine_refuses_a_bad_trace(
    change: Change, kept: float, named: tuple[str, ...], tmp_path: Path
) -> None:
    path, out = _spoilt(tmp_path, change, kept), tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-m", "apg_engine", "gate", str(path), "--out", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    _check(done.stderr, named)
    assert not out.exists()


@BY_NAME
def test_a_study_with_a_bad_trace_is_not_stored(
    change: Change, kept: float, named: tuple[str, ...], installed: House, tmp_path: Path
) -> None:
    _spoilt(tmp_path, change, kept)
    definition = json.loads((ROOT / "fixtures" / "demo_study.json").read_text())
    definition["scenarios"] = [{"key": "spoilt", "title": "Spoilt", "trace": "spoilt.json"}]
    del definition["plan"]  # it names the demo study's scenarios
    (tmp_path / "study.json").write_text(json.dumps(definition))
    _check(installed.manage("load_study", str(tmp_path / "study.json"), status=2), named)
    for table in ("studyapp_debatetrace", "studyapp_study", "studyapp_scenario"):
        assert installed.rows(f"SELECT count(*) FROM {table}") == [(0,)]  # noqa: S608 - ours


def _rows() -> list[dict[str, str]]:
    constant = {
        "study": "small", "design_hash": "d0", "cohort": "open", "language": "en",
        "scenario": "s1", "trial_order": "1", "measure": "trust", "kind": "rating",
        "left_arm": "baseline", "presented_at": "2026-11-30T10:00:00Z",
        "answered_at": "2026-11-30T10:05:00Z", "status": "complete", "is_test": "false",
        "is_bot": "false", "models": "live",
    }  # fmt: skip
    people = [
        {"participant_id": f"p{person}", "arm": arm, "position": position, "value": str(value)}
        for person, values in enumerate(((3, 4), (2, 5), (4, 4)), start=1)
        for arm, position, value in zip(("baseline", "apg"), ("left", "right"), values, strict=True)
    ]
    return [{name: {**constant, **row}[name] for name in LONG_COLUMNS} for row in people]


def _twice(rows: list[dict[str, str]]) -> None:
    rows.append(dict(rows[1]))


def _unknown_arm(rows: list[dict[str, str]]) -> None:
    rows[3]["arm"] = "placebo"


def _rating_of_six(rows: list[dict[str, str]]) -> None:
    rows[3]["value"] = "6"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_twice, ("rows 3 and 8", "p1", "allowed")),
        (_unknown_arm, ("row 5", "arm", "placebo", "baseline", "apg")),
        (_rating_of_six, ("row 5", "value", "6", "1 to 5")),
    ],
    ids=["a duplicate row", "an unknown arm", "a rating of 6"],
)
def test_the_analysis_refuses_a_bad_export(
    change: Callable[[list[dict[str, str]]], None], named: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "spoilt.csv"
    _write(path, _rows())
    assert ttest(str(path), cwd=tmp_path).returncode == 0, "the rows are good before the change"
    rows = _rows()
    change(rows)
    _write(path, rows)
    done = ttest(str(path), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    for part in ("spoilt.csv", *named):
        assert part in done.stderr, f"{part!r} is not named in: {done.stderr}"
    assert len(done.stderr.splitlines()) == 1


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
