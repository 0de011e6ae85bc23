"""Have analysis look at a study: the full report once it is closed, a design check before.

A row is the request and the result. A worker wins it by lease, exports the bundle into a folder of
its own, and stores what analysis wrote; a lost message is sent anew by the sweep.
"""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from studyapp.domain.export_options import ExportOptions
from studyapp.domain.permissions import Action
from studyapp.domain.states import ENDED
from studyapp.domain.tokens import token_new
from studyapp.errors import ReportError
from studyapp.models import ReportKind, ReportState, Response, Study, StudyReport
from studyapp.seams import analysis, reports
from studyapp.selectors.arm_key import key_is_sealed
from studyapp.services.export import bundle_write
from studyapp.services.study.record import event_log, study_read

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]

# A report that ends its worker every time must not do so for ever.
MAX_ATTEMPTS: Final = 3
_WAITING: Final = (ReportState.QUEUED, ReportState.RUNNING)
_GAVE_UP: Final = (
    f"The worker stopped in the middle of this {MAX_ATTEMPTS} times. Look at its log, then ask "
    "again."
)


@transaction.atomic
def report_request(*, study_id: int, language: str, actor_id: int, now: datetime) -> int | None:
    """Queue the report of a closed study, or the design check of one that still runs.

    Returns:
        The row for which the caller wakes a worker; None where one is under way already.

    Raises:
        ReportError: there is no such language, or nobody has answered yet.
    """
    study = study_read(study_id, actor_id=actor_id, action=Action.ANALYSE)
    _request_check(study, language)
    kind = ReportKind.REPORT if study.state in ENDED else ReportKind.DESIGN
    row, created = StudyReport.objects.get_or_create(
        study=study,
        kind=kind,
        language=language,
        defaults={"requested_at": now, "lease_until": _lease_end(now)},
    )
    if not created and not _queue_again(row, now=now):
        return None
    event_log(
        study,
        f"{kind}.requested",
        now=now,
        actor_id=actor_id,
        before=None,
        after=None,
        language=language,
    )
    return row.pk


def report_build(*, report_id: int, now: Clock) -> None:
    """Win the request, have analysis work, and store what it wrote or why it did not.

    Not one transaction on purpose: the analysis takes seconds, and nothing may be locked by it.
    """
    lease = _report_win(report_id=report_id, now=now())
    if lease is None:
        logger.info("report %s is not to be had: built, or in other hands", report_id)
        return
    row = StudyReport.objects.select_related("study").get(pk=report_id)
    try:
        built = _build(row)
    except ReportError as error:
        built = {"state": ReportState.FAILED, "error": str(error)}
    else:
        built |= {"state": ReportState.FINISHED, "built_at": now()}
    held = StudyReport.objects.filter(pk=report_id, lease_token=lease)
    if held.update(**built, lease_token="", lease_until=None) != 1:
        logger.info("report %s was taken over; what this worker built is dropped", report_id)


@transaction.atomic
def reports_sweep(*, now: datetime) -> list[int]:
    """Free the reports of dead workers and name those that need a worker woken."""
    overdue = StudyReport.objects.filter(state__in=_WAITING, lease_until__lt=now)
    overdue.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=ReportState.FAILED, error=_GAVE_UP, lease_token="", lease_until=None
    )
    due = list(overdue.values_list("pk", flat=True))
    StudyReport.objects.filter(pk__in=due).update(
        state=ReportState.QUEUED, lease_token="", lease_until=_lease_end(now)
    )
    return due


def _request_check(study: Study, language: str) -> None:
    if language not in analysis.REPORT_LANGUAGES:
        known = ", ".join(analysis.REPORT_LANGUAGES)
        raise ReportError(f"There is no report in {language!r}; there are: {known}.")
    if not Response.objects.filter(assignment__participant__study=study).exists():
        raise ReportError("Nobody has answered yet, so there is nothing to look at.")


def _queue_again(row: StudyReport, *, now: datetime) -> bool:
    resting = StudyReport.objects.filter(pk=row.pk).exclude(state__in=_WAITING)
    values: dict[str, Any] = {"state": ReportState.QUEUED, "requested_at": now, "attempts": 0}
    return resting.update(**values, error="", lease_token="", lease_until=_lease_end(now)) == 1


def _report_win(*, report_id: int, now: datetime) -> str | None:
    token = token_new()
    free = Q(state=ReportState.QUEUED) | Q(state=ReportState.RUNNING, lease_until__lt=now)
    won = StudyReport.objects.filter(free, pk=report_id, attempts__lt=MAX_ATTEMPTS).update(
        state=ReportState.RUNNING,
        lease_token=token,
        lease_until=_lease_end(now),
        attempts=F("attempts") + 1,
    )
    return token if won == 1 else None


def _build(row: StudyReport) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="apg-report-") as folder:
        bundle = Path(folder) / f"{row.study.slug}.zip"
        with bundle.open("w+b") as target:
            receipt = bundle_write(
                study_id=row.study_id, target=target, options=_options(row.study)
            )
        with bundle.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        make = reports.report_files if row.kind == ReportKind.REPORT else reports.design_files
        files = make(bundle, language=row.language, timeout=settings.REPORT_TIMEOUT_SECONDS)
    return {
        "html": files.html,
        "json": files.json,
        "pdf": files.pdf,
        "data_sha256": digest,
        "participants": receipt.participants,
        "error": "",
    }


def _options(study: Study) -> ExportOptions:
    """What analysis sees: while the arm key is sealed, nothing that tells arms."""
    data = "both" if study.takes_test_data else "live"
    return ExportOptions(data=data, blind=key_is_sealed(study))


def _lease_end(now: datetime) -> datetime:
    """Past the moment at which the analysis would have been ended."""
    return now + timedelta(seconds=settings.REPORT_TIMEOUT_SECONDS + settings.RUN_LEASE_SECONDS)
