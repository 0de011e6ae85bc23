"""Screening: eligibility once, comprehension twice, and an end that no reload undoes."""

from __future__ import annotations

import pytest

from studyapp.models import Cohort, Event, Participant, Place, Study
from studyapp.services.study import cohort_move
from tests.sample_study import THEN
from tests.studyapp.entering import SCREENING, entered, live_study, screened_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


def at_comprehension() -> Walker:
    return entered(screened_study().link).send()


def test_screening_comes_after_consent_and_before_everything_else() -> None:
    walker = entered(screened_study().link)
    assert walker.address.endswith("/questions-first/")
    assert "Step 2 of 9" in walker.html
    assert set(walker.page.forms[0].radios) == {"adult", "region"}
    assert "What will you compare?" not in walker.html
    person = walker.address.split("/")[2]
    trial = Participant.objects.get().assignments.first()
    assert trial is not None
    for page in ("about-you/", f"t/{trial.token}/", "thanks/", "ended/"):
        assert Walker().get(f"/p/{person}/{page}").address == walker.address


def test_a_study_without_screening_has_no_such_page() -> None:
    walker = entered(live_study().link)
    assert Walker().get(walker.address.replace("about-you", "questions-first")).status == 404


def test_who_passes_goes_on_and_the_answers_are_kept() -> None:
    walker = at_comprehension()
    assert "Is it clear what you will do?" in walker.html
    walker.send()
    assert walker.address.endswith("/about-you/")
    person = Participant.objects.get()
    assert person.screening == {"adult": "yes", "region": "north", "task": "reports"}
    assert (person.screening_attempts, person.outcome) == (1, "in_progress")
    assert person.screened_at is not None


def test_an_unanswered_question_uses_up_no_try() -> None:
    walker = entered(screened_study().link).send(region=None)
    assert walker.status == 400
    assert "Select an answer" in walker.html
    assert Participant.objects.get().screening is None
    walker.send(adult="yes").send(task=None)
    assert walker.status == 400
    assert Participant.objects.get().screening_attempts == 0


def test_eligibility_is_asked_once_and_frees_the_place() -> None:
    study = screened_study()
    Cohort.objects.update(quota=1)
    walker = entered(study.link).send(adult="no")
    assert walker.address.endswith("/ended/")
    assert "this study is looking for other participants" in walker.html
    person = Participant.objects.get()
    assert (person.outcome, person.completed_at) == ("screened_out", None)
    assert Place.objects.get().participant is None
    event = Event.objects.get(kind="participant.screened_out")
    assert event.payload == {"why": "eligibility"}
    assert entered(study.link).address.endswith("/questions-first/")


def test_comprehension_has_a_second_try_that_does_not_tell_the_answer() -> None:
    walker = at_comprehension().send(task="debates")
    assert walker.address.endswith("/questions-first/")
    assert "second and last try" in walker.html
    assert walker.page.forms[0].chosen == {}
    walker.send(task="reports")
    assert walker.address.endswith("/about-you/")
    assert Participant.objects.get().screening_attempts == 2


def test_comprehension_failed_twice_is_the_end() -> None:
    walker = at_comprehension().send(task="debates").send(task="debates")
    assert walker.address.endswith("/ended/")
    assert "in either of the two tries" in walker.html
    assert Event.objects.get(kind="participant.screened_out").payload == {"why": "comprehension"}


def test_34_who_was_screened_out_cannot_go_on_by_reload_back_or_another_form() -> None:
    study = screened_study()
    walker = entered(study.link)
    form, page = walker.filled(), walker.address
    walker.send(adult="no")
    person = Participant.objects.get()
    before = list(Event.objects.values())
    trial = person.assignments.first()
    assert trial is not None
    for path in ("", "questions-first/", "about-you/", "thanks/", f"t/{trial.token}/"):
        assert Walker().get(f"/p/{person.token}/{path}").address.endswith("/ended/")
    for address in (page, page.replace("questions-first", "about-you")):
        answer = walker.client.post(address, {**form, "adult": "yes", "field": "x"}, follow=True)
        assert answer.redirect_chain[-1][0].endswith("/ended/")
    # The link in the same browser, and consent sent once more, end there as well.
    assert walker.get(study.link).address.endswith("/ended/")
    assert list(Event.objects.values()) == before
    assert Participant.objects.count() == 1


def test_a_double_click_and_a_second_tab_are_one_answer() -> None:
    walker = entered(screened_study().link)
    form = walker.filled()
    walker.send()
    again = walker.client.post(walker.address, form, follow=True)
    assert again.status_code == 200
    assert "There is a problem" not in again.content.decode()
    assert Participant.objects.get().screening_attempts == 0


def test_a_full_stratum_turns_people_away_before_any_work() -> None:
    study = screened_study(strata={"region": {"north": 1, "south": 1}})
    assert entered(study.link).send(region="north").address.endswith("/questions-first/")
    walker = entered(study.link).send(region="north")
    assert walker.address.endswith("/ended/")
    assert "Enough people with your answers have joined already" in walker.html
    assert entered(study.link).send(region="south").address.endswith("/questions-first/")
    full = Walker().get(study.link)
    assert "All places are taken" in full.html
    assert full.page.forms == []


def test_who_fails_comprehension_gives_the_stratum_s_place_back() -> None:
    study = screened_study(strata={"region": {"north": 1}})
    entered(study.link).send().send(task="debates").send(task="debates")
    assert entered(study.link).send().address.endswith("/questions-first/")


def test_a_total_quota_counts_every_cohort() -> None:
    study = live_study()
    Study.objects.update(quota=1)
    other = Cohort.objects.create(study=study.study, name="other")
    entered(study.link)
    full = Walker().get(f"/s/{other.token}/")
    assert "All places are taken" in full.html


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_cohort_that_is_not_open_says_so_and_lets_people_finish(state: str) -> None:
    study = live_study()
    walker = entered(study.link)
    late = Walker().get(study.link)
    cohort_move(study_id=study.study.pk, name="open", target=state, actor_id=None, now=THEN)
    words = "taking a break" if state == "paused" else "This study is not open"
    assert words in Walker().get(study.link).html
    assert late.send().status == 409
    assert walker.walk(walker.address).address.endswith("/thanks/")


def test_a_study_of_screening_alone_is_complete_when_it_is_passed() -> None:
    study = screened_study()
    Study.objects.update(background=[], screening=SCREENING[:1])
    Participant.objects.all().delete()
    study.study.scenarios.all().delete()
    walker = entered(study.link).send()
    assert walker.address.endswith("/thanks/")
    assert Participant.objects.get().outcome == "complete"


def test_who_was_away_too_long_hears_that_the_place_was_given_on() -> None:
    study = live_study(quota=1)
    walker = entered(study.link)
    Place.objects.update(reserved_until=THEN)
    entered(study.link)
    walker.send()
    assert walker.status == 409
    assert "Your place was given on" in walker.html
    assert Participant.objects.earliest("pk").receipt in walker.html
