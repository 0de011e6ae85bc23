"""What the researcher's pages show of a study's exports, and where their files lie."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from studyapp.domain.export_options import ExportOptions, file_name, options_load
from studyapp.models import ExportJob, ExportState, Study
from studyapp.selectors.rows import Rows

_LISTED = 20


@dataclass(frozen=True, slots=True)
class ExportRow:
    """One export as a page lists it.

    `is_there` says whether it can be downloaded; `is_outdated` that somebody withdrew since.
    """

    id: int
    options: ExportOptions
    name: str
    actor: str
    state: str
    stage: str
    error: str
    rows_done: int
    rows_total: int
    participants: int
    size: int
    sha256: str
    requested_at: datetime
    built_at: datetime | None
    is_there: bool
    is_outdated: bool

    @property
    def is_waiting(self) -> bool:
        """Whether a worker is expected to change it soon."""
        return self.state in (ExportState.QUEUED, ExportState.RUNNING)

    @property
    def per_cent(self) -> int:
        """How far it is; the total is an estimate, so 99 until it is finished."""
        if self.state == ExportState.FINISHED:
            return 100
        return min(99, 100 * self.rows_done // max(self.rows_total, 1))


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What can be chosen for a study besides what every study has."""

    cohorts: tuple[str, ...]
    is_test: bool
    has_external_ids: bool


def exports_list(study_id: int, *, most: int = _LISTED) -> tuple[ExportRow, ...]:
    """List a study's exports, the newest first."""
    return tuple(exports_rows(study_id).part(0, most))


def exports_rows(
    study_id: int, *, state: str | None = None, order: str = "-requested_at"
) -> Rows[ExportRow]:
    """Return a study's exports, all or those in one state."""
    study = Study.objects.get(pk=study_id)
    tombstones = study.tombstones.count()
    jobs = study.exports.order_by(order, "-pk")
    return Rows(
        jobs if state is None else jobs.filter(state=state),
        lambda job: _row(study, job, tombstones=tombstones),
    )


def export_find(study_id: int, job_id: int) -> ExportRow | None:
    """Return one export of a study, or None."""
    study = Study.objects.get(pk=study_id)
    job = study.exports.filter(pk=job_id).first()
    return None if job is None else _row(study, job, tombstones=study.tombstones.count())


def export_choice(study_id: int) -> ExportChoice:
    """Tell what the form of a study's exports offers."""
    study = Study.objects.get(pk=study_id)
    named = study.participants.exclude(external_id="").exists()
    return ExportChoice(
        cohorts=tuple(study.cohorts.order_by("pk").values_list("name", flat=True)),
        is_test=study.takes_test_data,
        has_external_ids=named,
    )


def exports_folder() -> Path:
    """Return where the exports lie; web and worker see the same folder."""
    folder: Path = settings.EXPORT_DIR
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def export_file(job_id: int, sha256: str) -> Path:
    """Return where the file of an export lies, or would.

    Its hash is in the name, so that two workers on one export never write the same file.
    """
    return exports_folder() / f"export-{job_id}-{sha256[:16]}"


def _row(study: Study, job: Any, *, tombstones: int) -> ExportRow:
    options = options_load(job.options)
    finished = job.state == ExportState.FINISHED
    outdated = finished and job.tombstones != tombstones
    return ExportRow(
        id=job.pk,
        options=options,
        name=file_name(study.slug, options),
        actor=job.actor,
        state=job.state,
        stage=job.stage,
        error=job.error,
        rows_done=job.rows_done,
        rows_total=job.rows_total,
        participants=job.participants,
        size=job.size,
        sha256=job.sha256,
        requested_at=job.requested_at,
        built_at=job.built_at,
        is_there=finished and not outdated and export_file(job.pk, job.sha256).exists(),
        is_outdated=outdated,
    )


def export_job_options(study_id: int, job_id: int) -> ExportOptions | None:
    """Return what an export of this study was asked for, or None where there is none."""
    job = ExportJob.objects.filter(study_id=study_id, pk=job_id).first()
    return None if job is None else options_load(job.options)
