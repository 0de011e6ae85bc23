"""Whoever a panel sent and who cannot go on is told to return the study there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from studyapp.models import Cohort, Place, Study
from tests.sample_study import SampleStudy
from tests.studyapp.entering import entered, live_study, panel_study, sent_by_panel
from tests.walking import Walker

pytestmark = pytest.mark.django_db
RETURN = "Return the study at your panel"


def study_closes(_study: SampleStudy) -> None:
    Study.objects.update(state="closed")


def place_is_given_on(study: SampleStudy) -> None:
    Cohort.objects.update(quota=1)
    Place.objects.update(reserved_until=timezone.now() - timedelta(hours=1))
    is_panel = Cohort.objects.get().link_kind == "panel"
    entered(sent_by_panel(study, "ben") if is_panel else study.link)


@pytest.mark.parametrize("happens", [study_closes, place_is_given_on])
@pytest.mark.parametrize("is_panel", [True, False])
def test_who_cannot_go_on_is_told_to_return_the_study(
    happens: Callable[[SampleStudy], None], is_panel: bool
) -> None:
    study = panel_study() if is_panel else live_study()
    walker = entered(sent_by_panel(study, "ann") if is_panel else study.link)
    happens(study)
    walker.send()
    assert walker.status in (200, 409)
    assert (RETURN in walker.html) is is_panel


def test_whoever_has_finished_finds_the_code_from_any_page_of_a_closed_study() -> None:
    walker = Walker().walk_to(sent_by_panel(panel_study(), "ann"), "/about-you/")
    earlier = walker.address
    walker.walk_to("", "/thanks/")
    Study.objects.update(state="closed")
    walker.get(earlier)
    assert "This study has ended" in walker.html
    assert RETURN not in walker.html
    assert "/later/" not in walker.html
    (thanks,) = (link for link in walker.page.links if link.endswith("/thanks/"))
    assert "DONE-1" in walker.get(thanks).html
