"""How long a study keeps what participants left: the rule, its reminders, and what it then does.

The sweep carries it out a few people at a time, so that no lock is held for long; it can stop
anywhere and go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from studyapp.domain.measures import MeasureKind, measures_load
from studyapp.domain.permissions import Action
from studyapp.domain.states import ENDED
from studyapp.domain.tokens import code_new, token_new
from studyapp.errors import MemberError
from studyapp.models import (
    Assignment,
    Change,
    Draft,
    Event,
    EvidenceLink,
    ExportJob,
    Invitation,
    MemberRole,
    Participant,
    Response,
    Retention,
    RetentionAction,
    Study,
    StudyMember,
    StudyReport,
)
from studyapp.services.rights import participant_withdraw
from studyapp.services.study.record import event_log, study_locked

DAYS_LIMIT: Final = 36500
# Days before the end at which owners are reminded.
REMINDERS: Final = (180, 60, 30, 7, 1)
_BATCH: Final = 100
# Under this name the worker stands in the log, which carries out what an owner has set.
_SWEEP: Final = "sweep"


@dataclass(frozen=True, slots=True)
class Reminder:
    """What owners are told: which study, what will happen, and in how many days."""

    study: str
    action: str
    days_left: int
    emails: tuple[str, ...]


@transaction.atomic
def retention_set(
    *, study_id: int, days: int | None, action: str, actor_id: int, now: datetime
) -> None:
    """Say how many days after closing a study's participants are dealt with; None keeps them.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        MemberError: the number or the action is not allowed, or it was carried out before.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.GOVERN)
    before = Retention.objects.filter(study=study).first()
    if before is not None and before.done_at is not None:
        raise MemberError("It was carried out already, and what is gone cannot be kept.")
    if days is None:
        Retention.objects.filter(study=study).delete()
    else:
        _rule_check(days, action)
        values = {"days": days, "action": action, "due_at": None, "reminded": None}
        Retention.objects.update_or_create(study=study, defaults=values)
    event_log(
        study,
        "retention.set",
        now=now,
        actor_id=actor_id,
        before=_words(before.days, before.action) if before else "",
        after="" if days is None else _words(days, action),
    )


def retention_sweep(*, now: datetime) -> list[Reminder]:
    """Do what is due, and return whom to remind; safe to run in several workers at once."""
    for rule in Retention.objects.filter(due_at__isnull=True, study__state__in=ENDED):
        Retention.objects.filter(pk=rule.pk, days=rule.days).update(due_at=_due(rule, now=now))
    for rule in Retention.objects.filter(due_at__lte=now, done_at__isnull=True):
        _carry_out(rule, now=now)
    coming = Retention.objects.filter(due_at__gt=now, done_at__isnull=True).select_related("study")
    return [found for rule in coming if (found := _reminder(rule, now=now)) is not None]


def _due(rule: Retention, *, now: datetime) -> datetime:
    closed = Event.objects.filter(study=rule.study.slug, kind="study.closed").order_by("-pk")
    at = closed.values_list("at", flat=True).first()
    return (at or now) + timedelta(days=rule.days)


def _carry_out(rule: Retention, *, now: datetime) -> None:
    left = _identified(rule.study) if rule.action == RetentionAction.ANONYMISE else _all(rule.study)
    batch = list(left.values_list("pk", flat=True)[:_BATCH])
    for participant_id in batch:
        if rule.action == RetentionAction.DELETE:
            participant_withdraw(participant_id=participant_id, now=now)
        else:
            _anonymise(participant_id, now=now)
    # What was built of their answers may quote them; the sweep of exports deletes the files.
    StudyReport.objects.filter(study=rule.study).delete()
    ExportJob.objects.filter(study=rule.study).delete()
    if not batch:
        _done(rule, now=now)


@transaction.atomic
def _done(rule: Retention, *, now: datetime) -> None:
    if Retention.objects.filter(pk=rule.pk, done_at__isnull=True).update(done_at=now) == 1:
        # Whoever was invited and never came is named there too.
        _invitations_clear(Invitation.objects.filter(cohort__study=rule.study), now=now)
        payload = {"actor": _SWEEP, "before": None, "after": _words(rule.days, rule.action)}
        Event.objects.create(study=rule.study.slug, kind="retention.done", payload=payload, at=now)


def _all(study: Study) -> QuerySet[Participant]:
    return Participant.objects.filter(study=study)


def _identified(study: Study) -> QuerySet[Participant]:
    """Return those who can still be told by receipt code, panel or device."""
    told = Q(receipt_digest__isnull=False) | ~Q(external_id="") | ~Q(captured={}) | ~Q(device="")
    return Participant.objects.filter(told, study=study)


@transaction.atomic
def _anonymise(participant_id: int, *, now: datetime) -> None:
    """Take away what leads to a person: names, ids, links, codes, and what they wrote freely."""
    people = Participant.objects.select_for_update(of=("self",)).select_related("study")
    person = people.filter(pk=participant_id).first()
    if person is None:
        return
    texts = [
        row.key for row in measures_load(person.study.measures) if row.kind is MeasureKind.TEXT
    ]
    Response.objects.filter(assignment__participant=person, measure__in=texts).delete()
    Draft.objects.filter(assignment__participant=person).delete()
    Change.objects.filter(assignment__participant=person, field__in=texts).update(value="")
    EvidenceLink.objects.filter(assignment__participant=person).update(writer="")
    for assignment in person.assignments.all():
        Assignment.objects.filter(pk=assignment.pk).update(token=token_new())
    _invitations_clear(Invitation.objects.filter(participant=person), now=now)
    Participant.objects.filter(pk=person.pk).update(
        external_id="",
        captured={},
        device="",
        receipt_digest=None,
        token=token_new(),
        completion_code=code_new(),
    )


def _invitations_clear(rows: QuerySet[Invitation], *, now: datetime) -> None:
    """Forget who was invited; the links stay known and revoked, so that they say so if opened."""
    rows.update(
        name="",
        role="",
        experience_years=None,
        credential="",
        participant=None,
        used_at=None,
        revoked_at=now,
    )


def _reminder(rule: Retention, *, now: datetime) -> Reminder | None:
    if rule.due_at is None:
        return None
    left = -((now - rule.due_at) // timedelta(days=1))
    reached = [days for days in REMINDERS if left <= days]
    if not reached or (rule.reminded is not None and rule.reminded <= min(reached)):
        return None
    unseen = Q(reminded__isnull=True) | Q(reminded__gt=min(reached))
    if Retention.objects.filter(unseen, pk=rule.pk).update(reminded=min(reached)) != 1:
        return None
    owners = StudyMember.objects.filter(study=rule.study, role=MemberRole.OWNER)
    emails = owners.exclude(user__email="").values_list("user__email", flat=True)
    return Reminder(rule.study.title, rule.action, left, tuple(emails))


def _rule_check(days: int, action: str) -> None:
    if not 1 <= days <= DAYS_LIMIT:
        raise MemberError(f"{days} days; allowed are 1 to {DAYS_LIMIT}.")
    if action not in RetentionAction.values:
        raise MemberError(f"{action!r}; allowed are {', '.join(RetentionAction.values)}.")


def _words(days: int, action: str) -> str:
    return f"{action} after {days} days"
