"""Researchers write and translate what participants read, and look at it as participants do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from studyapp.domain.passages import TextPage
from studyapp.domain.permissions import Role
from studyapp.models import Cohort, Event, Participant, Study
from studyapp.services.study import study_shared, study_upload
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab, browser_of, member_of, page_text
from tests.walking import PageReader, Walker

pytestmark = pytest.mark.django_db

OWN_QUESTION = {
    "key": "years",
    "question": "How many years?",
    "options": [{"value": "few", "label": "Few"}, {"value": "many", "label": "Many"}],
}


@pytest.fixture
def draft() -> Lab:
    sample = sample_study()
    Study.objects.update(state="draft", opened_at=None)
    Cohort.objects.update(instructions="As an engineer.", background=[OWN_QUESTION])
    return Lab(sample.study, browser_of(member_of(sample.study)), [])


def values_of(html: str) -> dict[str, str]:
    """Return what the form of a page would send as it stands."""
    return next(form.values for form in PageReader(html).forms if "seen" in form.values)


def write(lab: Lab, page: str, language: str = "en", **passages: str) -> Any:
    address = lab.url("words-edit", language=language, page=page)
    sent = values_of(page_text(lab.ada, address)) | passages
    return lab.ada.post(address, sent)


def write_all(lab: Lab, language: str) -> None:
    """Translate every passage of every page."""
    for page in TextPage:
        address = lab.url("words-edit", language=language, page=page)
        names = values_of(page_text(lab.ada, address))
        fields = {name: f"{language} {name}" for name in names if "/" in name}
        write(lab, page, language, **fields)


def preview(lab: Lab, page: str, language: str = "en") -> str:
    return page_text(lab.ada, lab.url("words-preview", language=language, page=page))


class TestWriting:
    @pytest.mark.parametrize(
        ("page", "name", "text"),
        [
            ("consent", "texts/title", "Pumps and people"),
            ("consent", "texts/consent", "You may stop.\nNothing else is stored."),
            ("instructions", "texts/instructions", "Read **slowly**."),
            ("debrief", "texts/debrief", "It was about pumps."),
            ("measures", "measures/trust/question", "How far would you lean on it?"),
            ("measures", "measures/trust/anchors/1", "Not in the least"),
            ("cohorts", "cohorts/open/instructions", "As a pump engineer."),
            ("cohorts", "cohorts/open/background/years/options/many", "Very many"),
            ("scenarios", "scenarios/scenario-1", "The harbour at night"),
        ],
    )
    def test_a_text_is_stored_logged_and_shown_as_participants_see_it(
        self, draft: Lab, page: str, name: str, text: str
    ) -> None:
        answer = write(draft, page, **{name: text})
        assert answer.status_code == 302
        last = text.splitlines()[-1].replace("**", "")
        assert last in re.sub(r"</?strong>", "", preview(draft, page))
        event = Event.objects.latest("pk")
        assert (event.kind, event.payload["language"]) == ("texts.written", "en")
        assert event.payload["after"] == {name: text}
        assert set(event.payload["before"]) == {name}

    def test_new_words_of_the_consent_raise_its_version(self, draft: Lab) -> None:
        before = version_of(preview(draft, "consent"))
        write(draft, "consent", **{"texts/agreement": "I agree and am 21."})
        after = version_of(preview(draft, "consent"))
        assert before != after
        found = [row[:8] for row in Event.objects.latest("pk").payload["consent_versions"]]
        assert found == [before[:8], after[:8]]
        assert after in page_text(draft.ada, draft.url("study-words"))

    def test_what_was_not_changed_leaves_no_line(self, draft: Lab) -> None:
        write(draft, "consent")
        assert not Event.objects.filter(kind="texts.written").exists()

    @pytest.mark.parametrize(
        ("page", "fields", "problem"),
        [
            ("consent", {"texts/title": " "}, "this text is needed"),
            ("consent", {"texts/minutes": "a while"}, "a whole number from 1 to 240"),
            ("consent", {"texts/language": "Polish!"}, "a tag such as en"),
            ("measures", {"measures/trust/anchors/1": ""}, "this text is needed"),
            ("debrief", {"texts/debrief": "x" * 20_001}, "at most 20000"),
            ("scenarios", {"scenarios/scenario-1": "The gated one"}, "tells participants what is"),
        ],
    )
    def test_what_cannot_be_is_told_and_nothing_typed_is_lost(
        self, draft: Lab, page: str, fields: dict[str, str], problem: str
    ) -> None:
        before = Study.objects.values().get()
        answer = write(draft, page, **fields)
        assert answer.status_code == 400
        html = answer.content.decode()
        assert problem in html
        for text in fields.values():
            assert text.strip() in html
        assert Study.objects.values().get() == before

    def test_two_who_write_at_once_do_not_overwrite_each_other(self, draft: Lab) -> None:
        address = draft.url("words-edit", language="en", page="debrief")
        opened = values_of(page_text(draft.ada, address))
        write(draft, "debrief", **{"texts/debrief": "Of the first."})
        late = draft.ada.post(address, opened | {"texts/debrief": "Of the second."})
        html = late.content.decode()
        assert late.status_code == 400
        assert "somebody else has changed this page" in html
        assert "Of the second." in html
        assert "Of the first." in html
        again = draft.ada.post(address, values_of(html))
        assert again.status_code == 302
        assert Study.objects.get().texts["debrief"] == "Of the second."

    def test_what_is_looked_at_before_it_is_stored_stays_unstored(self, draft: Lab) -> None:
        address = draft.url("words-preview", language="en", page="measures")
        shown = draft.ada.post(address, {"measures/trust/question": "Would you lean on it?"})
        assert "Would you lean on it?" in shown.content.decode()
        assert "Would you lean on it?" not in preview(draft, "measures")

    def test_a_text_that_leaves_nothing_to_show_is_told_in_its_place(self, draft: Lab) -> None:
        address = draft.url("words-preview", language="en", page="consent")
        shown = draft.ada.post(address, {"texts/minutes": "soon"})
        assert "Not complete yet" in shown.content.decode()

    def test_markup_in_a_text_does_nothing_in_the_preview(self, draft: Lab) -> None:
        evil = "<script>alert(1)</script>"
        for page, name in (("consent", "texts/about"), ("measures", "measures/trust/question")):
            write(draft, page, **{name: evil})
            assert evil not in preview(draft, page)

    def test_plain_texts_of_a_test_study_can_be_written_over(self, lab: Lab) -> None:
        write(lab, "consent", **{"texts/title": "Two debates to read"})
        texts = Study.objects.get().texts
        assert texts["title"] == "Two debates to read"
        assert texts["debrief"], "the others stay what they were"


class TestFrozen:
    def test_a_launched_study_is_refused_and_the_way_is_named(self, draft: Lab) -> None:
        address = draft.url("words-edit", language="en", page="consent")
        sent = values_of(page_text(draft.ada, address)) | {"texts/title": "Another"}
        Study.objects.update(state="open", opened_at=START)
        answer = draft.ada.post(address, sent)
        html = answer.content.decode()
        assert answer.status_code == 400
        assert "its design is frozen; make a new version" in html
        assert draft.url("version-create") in html
        assert "Look at it without storing" not in html

    def test_a_new_version_of_it_can_be_written(self, draft: Lab) -> None:
        Study.objects.update(state="open", opened_at=START)
        answer = draft.ada.post(draft.url("version-create"))
        slug = answer["Location"].strip("/").split("/")[-1]
        made = Lab(Study.objects.get(slug=slug), draft.ada, [])
        write(made, "consent", **{"texts/title": "The second"})
        assert Study.objects.get(slug=slug).texts["title"] == "The second"

    def test_a_pilot_goes_on_with_the_new_words_but_never_with_a_gap(self, draft: Lab) -> None:
        Study.objects.update(state="piloting")
        write(draft, "consent", **{"texts/title": "Seen at once"})
        assert "Seen at once" in page_text(Client(), draft_link(draft))
        half = write(draft, "consent", "pl", **{"texts/title": "Od razu"})
        assert half.status_code == 400
        assert "The translation pl lacks" in half.content.decode()
        assert Study.objects.get().translations == {}


class TestTranslating:
    def test_a_language_is_begun_and_what_it_lacks_is_listed(self, draft: Lab) -> None:
        begun = draft.ada.get(draft.url("study-words"), {"language": "pl"})
        assert begun["Location"] == draft.url("words-edit", language="pl", page="consent")
        write(draft, "consent", "pl", **{"texts/title": "Pompy"})
        html = page_text(draft.ada, draft.url("study-words"))
        assert "trust: Point 1" in html
        assert "texts missing" in html
        bad = draft.ada.get(draft.url("study-words"), {"language": "po polsku"})
        assert (bad.status_code, "a tag such as en" in bad.content.decode()) == (400, True)

    def test_a_study_does_not_begin_with_half_a_translation(self, draft: Lab) -> None:
        write(draft, "consent", "pl", **{"texts/title": "Pompy"})
        draft.ada.post(draft.url("study-pilot"))
        assert draft.state() == "draft"
        assert "The translation pl lacks" in page_text(draft.ada, draft.url("study-detail"))
        write_all(draft, "pl")
        assert "texts missing" not in page_text(draft.ada, draft.url("study-words"))
        draft.ada.post(draft.url("study-pilot"))
        assert draft.state() == "piloting"

    def test_a_participant_reads_the_cohort_s_words_in_their_own_language(self, draft: Lab) -> None:
        write_all(draft, "pl")
        title = {f"scenarios/{row.key}": "Tytuł" for row in draft.study.scenarios.all()}
        write(draft, "scenarios", "pl", **title)
        draft.ada.post(draft.url("study-pilot"))
        walker = Walker().get(f"{draft_link(draft)}?lang=pl").send()
        assert "pl cohorts/open/background/years/question" in walker.html
        walker.send()
        assert "pl cohorts/open/instructions" in walker.html
        assert "As an engineer." not in walker.html
        assert "Tytuł" in walker.html
        assert Participant.objects.get().is_test

    def test_a_preview_shows_what_is_translated_and_the_rest_as_it_is(self, draft: Lab) -> None:
        write(draft, "measures", "pl", **{"measures/trust/anchors/1": "wcale"})
        html = preview(draft, "measures", "pl")
        assert "wcale" in html
        assert '<html lang="pl"' in html

    def test_a_translation_is_taken_out_and_the_log_keeps_it(self, draft: Lab) -> None:
        write(draft, "consent", "pl", **{"texts/title": "Pompy"})
        draft.ada.post(draft.url("translation-remove", language="pl"))
        assert Study.objects.get().translations == {}
        event = Event.objects.latest("pk")
        assert event.kind == "translation.removed"
        assert event.payload["before"]["texts"] == {"title": "Pompy"}

    def test_a_shared_design_brings_half_a_translation_along(self, draft: Lab) -> None:
        write(draft, "cohorts", "pl", **{"cohorts/open/instructions": "Jako inżynier."})
        shared = study_shared(study_id=draft.study.pk)
        told = shared.definition.data.replace(draft.study.slug.encode(), b"fork", 1)
        made = study_upload(
            definition=type(shared.definition)("study.json", told),
            debates=shared.debates,
            seed=5,
            owner_id=member_of(draft.study).pk,
            now=START,
        )
        assert made.translations["pl"]["cohorts"]["open"]["instructions"] == "Jako inżynier."

    def test_what_is_taken_out_takes_its_words_along(self, draft: Lab) -> None:
        write_all(draft, "pl")
        key = draft.key
        assert key in Study.objects.get().translations["pl"]["scenarios"]
        draft.ada.post(draft.url("scenario-remove", key=key))
        assert key not in Study.objects.get().translations["pl"].get("scenarios", {})


def test_an_analyst_may_look_and_not_write(draft: Lab) -> None:
    analyst = browser_of(member_of(draft.study, Role.ANALYST, name="ann"))
    html = page_text(analyst, draft.url("study-words"))
    assert f'"{draft.url("words-edit", language="en", page="consent")}"' not in html
    assert f'"{draft.url("words-preview", language="en", page="consent")}"' in html


def version_of(html: str) -> str:
    found = re.search(r"<code>([0-9a-f]{8,})</code>", html)
    assert found
    return found.group(1)


def draft_link(lab: Lab) -> str:
    return SampleStudy(lab.study, Cohort.objects.earliest("pk")).link
