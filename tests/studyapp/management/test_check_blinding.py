"""A study is walked the two ways round; whatever tells them apart is found and named."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import override_settings

from studyapp.management.blinding.leak_words import word_leaks
from studyapp.management.blinding.side_signs import token_signs
from studyapp.management.visiting.browser import Answer
from studyapp.management.visiting.page import Page
from studyapp.models import Cohort, Event, Participant, Scenario, StimulusPair, Study
from studyapp.selectors.blinding import BlindStudy
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.entering import SCREENING
from tests.studyapp.leaking import PLANTS

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(120)]


def checked(*, trials: int = 8) -> str:
    out = io.StringIO()
    call_command("check_blinding", "sample", trials=trials, stdout=out)
    return out.getvalue()


def leaks() -> str:
    with pytest.raises(CommandError) as refused:
        checked()
    assert refused.value.returncode == 1
    return str(refused.value)


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def test_a_study_is_walked_the_two_ways_round_and_nothing_is_found(study: SampleStudy) -> None:
    told = checked()
    assert "no leak" in told
    assert "4 people, 4 and 4 trials the two ways round" in told
    for page in ("debate", "reports", "draft", "thanks", "rights"):
        assert f"{page}/" in told


def test_the_check_leaves_nothing_behind(study: SampleStudy) -> None:
    Study.objects.update(state="draft")
    Cohort.objects.update(link_kind="personal", quota=1)
    checked()
    assert Participant.objects.count() == Event.objects.count() == 0
    assert Study.objects.get().state == "draft"
    cohort = Cohort.objects.get()
    assert (cohort.link_kind, cohort.quota, cohort.enrolled_test) == ("personal", 1, 0)


def test_shuffled_measures_and_every_rule_are_no_leak(study: SampleStudy) -> None:
    rules = {
        "measure_order": "random",
        "evidence_links": True,
        "debate_seconds": 30,
        "reports_seconds": 3000,
        "attention_failures": 1,
        "strata": {"region": {"north": 1}},
    }
    checks = {
        "key": "check",
        "kind": "attention",
        "question": "Choose the second answer.",
        "options": [{"value": "one", "label": "First"}, {"value": "two", "label": "Second"}],
        "correct": "two",
    }
    Study.objects.update(rules=rules, measures=[*study.study.measures, checks], screening=SCREENING)
    Cohort.objects.update(time_pressure={"seconds": 600, "at_zero": "warn"})
    told = checked()
    assert "no leak" in told
    assert "questions-first/" in told
    assert "4 people, 4 and 4 trials" in told


@pytest.mark.parametrize("planted", PLANTS)
def test_a_planted_leak_is_found(study: SampleStudy, planted: str) -> None:
    middleware = [*settings.MIDDLEWARE, "tests.studyapp.leaking.LeakingMiddleware"]
    with override_settings(MIDDLEWARE=middleware, PLANTED=planted):
        assert "/reports/: " in leaks()


def test_a_study_text_that_names_an_arm_is_a_leak(study: SampleStudy) -> None:
    texts: dict[str, Any] = study.study.texts | {"contact": "The APG team"}
    Study.objects.update(texts=texts)
    assert "'apg' in" in leaks()


def test_a_text_that_names_its_model_is_a_leak_unless_the_debate_says_it(
    study: SampleStudy,
) -> None:
    pair = StimulusPair.objects.earliest("pk")
    named = StimulusPair.objects.create(
        trace=pair.trace,
        reference_text=f"{pair.reference_text}\n\nAs GPT-4 says.",
        treatment_text=pair.treatment_text,
        has_contrast=True,
        manifest=pair.manifest,
        sha256="e" * 64,
        created_at=pair.created_at,
    )
    Scenario.objects.filter(pair=pair).update(pair=named)
    assert "'gpt' in" in leaks()


def test_letters_of_chance_in_codes_and_seals_are_no_words() -> None:
    body = '<p>7PF4XXBCD2</p><a href="/s/x/?preview=Im:9apg42:x">2PF3-9PF4-PF22</a>'
    answer = Answer("/s/x/", 200, (("Content-Type", "text/html"),), (), body.encode())
    study = BlindStudy(("baseline", "apg"), (), (), frozenset(), frozenset(), {})
    assert list(word_leaks(answer, Page(body), study)) == []
    told = answer.html.replace("7PF4XXBCD2", "PF 0.95")
    assert list(word_leaks(replace(answer, body=told.encode()), Page(told), study)) != []


def test_a_study_without_texts_is_refused() -> None:
    sample_study(debates=0)
    with pytest.raises(CommandError, match="no texts yet") as refused:
        checked()
    assert refused.value.returncode == 2


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ([f"x{n:03}" for n in range(40)], [f"y{n:03}" for n in range(40)], "order of tokens"),
        ([f"{n:04}" for n in range(9)], [f"{n:05}" for n in range(9)], "lengths of tokens"),
        (
            [f"{n * 2:03}{LETTERS[n % 13]}" for n in range(40)],
            [f"{n * 2 + 1:03}{LETTERS[n % 13 + 13]}" for n in range(40)],
            "letter 4 of tokens",
        ),
    ],
)
def test_tokens_that_follow_the_side_are_found(
    left: list[str], right: list[str], told: str
) -> None:
    sides = {**dict.fromkeys(left, True), **dict.fromkeys(right, False)}
    assert any(told in sign for sign in token_signs(sides))


def test_tokens_of_chance_tell_nothing() -> None:
    tokens = [f"{(n * 7919) % 100003:06}" for n in range(80)]
    assert list(token_signs({token: n % 2 == 0 for n, token in enumerate(tokens)})) == []
