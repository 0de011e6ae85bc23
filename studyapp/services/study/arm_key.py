"""Look at the arm key of a study before it has ended: an act with a reason, kept for good."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from studyapp.domain.answers import text_clean
from studyapp.domain.permissions import Action
from studyapp.errors import ExportError, IllegalMoveError
from studyapp.models import Unsealing
from studyapp.selectors.arm_key import key_is_sealed
from studyapp.services.study.record import actor_name, event_log, study_locked

REASON_LIMIT: Final = 2000
_REASON_LEAST: Final = 10


@transaction.atomic
def arm_key_unseal(*, study_id: int, actor_id: int, reason: str, now: datetime) -> Unsealing:
    """Unseal which arm stood where, for everybody who may export the study, and for good.

    Args:
        study_id: the study.
        actor_id: who looks.
        reason: why it cannot wait; every later export states it.
        now: when.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        ExportError: the reason is missing, or too long.
        IllegalMoveError: the key is not sealed.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.GOVERN)
    words = text_clean(reason)
    if not _REASON_LEAST <= len(words) <= REASON_LIMIT:
        raise ExportError(
            f"The reason has {len(words)} characters; allowed are {_REASON_LEAST} to "
            f"{REASON_LIMIT}. It is recorded and stands in every later export."
        )
    if not key_is_sealed(study):
        raise IllegalMoveError(f"the arm key of study {study.slug} is not sealed")
    actor = actor_name(actor_id)
    row = Unsealing.objects.create(study=study, actor=actor, reason=words, at=now)
    event_log(
        study,
        "arm_key.unsealed",
        now=now,
        actor_id=actor_id,
        before="sealed",
        after="unsealed",
        reason=words,
    )
    return row
