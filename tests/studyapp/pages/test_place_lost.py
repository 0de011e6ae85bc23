"""Whoever comes back to a place that was given on reads so at once, before any work."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from studyapp.models import Cohort, Place, Study
from tests.sample_study import SampleStudy
from tests.studyapp.entering import entered, live_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db
LOST = "Your place was given on"


@pytest.fixture
def study() -> SampleStudy:
    return live_study(quota=1)


def away_and_back(study: SampleStudy) -> Walker:
    """Begin, stay away until the reservation is over, and let somebody else take the place."""
    walker = Walker().walk_to(study.link, "/debate/")
    Place.objects.update(reserved_until=timezone.now() - timedelta(hours=1))
    entered(study.link)
    return walker


def test_both_links_say_so_before_any_work_is_done(study: SampleStudy) -> None:
    walker = away_and_back(study)
    for link in (study.link, f"/p/{walker.address.split('/')[2]}/"):
        assert LOST in walker.get(link).html
        assert "about to send" not in walker.html


def test_a_total_that_others_filled_is_told_as_well(study: SampleStudy) -> None:
    Cohort.objects.update(quota=None)
    Study.objects.update(quota=1)
    assert LOST in away_and_back(study).get(study.link).html


def test_who_is_late_and_still_has_room_goes_on(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    Place.objects.update(reserved_until=timezone.now() - timedelta(hours=1))
    assert walker.get(study.link).address.endswith("/debate/")
    assert walker.send().address.endswith("/reports/")


def test_a_place_that_is_free_again_leads_on(study: SampleStudy) -> None:
    walker = away_and_back(study)
    Cohort.objects.update(quota=2)
    assert walker.get(study.link).address.endswith("/debate/")
    assert walker.send().address.endswith("/reports/")


def test_who_has_finished_finds_the_last_page(study: SampleStudy) -> None:
    walker = Walker().walk(study.link)
    Place.objects.update(reserved_until=timezone.now() - timedelta(hours=1))
    assert walker.get(study.link).address.endswith("/thanks/")
