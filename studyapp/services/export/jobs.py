"""Have a worker build an export: asked for, built once, gone on with after a crash, kept a while.

The row is the request; a worker wins it by lease and renews that with each portion it has written.
Each worker writes into a folder of its own, into which it copies what an earlier one had finished:
so a worker that only seemed dead can do no harm.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from studyapp.domain.export_options import BUNDLE, ExportOptions, options_dump, options_load
from studyapp.domain.permissions import Action
from studyapp.domain.tokens import token_new
from studyapp.errors import ExportError, LeaseLostError
from studyapp.models import Event, ExportJob, ExportState, Study
from studyapp.selectors.arm_key import key_check
from studyapp.selectors.export import export_file, exports_folder
from studyapp.services.export.bundle import Written, bundle_pack, tables_write
from studyapp.services.export.leases import LeaseHold, lease_end
from studyapp.services.export.single_file import file_write
from studyapp.services.export.table_files import MARKS
from studyapp.services.export.totals import rows_expected
from studyapp.services.study.record import actor_name, study_read

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
# An export that ends its worker every time must not do so for ever.
MAX_ATTEMPTS: Final = 3
_WAITING: Final = (ExportState.QUEUED, ExportState.RUNNING)
_GAVE_UP: Final = (
    f"The worker stopped in the middle of this {MAX_ATTEMPTS} times. Look at its log, then ask "
    "again."
)
_PACKING: Final = "packing"


@transaction.atomic
def export_request(*, study_id: int, options: ExportOptions, actor_id: int, now: datetime) -> int:
    """Queue an export; the caller wakes a worker for the returned row.

    Raises:
        RoleRefusedError: the actor may not take answers out.
        ExportError: the study has no such cohort.
        ArmKeySealedError: the export would tell which arm stood where, and that is sealed.
    """
    study = study_read(study_id, actor_id=actor_id, action=Action.ANALYSE)
    _request_check(study, options)
    actor = actor_name(actor_id)
    job = ExportJob.objects.create(
        study=study,
        options=options_dump(options),
        actor=actor,
        requested_at=now,
        lease_until=lease_end(now),
    )
    _log(job, "export.requested", actor=actor, now=now)
    return job.pk


def export_build(*, job_id: int, now: Clock) -> None:
    """Win the request, write the file, and store what it is or why there is none.

    Not one transaction on purpose: it takes as long as the data are many.
    """
    lease = _job_win(job_id=job_id, now=now())
    if lease is None:
        logger.info("export %s is not to be had: built, or in other hands", job_id)
        return
    job = ExportJob.objects.select_related("study").get(pk=job_id)
    try:
        built = _build(job, lease, now=now)
    except LeaseLostError:
        logger.info("export %s was taken over; this worker stops", job_id)
        return
    except (ExportError, OSError) as error:
        built = {"state": ExportState.FAILED, "error": _told(error)}
    _finish(job, lease, built, now=now())


@transaction.atomic
def exports_sweep(*, now: datetime) -> list[int]:
    """Free the exports of dead workers, name those that need a worker woken, drop old files."""
    overdue = ExportJob.objects.filter(state__in=_WAITING, lease_until__lt=now)
    overdue.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=ExportState.FAILED, error=_GAVE_UP, lease_token="", lease_until=None
    )
    due = list(overdue.values_list("pk", flat=True))
    ExportJob.objects.filter(pk__in=due).update(
        state=ExportState.QUEUED, lease_token="", lease_until=lease_end(now)
    )
    _old_drop(now)
    return due


@transaction.atomic
def export_take(*, study_id: int, job_id: int, actor_id: int | None, now: datetime) -> Path:
    """Return the file of a finished export for download, and log who took it.

    Raises:
        RoleRefusedError: the actor may not take answers out.
        ExportError: there is no such file, somebody withdrew since it was built, or it tells arms
            that are sealed.
    """
    study_read(study_id, actor_id=actor_id, action=Action.ANALYSE)
    job = ExportJob.objects.select_related("study").filter(pk=job_id, study_id=study_id).first()
    path = export_file(job_id, job.sha256) if job and job.sha256 else None
    if job is None or path is None or not path.exists():
        raise ExportError("This export is not there any more. Ask for it again.")
    if job.study.tombstones.count() != job.tombstones:
        raise ExportError(
            "Somebody withdrew after this export was built, so it is not given out. Ask for it "
            "again."
        )
    if options_load(job.options).shows_arms:
        key_check(job.study)
    _log(job, "export.downloaded", actor=actor_name(actor_id), now=now)
    return path


def _request_check(study: Study, options: ExportOptions) -> None:
    if options.cohort and not study.cohorts.filter(name=options.cohort).exists():
        known = ", ".join(study.cohorts.order_by("pk").values_list("name", flat=True))
        raise ExportError(f"There is no cohort {options.cohort!r}; there are: {known}.")
    if options.shows_arms:
        key_check(study)


def _job_win(*, job_id: int, now: datetime) -> str | None:
    token = token_new()
    free = Q(state=ExportState.QUEUED) | Q(state=ExportState.RUNNING, lease_until__lt=now)
    won = ExportJob.objects.filter(free, pk=job_id, attempts__lt=MAX_ATTEMPTS).update(
        state=ExportState.RUNNING,
        lease_token=token,
        lease_until=lease_end(now),
        attempts=F("attempts") + 1,
        error="",
    )
    return token if won == 1 else None


def _build(job: ExportJob, lease: str, *, now: Clock) -> dict[str, Any]:
    options = options_load(job.options)
    if options.shows_arms:
        key_check(job.study)
    tombstones = job.study.tombstones.count()
    folder = _folder_begin(job.pk, lease)
    draft = folder / "export"
    ExportJob.objects.filter(pk=job.pk).update(rows_total=rows_expected(job.study, options))
    with LeaseHold(job.pk, lease, now=now) as hold:
        written = tables_write(
            study_id=job.study_id, options=options, folder=folder, progress=hold.progress
        )
        hold.progress(_PACKING, written.folder.rows)
        _pack(written, draft)
        digest, size = _digest(draft), draft.stat().st_size
    draft.replace(export_file(job.pk, digest))
    return {
        "state": ExportState.FINISHED,
        "sha256": digest,
        "size": size,
        "participants": written.counts.present,
        "rows_done": written.folder.rows,
        "rows_total": written.folder.rows,
        "tombstones": tombstones,
        "error": "",
    }


def _pack(written: Written, draft: Path) -> None:
    if written.asked.options.form != BUNDLE:
        file_write(written, draft)
        return
    with draft.open("w+b") as target:
        bundle_pack(written, target)


def _finish(job: ExportJob, lease: str, built: dict[str, Any], *, now: datetime) -> None:
    held = ExportJob.objects.filter(pk=job.pk, lease_token=lease)
    values = {**built, "built_at": now, "lease_token": "", "lease_until": None, "stage": ""}
    with transaction.atomic():
        if held.update(**values) != 1:
            logger.info("export %s was taken over; what this worker built is dropped", job.pk)
            return
        if built["state"] == ExportState.FINISHED:
            _log(job, "export.built", actor=job.actor, now=now, sha256=built["sha256"])
    shutil.rmtree(_work_folder(job.pk), ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """What an earlier worker left, and how much."""

    folder: Path
    size: int


def _folder_begin(job_id: int, lease: str) -> Path:
    """Make this worker's folder, with what the one that came furthest had finished."""
    work = _work_folder(job_id)
    folder = work / lease
    left = [
        _Found(path, sum(file.stat().st_size for file in path.iterdir()))
        for path in (work.iterdir() if work.exists() else ())
        if (path / MARKS).exists()
    ]
    if left:
        shutil.copytree(max(left, key=lambda found: found.size).folder, folder)
        (folder / "export").unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _work_folder(job_id: int) -> Path:
    return exports_folder() / f"work-{job_id}"


