"""Open links, links by browser, personal links and previews: who is let in, and how often."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
import time_machine
from django.utils import timezone

from studyapp.domain.digest import json_sha256
from studyapp.models import Cohort, Event, Invitation, Participant, Study
from studyapp.pages.participant_arrival import preview_sign
from studyapp.pages.place_cookie import place_cookie_name
from studyapp.services.export import bundle_export
from tests.sample_study import THEN, sample_study
from tests.studyapp.entering import (
    entered,
    expert_study,
    invited,
    live_study,
    nothing_happened,
    panel_study,
)
from tests.walking import Walker

pytestmark = pytest.mark.django_db


class TestOneDevice:
    def test_an_open_link_asks_who_it_is_once_somebody_has_finished(self) -> None:
        study = live_study()
        Cohort.objects.update(link_kind="open")
        walker = Walker().walk(study.link)
        first = Participant.objects.get()
        walker.get(study.link)
        assert "Somebody else uses this device" in walker.html
        assert f"/p/{first.token}/" in walker.page.links
        walker.get(f"{study.link}?another=1").send()
        second = Participant.objects.latest("pk")
        assert walker.address == f"/p/{second.token}/about-you/"
        assert second != first
        # From now on the link leads the newcomer back, and Back or a double click adds nobody.
        assert walker.get(study.link).address.startswith(f"/p/{second.token}/")
        assert walker.get(f"{study.link}?another=1").address.startswith(f"/p/{second.token}/")
        assert Participant.objects.count() == 2

    def test_an_open_link_leads_back_who_has_not_finished(self) -> None:
        study = live_study()
        Cohort.objects.update(link_kind="open")
        walker = Walker().walk_to(study.link, "/debate/")
        place = walker.address
        assert walker.get(f"{study.link}?another=1").address == place

    def test_a_link_by_browser_leads_back_for_ever(self) -> None:
        study = live_study()
        walker = Walker().walk(study.link)
        assert walker.get(f"{study.link}?another=1").address.endswith("/thanks/")
        assert Participant.objects.count() == 1


class TestInvitations:
    def test_a_personal_link_gives_one_place_and_leads_back_from_anywhere(self) -> None:
        study = expert_study()
        invitation = invited(study)
        address = f"/i/{invitation.token}/"
        walker = entered(address).walk_to("", "/debate/")
        invitation.refresh_from_db()
        assert invitation.participant == Participant.objects.get()
        assert invitation.used_at is not None
        assert Walker().get(address).address == walker.address
        assert walker.client.post(address, walker.filled()).headers["Location"] == (
            f"/p/{Participant.objects.get().token}/"
        )
        assert Participant.objects.count() == 1

    def test_who_is_invited_by_name_is_told_so_before_they_agree(self) -> None:
        told = "Your name, and what the researchers noted about your work, are stored with it"
        page = Walker().get(f"/i/{invited(expert_study()).token}/")
        assert told in page.html
        about = page.walk_to("", "/about-you/")
        assert "These answers help us to describe who took part." in about.html
        assert "identify" not in about.html
        assert told not in Walker().get(sample_study(slug="other").link).html

    def test_consent_sent_from_two_browsers_is_one_participant(self) -> None:
        study = expert_study()
        address = f"/i/{invited(study).token}/"
        one, other = Walker().get(address), Walker().get(address)
        assert one.send().address == other.send().address
        assert Participant.objects.count() == 1

    def test_a_personal_link_works_without_any_cookie_of_ours_once_agreed(self) -> None:
        study = expert_study()
        walker = entered(f"/i/{invited(study).token}/")
        assert Walker().walk(walker.address).address.endswith("/thanks/")

    def test_a_revoked_link_lets_nobody_in_and_nobody_back(self) -> None:
        study = expert_study()
        new, used = invited(study), invited(study, "Bob")
        walker = entered(f"/i/{used.token}/")
        form, page = walker.filled(), walker.address
        Invitation.objects.update(revoked_at=THEN)
        before = list(Event.objects.values_list("pk", flat=True))
        for address in (
            f"/i/{new.token}/",
            f"/i/{used.token}/",
            page,
            page.replace("about-you", "later"),
        ):
            gone = Walker().get(address)
            assert gone.status == 410
            assert "This invitation is not valid any more" in gone.html
        assert walker.client.post(page, form).status_code == 410
        assert list(Event.objects.values_list("pk", flat=True)) == before
        # What is theirs stays theirs.
        person = Participant.objects.get()
        assert Walker().get(f"/p/{person.token}/rights/").status == 200

    def test_a_link_whose_person_withdrew_stays_used(self) -> None:
        study = expert_study()
        invitation = invited(study)
        entered(f"/i/{invitation.token}/")
        Participant.objects.get().delete()
        walker = Walker().get(f"/i/{invitation.token}/")
        assert walker.status == 410
        assert "has withdrawn since" in walker.html

    def test_the_general_address_of_invited_people_lets_nobody_in(self) -> None:
        study = expert_study()
        walker = Walker().get(study.link)
        assert "This study is by invitation" in walker.html
        assert walker.page.forms == []
        other = Walker().get(f"/i/{invited(study).token}/")
        answer = other.client.post(study.link, other.filled())
        assert "This study is by invitation" in answer.content.decode()
        assert nothing_happened()

    def test_an_unknown_invitation_is_a_friendly_404(self) -> None:
        assert Walker().get("/i/nonsense/").status == 404

    def test_experts_are_asked_for_conflicts_of_interest_unless_they_have_the_question(
        self,
    ) -> None:
        study = expert_study()
        walker = entered(f"/i/{invited(study).token}/")
        assert "conflict_of_interest" in walker.page.forms[0].radios
        walker.send(conflict_of_interest="financial")
        answers = Participant.objects.get().background or {}
        assert answers["conflict_of_interest"] == "financial"
        own = [
            {
                "key": "conflict_of_interest",
                "question": "Our own question?",
                "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}],
            }
        ]
        Cohort.objects.update(background=own)
        other = entered(f"/i/{invited(study, 'Bob').token}/")
        assert other.page.forms[0].radios == {"conflict_of_interest": ["a", "b"]}

    def test_others_are_not_asked_for_conflicts(self) -> None:
        assert "conflict_of_interest" not in entered(live_study().link).html

    def test_a_cohort_s_instructions_come_after_the_study_s(self) -> None:
        study = live_study()
        Cohort.objects.update(instructions="Think *as an engineer*.")
        walker = Walker().walk_to(study.link, "/about-you/").send()
        instructions = Study.objects.get().texts["instructions"]
        first = instructions if isinstance(instructions, str) else instructions[0]
        assert walker.html.index(first[:20]) < walker.html.index("as an engineer")


class TestPreviews:
    def test_five_previews_leave_the_live_places_alone(self) -> None:
        study = live_study(quota=1)
        address = f"{study.link}?preview={preview_sign(study.cohort.token)}"
        entered(address)
        full = Walker().get(address)
        assert "All places are taken" in full.html  # the test lane has as many places
        cohort = Cohort.objects.get()
        assert (cohort.enrolled, cohort.enrolled_test) == (0, 1)
        walker = entered(study.link)
        assert Participant.objects.latest("pk").enrolment == 1
        assert not Participant.objects.latest("pk").is_test
        assert "Test" not in walker.page.texts

    def test_a_preview_leaves_no_cookie_that_would_lead_a_live_visit_astray(self) -> None:
        study = live_study()
        walker = entered(f"{study.link}?preview={preview_sign(study.cohort.token)}")
        assert place_cookie_name(study.cohort.token) not in walker.client.cookies
        walker.get(study.link).send()
        assert list(Participant.objects.values_list("is_test", flat=True)) == [True, False]

    @pytest.mark.parametrize("kind", ["personal", "panel"])
    def test_every_kind_of_cohort_can_be_previewed_also_in_a_pause(self, kind: str) -> None:
        study = panel_study() if kind == "panel" else expert_study()
        Study.objects.update(state="paused")
        Cohort.objects.update(state="closed")
        walker = Walker().walk(f"{study.link}?preview={preview_sign(study.cohort.token)}")
        assert walker.address.endswith("/thanks/")
        assert Participant.objects.get().is_test

    def test_a_preview_of_a_draft_or_a_closed_study_is_not_open(self) -> None:
        study = live_study()
        for state in ("draft", "closed"):
            Study.objects.update(state=state)
            walker = Walker().get(f"{study.link}?preview={preview_sign(study.cohort.token)}")
            assert "This study is not open" in walker.html

    def test_a_forged_or_old_preview_is_nobody_and_never_counts(self) -> None:
        study, other = live_study(), "another-cohort-token"
        with time_machine.travel("2020-01-01"):
            old = preview_sign(study.cohort.token)
        for signed in ("", "nonsense", preview_sign(other), old):
            walker = Walker().get(f"{study.link}?preview={signed}")
            assert walker.status == 400
            assert "Please open your link again" in walker.html
        assert nothing_happened()


class TestReceipts:
    def test_the_receipt_stands_on_the_first_page_and_where_people_stop(self) -> None:
        study = live_study()
        walker = entered(study.link)
        person = Participant.objects.get()
        assert person.receipt in walker.html
        walker.send()
        assert person.receipt not in walker.html
        for page in ("later", "receipt"):
            stop = Walker().get(f"/p/{person.token}/{page}/")
            assert person.receipt in stop.html
            assert "/rights/" in stop.page.links
        walker.walk(walker.address)
        assert walker.address.endswith("/thanks/")
        assert person.receipt in walker.html

    def test_the_version_shown_is_that_of_the_wording_in_the_log(self) -> None:
        study = live_study()
        walker = Walker().get(study.link)
        version = json_sha256(Study.objects.get().texts)
        assert version[:12] in walker.html
        walker.send()
        event = Event.objects.get(kind="participant.enrolled")
        assert event.payload["texts_sha256"] == version
        receipt = Walker().get(f"/p/{Participant.objects.get().token}/receipt/")
        assert version[:12] in receipt.html
        for statement in Study.objects.get().texts["consent"]:
            assert statement.partition("'")[0] in receipt.html


def test_what_experts_say_of_conflicts_is_in_the_bundle_and_its_codebook() -> None:
    study = expert_study()
    walker = entered(f"/i/{invited(study).token}/").send(conflict_of_interest="financial")
    Walker().walk(walker.address)
    Study.objects.update(state="closed")  # which unseals the arms
    target = io.BytesIO()
    bundle_export(study_id=study.study.pk, target=target, actor_id=None, now=timezone.now())
    with zipfile.ZipFile(target) as bundle:
        wide = list(csv.DictReader(io.StringIO(bundle.read("wide.csv").decode())))
        codebook = bundle.read("codebook.csv").decode()
    assert {row["background.conflict_of_interest"] for row in wide} == {"financial"}
    assert "Is there anything that could make you partial" in codebook
    assert "Ann Lee" not in codebook + str(wide)
