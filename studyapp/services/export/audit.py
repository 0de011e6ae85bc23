"""Whether the log and the data tell the same story about who completed."""

from __future__ import annotations

from dataclasses import dataclass

from studyapp.domain.place_log import COMPLETED
from studyapp.models import Event, Participant, Study, Tombstone
from studyapp.selectors.pilots import after_pilot


@dataclass(frozen=True, slots=True)
class CompletionAudit:
    """Completions in the log, complete participants, and complete ones who withdrew.

    Counted over the whole study, live and test, whatever an export leaves out; from the end of its
    last pilot on, whose participants are gone.
    """

    logged: int
    complete: int
    withdrawn_complete: int

    @property
    def agrees(self) -> bool:
        """Whether every logged completion has its data or its tombstone."""
        return self.logged == self.complete + self.withdrawn_complete

    def as_dict(self) -> dict[str, int | bool]:
        """Return the audit as the manifest holds it."""
        return {
            "completions_logged": self.logged,
            "participants_complete": self.complete,
            "withdrawn_complete": self.withdrawn_complete,
            "agrees": self.agrees,
        }


def completion_audit(study: Study) -> CompletionAudit:
    """Count them."""
    people = Participant.objects.filter(study=study, completed_at__isnull=False)
    log = Event.objects.filter(after_pilot(study.slug), study=study.slug)
    return CompletionAudit(
        logged=log.filter(kind=COMPLETED).count(),
        complete=people.count(),
        withdrawn_complete=Tombstone.objects.filter(study=study, was_complete=True).count(),
    )
