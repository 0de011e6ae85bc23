"""Researchers see before a study opens what may tell its texts apart."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.domain.digest import json_sha256
from studyapp.models import Scenario, StimulusPair
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db


def pair_named(lab: Lab, text: str) -> None:
    """Give the first scenario a pair whose treatment says `text`."""
    lab.generate()
    scenario = Scenario.objects.get(study=lab.study, key=lab.key)
    old = scenario.pair
    assert old is not None
    scenario.pair = StimulusPair.objects.create(
        trace=old.trace,
        reference_text=old.reference_text,
        treatment_text=f"{old.treatment_text}\n\n{text}",
        has_contrast=True,
        manifest=old.manifest,
        sha256=json_sha256(text),
        created_at=old.created_at,
    )
    scenario.save()


@pytest.mark.parametrize("text", ["As GPT-4, I agree.", "This APG report ends here."])
def test_a_text_that_names_its_model_or_arm_is_flagged_on_both_pages(lab: Lab, text: str) -> None:
    """lm-sys/FastChat#1210, #3441, #3539."""
    pair_named(lab, text)
    pair = page_text(lab.ada, lab.url("pair-detail", key=lab.key))
    assert "A text says what it is." in pair
    assert text in pair
    assert f"a text names its {'model' if 'GPT' in text else 'arm'}" in page_text(
        lab.ada, lab.url("study-detail")
    )


def test_the_pair_page_counts_both_texts_side_by_side(lab: Lab) -> None:
    lab.generate()
    page = page_text(lab.ada, lab.url("pair-detail", key=lab.key))
    assert "A text says what it is." not in page
    for count in ("words", "sentences", "headings", "list items", "numbers", "citations"):
        assert f"{count}\n" in page or f">{count}<" in page


def test_a_pair_is_linted_once_however_often_its_study_is_watched(lab: Lab) -> None:
    lab.generate()
    page_text(lab.ada, lab.url("study-detail"))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page_text(lab.ada, lab.url("study-detail"))
    assert not [query for query in asked if 'FROM "studyapp_stimuluspair"' in query["sql"]]
