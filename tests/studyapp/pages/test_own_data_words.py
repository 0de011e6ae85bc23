"""The page of one's own data is written for its reader, and its files for programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from django.core.cache import cache

from studyapp.models import Assignment, Participant, Study
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db
TITLES = {"scenario-1": "Zalany port", "scenario-2": "Woda w suche lato"}
TRANSLATED = {
    "pl": {
        "texts": {"title": "Czytanie debat"},
        "measures": {"trust": {"question": "Jak bardzo ufasz?", "anchors": [*"abcde"]}},
        "background": {
            "age_group": {"question": "Ile masz lat?", "options": {"18-24": "18 do 24"}}
        },
        "scenarios": TITLES,
    }
}
MORNING = datetime(2026, 12, 1, 9, 5, 7, tzinfo=UTC)


@pytest.fixture
def study() -> SampleStudy:
    cache.clear()
    study = sample_study()
    Study.objects.update(translations=TRANSLATED)
    return study


def own_page(study: SampleStudy, language: str) -> Walker:
    walker = Walker().walk(f"{study.link}?lang={language}")
    Participant.objects.update(consented_at=MORNING)
    return walker.get(f"/p/{Participant.objects.get().token}/rights/")


def shown(walker: Walker) -> str:
    return " ".join(" ".join(walker.page.texts).split())


@pytest.mark.parametrize(
    ("language", "name", "moment"),
    [
        ("en", "English", "1 December 2026, 09:05 UTC"),
        ("pl", "polski", "1 grudnia 2026, 09:05 UTC"),
    ],
)
def test_times_name_their_zone_and_the_language_its_name(
    study: SampleStudy, language: str, name: str, moment: str
) -> None:
    page = own_page(study, language)
    assert moment in shown(page)
    assert f" {name} " in shown(page)
    assert "T09:05" not in shown(page)


def test_titles_questions_and_answers_are_in_the_reader_s_language(study: SampleStudy) -> None:
    words = shown(own_page(study, "pl"))
    for word in (*TITLES.values(), "Jak bardzo ufasz?", "Ile masz lat?", "18 do 24", "Debata 2:"):
        assert word in words
    assert "[" not in words


def test_answers_stand_in_the_order_in_which_they_were_asked(study: SampleStudy) -> None:
    words = shown(own_page(study, "en"))
    asked = [row["question"] for row in study.study.background]
    places = [words.index(question) for question in asked]
    assert places == sorted(places)


def test_numbers_are_written_as_the_reader_writes_them(study: SampleStudy) -> None:
    own_page(study, "pl")
    trial = Assignment.objects.earliest("order")
    trial.exposures.create(view="view", item="T3", visible_ms=1234, scrolled=50)
    page = Walker().get("/rights/")
    page.send(code=Participant.objects.get().receipt, action="show")
    assert "1,2 s; 50 % było w polu widzenia" in shown(page)


def test_the_file_keeps_codes_and_times_for_programs(study: SampleStudy) -> None:
    walker = own_page(study, "pl").send(action="json")
    rows = json.loads(walker.response.content)["rows"]
    assert rows[0]["at"] == "2026-12-01T09:05:07+00:00"
    assert (rows[1]["value"], rows[1]["label"], rows[1]["at"]) == ("pl", "polski", "")
