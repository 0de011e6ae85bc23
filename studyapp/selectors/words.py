"""What a study says and asks, in the language of one participant."""

from __future__ import annotations

from dataclasses import dataclass

from studyapp.domain.background import BackgroundQuestion, background_load
from studyapp.domain.measures import Measure, measures_load
from studyapp.domain.screening import ScreeningQuestion, screening_load
from studyapp.domain.texts import StudyTexts, texts_load
from studyapp.domain.translations import languages_offered, rows_in, texts_in
from studyapp.models import Cohort


@dataclass(frozen=True, slots=True)
class StudyWords:
    """The texts and questions of a study for one cohort, and the languages it may be read in."""

    texts: StudyTexts
    measures: tuple[Measure, ...]
    background: tuple[BackgroundQuestion, ...]
    screening: tuple[ScreeningQuestion, ...]
    languages: tuple[str, ...]


def study_words(cohort: Cohort, *, language: str) -> StudyWords:
    """Return a study's words in a language, or in the study's own where it has no such one."""
    study = cohort.study
    words = study.translations
    asked = study.background if cohort.background is None else cohort.background
    return StudyWords(
        texts=texts_load(texts_in(study.texts, words, language=language)),
        measures=measures_load(rows_in(study.measures, words, "measures", language=language)),
        background=background_load(rows_in(asked, words, "background", language=language)),
        screening=screening_load(rows_in(study.screening, words, "screening", language=language)),
        languages=languages_offered(study.texts, words),
    )
