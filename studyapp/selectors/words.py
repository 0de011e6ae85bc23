"""What a study says and asks, in the language of one participant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from studyapp.domain.background import BackgroundQuestion, background_load
from studyapp.domain.digest import json_sha256
from studyapp.domain.measures import Measure, measures_load
from studyapp.domain.screening import ScreeningQuestion, screening_load
from studyapp.domain.study_content import BACKGROUND, MEASURES, SCREENING
from studyapp.domain.texts import StudyTexts, texts_load
from studyapp.domain.translations import instructions_in, languages_offered, rows_in, texts_in
from studyapp.models import Cohort, CohortKind, Study

CONFLICT_KEY = "conflict_of_interest"


@dataclass(frozen=True, slots=True)
class StudyWords:
    """The texts and questions of a study for one cohort, and the languages it may be read in.

    `instructions` are the study's with those of the cohort after them.
    """

    texts: StudyTexts
    measures: tuple[Measure, ...]
    background: tuple[BackgroundQuestion, ...]
    screening: tuple[ScreeningQuestion, ...]
    instructions: str
    languages: tuple[str, ...]


def study_words(cohort: Cohort, *, language: str) -> StudyWords:
    """Return a study's words in a language, or in the study's own where it has no such one."""
    study, words = cohort.study, cohort.study.translations
    asked = cohort_background(cohort, language=language)
    own = "" if cohort.background is None else cohort.name
    texts = texts_load(texts_in(study.texts, words, language=language))
    added = instructions_in(cohort.instructions, words, cohort=cohort.name, language=language)
    return StudyWords(
        texts=texts,
        measures=measures_load(rows_in(study.measures, words, MEASURES, language=language)),
        background=background_load(
            rows_in(asked, words, BACKGROUND, language=language, cohort=own)
        ),
        screening=screening_load(rows_in(study.screening, words, SCREENING, language=language)),
        instructions=f"{texts.instructions}\n\n{added}".strip(),
        languages=languages_offered(study.texts, words),
    )


def cohort_background(cohort: Cohort, *, language: str = "en") -> list[dict[str, Any]]:
    """Return what a cohort is asked once: its own questions, or the study's.

    Experts are asked for conflicts of interest as well, unless the question is among theirs.
    """
    asked = cohort.study.background if cohort.background is None else cohort.background
    rows = [dict(row) for row in asked]
    is_asked = any(row.get("key") == CONFLICT_KEY for row in rows)
    if cohort.kind != CohortKind.EXPERTS or is_asked:
        return rows
    with translation.override(language):
        return [*rows, _conflict_question()]


def consent_sha256(study: Study, *, language: str) -> str:
    """Return the hash of the wording that somebody who reads in this language agrees to."""
    return json_sha256(texts_in(study.texts, study.translations, language=language))


def _conflict_question() -> dict[str, Any]:
    options = {
        "none": _("No"),
        "personal": _("Yes, I know people or parties in them personally"),
        "professional": _("Yes, my work or my employer has a stake in them"),
        "financial": _("Yes, I could gain or lose money by them"),
        "unsaid": _("I prefer not to say"),
    }
    return {
        "key": CONFLICT_KEY,
        "question": _("Is there anything that could make you partial in the matters debated here?"),
        "hint": _("If several answers are true, choose the weightiest. Nobody is left out for it."),
        "options": [{"value": value, "label": label} for value, label in options.items()],
        "required": True,
    }
