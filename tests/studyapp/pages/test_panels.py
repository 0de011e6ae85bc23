"""People whom a panel sends: known by one id, kept under seal, told a code and led back."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from studyapp.models import Cohort, Event, Outcome, Participant, Study
from studyapp.services.completion import participation_end
from tests.sample_study import THEN
from tests.studyapp.entering import (
    CODES,
    SCREENING,
    entered,
    nothing_happened,
    panel_study,
    sent_by_panel,
)
from tests.walking import Walker

pytestmark = pytest.mark.django_db

SONA = {
    "provider": "sona",
    "codes": CODES,
    "redirect": "https://uni.sona-systems.com/webstudy_credit.aspx?experiment_id=1&survey_code={id}",
}
GENERIC = {
    "provider": "generic",
    "id_parameter": "rid",
    "captures": ["wave"],
    "codes": {**CODES, "complete": "A&B=C/D é"},
    "redirect": "https://panel.example/end?status={code}&who={id}&wave={wave}",
}
PROLIFIC_END = "https://app.prolific.com/submissions/complete?cc="


def end_link(walker: Walker) -> str:
    """Return where the page's button leads back to, or an empty text."""
    links = [link for link in walker.page.links if link.startswith("https://")]
    return links[0] if links else ""


def test_the_id_and_what_the_cohort_keeps_are_stored_and_in_no_later_address() -> None:
    study = panel_study()
    walker = Walker().get(f"{sent_by_panel(study, 'a1b2')}&utm=x")
    sealed = walker.page.forms[0].values["arrival"]
    assert "a1b2" not in walker.html
    walker.send()
    assert "a1b2" not in walker.html + walker.address + sealed
    person = Participant.objects.get()
    assert person.external_id == "a1b2"
    assert person.captured == {"STUDY_ID": "st", "SESSION_ID": "s1"}


@pytest.mark.parametrize(
    "variant", ["A1B2", "%20a1b2%E2%80%83", "a1%E2%80%8Bb2", "%EF%BB%BFa1b2%00"]
)
def test_an_id_written_another_way_is_the_same_person(variant: str) -> None:
    study = panel_study()
    entered(sent_by_panel(study, "a1b2"))
    entered(sent_by_panel(study, variant))
    assert Participant.objects.get().external_id == "a1b2"


@pytest.mark.parametrize("word", ["a%20b", "me%40example.org", "%07", "x" * 201])
def test_what_cannot_be_an_id_is_asked_for_again(word: str) -> None:
    study = panel_study()
    walker = Walker().get(sent_by_panel(study, word))
    assert "cannot be an ID" in walker.html
    assert "panel-id-error" in walker.page.ids
    assert nothing_happened()


def test_a_sealed_id_cannot_be_changed_nor_taken_to_another_cohort() -> None:
    study = panel_study()
    other = Cohort.objects.create(
        study=study.study, name="other", link_kind="panel", panel=study.cohort.panel or {}
    )
    Cohort.objects.filter(pk=other.pk).update(panel=Cohort.objects.earliest("pk").panel)
    walker = Walker().get(sent_by_panel(study, "a"))
    sealed = walker.page.forms[0].values["arrival"]
    for address, seal in (
        (study.link, f"x{sealed}"),
        (study.link, ""),
        (f"/s/{other.token}/", sealed),
    ):
        data = {**walker.filled(), "arrival": seal}
        answer = walker.client.post(address, data)
        assert answer.status_code == 400
        assert "Please open your link again" in answer.content.decode()
    assert nothing_happened()


def test_a_new_session_is_noted_beside_the_first() -> None:
    study = panel_study()
    entered(sent_by_panel(study, "a"))
    for _ in range(2):
        Walker().get(sent_by_panel(study, "a", session="s2")).send()
    person = Participant.objects.get()
    assert person.captured["SESSION_ID"] == "s2"
    assert person.captured["_earlier"] == [{"STUDY_ID": "st", "SESSION_ID": "s1"}]
    assert Event.objects.filter(kind="participant.returned").count() == 1


def test_a_study_may_refuse_a_second_session_and_keeps_the_first() -> None:
    study = panel_study()
    Study.objects.update(rules={"returning": "refuse"})
    entered(sent_by_panel(study, "a"))
    walker = Walker().get(sent_by_panel(study, "a"))
    again = Walker().get(sent_by_panel(study, "a", session="s2"))
    assert "You have been here before" in again.html
    assert again.page.forms == []
    # The same session in another browser is the same visit.
    assert walker.send().address.endswith("/about-you/")
    assert Participant.objects.get().captured == {"STUDY_ID": "st", "SESSION_ID": "s1"}


def test_two_people_of_a_panel_in_one_browser_are_two() -> None:
    study = panel_study()
    first = entered(sent_by_panel(study, "a"))
    second = Walker(client=first.client).get(sent_by_panel(study, "b"))
    assert "Welcome back" not in second.html
    assert second.send().address != first.address
    assert sorted(Participant.objects.values_list("external_id", flat=True)) == ["a", "b"]


def test_a_person_is_known_in_every_cohort_of_the_study() -> None:
    study = panel_study()
    other = Cohort.objects.create(
        study=study.study,
        name="other",
        link_kind="panel",
        panel=Cohort.objects.get().panel,
    )
    entered(sent_by_panel(study, "a"))
    Walker().get(sent_by_panel(study, "a").replace(study.cohort.token, other.token)).send()
    assert Participant.objects.get().cohort == study.cohort


