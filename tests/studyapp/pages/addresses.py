"""Every address about a study, filled with things of that study, and how it may be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from studyapp.models import (
    ExportJob,
    GenerationRun,
    Invitation,
    MemberInvitation,
    ReportKind,
    ReportState,
    StudyMember,
    StudyReport,
    Webhook,
)
from studyapp.pages.researcher_urls import urlpatterns
from tests.studyapp.debates import START
from tests.studyapp.held import committee_queued
from tests.studyapp.lab import Lab


@dataclass(frozen=True)
class Address:
    """One address and one way to ask for it."""

    name: str
    method: str
    path: str


def addresses(lab: Lab) -> Iterator[Address]:
    """List every address about the lab's study, once for each method that its page answers."""
    things = _things(lab)
    for pattern in urlpatterns:
        name, wanted = str(pattern.name), pattern.pattern.converters
        if "slug" not in wanted:
            continue
        kwargs = {key: things[key] for key in wanted if key != "slug"}
        if name == "member-invitation-revoke":
            kwargs["invitation"] = MemberInvitation.objects.earliest("pk").pk
        callback: Any = pattern.callback
        page = callback.view_class
        for method in ("get", "post"):
            if hasattr(page, method) and method in page.http_method_names:
                yield Address(name, method, lab.url(name, **kwargs))


def _things(lab: Lab) -> dict[str, Any]:
    study, cohort = lab.study, lab.study.cohorts.get()
    report, _ = StudyReport.objects.get_or_create(
        study=study,
        kind=ReportKind.DESIGN,
        language="en",
        defaults={"state": ReportState.FINISHED, "html": "<p>", "requested_at": START},
    )
    invitation, _ = Invitation.objects.get_or_create(
        cohort=cohort, name="Ann", defaults={"created_at": START}
    )
    other, _ = User.objects.get_or_create(username="colleague", is_staff=True)
    member, _ = StudyMember.objects.get_or_create(
        study=study, user=other, defaults={"role": "monitor", "added_at": START}
    )
    MemberInvitation.objects.get_or_create(
        study=study,
        token_digest="0" * 64,
        defaults={
            "email": "ann@example.org",
            "role": "monitor",
            "created_at": START,
            "expires_at": START + timedelta(days=9),
        },
    )
    job, _ = ExportJob.objects.get_or_create(
        study=study, actor="ada", defaults={"options": {}, "requested_at": START}
    )
    webhook, _ = Webhook.objects.get_or_create(
        study=study,
        url="https://hooks.example.org/x",
        defaults={"occasions": ["study.stalled"], "salt": "salt", "created_at": START},
    )
    debate = study.debates.first()
    return {
        "key": lab.key,
        "run": GenerationRun.objects.earliest("pk").pk,
        "debate": debate.pk if debate else committee_queued(study.pk).debate_id,
        "report": report.pk,
        "form": "html",
        "cohort": cohort.name,
        "move": "pause",
        "language": "en",
        "page": "consent",
        "invitation": invitation.pk,
        "member": member.pk,
        "export": job.pk,
        "webhook": webhook.pk,
    }
