"""What somebody may do in which study: the one place that pages, services and interfaces ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from studyapp.domain.permissions import ALLOWED, Action, Role
from studyapp.models import Study, StudyMember

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Reader = AbstractBaseUser | AnonymousUser


def studies_of(reader: Reader) -> QuerySet[Study]:
    """Return the studies that somebody may know of: theirs, or all for operators of the site."""
    if not reader.is_active or not reader.pk:
        return Study.objects.none()
    if getattr(reader, "is_superuser", False):
        return Study.objects.all()
    return Study.objects.filter(
        pk__in=StudyMember.objects.filter(user_id=reader.pk).values("study_id")
    )


def role_of(reader: Reader, study_id: int) -> Role | None:
    """Return somebody's role in a study; an operator of the site is an owner everywhere."""
    if not reader.is_active or not reader.pk:
        return None
    if getattr(reader, "is_superuser", False):
        return Role.OWNER
    role = StudyMember.objects.filter(study_id=study_id, user_id=reader.pk)
    found = role.values_list("role", flat=True).first()
    return None if found is None else Role(found)


def actions_of(reader: Reader, study_id: int) -> frozenset[Action]:
    """Return what somebody may do in a study; nothing where they are no member."""
    role = role_of(reader, study_id)
    return frozenset() if role is None else ALLOWED[role]


def may(reader: Reader, study_id: int, action: Action) -> bool:
    """Say whether somebody may do something in a study."""
    return action in actions_of(reader, study_id)
