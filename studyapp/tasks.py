"""What a worker does: fetch by id and call one service. The clock is read here."""

from __future__ import annotations

import logging
import os

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from django.core.mail import send_mail
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.services import api_access, generation, report, retention, sealing, study
from studyapp.services.export import jobs

logger = logging.getLogger(__name__)


@shared_task(base=DjangoTask)
def run_execute(*, run_id: int) -> None:
    """Execute a run and freeze its pair; a doubled message finds nothing to do."""
    study.texts_generate(run_id=run_id, now=timezone.now, environment=os.environ)


@shared_task(base=DjangoTask)
def report_build(*, report_id: int) -> None:
    """Build a study's report; a doubled message finds nothing to do."""
    report.report_build(report_id=report_id, now=timezone.now)


@shared_task(base=DjangoTask)
def export_build(*, job_id: int) -> None:
    """Build an export; a doubled message finds nothing to do."""
    jobs.export_build(job_id=job_id, now=timezone.now)


@shared_task(base=DjangoTask)
def runs_sweep() -> None:
    """Wake a worker for every run and report that is due and was not delivered; seal the log."""
    for run_id in generation.runs_sweep(now=timezone.now()):
        run_execute.delay_on_commit(run_id=run_id)
    for report_id in report.reports_sweep(now=timezone.now()):
        report_build.delay_on_commit(report_id=report_id)
    for job_id in jobs.exports_sweep(now=timezone.now()):
        export_build.delay_on_commit(job_id=job_id)
    for reminder in retention.retention_sweep(now=timezone.now()):
        _remind(reminder)
    sealing.logs_seal(now=timezone.now())
    api_access.api_requests_forget(now=timezone.now())


def _remind(reminder: retention.Reminder) -> None:
    """Write to the owners; what cannot be sent is logged, and the study's page says it too."""
    words = {
        "study": reminder.study,
        "action": reminder.action,
        "days": reminder.days_left,
    }
    subject = _("“%(study)s”: participants' data end in %(days)d days") % words
    text = _("What happens then: %(action)s. An owner can change it on the study's page.") % words
    try:
        send_mail(subject, text, None, list(reminder.emails))
    except OSError:
        logger.exception("a reminder could not be sent")
