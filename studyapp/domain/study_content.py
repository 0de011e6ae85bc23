"""Everything that participants read of a study besides debates and reports, as it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

MEASURES: Final = "measures"
BACKGROUND: Final = "background"
SCREENING: Final = "screening"
Rows = Sequence[Mapping[str, Any]]
Translations = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class CohortContent:
    """What one cohort reads in addition; `background` takes the place of the study's questions."""

    instructions: str = ""
    background: Rows | None = None


@dataclass(frozen=True, slots=True)
class StudyContent:
    """The words of a study in its own language, and their translations.

    Attributes:
        texts: as `studyapp.domain.texts` reads them; not all need to be written yet.
        scenarios: by key, the title that participants read; empty where they read a number.
        cohorts: by name.
        translations: by language, as `studyapp.domain.translations` reads them.
    """

    texts: Mapping[str, Any]
    measures: Rows
    background: Rows
    screening: Rows
    scenarios: Mapping[str, str]
    cohorts: Mapping[str, CohortContent]
    translations: Translations = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The study's own language."""
        return str(self.texts.get("language", "en"))

    @property
    def parts(self) -> Mapping[str, Rows]:
        """The questions of the study by part; those of a cohort are among the cohort's words."""
        return {
            MEASURES: self.measures,
            BACKGROUND: self.background,
            SCREENING: self.screening,
        }
