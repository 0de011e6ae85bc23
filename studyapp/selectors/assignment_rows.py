"""All rows of a study's assignment, read at once, with its log replayed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from studyapp.domain.measures import measures_load
from studyapp.domain.place_log import KINDS, LogEntry, Replay, Seat, places_replay
from studyapp.domain.redraw import DrawDesign, DrawnTrial
from studyapp.domain.rules import rules_load
from studyapp.models import Assignment, Cohort, Event, Participant, Place, Study, Tombstone


@dataclass(frozen=True, slots=True)
class AssignmentRows:
    """The rows as they are stored, and what the log says.

    `participants` and `trials` are by the participant's code; `tokens` tells of each token which
    assignment it opens.
    """

    design: DrawDesign
    reservation: timedelta
    cohorts: tuple[Cohort, ...]
    participants: Mapping[str, Participant]
    trials: Mapping[str, list[DrawnTrial]]
    tokens: Mapping[str, str]
    places: Mapping[Seat, Place]
    tombstones: tuple[Tombstone, ...]
    log: Replay


def assignment_rows(study: Study) -> AssignmentRows:
    """Read a study's rows in a fixed number of queries."""
    people = Participant.objects.filter(study=study).select_related("cohort")
    places = Place.objects.filter(cohort__study=study).select_related("cohort", "participant")
    trials, tokens = _trials_read(study)
    rules = rules_load(study.rules)
    return AssignmentRows(
        design=DrawDesign(
            seed=study.draw_seed,
            scenarios=tuple(study.scenarios.order_by("position").values_list("key", flat=True)),
            measures=tuple(measure.key for measure in measures_load(study.measures)),
            shuffles_measures=rules.measure_order != "fixed",
        ),
        reservation=timedelta(minutes=rules.reservation_minutes),
        cohorts=tuple(study.cohorts.order_by("pk")),
        participants={row.code: row for row in people},
        trials=trials,
        tokens=tokens,
        places={Seat(row.cohort.name, row.is_test, row.number): row for row in places},
        tombstones=tuple(study.tombstones.select_related("cohort").order_by("pk")),
        log=places_replay(_log_read(study)),
    )


def _trials_read(study: Study) -> tuple[dict[str, list[DrawnTrial]], dict[str, str]]:
    trials: dict[str, list[DrawnTrial]] = defaultdict(list)
    tokens: dict[str, str] = {}
    rows = Assignment.objects.filter(participant__study=study).values_list(
        "participant__code", "order", "scenario__key", "treatment_is_left", "measure_order", "token"
    )
    for code, order, scenario, is_left, measures, token in rows.order_by("participant", "order"):
        trials[code].append(DrawnTrial(order, scenario, is_left, tuple(measures)))
        tokens[token] = f"assignment of {code}, trial {order}"
    return trials, tokens


def _log_read(study: Study) -> Iterator[LogEntry]:
    rows = Event.objects.filter(study=study.slug, kind__in=KINDS).order_by("pk")
    for row in rows.iterator():
        # Entries of the first version do not name the lane: then the study named it.
        payload: dict[str, Any] = {"is_test": study.is_test, **row.payload}
        yield LogEntry(row.kind, row.participant, payload, row.at, row.is_erased)