@pytest.mark.parametrize(
    "placeholder", ["{{%25PROLIFIC_PID%25}}", "%25SURVEY_CODE%25", "${e://Field/PID}", "[%25ID%25]"]
)
def test_every_panel_s_unreplaced_placeholder_is_a_test(placeholder: str) -> None:
    study = panel_study()
    entered(f"{study.link}?PROLIFIC_PID={placeholder}")
    entered(f"{study.link}?PROLIFIC_PID={placeholder}")
    assert list(Participant.objects.values_list("is_test", "external_id")) == [(True, "")] * 2


def test_79_completion_leads_to_the_panel_s_present_domain() -> None:
    study = panel_study()
    walker = Walker().walk(sent_by_panel(study, "a"))
    assert end_link(walker) == f"{PROLIFIC_END}DONE-1"
    assert "DONE-1" in "".join(walker.page.texts)
    assert "prolific.co/" not in walker.html
    assert any("redirect." in asset for asset in walker.page.assets)


@pytest.mark.parametrize(
    ("panel", "query", "expected"),
    [
        (SONA, "survey_code=04711", SONA["redirect"].replace("{id}", "04711")),  # type: ignore[attr-defined]
        (
            GENERIC,
            "rid=x%26y&wave=2+b",
            "https://panel.example/end?status=A%26B%3DC%2FD%20%C3%A9&who=x%26y&wave=2%20b",
        ),
        ({"provider": "generic", "codes": CODES}, "id=7", ""),
    ],
)
def test_redirects_are_filled_and_url_encoded(
    panel: dict[str, Any], query: str, expected: str
) -> None:
    study = panel_study(panel)
    walker = Walker().walk(f"{study.link}?{query}")
    assert end_link(walker) == expected
    assert str(panel["codes"]["complete"]) in "".join(walker.page.texts)


def test_a_second_look_at_the_last_page_shows_the_code_again() -> None:
    study = panel_study()
    walker = Walker().walk(sent_by_panel(study, "a"))
    assert "DONE-1" in walker.get(walker.address).html
    assert "DONE-1" in walker.get(sent_by_panel(study, "a")).html
    assert "DONE-1" in Walker().get(sent_by_panel(study, "a", session="s9")).send().html


def test_before_completion_no_page_holds_the_code() -> None:
    study = panel_study()
    walker = Walker().get(sent_by_panel(study, "a"))
    while walker.page.forms:
        assert "DONE-1" not in walker.html
        walker.send()
    assert "DONE-1" in walker.html


@pytest.mark.parametrize(
    ("outcome", "code", "words"),
    [
        (Outcome.SCREENED_OUT, "OUT-2", "this study is looking for other participants"),
        (Outcome.FAILED_ATTENTION, "FAIL-3", "check that the page is being read"),
    ],
)
def test_who_ended_early_gets_the_code_of_that_outcome(
    outcome: Outcome, code: str, words: str
) -> None:
    study = panel_study()
    Study.objects.update(screening=SCREENING)
    walker = entered(sent_by_panel(study, "a"))
    person = Participant.objects.get()
    person.screening = {"adult": "no"}
    person.save()
    participation_end(participant=person, outcome=outcome, why="test", now=THEN)
    walker.get(walker.address)
    assert walker.address.endswith("/ended/")
    assert words in walker.html
    assert end_link(walker) == f"{PROLIFIC_END}{code}"
    assert person.receipt in walker.html


def test_a_redirect_that_cannot_tell_outcomes_apart_is_for_completion_only() -> None:
    """SONA credits whoever opens its address."""
    study = panel_study(SONA)
    walker = entered(f"{study.link}?survey_code=1")
    participation_end(
        participant=Participant.objects.get(), outcome=Outcome.SCREENED_OUT, why="test", now=THEN
    )
    walker.get(walker.address)
    assert end_link(walker) == ""
    assert "OUT-2" in walker.html


def test_saying_no_shows_the_code_of_no_consent_and_stores_nothing() -> None:
    study = panel_study()
    walker = Walker().get(sent_by_panel(study, "a"))
    assert "I do not want to take part" in walker.html
    assert "NO-4" in walker.html
    assert end_link(walker) == f"{PROLIFIC_END}NO-4"
    assert len(walker.page.forms) == 1
    assert nothing_happened()


def test_a_test_is_shown_the_way_back_and_not_taken_there() -> None:
    study = panel_study()
    walker = Walker().walk(f"{study.link}?PROLIFIC_PID={{{{%25PROLIFIC_PID%25}}}}")
    assert urlsplit(end_link(walker)).netloc == "app.prolific.com"
    assert "data-redirect" not in walker.html


def test_the_language_can_still_be_chosen_after_a_form_came_back() -> None:
    study = panel_study()
    texts = Study.objects.get().texts
    Study.objects.update(
        translations={"pl": {"texts": {**texts, "title": "Dwa raporty"}, "background": {}}}
    )
    walker = Walker().get(sent_by_panel(study, "a")).send(agree=None)
    assert walker.status == 400
    polish = next(link for link in walker.page.links if "lang=pl" in link)
    walker.get(f"{study.link}{polish}")
    assert "Dwa raporty" in walker.html
    walker.send()
    person = Participant.objects.get()
    assert (person.external_id, person.language) == ("a", "pl")


def test_a_full_study_tells_a_panel_s_people_to_return_it() -> None:
    study = panel_study(quota=1)
    entered(sent_by_panel(study, "a"))
    walker = Walker().get(sent_by_panel(study, "b"))
    assert "All places are taken" in walker.html
    assert "Return the study at your panel" in walker.html
    # Who has a place is not sent away.
    assert "Welcome back" in Walker().get(sent_by_panel(study, "a")).html
