"""Two hundred people ask for a hundred places at the same moment, through a real web server."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.error import HTTPError

import pytest

from tests.flows.house import House
from tests.flows.http_client import HttpClient
from tests.walking import Walker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PEOPLE, PLACES = 200, 100
_STUDY = (
    "from tests.sample_study import sample_study; "
    f"print(sample_study(slug='race', quota={PLACES}).link)"
)


def test_two_hundred_at_once_into_a_hundred_places_give_exactly_a_hundred(house: House) -> None:
    link = house.manage("shell", "--no-imports", "-v", "0", "-c", _STUDY).strip()
    house.web_start()
    walkers = [Walker(client=HttpClient(house.url)).get(link) for _ in range(PEOPLE)]  # type: ignore[arg-type] # alike
    start = Barrier(PEOPLE)

    def consent(walker: Walker) -> int:
        start.wait(timeout=60)
        try:
            return walker.send().status
        except HTTPError as refused:
            return refused.code

    with ThreadPoolExecutor(max_workers=PEOPLE) as pool:
        statuses = Counter(pool.map(consent, walkers))
    assert statuses == {200: PLACES, 409: PEOPLE - PLACES}

    assert house.rows("SELECT enrolled_test FROM studyapp_cohort") == [(PLACES,)]
    numbers = house.rows("SELECT enrolment FROM studyapp_participant ORDER BY enrolment")
    assert numbers == [(number,) for number in range(1, PLACES + 1)]
    assert "no difference" in house.manage("verify_assignment", "race")
