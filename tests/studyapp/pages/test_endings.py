"""A page that was left open while its holder's part in the study ended: nothing more is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.utils import timezone

from studyapp.models import (
    Assignment,
    Change,
    Cohort,
    Draft,
    EvidenceLink,
    Exposure,
    Invitation,
    Outcome,
    Participant,
    Response,
    Study,
)
from studyapp.services.rights import participant_withdraw
from tests.sample_study import THEN
from tests.studyapp.entering import expert_study, invited
from tests.walking import Walker

pytestmark = pytest.mark.django_db

LONG_AGO: Final = timedelta(hours=9)
READING: Final = json.dumps(
    {
        "view": "abcdefgh1234",
        "device": "desktop",
        "seen": {"left": [900, 50]},
        "changed": [[1, "act_on", "left", 10]],
    }
)
ENDINGS: Final[dict[str, Callable[[], object]]] = {
    "revoked": lambda: Invitation.objects.update(revoked_at=THEN),
    "withdrawn": lambda: participant_withdraw(
        participant_id=Participant.objects.get().pk, now=THEN
    ),
    "screened out": lambda: Participant.objects.update(outcome=Outcome.SCREENED_OUT),
    "failed attention": lambda: Participant.objects.update(outcome=Outcome.FAILED_ATTENTION),
    "closed": lambda: Study.objects.update(state="closed"),
    "archived": lambda: Study.objects.update(state="archived"),
    "answered": lambda: Assignment.objects.update(answered_at=THEN),
    "time over": lambda: (
        Cohort.objects.update(time_pressure={"seconds": 60, "at_zero": "lock"}),
        Assignment.objects.update(trace_opened_at=timezone.now() - LONG_AGO),
    ),
    "completed": lambda: (
        Assignment.objects.update(answered_at=THEN),
        Participant.objects.update(completed_at=THEN, outcome=Outcome.COMPLETE),
    ),
    "completed, then revoked": lambda: (
        Assignment.objects.update(answered_at=THEN),
        Participant.objects.update(completed_at=THEN, outcome=Outcome.COMPLETE),
        Invitation.objects.update(revoked_at=THEN),
    ),
}
ENDPOINTS: Final[dict[str, dict[str, str]]] = {
    "draft": {"comment": "Too late", "act_on": "left"},
    "mark": {"mark": "T1:left:supports"},
    "reading": {"": READING},
}
FORMS: Final = ("submit", "later", "mark", "timeout")


@pytest.fixture
def walker() -> Walker:
    """An expert whose reports page is open, in a study that asks for marks."""
    study = expert_study()
    Study.objects.update(rules={"evidence_links": True})
    link = f"/i/{invited(study).token}/"
    return Walker().walk_to(link, "/reports/")


def stored() -> tuple[int, ...]:
    tables = (Draft, Response, EvidenceLink, Exposure, Change)
    return tuple(table.objects.count() for table in tables)


def sent(walker: Walker, endpoint: str) -> int:
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    address = walker.address.replace("/reports/", f"/{endpoint}/")
    data = ENDPOINTS[endpoint]
    if endpoint == "reading":
        answer = walker.client.post(
            address, data[""], content_type="application/json", headers={"x-csrftoken": token}
        )
    else:
        answer = walker.client.post(address, data, headers={"x-csrftoken": token})
    return int(answer.status_code)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_open_page_may_store(walker: Walker, endpoint: str) -> None:
    assert sent(walker, endpoint) in (200, 204)
    assert any(stored())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_its_scripts_store_nothing_after_the_end(
    walker: Walker, endpoint: str, ending: str
) -> None:
    ENDINGS[ending]()
    status = sent(walker, endpoint)
    assert status in (404, 409, 410)
    assert not any(stored())


@pytest.mark.parametrize("ending", [name for name in ENDINGS if name != "time over"])
@pytest.mark.parametrize("action", FORMS)
def test_its_form_stores_nothing_after_the_end(walker: Walker, action: str, ending: str) -> None:
    fields = {"mark": "T1:left:supports"} if action == "mark" else {"action": action}
    data = {**walker.filled(), **fields, "comment": "Too late", "reading": READING}
    ENDINGS[ending]()
    walker.client.post(walker.address, data)
    assert not any(stored())