def _old_drop(now: datetime) -> None:
    """Delete files past their time, those from before somebody withdrew, and what is left over."""
    limit = now - timedelta(hours=settings.EXPORT_KEEP_HOURS)
    for path in exports_folder().iterdir():
        kind, _, rest = path.name.partition("-")
        number = rest.partition("-")[0]
        job = ExportJob.objects.filter(pk=number).first() if number.isdecimal() else None
        if kind == "work" and (job is None or job.state not in _WAITING):
            shutil.rmtree(path, ignore_errors=True)
        elif kind == "export" and not _is_kept(job, path, limit=limit):
            path.unlink(missing_ok=True)


def _is_kept(job: ExportJob | None, path: Path, *, limit: datetime) -> bool:
    if job is None or job.state in _WAITING:
        # A worker has put it there and is about to say so.
        return job is not None
    is_its_file = job.state == ExportState.FINISHED and path == export_file(job.pk, job.sha256)
    is_fresh = job.built_at is not None and job.built_at >= limit
    return is_its_file and is_fresh and job.study.tombstones.count() == job.tombstones


def _log(job: ExportJob, kind: str, *, actor: str, now: datetime, **more: Any) -> None:
    # Nothing of the study changes by it: what was asked for is what there is to say.
    asked = {"before": None, "after": None, "export": job.pk, "options": job.options}
    payload = {"actor": actor, **asked, **more}
    Event.objects.create(study=job.study.slug, kind=kind, payload=payload, at=now)


def _told(error: ExportError | OSError) -> str:
    if isinstance(error, OSError):
        return f"The file could not be written: {error.strerror or type(error).__name__}."
    return str(error)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
