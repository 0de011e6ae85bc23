"""The sealed parameter that opens a test lane: for researchers' looks, and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.core import signing

from studyapp.domain.permissions import Action
from studyapp.models import Cohort, Participant
from studyapp.selectors.permissions import may

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Reader = AbstractBaseUser | AnonymousUser

PREVIEW: Final = "preview"
_BOT: Final = "bot"
# A preview is passed around before a launch.
_LIFE: Final = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Preview:
    """Whoever takes part without counting; `is_bot` marks a program."""

    is_bot: bool = False


def preview_sign(cohort: str, *, is_bot: bool = False) -> str:
    """Return the parameter's value; `cohort` is the token of its link."""
    return signing.dumps(_BOT if is_bot else PREVIEW, salt=_salt(cohort))


def preview_read(signed: str, cohort: str) -> Preview | None:
    """Read the parameter; None where the seal was changed, is too old or another cohort's."""
    try:
        word = signing.loads(signed, salt=_salt(cohort), max_age=_LIFE)
    except signing.BadSignature:
        return None
    return Preview(is_bot=word == _BOT)


def test_place_is_own(reader: Reader, participant: str) -> bool:
    """Say whether a place is in the test lane of a study that the reader may edit."""
    places = Participant.objects.filter(token=participant, is_test=True)
    study = places.values_list("study_id", flat=True).first()
    return study is not None and may(reader, study, Action.EDIT)


def cohort_is_own(reader: Reader, cohort: str) -> bool:
    """Say whether a link's cohort is of a study that the reader may edit."""
    study = Cohort.objects.filter(token=cohort).values_list("study_id", flat=True).first()
    return study is not None and may(reader, study, Action.EDIT)


def _salt(cohort: str) -> str:
    return f"studyapp.{PREVIEW}:{cohort}"
