"""Researchers build cohorts, give out links and codes, invite people, and watch without arms."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from studyapp.domain.digest import json_sha256
from studyapp.models import Cohort, Event, Invitation, Participant, Study
from studyapp.services.study import design_record
from tests.studyapp.debates import START
from tests.studyapp.entering import entered
from tests.studyapp.lab import Lab, page_text
from tests.walking import Walker

pytestmark = pytest.mark.django_db

PLAIN = {"name": "experts", "kind": "experts", "link": "personal", "at_zero": "record"}
PANEL = {
    "name": "crowd",
    "kind": "crowd",
    "link": "panel",
    "at_zero": "lock",
    "provider": "prolific",
    "complete": "C0MPL",
}


def add(lab: Lab, **fields: Any) -> Any:
    return lab.ada.post(lab.url("cohort-create"), fields)


def page_of(lab: Lab, name: str) -> str:
    return page_text(lab.ada, lab.url("cohort-detail", cohort=name))


@pytest.fixture
def experts(lab: Lab) -> Lab:
    add(lab, **PLAIN)
    return lab


def invite(lab: Lab, people: str, **files: Any) -> Any:
    return lab.ada.post(lab.url("invitations-add", cohort="experts"), {"people": people, **files})


class TestBuilding:
    def test_a_cohort_is_added_with_everything_that_the_form_says(self, lab: Lab) -> None:
        fields = {"quota": "20", "instructions": "As an engineer.", "seconds": "300"}
        answer = add(lab, **{**PLAIN, **fields, "turn_seconds": "5", "at_zero": "warn"})
        assert answer["Location"] == lab.url("cohort-detail", cohort="experts")
        cohort = Cohort.objects.get(name="experts")
        assert (cohort.kind, cohort.link_kind, cohort.quota) == ("experts", "personal", 20)
        assert cohort.instructions == "As an engineer."
        assert cohort.time_pressure == {"seconds": 300, "turn_seconds": 5, "at_zero": "warn"}
        page = page_of(lab, "experts")
        assert "300 s for one trial" in page
        assert "0 of 20 places taken" in page

    def test_a_panel_s_codes_are_made_up_where_none_are_given(self, lab: Lab) -> None:
        add(lab, **PANEL)
        panel = Cohort.objects.get(name="crowd").panel
        assert panel["codes"]["complete"] == "C0MPL"
        assert len(set(panel["codes"].values())) == 4
        page = page_of(lab, "crowd")
        assert "PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}" in page
        assert all(code in page for code in panel["codes"].values())

    def test_a_cohort_becomes_part_of_the_design(self, lab: Lab) -> None:
        before = json_sha256(design_record(Study.objects.get()))
        add(lab, **PANEL)
        assert json_sha256(design_record(Study.objects.get())) != before

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({**PLAIN, "name": ""}, "Enter a name"),
            ({**PLAIN, "name": "open"}, "the name open is taken"),
            ({**PLAIN, "name": "two words"}, "valid"),
            ({**PLAIN, "quota": "0"}, "greater than or equal to 1"),
            ({**PANEL, "redirect": "http://x.example"}, "allowed is an https address"),
            ({**PANEL, "redirect": "https://x.example/{arm}"}, "{PROLIFIC_PID}"),
            ({**PANEL, "id_parameter": "a b"}, "is no parameter name"),
            ({**PANEL, "screened_out": "C0MPL"}, "four different texts"),
        ],
    )
    def test_what_cannot_be_is_told_and_nothing_is_stored(
        self, lab: Lab, fields: dict[str, Any], words: str
    ) -> None:
        answer = add(lab, **fields)
        assert answer.status_code == 400
        page = answer.content.decode()
        assert "Nothing was stored." in page
        if words != "{PROLIFIC_PID}":
            assert words in page
        assert Cohort.objects.count() == 1

    def test_an_opened_study_takes_no_further_cohort(self, lab: Lab) -> None:
        Study.objects.update(opened_at=START)
        answer = add(lab, **PLAIN)
        assert answer.status_code == 400
        assert "its design is frozen" in answer.content.decode()
        assert "Add a cohort" not in page_text(lab.ada, lab.url("study-detail"))

    def test_a_cohort_can_be_taken_out_again_but_not_the_last(self, experts: Lab) -> None:
        for name in ("experts", "open"):
            experts.ada.post(experts.url("cohort-remove", cohort=name))
        assert list(Cohort.objects.values_list("name", flat=True)) == ["open"]
        assert "only cohort" in page_text(experts.ada, experts.url("study-detail"))

    def test_a_cohort_of_another_name_is_not_found(self, lab: Lab) -> None:
        assert lab.ada.get(lab.url("cohort-detail", cohort="none")).status_code == 404
        assert lab.ada.post(lab.url("cohort-remove", cohort="none")).status_code == 404
        address = lab.url("cohort-move", cohort="open", move="explode")
        assert lab.ada.post(address).status_code == 404


class TestMoving:
    def test_a_cohort_pauses_opens_and_closes_for_good_and_each_is_logged(self, lab: Lab) -> None:
        for move in ("pause", "open", "close", "open"):
            lab.ada.post(lab.url("cohort-move", cohort="open", move=move))
        assert Cohort.objects.get().state == "closed"
        kinds = Event.objects.filter(kind__startswith="cohort.").values_list("kind", "payload")
        assert [(kind, row["before"]) for kind, row in kinds] == [
            ("cohort.paused", "open"),
            ("cohort.open", "paused"),
            ("cohort.closed", "open"),
        ]
        assert "cohort open is closed; it can become open only when" in page_of(lab, "open")


class TestLinks:
    def test_the_code_is_a_picture_of_the_link(self, lab: Lab) -> None:
        answer = lab.ada.get(lab.url("cohort-code", cohort="open"))
        assert answer["Content-Type"] == "image/svg+xml"
        assert 'filename="two-debates-open.svg"' in answer["Content-Disposition"]
        assert answer.content.startswith(b"<?xml")
        assert b"<path" in answer.content
        page = page_of(lab, "open")
        assert f"http://testserver/s/{Cohort.objects.get().token}/" in page
        assert 'src="data:image/svg+xml' in page

    def test_the_study_s_page_lists_every_cohort_and_its_link(self, experts: Lab) -> None:
        add(experts, **PANEL)
        page = page_text(experts.ada, experts.url("study-detail"))
        for cohort in Cohort.objects.all():
            is_shown = f"/s/{cohort.token}/" in page
            assert is_shown == (cohort.link_kind != "personal")
            assert experts.url("cohort-detail", cohort=cohort.name) in page

    def test_the_preview_opens_the_test_lane(self, lab: Lab) -> None:
        lab.generate()
        lab.study.scenarios.filter(pair__has_contrast=False).delete()
        assert "while the study is piloting, live or paused" in page_of(lab, "open")
        lab.ada.post(lab.url("study-open"))
        Study.objects.update(is_test=False)
        page = page_of(lab, "open")
        start = page.index('id="preview-link" href="http://testserver') + len(
            'id="preview-link" href="http://testserver'
        )
        walker = entered(page[start : page.index('"', start)])
        assert walker.address.endswith("/about-you/")
        assert Participant.objects.get().is_test
        assert "<dd>\n                0\n" in page_of(lab, "open")

    def test_tests_are_counted_apart_on_the_study_s_page(self, lab: Lab) -> None:
        lab.generate()
        lab.study.scenarios.filter(pair__has_contrast=False).delete()
        lab.ada.post(lab.url("study-open"))
        Study.objects.update(is_test=False)
        link = f"/s/{Cohort.objects.get().token}/"
        entered(link)
        Participant.objects.update(is_test=True)
        entered(link)
        counts = page_text(lab.ada, lab.url("study-live"))
        enrolled = counts[counts.index("Enrolled") :]
        assert enrolled[enrolled.index("<dd>") + 4 :].split()[0] == "1"


class TestInviting:
    def test_pasted_lines_become_personal_links(self, experts: Lab) -> None:
        answer = invite(experts, 'Ann Lee, engineer, 12, "PhD, chartered"\n\nBob Ray\n')
        assert answer.status_code == 302
        rows = Invitation.objects.values_list("name", "role", "experience_years", "credential")
        assert list(rows) == [
            ("Ann Lee", "engineer", 12, "PhD, chartered"),
            ("Bob Ray", "", None, ""),
        ]
        page = page_of(experts, "experts")
        for invitation in Invitation.objects.all():
            assert f"http://testserver/i/{invitation.token}/" in page
        assert "2 personal links were made" in page
        logged = Event.objects.get(kind="invitations.created")
        told = {"actor": "ada", "cohort": "experts", "before": None, "after": 2}
        assert logged.payload == told

    def test_a_file_with_a_heading_in_another_order_is_read(self, experts: Lab) -> None:
        content = "\ufeffRole;Name\nnurse;Zoë Ønskeli\n".encode()
        invite(experts, "", file=SimpleUploadedFile("people.csv", content))
        assert Invitation.objects.values_list("name", "role").get() == ("Zoë Ønskeli", "nurse")

    @pytest.mark.parametrize(
        ("people", "words"),
        [
            ("", "found 0 people"),
            ("Ann\n,engineer", "line 2: name: found nothing"),
            ("Ann,engineer,many", "line 1: experience_years: found"),
            ("Ann,engineer,-3", "a whole number from 0 to 80"),
            ("name,shoe size\nAnn,44", "allowed: name, role, experience_years, credential"),
            ("Ann,a,1,b,c", "found 5 columns"),
            ("x" * 201, "found 201 characters"),
            ("Ann\n" * 1001, "found 1001 people"),
        ],
    )
    def test_one_bad_line_invites_nobody(self, experts: Lab, people: str, words: str) -> None:
        answer = invite(experts, people)
        assert answer.status_code == 400
        assert words in answer.content.decode()
        assert not Invitation.objects.exists()

    def test_a_file_that_is_no_text_invites_nobody(self, experts: Lab) -> None:
        answer = invite(experts, "", file=SimpleUploadedFile("people.csv", b"Ann\xff\n"))
        assert "people.csv: the file: found byte 3 is no UTF-8" in answer.content.decode()
        assert not Invitation.objects.exists()

    def test_a_cohort_with_one_link_invites_nobody(self, lab: Lab) -> None:
        answer = lab.ada.post(lab.url("invitations-add", cohort="open"), {"people": "Ann"})
        assert answer.status_code == 400
        assert "has one link" in answer.content.decode()

    def test_the_list_says_how_far_each_is_and_names_no_arm(self, experts: Lab) -> None:
        invite(experts, "Ann\nBob\nCid\n")
        ann, bob, cid = Invitation.objects.all()
        experts.generate()
        experts.study.scenarios.filter(pair__has_contrast=False).delete()
        experts.ada.post(experts.url("study-open"))
        entered(f"/i/{ann.token}/")
        Walker().walk(f"/i/{bob.token}/")
        experts.ada.post(experts.url("invitation-revoke", cohort="experts", invitation=cid.pk))
        page = page_of(experts, "experts")
        assert [word in page for word in ("under way", "complete", "taken back")] == [True] * 3
        assert f"/i/{cid.token}/" not in page
        assert "treatment" not in page
        assert Walker().get(f"/i/{cid.token}/").status == 410

    def test_a_link_is_taken_back_once_and_only_by_its_own_cohort(self, experts: Lab) -> None:
        invite(experts, "Ann")
        key = Invitation.objects.get().pk
        experts.ada.post(experts.url("invitation-revoke", cohort="open", invitation=key))
        assert Invitation.objects.get().revoked_at is None
        for _ in range(2):
            experts.ada.post(experts.url("invitation-revoke", cohort="experts", invitation=key))
        assert Event.objects.filter(kind="invitation.revoked").count() == 1

    def test_the_file_of_links_is_safe_in_a_spreadsheet_and_complete(self, experts: Lab) -> None:
        invite(experts, '"=HYPERLINK(""http://x"")",@role,3,+1\nŁucja,,,\n')
        answer = experts.ada.get(experts.url("invitations-file", cohort="experts"))
        assert answer.content.startswith(b"\xef\xbb\xbf")
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
        first, second = Invitation.objects.all()
        assert rows == [
            ["name", "role", "experience_years", "credential", "state", "link"],
            [
                '\'=HYPERLINK("http://x")',
                "'@role",
                "3",
                "'+1",
                "sent",
                f"http://testserver/i/{first.token}/",
            ],
            ["Łucja", "", "", "", "sent", f"http://testserver/i/{second.token}/"],
        ]

    def test_every_personal_link_has_a_code_of_its_own(self, experts: Lab) -> None:
        invite(experts, "Ann\nBob")
        codes = {
            experts.ada.get(
                experts.url("invitation-code", cohort="experts", invitation=row.pk)
            ).content
            for row in Invitation.objects.all()
        }
        assert len(codes) == 2
        address = experts.url("invitation-code", cohort="open", invitation=1)
        assert experts.ada.get(address).status_code == 404
