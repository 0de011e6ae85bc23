"""Sixty people at once through a real web server: no error, no lost answer, balanced sides."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.flows.house import House
from tests.flows.taking_part import Person, bundle_export, ttest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PEOPLE = 60
# Two orders, each once with each of two mirrored patterns of sides.
BLOCK = 4
Row = tuple[str, str, str, str, str, str]


@pytest.fixture
def people(house: House) -> list[Person]:
    """Sixty people who have taken part in the demo study, all at the same time."""
    worker = house.worker_start()
    house.study_generate()
    link = house.study_open()
    house.worker_stop(worker)
    house.web_start()
    everybody = [Person(house, number) for number in range(PEOPLE)]
    with ThreadPoolExecutor(max_workers=PEOPLE) as pool:
        return list(pool.map(lambda person: person.take_part(link), everybody))


def test_sixty_people_at_once_lose_nothing_and_are_balanced(
    house: House, people: list[Person], tmp_path: Path
) -> None:
    assert house.rows("SELECT enrolled_test FROM studyapp_cohort") == [(PEOPLE,)]
    assert house.rows("SELECT count(DISTINCT enrolment) FROM studyapp_participant") == [(PEOPLE,)]
    for key, left, right in _sides(house):
        assert abs(left - right) <= BLOCK, f"{key}: {left} left, {right} right"

    path = tmp_path / "sixty.zip"
    tables = bundle_export(house, path)
    exported = [_row(row) for row in tables["long.csv"]]
    assert len(exported) == len(set(exported)), "a row stands twice"
    assert set(exported) == _rows_expected(house, people)
    assert len(tables["wide.csv"]) == PEOPLE * 2

    done = ttest(str(path), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _numbers_named(json.loads(done.stdout), "n") >= {PEOPLE}


def _sides(house: House) -> list[tuple[Any, ...]]:
    return house.rows(
        "SELECT key, sum(CASE WHEN treatment_is_left THEN 1 ELSE 0 END), "
        "sum(CASE WHEN treatment_is_left THEN 0 ELSE 1 END) FROM studyapp_assignment a "
        "JOIN studyapp_scenario s ON s.id = a.scenario_id GROUP BY key"
    )


def _row(row: dict[str, str]) -> Row:
    columns = ("participant_id", "scenario", "measure", "arm", "position", "value")
    return tuple(row[column] for column in columns)  # type: ignore[return-value] # six of them


def _rows_expected(house: House, people: list[Person]) -> set[Row]:
    """Say what the export must hold, from what each person remembers having chosen."""
    codes = dict(house.rows("SELECT token, code FROM studyapp_participant"))
    trials = {
        token: (key, bool(treatment_is_left))
        for token, key, treatment_is_left in house.rows(
            "SELECT a.token, key, treatment_is_left FROM studyapp_assignment a "
            "JOIN studyapp_scenario s ON s.id = a.scenario_id"
        )
    }
    rows: set[Row] = set()
    pages = Counter[str]()
    for person in people:
        code = codes[person.token]
        for address, sent in person.sent.items():
            pages[address.rstrip("/").rpartition("/")[2]] += 1
            if address.endswith("/about-you/"):
                rows |= {(code, "", f"background.{key}", "", "", sent[key]) for key in sent}
            elif address.endswith("/reports/"):
                rows |= {
                    _answer(code, *trials[address.split("/")[4]], *pair) for pair in sent.items()
                }
    assert (pages["about-you"], pages["reports"]) == (PEOPLE, PEOPLE * 2)
    return rows


def _answer(code: str, scenario: str, treatment_is_left: bool, name: str, value: str) -> Row:
    def arm(side: str) -> str:
        return "apg" if (side == "left") == treatment_is_left else "baseline"

    measure, _, side = name.partition(".")
    if side:
        return (code, scenario, measure, arm(side), side, value)
    return (code, scenario, measure, "", "", arm(value) if value in ("left", "right") else value)


def _numbers_named(data: Any, name: str) -> set[int]:
    """Collect every number that stands under `name`, however deep."""
    if isinstance(data, dict):
        found = {value for key, value in data.items() if key == name and isinstance(value, int)}
        return found.union(*(_numbers_named(value, name) for value in data.values()))
    if isinstance(data, list):
        return set().union(*(_numbers_named(value, name) for value in data))
    return set()
