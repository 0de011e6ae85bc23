"""The demo study in a database that has one already."""

from __future__ import annotations

import pytest

from studyapp.management.demo_study import DemoError, demo_load
from studyapp.models import Study
from tests.studyapp.lab import user_new

pytestmark = pytest.mark.django_db


def test_the_stored_demo_study_is_used_again() -> None:
    owner = user_new("researcher")

    assert demo_load(owner=owner).slug == demo_load(owner=owner).slug
    assert Study.objects.count() == 1


def test_one_of_another_design_is_kept_and_told() -> None:
    owner = user_new("researcher")
    demo_load(owner=owner)
    Study.objects.update(plan={})

    with pytest.raises(DemoError, match=r"older or changed one.*move that folder away"):
        demo_load(owner=owner)

    assert Study.objects.get().plan == {}
