"""About how many rows an export will have, for the bar that shows how far it is."""

from __future__ import annotations

from studyapp.domain.export_options import BUNDLE, ExportOptions
from studyapp.models import Assignment, Event, Exposure, Participant, Response, Study
from studyapp.services.export.people import people_of


def rows_expected(study: Study, options: ExportOptions) -> int:
    """Count what makes up nearly all rows; the export counts them exactly as it goes."""
    people = people_of(study, options).order_by().values("pk")
    answers = Response.objects.filter(assignment__participant__in=people).count()
    participants = Participant.objects.filter(pk__in=people).count()
    long = answers + participants * len(study.background)
    trials = Assignment.objects.filter(participant__in=people).count()
    if options.form != BUNDLE:
        return {
            "long": long,
            "wide": long + trials,
            "participants": participants,
            "assignments": trials,
        }.get(options.table, _read(study, options))
    events = Event.objects.filter(study=study.slug).count()
    return long + 2 * trials + participants + events + _read(study, options)


def _read(study: Study, options: ExportOptions) -> int:
    people = people_of(study, options).order_by().values("pk")
    return Exposure.objects.filter(assignment__participant__in=people).count()
