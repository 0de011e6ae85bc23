"""What a link said and what was read stay together until somebody has agreed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from studyapp.models import Participant, Study
from tests.studyapp.entering import expert_study, invited, live_study, panel_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db
CHANGED = "This text has changed"


def by_invitation() -> str:
    return f"/i/{invited(expert_study()).token}/"


def by_link() -> str:
    return live_study().link


@pytest.mark.parametrize("door", [by_link, by_invitation])
def test_nobody_agrees_to_words_that_they_have_not_read(door: Callable[[], str]) -> None:
    link = door()
    walker = Walker().get(link)
    sent = walker.filled()
    Study.objects.update(texts={**Study.objects.get().texts, "about": "Something else."})
    walker.response = walker.client.post(link, sent)
    assert walker.status == 409
    assert CHANGED in walker.html
    assert "Something else." in walker.html
    assert "agree" not in walker.page.forms[0].chosen
    assert not Participant.objects.exists()
    assert walker.send().address.endswith("/about-you/")


def test_the_id_that_is_typed_takes_along_what_else_the_link_said() -> None:
    study = panel_study()
    Study.objects.update(translations={"pl": {"texts": {"title": "Debaty"}}})
    walker = Walker().get(f"{study.link}?STUDY_ID=st&SESSION_ID=s1&lang=pl&other=x")
    typed = {**walker.page.forms[0].values, "PROLIFIC_PID": "a1b2"}
    walker.response = walker.client.get(study.link, typed)
    walker.address = study.link
    assert "other" not in typed
    walker.send()
    person = Participant.objects.get()
    assert (person.external_id, person.language) == ("a1b2", "pl")
    assert person.captured == {"STUDY_ID": "st", "SESSION_ID": "s1"}
