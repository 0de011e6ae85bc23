"""Programs are cast as asked, prefer what is planted, and are refused where they cannot play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from studyapp.management.simulating.preferences import (
    Planted,
    PreferenceError,
    answer_field,
    preferences_read,
)
from studyapp.management.simulating.profiles import PROFILES, Person, people_cast
from studyapp.management.visiting.page import Field, Page
from studyapp.management.visiting.visitor import form_data
from studyapp.models import Participant, Study
from studyapp.selectors.blinding import TrialSide
from tests.sample_study import sample_study


def cast(n: int = 200, *, profile: str = "mixed", seed: int = 7) -> tuple[Person, ...]:
    return people_cast(n=n, profile=profile, dropout=0.2, seed=seed, pages=9)


def answered(person: Person, entry: Field, *, preferred: str) -> str | None:
    return answer_field(entry, person, preferred=preferred, trial="one", right={"check": "two"})


def test_a_mixed_cast_has_every_profile_by_its_share_and_exactly_the_dropouts() -> None:
    people = cast()
    counts = Counter(person.profile.name for person in people)
    assert counts == {name: profile.share * 2 for name, profile in PROFILES.items()}
    assert sum(person.leaves_after is not None for person in people) == 40


def test_one_seed_casts_the_same_people_and_another_seed_others() -> None:
    assert cast() == cast()
    assert cast() != cast(seed=8)
    assert len({person.profile for person in cast(7, profile="speeding")}) == 1


def test_preferred_arms_are_followed_on_whichever_side_they_stand() -> None:
    choice = Field("act_on", "radio", {"left": "A", "right": "B", "neither": "Neither"})
    people = cast(100, profile="careful")
    for side in ("left", "right"):
        chosen = Counter(answered(person, choice, preferred=side) for person in people)
        assert chosen[side] > 70


def test_an_answer_depends_on_the_arm_and_not_on_the_side() -> None:
    points = {str(point): str(point) for point in range(1, 6)}
    left, right = (Field(f"trust.{side}", "radio", dict(points)) for side in ("left", "right"))
    for person in cast(30, profile="careful"):
        one = answered(person, left, preferred="left"), answered(person, right, preferred="left")
        other = (
            answered(person, right, preferred="right"),
            answered(person, left, preferred="right"),
        )
        assert one == other


def test_those_who_read_pass_a_check_and_those_who_do_not_often_fail() -> None:
    check = Field("check", "radio", {"one": "First", "two": "Second", "three": "Third"})
    for name, least, most in (("careful", 1.0, 1.0), ("speeding", 0.4, 0.8)):
        people = cast(200, profile=name)
        passed = sum(answered(person, check, preferred="") == "two" for person in people) / 200
        assert least <= passed <= most


@pytest.mark.parametrize(
    ("given", "scenario", "side"),
    [
        (["apg"], "one", "left"),
        (["baseline"], "one", "right"),
        (["apg", "one=baseline"], "one", "right"),
        (["two=apg"], "one", ""),
        ([], "one", ""),
    ],
)
def test_a_preference_is_read_for_all_scenarios_or_for_one(
    given: list[str], scenario: str, side: str
) -> None:
    planted = preferences_read(given, arms=("baseline", "apg"), scenarios=["one", "two"])
    assert planted.side(TrialSide(scenario, 1, treatment_is_left=True)) == side


def test_no_preference_has_no_side() -> None:
    assert Planted({}).side(TrialSide("one", 1, treatment_is_left=True)) == ""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("tuned", "no arm 'tuned'; allowed: baseline, apg"),
        ("three=apg", "no scenario 'three'; allowed: one, two"),
    ],
)
def test_a_preference_for_what_does_not_exist_is_refused(given: str, told: str) -> None:
    with pytest.raises(PreferenceError, match=told):
        preferences_read([given], arms=("baseline", "apg"), scenarios=["one", "two"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "options", "told"),
    [
        ({"state": "draft"}, {}, "is draft; allowed: open"),
        ({}, {"cohort": "experts"}, "no such open cohort"),
        ({}, {"prefer": ["tuned"]}, "no arm 'tuned'"),
        ({"slug": "other"}, {}, "there is no study 'sample'"),
    ],
)
def test_nobody_plays_where_it_cannot_be_done(
    change: dict[str, str], options: dict[str, Any], told: str
) -> None:
    sample_study()
    Study.objects.update(**change)
    with pytest.raises(CommandError, match=told) as refused:
        call_command("simulate_participants", "sample", url="http://127.0.0.1:9", **options)
    assert refused.value.returncode == 2
    assert Participant.objects.count() == 0


FORM = """
<form method="get" action="/search/"><input name="q"><button>Search</button></form>
<form method="post" action="/there/" id="main">
  <input type="hidden" name="token" value="a&amp;b">
  <fieldset><legend>Which?</legend>
    <label for="x"><input type="radio" id="x" name="pick" value="1"> <span>One</span></label>
    <label for="y"><input type="radio" id="y" name="pick" value="2" checked> Two</label>
  </fieldset>
  <label>Why <textarea name="why" required>kept</textarea></label>
  <select name="where"><option value="">-</option><option value="h" selected>Here</option></select>
  <input type="checkbox" name="agree" value="yes" disabled>
  <button class="button is-secondary" name="action" value="later">Later</button>
</form>
<button form="main" class="button" name="action" value="submit">Go on</button>
<a class="button" href="/next/">Next</a>
"""


def test_a_page_is_read_as_a_browser_reads_it() -> None:
    form = Page(FORM).main_form
    assert form is not None
    assert form.action == "/there/"
    assert form.fields["pick"].offered == {"1": "One", "2": "Two"}
    assert form.fields["pick"].asked == "Which?"
    assert set(form.fields) == {"pick", "why", "where"}
    assert form_data(form, lambda _: None) == {
        "token": "a&b",
        "pick": "2",
        "why": "kept",
        "where": "h",
        "action": "submit",
    }
    assert Page(FORM).main_link == "/next/"
