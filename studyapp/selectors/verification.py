"""Derive every row of a study's assignment again, from its seed and its log, and compare.

What cannot be derived is not claimed: tokens are random, and of a reservation only the bounds are
known. Rows of people who withdrew are checked against their tombstones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from studyapp.domain.place_log import COMPLETED, ENROLLED, RETAKEN, Replay, Seat
from studyapp.domain.redraw import (
    Difference,
    DrawnTrial,
    cells_compare,
    trials_compare,
    trials_redraw,
)
from studyapp.models import Outcome, Participant, Place, Study
from studyapp.selectors.assignment_rows import AssignmentRows, assignment_rows

_TOKEN_LENGTH = 22


@dataclass(frozen=True, slots=True)
class LaneCount:
    """What was derived again for one cohort, live or test.

    `retaken` counts people who came back to another place after theirs had expired.
    """

    cohort: str
    is_test: bool
    places: int
    participants: int
    complete: int
    withdrawn: int
    expired: int
    retaken: int
    trials: int


@dataclass(frozen=True, slots=True)
class Verification:
    """Every difference found, and what was looked at; no difference means that all rows follow."""

    differences: tuple[Difference, ...]
    lanes: tuple[LaneCount, ...]

    @property
    def rows(self) -> int:
        """How many rows were derived again."""
        return sum(
            lane.places + lane.participants + lane.withdrawn + lane.trials for lane in self.lanes
        )


def assignment_verify(study_id: int, *, now: datetime) -> Verification:
    """Derive all rows of a study's assignment again, in a fixed number of queries.

    Args:
        study_id: the study.
        now: no reservation may reach further than its length from now.
    """
    stored = assignment_rows(Study.objects.get(pk=study_id))
    differences = [
        *_log_differences(stored),
        *_participant_differences(stored),
        *_trial_differences(stored),
        *_place_differences(stored, now=now),
        *_tombstone_differences(stored),
    ]
    return Verification(tuple(differences), tuple(_lanes(stored)))


def _log_differences(stored: AssignmentRows) -> Iterator[Difference]:
    log = stored.log
    for name, why in log.faults.items():
        yield Difference(f"log entry {name}", "", "an entry", f"none: {why}")
    withdrawn = len(stored.tombstones)
    if log.erased[ENROLLED] != withdrawn:
        yield Difference(
            "tombstones", "", f"{withdrawn} rows", f"{log.erased[ENROLLED]}, by erased entries"
        )
    complete = sum(row.was_complete for row in stored.tombstones)
    if log.erased[COMPLETED] != complete:
        yield Difference(
            "tombstones",
            "was_complete",
            f"{complete} complete",
            f"{log.erased[COMPLETED]}, by erased entries",
        )


def _participant_differences(stored: AssignmentRows) -> Iterator[Difference]:
    log = stored.log
    for code in sorted(log.enrolled.keys() | stored.participants.keys()):
        row = f"participant {code}"
        if code not in stored.participants:
            yield Difference(row, "", "no row", "a row: the log has an enrolment")
        elif code not in log.enrolled:
            yield Difference(row, "", "a row", "no row: the log has no enrolment")
        else:
            yield from cells_compare(row, _participant_cells(stored.participants[code], log))


def _participant_cells(row: Participant, log: Replay) -> dict[str, tuple[object, object]]:
    logged = log.enrolled[row.code]
    ended = log.ended.get(row.code)
    outcome = ended.partition(".")[2] if ended else Outcome.IN_PROGRESS.value
    if row.code in log.completed and not ended:
        outcome = Outcome.COMPLETE.value
    return {
        "cohort": (row.cohort.name, logged.cohort),
        "is_test": (row.is_test, logged.is_test),
        "enrolment": (row.enrolment, logged.enrolment),
        "consented_at": (row.consented_at, logged.at),
        "outcome": (str(row.outcome), outcome),
    }


def _trial_differences(stored: AssignmentRows) -> Iterator[Difference]:
    for code in sorted(stored.log.enrolled.keys() | stored.trials.keys()):
        derived: tuple[DrawnTrial, ...] = ()
        person = stored.log.enrolled.get(code)
        if person is not None:
            derived = trials_redraw(stored.design, cohort=person.cohort, enrolment=person.enrolment)
            sides = tuple((trial.scenario, trial.treatment_is_left) for trial in derived)
            yield from cells_compare(f"log of {code}", {"trials": (person.trials, sides)})
        yield from trials_compare(code, stored=stored.trials.get(code, ()), derived=derived)
    for token, row in stored.tokens.items():
        if len(token) != _TOKEN_LENGTH:
            yield Difference(row, "token", f"{len(token)} characters", f"{_TOKEN_LENGTH}")


def _place_differences(stored: AssignmentRows, *, now: datetime) -> Iterator[Difference]:
    yield from _number_differences(stored)
    for seat, place in stored.places.items():
        holder = stored.log.holders.get(seat)
        found = place.participant.code if place.participant else None
        yield from cells_compare(str(seat), {"participant": (found, holder)})
        if found is not None:
            is_complete = found in stored.log.completed
            yield from cells_compare(str(seat), {"is_complete": (place.is_complete, is_complete)})
        if found is not None and found == holder:
            yield from _reservation_differences(stored, seat, place, now=now)
    yield from _left_complete_differences(stored)


def _number_differences(stored: AssignmentRows) -> Iterator[Difference]:
    """Numbers have no gap, end where the cohort's counter stands, and each was taken by someone."""
    taken = set(stored.log.holders)
    taken |= {Seat(row.cohort.name, row.is_test, row.enrolment) for row in stored.tombstones}
    for cohort in stored.cohorts:
        for is_test, last in ((False, cohort.enrolled), (True, cohort.enrolled_test)):
            lane = [seat for seat in taken if (seat.cohort, seat.is_test) == (cohort.name, is_test)]
            derived = max((seat.number for seat in lane), default=0)
            if not stored.log.erased[RETAKEN]:
                counter = "enrolled_test" if is_test else "enrolled"
                yield from cells_compare(f"cohort {cohort.name}", {counter: (last, derived)})
    for seat in sorted(taken - stored.places.keys(), key=str):
        yield Difference(str(seat), "", "no row", "a row: somebody took it")
    nobody = sorted(stored.places.keys() - taken, key=str)
    # Somebody who withdrew may have come back to a number that nobody else had.
    for seat in nobody[stored.log.erased[RETAKEN] :]:
        yield Difference(str(seat), "", "a row", "no row: nobody took it")


