"""The receipt code and the personal link: see, take along, withdraw; nobody asks who it is."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
import pytest_django
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import Client

from studyapp.domain.panel import sessions_join
from studyapp.models import Assignment, Draft, Invitation, Participant, Place, Study
from studyapp.pages.place_cookie import place_remember
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.entering import panel_study, sent_by_panel
from tests.walking import PageReader, Walker, browser_new

pytestmark = pytest.mark.django_db
SENT_TWICE = sessions_join({"SESSION_ID": "first"}, {"SESSION_ID": "second"})


@pytest.fixture(autouse=True)
def fresh_counter() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def study() -> SampleStudy:
    return sample_study(quota=5)


@pytest.fixture
def person(study: SampleStudy) -> Participant:
    Walker().walk(study.link)
    person = Participant.objects.get()
    Participant.objects.update(external_id="PANEL-77", captured={"batch": "=1+1"})
    Invitation.objects.create(
        cohort=study.cohort, name="Dr. Invited", participant=person, created_at=THEN
    )
    return Participant.objects.get()


def _send(code: str, action: str = "show", **data: str) -> Any:
    walker = Walker().get("/rights/")
    sent = {**walker.page.forms[0].values, "code": code, "action": action, **data}
    return walker.client.post("/rights/", sent)


def _holder(person: Participant) -> Walker:
    """Return the browser in which the person agreed."""
    walker, response = Walker(), HttpResponse()
    place_remember(
        response, HttpRequest(), cohort=person.cohort.token, token=person.token, is_own=True
    )
    walker.client.cookies.update(response.cookies)
    return walker


def _own(person: Participant, action: str = "show", **data: str) -> Any:
    address = f"/p/{person.token}/rights/"
    walker = _holder(person).get(address)
    sent = {**walker.page.forms[0].values, "action": action, **data}
    return walker.client.post(address, sent)


class TestSeeing:
    def test_the_code_shows_everything_and_stands_in_no_address(self, person: Participant) -> None:
        page = _send(person.receipt).content.decode()
        for words in ("PANEL-77", "Dr. Invited", "Report A", person.completion_code):
            assert words in page
        assert all(person.receipt not in link for link in PageReader(page).links)

    @pytest.mark.parametrize("written", [str.lower, lambda code: code.replace("-", " ")])
    def test_the_code_may_be_written_in_other_ways(self, person: Participant, written: Any) -> None:
        assert "PANEL-77" in _send(written(person.receipt)).content.decode()

    def test_the_personal_link_shows_the_same(self, person: Participant) -> None:
        page = _holder(person).get(f"/p/{person.token}/rights/")
        assert page.status == 200
        assert "PANEL-77" in page.html

    def test_every_page_of_the_study_leads_there(self, study: SampleStudy) -> None:
        walker = Walker().get(study.link).send()
        token = walker.address.split("/")[2]
        for _ in range(6):
            assert f"/p/{token}/rights/" in walker.page.links
            walker.send()

    def test_looking_changes_nothing(self, person: Participant) -> None:
        before = list(Participant.objects.values()) + list(Place.objects.values())
        _send(person.receipt)
        Walker().get(f"/p/{person.token}/rights/")
        assert before == list(Participant.objects.values()) + list(Place.objects.values())


class TestTakingAlong:
    def test_json_holds_each_answer_and_nothing_that_was_drawn(self, person: Participant) -> None:
        response = _send(person.receipt, "json")
        assert response["Content-Disposition"] == 'attachment; filename="my-data.json"'
        rows = json.loads(response.content)["rows"]
        answers = [row for row in rows if row["section"] == "Answers"]
        stored = [row.value for trial in person.assignments.all() for row in trial.responses.all()]
        assert sorted(row["value"] for row in answers) == sorted(stored)
        text = response.content.decode()
        for word in ("apg", "baseline", "treatment", "arm", "enrolment", "scenario", "seed"):
            assert word not in text.lower().replace("harm", "")

    def test_both_sides_give_one_file(self, person: Participant) -> None:
        """Whoever is shown the reports the other way round takes along the same."""
        before = _own(person, "json").content
        for trial in Assignment.objects.all():
            Assignment.objects.filter(pk=trial.pk).update(
                treatment_is_left=not trial.treatment_is_left
            )
        assert _own(person, "json").content == before

    def test_a_spreadsheet_runs_nothing_of_the_table(self, person: Participant) -> None:
        response = _send(person.receipt, "csv")
        rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
        assert ["batch", "'=1+1"] in [[row[2], row[4]] for row in rows]
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]

    def test_what_is_typed_and_not_sent_is_in(self, study: SampleStudy) -> None:
        Walker().walk_to(study.link, "/reports/")
        trial = Assignment.objects.earliest("order")
        Draft.objects.create(assignment=trial, answers={"trust.left": "3"}, saved_at=THEN)
        rows = json.loads(_own(Participant.objects.get(), "json").content)["rows"]
        draft = [row for row in rows if row["section"] == "Answers not sent yet"]
        assert [(row["about"], row["value"]) for row in draft] == [("Report A", "3")]

    def test_debates_are_named_as_on_their_own_pages(self, study: SampleStudy) -> None:
        titles = {"scenario-1": "Zalany port", "scenario-2": "Woda w suche lato"}
        Study.objects.update(translations={"pl": {"scenarios": titles}})
        Walker().walk(f"{study.link}?lang=pl")
        person = Participant.objects.get()
        rows = json.loads(_send(person.receipt, "json").content)["rows"]
        named = {row["about"] for row in rows if row["section"] == "Kroki"}
        assert named == set(titles.values())

    def test_what_the_database_abbreviates_is_said_in_words(self, person: Participant) -> None:
        Participant.objects.update(device="phone", captured=SENT_TWICE)
        trial = person.assignments.earliest("order")
        trial.evidence_links.create(address="T3", side="left", relation="supports", marked_at=THEN)
        for place, item in enumerate(("page:debate", "left", "pair", "C1", "S2", "A1")):
            trial.exposures.create(view=f"view{place}", item=item, visible_ms=1000, scrolled=50)
        rows = json.loads(_send(person.receipt, "json").content)["rows"]
        shown = {(row["item"], row["about"], row["label"] or row["value"]) for row in rows}
        assert shown >= {
            ("Progress", "", "Finished"),
            ("Kind of device", "", "Phone"),
            ("SESSION_ID", "", "second"),
            ("SESSION_ID", "when you came before", "first"),
            ("Turn 3", "Report A", "supports it"),
        }
        assert [row["item"] for row in rows if row["section"] == "Time in view"] == [
            *("The page with the debate", "Report A", "Both reports at once"),
            *("The situation", "News 2", "Document 1"),
        ]


class TestWithdrawing:
    @pytest.mark.parametrize("door", [_own, lambda person, *a, **k: _send(person.receipt, *a, **k)])
    def test_it_deletes_and_says_so(self, person: Participant, door: Any) -> None:
        response = door(person, "withdraw", sure="yes")
        assert (response.status_code, response["Location"]) == (302, "/rights/withdrawn/")
        assert not Participant.objects.exists()
        assert "You have withdrawn" in Walker().get("/rights/withdrawn/").html

    def test_it_needs_a_tick(self, person: Participant) -> None:
        response = _own(person, "withdraw")
        assert response.status_code == 400
        assert "Tick the box if you are sure" in response.content.decode()
        assert Participant.objects.exists()

    def test_a_link_cannot_do_it(self, person: Participant) -> None:
        Walker().get(f"/p/{person.token}/rights/?action=withdraw&sure=yes")
        assert Participant.objects.exists()

    def test_a_request_that_cannot_be_trusted_does_nothing(self, person: Participant) -> None:
        for address in ("/rights/", f"/p/{person.token}/rights/"):
            response = browser_new().post(
                address, {"code": person.receipt, "action": "withdraw", "sure": "yes"}
            )
            assert response.status_code == 403
        assert Participant.objects.exists()

    def test_sent_twice_it_is_done_once(self, person: Participant) -> None:
        _send(person.receipt, "withdraw", sure="yes")
        again = _send(person.receipt, "withdraw", sure="yes")
        assert again.status_code == 400
        assert "this is how it should be" in again.content.decode()

    def test_the_personal_link_says_that_nothing_is_left(self, person: Participant) -> None:
        _own(person, "withdraw", sure="yes")
        for page in ("", "thanks/", "rights/", "later/"):
            walker = Walker().get(f"/p/{person.token}/{page}")
            assert walker.status == 404
            assert "Nothing is stored under this link" in walker.html

    def test_the_study_s_link_knows_in_the_same_browser(self, study: SampleStudy) -> None:
        walker = Walker().walk_to(study.link, "/debate/")
        token = walker.address.split("/")[2]
        walker.get(f"/p/{token}/rights/")
        values = {**walker.page.forms[0].values, "action": "withdraw", "sure": "yes"}
        walker.client.post(walker.address, values)
        assert "You have withdrawn" in walker.get(study.link).html
        again = walker.get(f"{study.link}?again=1").send()
        assert again.address.endswith("/about-you/")
        assert Participant.objects.get().token != token

    def test_a_form_from_before_it_brings_neither_place_nor_code_back(self) -> None:
        walker = Walker().get(sent_by_panel(panel_study(), "ann"))
        address, agreed = walker.address.partition("?")[0], walker.filled()
        gone = Participant.objects.get(token=walker.send().address.split("/")[2])
        values = {"csrfmiddlewaretoken": agreed["csrfmiddlewaretoken"], "action": "withdraw"}
        walker.client.post(f"/p/{gone.token}/rights/", {**values, "sure": "yes"})
        late = walker.client.post(address, agreed)
        assert "You have withdrawn" in late.content.decode()
        assert not Participant.objects.exists()
        (anew,) = (link for link in PageReader(late.content.decode()).links if "again=1" in link)
        walker.get(f"{address}{anew}").send()
        person = Participant.objects.get()
        assert person.external_id == "ann"
        assert gone.token != person.token
        assert gone.receipt != person.receipt

    def test_another_of_the_panel_s_people_is_let_in_where_somebody_withdrew(self) -> None:
        study = panel_study()
        walker = Walker().get(sent_by_panel(study, "ann")).send()
        values = {**walker.page.forms[0].values, "action": "withdraw", "sure": "yes"}
        walker.client.post(f"/p/{walker.address.split('/')[2]}/rights/", values)
        walker.get(sent_by_panel(study, "ben")).send()
        assert [person.external_id for person in Participant.objects.all()] == ["ben"]

    def test_in_the_middle_of_a_study_the_place_is_free_again(self, study: SampleStudy) -> None:
        Walker().walk_to(study.link, "/reports/")
        _own(Participant.objects.get(), "withdraw", sure="yes")
        place = Place.objects.get()
        assert (place.participant, place.is_complete) == (None, False)


class TestGuessing:
    def test_every_code_that_finds_nothing_gets_one_answer(self, person: Participant) -> None:
        gone = person.receipt
        _own(person, "withdraw", sure="yes")
        answers = [_send(code) for code in ("", "x" * 3000, "BBBB-BBBB-BBBB", gone)]
        assert {answer.status_code for answer in answers} == {400}
        for answer in answers:
            assert "Nothing is stored under this code" in answer.content.decode()

    def test_guessing_is_stopped_and_a_right_guess_does_not_help_then(
        self, person: Participant
    ) -> None:
        statuses = [_send("BBBB-BBBB-BBBB").status_code for _ in range(11)]
        assert statuses == [400] * 10 + [429]
        assert _send(person.receipt).status_code == 429
        # Whoever agreed in this browser needs no code.
        assert _own(person).status_code == 200

    def test_a_network_s_many_addresses_are_one_guesser(self, person: Participant) -> None:
        walker = Walker().get("/rights/")
        sent = {**walker.page.forms[0].values, "code": "BBBB-BBBB-BBBB"}

        def guess(address: str) -> int:
            return int(walker.client.post("/rights/", sent, REMOTE_ADDR=address).status_code)

        for number in range(10):
            assert guess(f"2001:db8::1:{number}") == 400
        assert guess("2001:db8::ffff:1") == 429
        assert guess("2001:db8:0:1::1") == 400
        assert guess("192.0.2.7") == 400

    def test_right_codes_are_not_counted(self, person: Participant) -> None:
        assert {_send(person.receipt).status_code for _ in range(15)} == {200}

    def test_behind_a_proxy_one_guesser_does_not_stop_the_others(
        self, person: Participant, settings: pytest_django.Settings
    ) -> None:
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        settings.SECURE_SSL_REDIRECT = False
        # The proxy writes the last address; what stands before it came from outside.
        forged = [f"10.0.0.{number}, 203.0.113.5" for number in range(11)]
        assert [_post_from(row, "BBBB-BBBB-BBBB") for row in forged] == [400] * 10 + [429]
        assert _post_from("203.0.113.5, 203.0.113.9", person.receipt) == 200


def _post_from(forwarded: str, code: str) -> int:
    client = Client(headers={"x-forwarded-for": forwarded})
    return int(client.post("/rights/", {"code": code, "action": "show"}).status_code)
