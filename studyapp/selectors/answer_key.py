"""The answers that let somebody through a study: for programs that take part, never for pages."""

from __future__ import annotations

from collections.abc import Mapping

from studyapp.domain.measures import measures_load
from studyapp.domain.screening import screening_load
from studyapp.models import Study


def answers_right(study: Study) -> Mapping[str, str]:
    """Return by field name what passes screening, comprehension and attention checks."""
    screening = {row.key: row.accepts[0] for row in screening_load(study.screening) if row.accepts}
    checks = {row.key: row.correct for row in measures_load(study.measures) if row.correct}
    return {**screening, **checks}
