"""The participant's way through HTTP, from the link to the completion code."""

from __future__ import annotations

import pytest

from studyapp.models import Participant, Response
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def test_the_whole_way_ends_with_a_completion_code(study: SampleStudy) -> None:
    walker = Walker().walk(study.link)
    person = Participant.objects.get()
    assert person.completion_code in walker.html
    assert person.completed_at is not None
    assert Response.objects.count() == 2 * (3 + 2 * 2)
