"""The end of a pilot: what its participants left is deleted, and the numbers begin again."""

from __future__ import annotations

from datetime import datetime

from studyapp.domain.place_log import CLEARED
from studyapp.models import Invitation, Participant, Place, Study, StudyReport, Tombstone
from studyapp.services.study.record import event_log


def pilot_clear(study: Study, *, actor_id: int | None, now: datetime) -> None:
    """Delete all participants of a study that was never live; call in its locked transaction.

    Their draws belong to a design that may change, and to a seed of the pilot's own. The log keeps
    that there was a pilot and how many took part; whoever wants its answers exports them before.

    The cohorts come first: whoever enrols waits for them, and finds the pilot over.
    """
    study.cohorts.update(enrolled=0, enrolled_test=0)
    Place.objects.filter(cohort__study=study).delete()
    Invitation.objects.filter(participant__study=study).update(participant=None, used_at=None)
    people = Participant.objects.filter(study=study)
    complete = people.filter(completed_at__isnull=False).count()
    number = people.count()
    people.delete()
    withdrawn, _ = Tombstone.objects.filter(study=study).delete()
    StudyReport.objects.filter(study=study).delete()
    event_log(
        study,
        CLEARED,
        now=now,
        actor_id=actor_id,
        before={"participants": number, "complete": complete, "withdrawn": withdrawn},
        after={"participants": 0, "complete": 0, "withdrawn": 0},
    )
