"""Programs take part over HTTP, and the analysis of their export finds what was planted."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest

from tests.flows.house import House
from tests.flows.taking_part import tables_read, ttest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PEOPLE = 30
_STUDY = "from tests.simulated_study import simulated_study; simulated_study()"
_PLANTED = ("--prefer", "scenario-1=apg", "--prefer", "scenario-2=baseline")


def rows_of(house: House, path: Path) -> list[dict[str, str]]:
    """Export the played study with its test data; return the long table."""
    house.manage("export_study", "played", "--out", str(path), "--test-data")
    return tables_read(path)["long.csv"]


def difference(rows: list[dict[str, str]], *, scenario: str, measure: str) -> float:
    """Return the mean rating of apg minus that of baseline."""
    means = {
        arm: mean(
            int(row["value"])
            for row in rows
            if (row["scenario"], row["measure"], row["arm"]) == (scenario, measure, arm)
        )
        for arm in ("apg", "baseline")
    }
    return means["apg"] - means["baseline"]


def chosen(rows: list[dict[str, str]], *, scenario: str, arm: str) -> float:
    """Return how often `arm` was chosen by those who chose one."""
    values = [
        row["value"] for row in rows if row["scenario"] == scenario and row["measure"] == "act_on"
    ]
    picked = [value for value in values if value in ("apg", "baseline")]
    return picked.count(arm) / len(picked)


def test_what_was_planted_is_found_again_and_nothing_live_was_touched(
    house: House, tmp_path: Path
) -> None:
    house.manage("shell", "--no-imports", "-v", "0", "-c", _STUDY)
    house.web_start()
    told = house.manage(
        *("simulate_participants", "played", "--n", str(PEOPLE), "--dropout", "0.2"),
        *("--concurrency", "6", "--seed", "7", "--json", "--url", house.url),
        *_PLANTED,
    )
    figures = json.loads(told)
    assert figures["people"] == PEOPLE
    assert figures["endings"]["left"] == 6
    assert not [status for status in figures["statuses"] if status.startswith("5")]

    people = house.rows("SELECT is_test, is_bot FROM studyapp_participant")
    assert people
    assert all(row[0] and row[1] for row in people)
    assert house.rows("SELECT sum(enrolled), count(*) FROM studyapp_cohort") == [(0, 2)]
    assert "no difference" in house.manage("verify_assignment", "played")

    assert "no leak" in house.manage(
        "check_blinding", "played", "--trials", "8", "--url", house.url
    )

    rows = rows_of(house, tmp_path / "played.zip")
    assert {(row["is_test"], row["is_bot"]) for row in rows} == {("true", "true")}
    assert difference(rows, scenario="scenario-1", measure="trust") > 0.5
    assert difference(rows, scenario="scenario-2", measure="trust") < -0.5
    assert chosen(rows, scenario="scenario-1", arm="apg") > 0.55
    assert chosen(rows, scenario="scenario-2", arm="baseline") > 0.55
    asked = {row["measure"] for row in rows}
    assert {"sure", "check", "comment", "fluency", "background.trade"} <= asked

    done = ttest(str(tmp_path / "played.zip"), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_same_seed_plays_the_same_people(house: House, tmp_path: Path) -> None:
    """Answers by arm are those of the seed, whichever way round the draw shows the texts."""
    house.manage("shell", "--no-imports", "-v", "0", "-c", _STUDY)
    house.web_start()
    told = []
    for run in range(2):
        house.manage(
            *("simulate_participants", "played", "--n", "3", "--profile", "careful"),
            *("--dropout", "0", "--concurrency", "1", "--cohort", "open", "--url", house.url),
            *("--prefer", "apg"),
        )
        rows = rows_of(house, tmp_path / f"{run}.zip")
        people = list(dict.fromkeys(row["participant_id"] for row in rows))[run * 3 :]
        told.append([
            sorted(
                (row["scenario"], row["measure"], row["arm"], row["value"])
                for row in rows
                if row["participant_id"] == person
            )
            for person in people
        ])  # fmt: skip
    assert told[0] == told[1]
    assert len(told[0]) == 3
