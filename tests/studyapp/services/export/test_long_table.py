"""The long table: PostgreSQL writes it, and Django's rows give the same bytes."""

from __future__ import annotations

import random

import pytest
from django.db import connection

from studyapp.domain.export_options import ExportOptions
from studyapp.services.export.head import study_head
from studyapp.services.export.long_copy import long_copy
from studyapp.services.export.long_lines import long_lines
from studyapp.services.export.people import people_of, portions
from studyapp.services.export.table_files import pieces_of
from tests.studyapp.exporting import study_state

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("blind", [False, True])
def test_both_ways_write_the_same_bytes(seed: int, blind: bool) -> None:
    assert connection.vendor == "postgresql", "the tests run on PostgreSQL"
    study = study_state(random.Random(seed), people=14).study
    head = study_head(study, blind=blind)
    people = people_of(study, ExportOptions(data="both"))

    for portion in portions(people, size=5):
        copied = list(long_copy(head, portion))
        written = list(pieces_of(long_lines(head, portion)))

        assert b"".join(data for data, _ in copied).decode() == (
            b"".join(data for data, _ in written).decode()
        )
        assert sum(lines for _, lines in copied) == sum(lines for _, lines in written)
