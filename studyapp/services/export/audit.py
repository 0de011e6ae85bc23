"""Whether the log and the data tell the same story about who completed."""

from __future__ import annotations

from dataclasses import dataclass

from studyapp.models import Event, Participant, Study, Tombstone


@dataclass(frozen=True, slots=True)
class CompletionAudit:
    """Completions in the log, complete participants, and complete ones who withdrew.

    Counted over the whole study, live and test, whatever an export leaves out.
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
    return CompletionAudit(
        logged=Event.objects.filter(study=study.slug, kind="participant.completed").count(),
        complete=people.count(),
        withdrawn_complete=Tombstone.objects.filter(study=study, was_complete=True).count(),
    )
