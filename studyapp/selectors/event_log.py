"""Whether a study's log still says what it said: digests, chain, and the sums that must hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from studyapp.domain.seals import CHAIN_START, seal_digest
from studyapp.models import Event, EventSeal, Study
from studyapp.selectors.completions import completions_get

# The event that a withdrawal leaves: how many events it erased, of nobody and of no time.
WITHDRAWAL: Final = "participant.withdrawn"
_CHUNK: Final = 2000


@dataclass(frozen=True, slots=True)
class LogReport:
    """What was looked at, and what is wrong: one sentence each, empty if nothing is."""

    study: str
    events: int
    erased: int
    unsealed: int
    seals: int
    findings: tuple[str, ...]


def log_verify(study: str) -> LogReport:
    """Check the log of a study; an empty name is the log of what concerns no study.

    Each event that was not erased must have its digest, each erased one must be empty, the links
    must follow each other without a gap and cover what they covered, and participants with
    tombstones must add up to what was logged.
    """
    seals = list(EventSeal.objects.filter(study=study).order_by("number"))
    rows = Event.objects.filter(study=study)
    last = seals[-1].last_event if seals else 0
    return LogReport(
        study=study,
        events=rows.count(),
        erased=rows.filter(is_erased=True).count(),
        unsealed=rows.filter(pk__gt=last).count(),
        seals=len(seals),
        findings=(
            *_events_findings(study),
            *_chain_findings(study, seals),
            *_erased_findings(study),
            *_sums(study),
        ),
    )


def _events_findings(study: str) -> Iterator[str]:
    for event in Event.objects.filter(study=study).order_by("pk").iterator(chunk_size=_CHUNK):
        if not event.is_erased and event.digest() != event.sha256:
            yield (
                f"event {event.pk} ({event.kind}): found digest {event.digest()}; "
                f"stored is {event.sha256 or 'none'}: the row was changed"
            )
        if event.is_erased and (event.participant or event.payload or event.at):
            yield f"event {event.pk} ({event.kind}): it is marked as erased and still holds data"


def _chain_findings(study: str, seals: list[EventSeal]) -> Iterator[str]:
    before, last = CHAIN_START, 0
    for place, seal in enumerate(seals, start=1):
        if seal.number != place:
            yield f"seal {seal.number}: found where seal {place} is due: the chain has a gap"
            return
        yield from _link_findings(study, seal, before=before, after=last)
        before, last = seal.sha256, seal.last_event


def _link_findings(study: str, seal: EventSeal, *, before: str, after: int) -> Iterator[str]:
    covered = Event.objects.filter(study=study, pk__gt=after, pk__lte=seal.last_event)
    events = list(covered.order_by("pk").values_list("pk", "sha256"))
    if len(events) != seal.events:
        yield (
            f"seal {seal.number}: found {len(events)} events up to {seal.last_event}; "
            f"sealed were {seal.events}: rows were removed or added"
        )
    digest = seal_digest(
        study=study, number=seal.number, before=before, events=events, sealed_at=seal.sealed_at
    )
    if digest != seal.sha256:
        yield f"seal {seal.number}: found {digest}; stored is {seal.sha256}: the chain is broken"


def _erased_findings(study: str) -> Iterator[str]:
    """Only a withdrawal erases, and it says how many rows it erased."""
    rows = Event.objects.filter(study=study)
    erased = rows.filter(is_erased=True).count()
    told = rows.filter(kind=WITHDRAWAL, is_erased=False).values_list("payload", flat=True)
    accounted = sum(int(payload.get("events", 0)) for payload in told)
    if erased != accounted:
        yield f"erased events: found {erased}; withdrawals account for {accounted}"


def _sums(study: str) -> Iterator[str]:
    row = Study.objects.filter(slug=study).first()
    if row is None:
        return
    sums = completions_get(row.pk)
    if not sums.holds:
        yield (
            f"participants: found {sums.enrolled} rows and {sums.withdrawn} tombstones, of them "
            f"complete {sums.completed} and {sums.withdrawn_complete}; logged were "
            f"{sums.logged_enrolled} enrolments and {sums.logged_completed} completions"
        )
