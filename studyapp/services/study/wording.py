"""Write what a study says to its participants, in its own language and in others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from studyapp.domain.passages import Shape, TextPage
from studyapp.domain.permissions import Action
from studyapp.domain.rewording import LINE_MOST, TEXT_MOST, Change, changes_read, content_reword
from studyapp.domain.study_content import StudyContent
from studyapp.domain.texts import MINUTES_MOST, language_check
from studyapp.domain.titles import title_problem
from studyapp.domain.translations import SCENARIOS, translations_check
from studyapp.errors import MeasureError, WordingError
from studyapp.models import Cohort, Scenario, Study, StudyState
from studyapp.selectors.joining import consent_version
from studyapp.selectors.wording import content_of, content_put, sheet_of
from studyapp.services.study.readiness import ready_check
from studyapp.services.study.record import event_log, launched_check, study_locked

_STORED: Final = ("texts", "measures", "background", "screening", "translations")


@transaction.atomic
def texts_write(
    *,
    study_id: int,
    page: TextPage,
    language: str,
    sent: Mapping[str, str],
    seen: str,
    actor_id: int | None,
    now: datetime,
) -> int:
    """Store the words of one page in one language; what is asked and answered stays as it is.

    The first words in a language begin its translation. A pilot goes on with the new words, so
    that they must be whole; a draft may be left half translated.

    Args:
        study_id: the study, which was never launched.
        page: which page.
        language: the study's own, or that of a translation.
        sent: words by passage; a passage that is not named stays.
        seen: the mark of the page as the writer saw it.
        actor_id: who writes.
        now: when.

    Returns:
        How many passages were changed.

    Raises:
        FrozenError: the study has been launched; a new version can be written.
        WordingError: a passage cannot be stored, or somebody else has written meanwhile.
        MeasureError: the language is no tag.
        StudyNotReadyError: the study is piloting, and would lack something.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    launched_check(study)
    language_check(language)
    content = content_of(study)
    sheet = sheet_of(content, page=page, language=language)
    changes = changes_read(sheet.passages, sent)
    if not changes:
        return 0
    problems = _problems(study, content, changes)
    if problems:
        raise WordingError(problems)
    if sheet.seen != seen:
        raise WordingError({"": "somebody else has changed this page since you opened it"})
    study.texts = dict(content.texts)
    before = consent_version(study, language=language)
    _store(study, content_reword(content, changes, language=language))
    if study.state == StudyState.PILOTING:
        ready_check(study)
    event_log(
        study,
        "texts.written",
        now=now,
        actor_id=actor_id,
        before={change.passage.name: change.passage.text for change in changes},
        after={change.passage.name: change.text for change in changes},
        language=language,
        consent_versions=[before, consent_version(study, language=language)],
    )
    return len(changes)


@transaction.atomic
def translation_remove(
    *, study_id: int, language: str, actor_id: int | None, now: datetime
) -> None:
    """Take a translation out of a study that was never launched; the log keeps its words.

    Raises:
        FrozenError: the study has been launched.
        MeasureError: the study has no such translation.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    launched_check(study)
    if language not in study.translations:
        raise MeasureError(f"the study has no translation {language!r}")
    kept = dict(study.translations)
    before = kept.pop(language)
    Study.objects.filter(pk=study.pk).update(translations=kept)
    event_log(
        study,
        "translation.removed",
        now=now,
        actor_id=actor_id,
        before=before,
        after=None,
        language=language,
    )


def _problems(study: Study, content: StudyContent, changes: Sequence[Change]) -> dict[str, str]:
    found = {change.passage.name: _problem(study, content, change) for change in changes}
    return {name: problem for name, problem in found.items() if problem}


def _problem(study: Study, content: StudyContent, change: Change) -> str:
    passage, text = change.passage, change.text
    most = TEXT_MOST if passage.shape in (Shape.PROSE, Shape.LINES) else LINE_MOST
    if len(text) > most:
        return f"{len(text)} characters; allowed: at most {most}"
    if passage.shape is Shape.NUMBER and not _is_minutes(text):
        return f"found {text or 'nothing'}; allowed: a whole number from 1 to {MINUTES_MOST}"
    if passage.shape is Shape.TAG:
        return _tag_problem(content, text)
    if passage.path[0] == SCENARIOS:
        return _title_problem(study, text)
    return "this text is needed" if passage.is_needed and not text else ""


def _is_minutes(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and 0 < int(text) <= MINUTES_MOST


def _tag_problem(content: StudyContent, tag: str) -> str:
    try:
        language_check(tag)
    except MeasureError as error:
        return str(error)
    return f"there is a translation {tag}; take it out first" if tag in content.translations else ""


def _title_problem(study: Study, title: str) -> str:
    limit = Scenario._meta.get_field("title").max_length or 0
    if len(title) > limit:
        return f"{len(title)} characters; allowed: at most {limit}"
    return title_problem(title, arms=(study.reference_arm, study.treatment_arm))


def _store(study: Study, content: StudyContent) -> None:
    translations_check(content, arms=(study.reference_arm, study.treatment_arm))
    cohorts = list(study.cohorts.all())
    content_put(study, cohorts, content)
    study.save(update_fields=_STORED)
    Cohort.objects.bulk_update(cohorts, ("instructions", "background"))
    scenarios = list(study.scenarios.all())
    for row in scenarios:
        row.title = content.scenarios[row.key]
    Scenario.objects.bulk_update(scenarios, ("title",))
