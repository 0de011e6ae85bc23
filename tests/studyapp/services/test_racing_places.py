"""Parallel newcomers get exactly the places there are: of a cohort, a study and a stratum."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from studyapp.models import Participant
from tests.parallel import at_once
from tests.racing_places import AT_A_TIME, race
from tests.studyapp.entering import live_study
from tests.walking import Walker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]
RACES = (
    ("cohort", 100, 200, {"about-you": 100, "refused": 100}),
    ("total", 30, 60, {"about-you": 30, "refused": 30}),
    ("stratum", 10, 30, {"questions-first": 10, "ended": 20}),
)


@pytest.fixture
def threads(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip(
            "needs PostgreSQL: threads cannot share an in-memory SQLite; unset DATABASE_URL"
        )


def expected(places: int, endings: dict[str, int]) -> dict[str, Any]:
    return {
        "endings": dict(sorted(endings.items())),
        "participants": places,
        "held": places,
        "numbers_have_no_gap": True,
    }


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(("scene", "places", "people", "endings"), RACES)
def test_on_postgresql_the_places_are_given_once_each(
    scene: str, places: int, people: int, endings: dict[str, int]
) -> None:
    assert race(scene, places=places, people=people) == expected(places, endings)


@pytest.mark.parametrize(("scene", "places", "people", "endings"), RACES)
def test_on_sqlite_the_places_are_given_once_each(
    scene: str, places: int, people: int, endings: dict[str, int], tmp_path: Path
) -> None:
    file = str(tmp_path / "places.sqlite3")
    done = subprocess.run(
        [sys.executable, "-m", "tests.racing_places", file, scene, str(places), str(people)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected(places, endings)


@pytest.mark.usefixtures("threads")
def test_a_hundred_who_come_within_five_seconds_all_get_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Reported of another platform: entry stalled for seconds. The time is printed, not judged."""
    study = live_study()
    walkers = [Walker().get(study.link) for _ in range(100)]
    started = time.perf_counter()

    def come(number: int) -> float:
        time.sleep(max(0.0, number * 0.05 - (time.perf_counter() - started)))
        before = time.perf_counter()
        assert walkers[number].send().address.endswith("/about-you/")
        return time.perf_counter() - before

    jobs = [lambda number=number: come(number) for number in range(100)]
    seconds = sorted(at_once(jobs, at_a_time=AT_A_TIME))
    with capsys.disabled():
        sys.stdout.write(
            f"\n100 signups within 5 s: p50 {seconds[50] * 1000:.0f} ms, "
            f"p95 {seconds[95] * 1000:.0f} ms\n"
        )
    assert sorted(Participant.objects.values_list("enrolment", flat=True)) == list(range(1, 101))
