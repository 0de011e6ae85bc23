"""What the researcher's pages show of a study's reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from studyapp.models import ReportKind, ReportState, StudyReport
from studyapp.seams.analysis import REPORT_LANGUAGES

_LANGUAGE_NAMES: Final = {"en": "English", "pl": "Polski"}
_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "json": "application/json",
}
_LISTED: Final = (
    "pk",
    "kind",
    "language",
    "state",
    "error",
    "participants",
    "data_sha256",
    "built_at",
)


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report as a page lists it."""

    id: int
    kind: str
    language: str
    state: str
    error: str
    participants: int
    data_sha256: str
    built_at: datetime | None

    @property
    def is_waiting(self) -> bool:
        """Whether a worker is expected to change it soon."""
        return self.state in (ReportState.QUEUED, ReportState.RUNNING)

    @property
    def forms(self) -> tuple[str, ...]:
        """What can be downloaded of it."""
        if self.built_at is None:
            return ()
        return ("html", "pdf", "json") if self.kind == ReportKind.REPORT else ("html",)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One report in one form."""

    content: bytes
    content_type: str


def report_languages() -> tuple[tuple[str, str], ...]:
    """Name the languages a report can be in, by code."""
    return tuple((code, _LANGUAGE_NAMES.get(code, code)) for code in REPORT_LANGUAGES)


def reports_list(study_id: int, *, closed: bool) -> tuple[ReportRow, ...]:
    """List a study's reports; the design check makes room for the report once it is closed."""
    kind = ReportKind.REPORT if closed else ReportKind.DESIGN
    rows = StudyReport.objects.filter(study_id=study_id, kind=kind).values_list(*_LISTED)
    named = dict(report_languages())
    listed = (ReportRow(*row) for row in rows)
    return tuple(sorted(listed, key=lambda row: list(named).index(row.language)))


def report_file(study_id: int, *, report_id: int, form: str) -> ReportFile | None:
    """Return one form of a report of this study, or None where there is none."""
    if form not in _TYPES:
        return None
    rows = StudyReport.objects.filter(study_id=study_id, pk=report_id)
    content = rows.values_list(form, flat=True).first()
    if not content:
        return None
    data = content.encode() if isinstance(content, str) else bytes(content)
    return ReportFile(content=data, content_type=_TYPES[form])
