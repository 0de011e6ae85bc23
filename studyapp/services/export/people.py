"""Whose rows are in an export, in portions that one worker does between two signs of life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from studyapp.domain.export_options import ExportOptions
from studyapp.models import Assignment, Participant, Response, Study, Tombstone


@dataclass(frozen=True, slots=True)
class Portion:
    """The people with primary keys above `after`, up to and with `upto`, in that order."""

    people: QuerySet[Participant]
    after: int
    upto: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many people an export covers; those who withdrew are counted beside those who are in.

    `latest` is the time of the newest thing in it, which dates the state of the data.
    """

    present: int
    background: int
    complete: int
    screened_out: int
    withdrawn: int
    withdrawn_complete: int
    latest: datetime | None

    def as_dict(self) -> dict[str, int]:
        """Return the counts as the manifest holds them."""
        return {
            "consented": self.present + self.withdrawn,
            "background": self.background,
            "complete": self.complete + self.withdrawn_complete,
            "screened_out": self.screened_out,
            "withdrawn": self.withdrawn,
        }


def people_of(study: Study, options: ExportOptions) -> QuerySet[Participant]:
    """Select the participants that the options name, in the order of enrolment."""
    people = _selected(Participant.objects.filter(study=study), options)
    if options.completion != "all":
        people = people.filter(completed_at__isnull=options.completion == "partial")
    return people.order_by("pk")


def tombstones_of(study: Study, options: ExportOptions) -> QuerySet[Tombstone]:
    """Select what stays of those who withdrew, by the same options."""
    stones = _selected(Tombstone.objects.filter(study=study), options)
    if options.completion != "all":
        stones = stones.filter(was_complete=options.completion == "completed")
    return stones.order_by("pk")


def portions(people: QuerySet[Participant], *, size: int) -> Iterator[Portion]:
    """Cut the participants into portions; a portion's bounds depend on who is in, on no time."""
    keys = list(people.values_list("pk", flat=True))
    after = 0
    for start in range(0, len(keys), size):
        upto = keys[start : start + size][-1]
        yield Portion(people.filter(pk__gt=after, pk__lte=upto), after, upto)
        after = upto


def people_counts(study: Study, options: ExportOptions) -> Counts:
    """Count them, in a fixed number of statements."""
    people, stones = people_of(study, options).order_by(), tombstones_of(study, options).order_by()
    numbers: dict[str, Any] = people.aggregate(
        present=Count("pk"),
        background=Count("pk", filter=Q(background_at__isnull=False)),
        complete=Count("pk", filter=Q(completed_at__isnull=False)),
        screened_out=Count("pk", filter=Q(outcome="screened_out")),
        consented_at=Max("consented_at"),
        background_at=Max("background_at"),
        completed_at=Max("completed_at"),
    )
    answers = Response.objects.filter(assignment__participant__in=people.values("pk"))
    trials = Assignment.objects.filter(participant__in=people.values("pk"))
    moments = [study.created_at, study.opened_at]
    moments += [numbers.pop(f"{name}_at") for name in ("consented", "background", "completed")]
    moments.append(answers.aggregate(at=Max("answered_at"))["at"])
    moments.append(trials.aggregate(at=Max("pair_opened_at"))["at"])
    return Counts(
        **numbers,
        withdrawn=stones.count(),
        withdrawn_complete=stones.filter(was_complete=True).count(),
        latest=max((moment for moment in moments if moment is not None), default=None),
    )


def _selected(rows: QuerySet[Any], options: ExportOptions) -> QuerySet[Any]:
    if options.data != "both":
        rows = rows.filter(is_test=options.data == "test")
    return rows.filter(cohort__name=options.cohort) if options.cohort else rows
