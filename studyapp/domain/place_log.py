"""Replay a study's log: who enrolled at which number, who lost a place, who sits where now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

ENROLLED: Final = "participant.enrolled"
COMPLETED: Final = "participant.completed"
EXPIRED: Final = "place.expired"
RETAKEN: Final = "place.retaken"
# Taking part ended before the last page, so the place is free for somebody else.
ENDED: Final = ("participant.screened_out", "participant.failed_attention")
# Everybody who had come in until then was taking part in a pilot, and is gone.
CLEARED: Final = "pilot.cleared"
KINDS: Final = (ENROLLED, COMPLETED, EXPIRED, RETAKEN, CLEARED, *ENDED)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of the log; one of somebody who withdrew has only its kind left."""

    kind: str
    participant: str
    payload: Mapping[str, Any]
    at: datetime | None
    is_erased: bool


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What the log says of one participant when they came in."""

    cohort: str
    is_test: bool
    enrolment: int
    trials: tuple[tuple[str, bool], ...]
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A place by name: the cohort, the lane, the number."""

    cohort: str
    is_test: bool
    number: int

    def __str__(self) -> str:
        lane = "test place" if self.is_test else "place"
        return f"{lane} {self.number} of {self.cohort}"


@dataclass(slots=True)
class Replay:
    """The state of all places after the last entry.

    `holders` has every seat that an entry names, and who sits there, or None; `seats` has the last
    seat of each participant, `since` when its last holder sat down. `completed` and `ended` are by
    participant. `expired` and `retaken` count by cohort and lane, `erased` by kind what withdrawn
    people left. `faults` says which entries cannot follow from the ones before, and why.
    """

    enrolled: dict[str, Enrolled] = field(default_factory=dict)
    holders: dict[Seat, str | None] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    since: dict[Seat, datetime | None] = field(default_factory=dict)
    completed: dict[str, datetime | None] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    expired: Counter[tuple[str, bool]] = field(default_factory=Counter)
    retaken: Counter[tuple[str, bool]] = field(default_factory=Counter)
    erased: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)


def places_replay(entries: Iterable[LogEntry]) -> Replay:
    """Replay entries in the order in which they were written; what makes no sense is a fault.

    The end of a pilot clears every place, so that the numbers begin again.
    """
    state = Replay()
    for entry in entries:
        if entry.kind == CLEARED:
            state = Replay()
            continue
        if entry.is_erased:
            state.erased[entry.kind] += 1
            continue
        try:
            _replay(state, entry)
        except (KeyError, TypeError, ValueError) as error:
            state.faults[f"{entry.kind} {entry.participant}"] = f"cannot be read: {error!r}"
    return state


def _replay(state: Replay, entry: LogEntry) -> None:
    known = entry.participant in state.enrolled
    if entry.kind == ENROLLED and not known:
        _enrol(state, entry)
    elif entry.kind != ENROLLED and known:
        _move(state, entry)
    else:
        why = "enrolled before" if known else "nobody of this name enrolled"
        state.faults[f"{entry.kind} {entry.participant}"] = why


def _enrol(state: Replay, entry: LogEntry) -> None:
    payload = entry.payload
    person = Enrolled(
        cohort=str(payload["cohort"]),
        is_test=payload["is_test"] is True,
        enrolment=int(payload["enrolment"]),
        trials=tuple((row["scenario"], row["treatment_is_left"]) for row in payload["trials"]),
        at=entry.at,
    )
    state.enrolled[entry.participant] = person
    _sit(state, Seat(person.cohort, person.is_test, person.enrolment), entry)


def _move(state: Replay, entry: LogEntry) -> None:
    person = state.enrolled[entry.participant]
    lane = (person.cohort, person.is_test)
    if entry.kind == COMPLETED:
        state.completed[entry.participant] = entry.at
    elif entry.kind in ENDED:
        state.ended[entry.participant] = entry.kind
        _leave(state, entry.participant)
    elif entry.kind == EXPIRED:
        state.expired[lane] += 1
        state.holders[Seat(*lane, int(entry.payload["number"]))] = None
    else:
        state.retaken[lane] += 1
        _sit(state, Seat(*lane, int(entry.payload["number"])), entry)


def _sit(state: Replay, seat: Seat, entry: LogEntry) -> None:
    state.holders[seat] = entry.participant
    state.seats[entry.participant] = seat
    state.since[seat] = entry.at


def _leave(state: Replay, participant: str) -> None:
    seat = state.seats[participant]
    if state.holders[seat] == participant:
        state.holders[seat] = None
