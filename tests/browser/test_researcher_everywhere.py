"""Every page of a study, found by its address: narrow, with large text, and read by axe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from studyapp.models import DebateTrace, Scenario
from studyapp.services.notices import webhook_test
from studyapp.services.study import study_open
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.sample_study import SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.held import committee_queued, held
from tests.studyapp.lab import Lab, lab_new
from tests.studyapp.pages.addresses import addresses
from tests.studyapp.services.notices.telling import webhook_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

# German has such words, and no space in them.
_LONG: Final = "Rettungsgassenfreihaltungskoordinierungsausschuss"
_OF_ACCOUNT: Final = ("study-list", "study-create", "api-tokens")


def _draft(queued: list[int]) -> Lab:
    lab = lab_new(queued, title=f"{_LONG} {_LONG}")
    held(committee_queued(lab.study.pk))
    lab.generate()
    Scenario.objects.update(title=_LONG)
    return lab


def _running(queued: list[int]) -> Lab:
    lab = _draft(queued)
    DebateTrace.objects.update(title=_LONG)
    made = webhook_of(lab.study)
    now = timezone.now()
    webhook_test(study_id=lab.study.pk, webhook_id=made.id, actor_id=None, now=now)
    study = study_open(study_id=lab.study.pk, actor_id=None, now=now)
    cohort = study.cohorts.get()
    people_complete(SampleStudy(study, cohort), count=2)
    return lab


@pytest.mark.parametrize("made", [_draft, _running], ids=["draft", "running"])
def test_every_page_fits_a_narrow_phone_with_large_text_and_reads_well(
    visitor: Visitor, site: str, queued: list[int], made: Callable[[list[int]], Lab]
) -> None:
    lab = made(queued)
    # axe is added as a script of the page, which the site's own policy would refuse.
    page = visitor("phone", bypass_csp=True).new_page()
    cookie = lab.ada.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
    found = [f"{name}: {what}" for name, path in _pages(lab) for what in _look(page, name, path)]
    assert "\n".join(found) == ""


def _pages(lab: Lab) -> Iterator[tuple[str, str]]:
    """Name every address that answers a whole page."""
    for name in _OF_ACCOUNT:
        yield name, reverse(name)
    for address in addresses(lab):
        if address.method != "get":
            continue
        answer = lab.ada.get(address.path)
        if b"</html>" in answer.getvalue() and "Content-Disposition" not in answer.headers:
            yield address.name, address.path


def _look(page: Page, name: str, path: str) -> Iterator[str]:
    page.goto(path)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    # What is folded away has a width, too.
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    yield from sideways(page)
    page.screenshot(path=SCREENSHOTS / f"everywhere-{name}.png", full_page=True)
    for row in Axe().run(page).response["violations"]:
        yield f"{row['id']}: {row['nodes'][0]['html'][:200]}"
