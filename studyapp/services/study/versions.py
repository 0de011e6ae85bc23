"""A new version of a study whose design is frozen: a draft of its own, with data of its own."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q

from studyapp.domain.permissions import Action
from studyapp.errors import IllegalMoveError
from studyapp.models import Scenario, Study, StudyMember
from studyapp.services.study.building import study_create
from studyapp.services.study.record import event_log, study_locked
from studyapp.services.study.sharing import definition_data

_SLUG_LIMIT = 40


@transaction.atomic
def version_create(*, study_id: int, seed: int, actor_id: int | None, now: datetime) -> Study:
    """Copy a launched study's design into a draft that is the next version of its family.

    Texts, pairs, questions, cohorts and members come along; links, participants and answers do
    not, and the log of each version is its own.

    Args:
        study_id: any version of the study that was launched.
        seed: of the new version; the old one would tell the sides once its study has ended.
        actor_id: who asks.
        now: when.

    Raises:
        IllegalMoveError: the study was never launched, so that it can be edited itself.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    if study.opened_at is None:
        raise IllegalMoveError(
            f"study {study.slug} is {study.state}; only a launched study gets a new version, as "
            "one that was not can be edited itself"
        )
    number = _number_next(study)
    scenarios = study.scenarios.order_by("position")
    traces = {f"debates/{row.key}.json": row.trace_id for row in scenarios}
    definition = {**definition_data(study), "slug": _slug(study, number), "seed": seed}
    made = study_create(definition=definition, trace_ids=traces, owner_id=study.owner_id, now=now)
    Study.objects.filter(pk=made.pk).update(family=study.family_slug, version=number)
    for row in scenarios:
        Scenario.objects.filter(study=made, key=row.key).update(pair=row.pair_id, run=row.run_id)
    _members_copy(study, made, now=now)
    made.refresh_from_db()
    for one, other in ((study, made), (made, study)):
        event_log(
            one,
            "study.versioned",
            now=now,
            actor_id=actor_id,
            before=study.version,
            after=number,
            other=other.slug,
        )
    return made


def _number_next(study: Study) -> int:
    """Number after the newest; the first version is locked, so that two who ask take turns."""
    first = Study.objects.select_for_update().get(slug=study.family_slug)
    family = Study.objects.filter(Q(pk=first.pk) | Q(family=first.slug))
    return int(family.aggregate(last=Max("version"))["last"] or 1) + 1


def _slug(study: Study, number: int) -> str:
    tail = f"-v{number}"
    wanted = f"{study.family_slug[: _SLUG_LIMIT - len(tail)]}{tail}"
    taken = Study.objects.filter(slug=wanted).exists()
    return f"{wanted[: _SLUG_LIMIT - 9]}-{study.pk}" if taken else wanted


def _members_copy(study: Study, made: Study, *, now: datetime) -> None:
    there = StudyMember.objects.filter(study=made).values("user")
    StudyMember.objects.bulk_create(
        StudyMember(study=made, user_id=row.user_id, role=row.role, added_at=now)
        for row in StudyMember.objects.filter(study=study).exclude(user__in=there)
    )
