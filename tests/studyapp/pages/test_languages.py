"""One page speaks one language: the participant's, where the study has it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.test.utils import override_settings

from studyapp.domain.passages import gaps_list
from studyapp.domain.translations import TEXTS, translations_check
from studyapp.models import Participant, Study
from studyapp.selectors.wording import content_of
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

POLISH = "PL: "


def translated_study(language: str = "pl") -> SampleStudy:
    sample = sample_study()
    study = sample.study
    study.translations = {language: _translation(study)}
    content = content_of(study)
    translations_check(content)
    assert gaps_list(content) == []
    study.save(update_fields=["translations"])
    return sample


def _translation(study: Study) -> dict[str, Any]:
    texts = {key: f"{POLISH}{key}" for key in TEXTS} | {"consent": [f"{POLISH}consent"]}
    return {
        "texts": texts,
        "measures": {row["key"]: _words(row) for row in study.measures},
        "background": {row["key"]: _words(row) for row in study.background},
        "screening": {},
        "scenarios": {row.key: f"{POLISH}{row.title}" for row in study.scenarios.exclude(title="")},
    }


def _words(row: dict[str, Any]) -> dict[str, Any]:
    words: dict[str, Any] = {
        key: f"{POLISH}{row[key]}" for key in ("question", "hint") if row.get(key)
    }
    if row.get("anchors"):
        words["anchors"] = [f"{POLISH}{anchor}" for anchor in row["anchors"]]
    if row.get("options"):
        words["options"] = {
            option["value"]: f"{POLISH}{option['label']}" for option in row["options"]
        }
    return words


@pytest.mark.django_db
def test_the_link_chooses_the_language_and_every_later_page_keeps_it() -> None:
    sample = translated_study()
    walker = Walker().get(f"{sample.link}?lang=pl")
    assert '<html lang="pl"' in walker.html
    assert "PL: about" in walker.html
    assert "Zgadzam się i zaczynam" in walker.html
    walker.send()
    assert Participant.objects.get().language == "pl"
    assert '<html lang="pl"' in walker.html
    assert "PL: " in walker.html
    walker.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    walker.get(walker.address)
    assert '<html lang="pl"' in walker.html


@pytest.mark.django_db
def test_the_browser_chooses_where_the_link_does_not() -> None:
    sample = translated_study()
    page = Client(headers={"accept-language": "pl-PL,pl;q=0.9"}).get(sample.link)
    assert '<html lang="pl"' in page.content.decode()


@pytest.mark.django_db
def test_the_participant_can_choose_another_one() -> None:
    sample = translated_study()
    html = Client().get(f"{sample.link}?lang=pl&source=mail").content.decode()
    assert "?lang=en&amp;source=mail" in html
    assert ">polski<" in html.casefold()


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["pl", "xx", "<b>"])
def test_a_study_without_that_language_speaks_its_own_throughout(asked: str) -> None:
    sample = sample_study()
    page = Client(headers={"accept-language": "pl"}).get(sample.link, {"lang": asked})
    html = page.content.decode()
    assert '<html lang="en"' in html
    assert "Agree and start" in html


@pytest.mark.django_db
@override_settings(LANGUAGES=[("en", "English"), ("he", "Hebrew")])
def test_a_language_from_right_to_left_turns_the_page() -> None:
    sample = translated_study("he")
    html = Client().get(sample.link, {"lang": "he"}).content.decode()
    assert '<html lang="he"' in html
    assert 'dir="rtl"' in html


@pytest.mark.django_db
def test_researchers_and_visitors_choose_the_site_s_language() -> None:
    client = Client()
    assert "Two reports about one debate" in client.get("/").content.decode()
    client.post("/language", {"language": "pl", "next": "/"})
    assert "Dwa raporty o jednej debacie" in client.get("/").content.decode()
