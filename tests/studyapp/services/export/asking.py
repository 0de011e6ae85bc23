"""Exports asked for, built and taken along, for tests."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from studyapp.domain.export_options import options_load
from studyapp.models import ExportJob, Study
from studyapp.services.export.jobs import (
    export_build,
    export_request,
    export_take,
)
from tests.studyapp.debates import START, Clock
from tests.studyapp.lab import member_of

LATER = START + timedelta(hours=1)


def export_asked(study: Study, **switches: Any) -> int:
    """Ask for an export of everybody; return its job."""
    ada = member_of(study)
    options = options_load({"data": "both", **switches})
    return export_request(study_id=study.pk, options=options, actor_id=ada.pk, now=START)


def export_taken(job: ExportJob) -> Path:
    """Take a built export along."""
    return export_take(study_id=job.study_id, job_id=job.pk, actor_id=None, now=LATER)


def export_built(study: Study, **switches: Any) -> ExportJob:
    """Ask for an export and be the worker that builds it."""
    job_id = export_asked(study, **switches)
    export_build(job_id=job_id, now=Clock())
    return ExportJob.objects.get(pk=job_id)
