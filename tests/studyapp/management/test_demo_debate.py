"""The debate that the demo has held, in a draft of its own."""

from __future__ import annotations

import os

import pytest
from django.utils import timezone

from studyapp.management.demo_debate import SLUG, debate_ask, debate_shown
from studyapp.models import DebateBranch, DebateRun, Study
from studyapp.services.debates import branch_execute
from tests.studyapp.lab import user_new

pytestmark = pytest.mark.django_db


def test_it_is_asked_for_once_and_ends_in_deadlock() -> None:
    owner = user_new("researcher")
    debate_ask(owner=owner)
    debate_ask(owner=owner)
    branch_execute(
        branch_id=DebateBranch.objects.get().pk, now=timezone.now, environment=os.environ
    )
    debate_ask(owner=owner)

    row = debate_shown(owner=owner)
    assert row is not None
    assert (row.state, row.scenario) == ("finished", "the-store-at-kettle-lake")
    trace = DebateRun.objects.get().trace
    assert trace is not None
    assert trace.conflict_level == "high"


def test_what_a_researcher_put_away_is_not_asked_for_again_where_the_study_was_opened() -> None:
    owner = user_new("researcher")
    debate_ask(owner=owner)
    DebateRun.objects.all().delete()
    Study.objects.filter(slug=SLUG).update(opened_at=timezone.now())

    debate_ask(owner=owner)

    assert debate_shown(owner=owner) is None


def test_no_other_account_is_touched() -> None:
    ada = user_new("ada")
    debate_ask(owner=user_new("researcher"))

    assert debate_shown(owner=ada) is None
