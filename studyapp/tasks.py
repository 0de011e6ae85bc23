"""What a worker does: fetch by id and call one service. The clock is read here."""

from __future__ import annotations

import logging
import os

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.seams.webhooks import webhook_post
from studyapp.services import (
    api_access,
    debates,
    generation,
    health,
    notices,
    report,
    retention,
    sealing,
    study,
)
from studyapp.services.export import jobs

logger = logging.getLogger(__name__)


@shared_task(base=DjangoTask)
def run_execute(*, run_id: int) -> None:
    """Execute a run and freeze its pair; a doubled message finds nothing to do."""
    study.texts_generate(run_id=run_id, now=timezone.now, environment=os.environ)


@shared_task(base=DjangoTask)
def branch_execute(*, branch_id: int) -> None:
    """Do a branch of a debate, and wake who goes on; a doubled message finds nothing to do."""
    woken = debates.branch_execute(branch_id=branch_id, now=timezone.now, environment=os.environ)
    for other in woken:
        branch_execute.delay_on_commit(branch_id=other)


@shared_task(base=DjangoTask)
def report_build(*, report_id: int) -> None:
    """Build a study's report; a doubled message finds nothing to do."""
    report.report_build(report_id=report_id, now=timezone.now)


@shared_task(base=DjangoTask)
def export_build(*, job_id: int) -> None:
    """Build an export; a doubled message finds nothing to do."""
    jobs.export_build(job_id=job_id, now=timezone.now)


@shared_task(base=DjangoTask)
def notice_deliver(*, delivery_id: int) -> None:
    """Try once to deliver a notice; a doubled message finds nothing to do."""
    notices.delivery_attempt(
        delivery_id=delivery_id, now=timezone.now, post=webhook_post, mail=_mail
    )


@shared_task(base=DjangoTask, bind=True)
def runs_sweep(self: DjangoTask[..., None]) -> None:
    """Wake a worker for everything that is due and was not delivered; seal the log."""
    health.heartbeat_store(worker=self.request.hostname or "here", now=timezone.now())
    for run_id in generation.runs_sweep(now=timezone.now()):
        run_execute.delay_on_commit(run_id=run_id)
    for branch_id in debates.branches_sweep(now=timezone.now()):
        branch_execute.delay_on_commit(branch_id=branch_id)
    for report_id in report.reports_sweep(now=timezone.now()):
        report_build.delay_on_commit(report_id=report_id)
    for job_id in jobs.exports_sweep(now=timezone.now()):
        export_build.delay_on_commit(job_id=job_id)
    for reminder in retention.retention_sweep(now=timezone.now()):
        _remind(reminder)
    notices.notices_sweep(now=timezone.now(), sends_mail=settings.SENDS_MAIL)
    for delivery_id in notices.deliveries_sweep(now=timezone.now()):
        notice_deliver.delay_on_commit(delivery_id=delivery_id)
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


def _mail(subject: str, text: str, *, to: str) -> None:
    send_mail(subject, text, None, [to])
