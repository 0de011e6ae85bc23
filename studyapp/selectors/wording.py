"""What a study says to its participants, for those who write and translate it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studyapp.domain.digest import json_sha256
from studyapp.domain.passages import Passage, TextPage, gaps_list, passages_list
from studyapp.domain.rewording import changes_read, content_reword
from studyapp.domain.study_content import CohortContent, StudyContent
from studyapp.domain.translations import languages_offered
from studyapp.errors import MeasureError
from studyapp.models import Cohort, Study
from studyapp.selectors.joining import consent_version
from studyapp.selectors.texts import texts_of
from studyapp.selectors.words import StudyWords, study_words


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One language of a study; `gaps` are the passages that it lacks."""

    code: str
    is_own: bool
    version: str
    gaps: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class TextPageRow:
    """One page of a study in one language: how many passages there are, and which lack."""

    page: TextPage
    passages: int
    missing: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class TextSheet:
    """The passages of one page, and the mark by which a change in between is noticed."""

    page: TextPage
    passages: tuple[Passage, ...]
    seen: str


@dataclass(frozen=True, slots=True)
class PagePreview:
    """What participants read on one page; `titles` are those of the debates, in their order."""

    page: TextPage
    words: StudyWords
    version: str
    titles: tuple[str, ...]
    own_instructions: str


def content_of(study: Study) -> StudyContent:
    """Return a study's words as stored; a test study without texts has its plain ones."""
    return StudyContent(
        texts=texts_of(study),
        measures=study.measures,
        background=study.background,
        screening=study.screening,
        scenarios=dict(study.scenarios.order_by("position").values_list("key", "title")),
        cohorts={
            row.name: CohortContent(row.instructions, row.background)
            for row in study.cohorts.order_by("pk")
        },
        translations=study.translations,
    )


def study_languages(study_id: int) -> tuple[LanguageRow, ...]:
    """List a study's languages, its own first, each with what it lacks."""
    study = Study.objects.get(pk=study_id)
    content = content_of(study)
    study.texts = dict(content.texts)
    gaps = gaps_list(content)
    return tuple(
        LanguageRow(
            code=code,
            is_own=code == content.language,
            version=consent_version(study, language=code),
            gaps=tuple(passage for language, passage in gaps if language == code),
        )
        for code in languages_offered(content.texts, content.translations)
    )


def text_pages(study_id: int, *, language: str) -> tuple[TextPageRow, ...]:
    """List the pages of a study that have something to read, in the order of the way."""
    passages = passages_list(content_of(Study.objects.get(pk=study_id)), language=language)
    return tuple(_page_row(page, rows) for page in TextPage if (rows := _on(page, passages)))


def text_sheet(study_id: int, *, page: TextPage, language: str) -> TextSheet:
    """Return the passages of a page in a language; in a new language all are empty."""
    return sheet_of(content_of(Study.objects.get(pk=study_id)), page=page, language=language)


def sheet_of(content: StudyContent, *, page: TextPage, language: str) -> TextSheet:
    """Return the passages of a page with their mark, which changes with every word on it."""
    passages = _on(page, passages_list(content, language=language))
    seen = json_sha256([[row.name, row.own, row.text] for row in passages])
    return TextSheet(page, tuple(passages), seen)


def page_preview(
    study_id: int,
    *,
    page: TextPage,
    language: str,
    cohort: str,
    sent: Mapping[str, str] | None = None,
) -> PagePreview | None:
    """Return a page as a cohort would read it; None while the texts are not complete.

    Args:
        study_id: the study.
        page: which page.
        language: whose words.
        cohort: a cohort's name; its own instructions and questions are among the words.
        sent: what a form holds that was not stored yet.
    """
    study = Study.objects.get(pk=study_id)
    reader = study.cohorts.get(name=cohort)
    content = content_of(study)
    passages = sheet_of(content, page=page, language=language).passages
    content = content_reword(content, changes_read(passages, sent or {}), language=language)
    content_put(study, [reader], content)
    reader.study = study
    try:
        words = study_words(reader, language=language)
    except MeasureError:
        return None
    return PagePreview(
        page=page,
        words=words,
        version=consent_version(study, language=language),
        titles=tuple(_titles(content, language)),
        own_instructions=words.instructions.removeprefix(words.texts.instructions).strip(),
    )


def content_put(study: Study, cohorts: Sequence[Cohort], content: StudyContent) -> None:
    """Lay words over a study and its cohorts in memory; who stores them saves these."""
    study.texts = dict(content.texts)
    study.measures = _listed(content.measures)
    study.background = _listed(content.background)
    study.screening = _listed(content.screening)
    study.translations = dict(content.translations)
    for row in cohorts:
        own = content.cohorts[row.name]
        row.instructions = own.instructions
        row.background = None if own.background is None else _listed(own.background)


def _listed(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(row) for row in rows]


def _titles(content: StudyContent, language: str) -> list[str]:
    passages = _on(TextPage.SCENARIOS, passages_list(content, language=language))
    laid = {row.path[-1]: row.text or row.own for row in passages}
    return [laid.get(key, "") for key in content.scenarios]


def _page_row(page: TextPage, rows: Sequence[Passage]) -> TextPageRow:
    return TextPageRow(page, len(rows), tuple(row for row in rows if row.is_missing))


def _on(page: TextPage, passages: Sequence[Passage]) -> list[Passage]:
    return [row for row in passages if row.page is page]
