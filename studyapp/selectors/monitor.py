"""How far a study's participants have come, and whether positions and orders are balanced.

No count here is split by arm: what is shown is whether the two ways round were used equally
often, never which of them is which.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, Value
from django.db.models.functions import Coalesce, NullIf

from studyapp.models import Assignment, Participant, Study, Tombstone


@dataclass(frozen=True, slots=True)
class Balance:
    """How often a scenario was shown the two ways round, and at each place of the order."""

    title: str
    one_way: int
    other_way: int
    by_place: tuple[int, ...]

    @property
    def difference(self) -> int:
        """By how much the two ways round differ."""
        return abs(self.one_way - self.other_way)


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """Participants of the study's own lane by how far they have come; the groups do not overlap.

    A study that collects data counts no test here; `test` says how many there were beside it.
    `withdrawn` are in none of them; `withdrawn_complete` of these had completed, and still count
    for the number of completions `n`.
    """

    enrolled: int
    at_background: int
    in_trial: int
    completed: int
    withdrawn: int
    withdrawn_complete: int
    test: int
    last_seen: datetime | None
    balance: tuple[Balance, ...]

    @property
    def n(self) -> int:
        """Everybody who ever completed."""
        return self.completed + self.withdrawn_complete


def study_counts(study_id: int) -> StudyCounts:
    """Count a study's participants, in a fixed number of queries."""
    is_test = Study.objects.get(pk=study_id).takes_test_data
    everybody = Participant.objects.filter(study_id=study_id)
    people = everybody.filter(is_test=is_test)
    trials = Assignment.objects.filter(participant=OuterRef("pk"))
    # A study without background questions has nobody at them: opening a debate counts too.
    begun = Exists(trials.filter(trace_opened_at__isnull=False))
    past_background = Q(background_at__isnull=False) | Q(begun=True)
    numbers = people.annotate(begun=begun).aggregate(
        enrolled=Count("pk"),
        background=Count("pk", filter=past_background),
        completed=Count("pk", filter=Q(completed_at__isnull=False)),
        consented_at=Max("consented_at"),
        completed_at=Max("completed_at"),
    )
    gone = Tombstone.objects.filter(study_id=study_id, is_test=is_test).aggregate(
        withdrawn=Count("pk"), complete=Count("pk", filter=Q(was_complete=True))
    )
    moments = (numbers["consented_at"], numbers["completed_at"])
    known = [moment for moment in moments if moment is not None]
    return StudyCounts(
        enrolled=numbers["enrolled"],
        at_background=numbers["enrolled"] - numbers["background"],
        in_trial=numbers["background"] - numbers["completed"],
        completed=numbers["completed"],
        withdrawn=gone["withdrawn"],
        withdrawn_complete=gone["complete"],
        test=everybody.filter(is_test=True).count(),
        last_seen=max(known, default=None),
        balance=_balance(study_id, is_test=is_test),
    )


def _balance(study_id: int, *, is_test: bool) -> tuple[Balance, ...]:
    label = Coalesce(NullIf("scenario__title", Value("")), "scenario__trace__title")
    rows = (
        Assignment.objects.filter(scenario__study_id=study_id, participant__is_test=is_test)
        .values_list("scenario__position", label, "order", "treatment_is_left")
        .annotate(times=Count("pk"))
        .order_by("scenario__position", "order")
    )
    ways: dict[tuple[int, str], Counter[bool]] = {}
    places: dict[tuple[int, str], Counter[int]] = {}
    for position, title, order, treatment_is_left, times in rows:
        ways.setdefault((position, title), Counter())[treatment_is_left] += times
        places.setdefault((position, title), Counter())[order] += times
    return tuple(
        Balance(
            title=title,
            # The larger count first, so that the order of the two does not tell which is which.
            one_way=max(count[True], count[False]),
            other_way=min(count[True], count[False]),
            by_place=tuple(places[position, title][place + 1] for place in range(len(ways))),
        )
        for (position, title), count in sorted(ways.items())
    )
