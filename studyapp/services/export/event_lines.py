"""The study's log as a table, without what the export must not tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Q

from studyapp.domain.export_options import ExportOptions
from studyapp.models import Event, Study
from studyapp.seams import analysis
from studyapp.services.export.long_lines import iso
from studyapp.services.export.people import people_of
from studyapp.services.export.snapshot import EXPORT_EVENTS

EVENTS_FILE: Final = "events.csv"
EVENTS_COLUMNS: Final = (
    "study", "event", "kind", "participant_id", "at", "is_erased", "payload", "sha256",
)  # fmt: skip
# Which arm stood where, and the seed from which that can be drawn again.
_KEY_OF_ARMS: Final = frozenset({"treatment_is_left", "left_arm", "seed", "trials"})
_EXTERNAL: Final = frozenset({"external_id", "captured"})
_LEFT_OUT: Final = "[left out]"
_CHUNK: Final = 2000


def event_lines(study: Study, options: ExportOptions) -> Iterator[list[str]]:
    """Yield what happened to the study and to those who are in the export, oldest first."""
    people = people_of(study, options).order_by()
    names = {} if options.external_ids else _external_names(study)
    about = Q(participant="") | Q(participant__in=people.values("code"))
    rows = (
        Event.objects.filter(about, study=study.slug).exclude(kind__in=EXPORT_EVENTS).order_by("pk")
    )
    for row in rows.iterator(chunk_size=_CHUNK):
        payload = _redacted(row.payload, options, names.get(row.participant, ()))
        cells = (
            study.slug,
            row.pk,
            row.kind,
            row.participant,
            iso(row.at),
            row.is_erased,
            json.dumps(payload, ensure_ascii=False, sort_keys=True) if payload else "",
            # A digest covers what was left out: a reader could try out what it was.
            row.sha256 if payload == row.payload else "",
        )
        yield [analysis.cell(value) for value in cells]


def _external_names(study: Study) -> dict[str, tuple[str, ...]]:
    named = study.participants.exclude(external_id="", captured={}).order_by()
    return {
        code: tuple(str(name) for name in (external_id, *captured.values()) if name)
        for code, external_id, captured in named.values_list("code", "external_id", "captured")
    }


def _redacted(value: Any, options: ExportOptions, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {
            key: _redacted(part, options, names)
            for key, part in value.items()
            if not _is_hidden(key, options)
        }
    if isinstance(value, list):
        return [_redacted(part, options, names) for part in value]
    if isinstance(value, str):
        for name in names:
            value = value.replace(name, _LEFT_OUT)
    return value


def _is_hidden(key: str, options: ExportOptions) -> bool:
    return (options.blind and key in _KEY_OF_ARMS) or (
        not options.external_ids and key in _EXTERNAL
    )