def _reservation_differences(
    stored: AssignmentRows, seat: Seat, place: Place, *, now: datetime
) -> Iterator[Difference]:
    since = stored.log.since[seat]
    until, length = place.reserved_until, stored.reservation
    if until is None or since is None or not since + length <= until <= now + length:
        first = since + length if since else None
        yield Difference(
            str(seat), "reserved_until", str(until), f"between {first} and {now + length}"
        )


def _left_complete_differences(stored: AssignmentRows) -> Iterator[Difference]:
    """Filled places without a holder are those of people who withdrew after the last page."""
    found = {
        seat for seat, row in stored.places.items() if row.is_complete and row.participant is None
    }
    derived = {
        Seat(row.cohort.name, row.is_test, row.enrolment)
        for row in stored.tombstones
        if row.was_complete
    }
    # Somebody who came back to another number and then withdrew leaves only the first one.
    if len(found) == len(derived) and stored.log.erased[RETAKEN]:
        return
    for seat in sorted(found ^ derived, key=str):
        yield Difference(
            str(seat), "is_complete", f"{seat in found}", f"{seat in derived}, by tombstones"
        )


def _tombstone_differences(stored: AssignmentRows) -> Iterator[Difference]:
    for row in stored.tombstones:
        name = f"tombstone {row.pk}, {Seat(row.cohort.name, row.is_test, row.enrolment)}"
        derived = trials_redraw(stored.design, cohort=row.cohort.name, enrolment=row.enrolment)
        sides = [
            {"scenario": trial.scenario, "treatment_is_left": trial.treatment_is_left}
            for trial in derived
        ]
        yield from cells_compare(name, {"trials": (row.trials, sides)})


def _lanes(stored: AssignmentRows) -> Iterator[LaneCount]:
    for cohort in stored.cohorts:
        for is_test in (False, True):
            lane = (cohort.name, is_test)
            people = [
                row
                for row in stored.participants.values()
                if (row.cohort.name, row.is_test) == lane
            ]
            gone = [row for row in stored.tombstones if (row.cohort.name, row.is_test) == lane]
            places = sum((seat.cohort, seat.is_test) == lane for seat in stored.places)
            if places or people or gone:
                yield LaneCount(
                    cohort=cohort.name,
                    is_test=is_test,
                    places=places,
                    participants=len(people),
                    complete=sum(row.outcome == Outcome.COMPLETE for row in people),
                    withdrawn=len(gone),
                    expired=stored.log.expired[lane],
                    retaken=stored.log.retaken[lane],
                    trials=sum(len(stored.trials.get(row.code, ())) for row in people),
                )
