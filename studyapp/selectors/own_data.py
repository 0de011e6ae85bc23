"""What is stored of one participant, for themselves: everything but what was drawn for them.

Which text stood on which side is no part of it: whoever knows it could tell the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from studyapp.domain.background import BackgroundQuestion, Option
from studyapp.domain.measures import Measure, MeasureOption
from studyapp.domain.panel import EARLIER
from studyapp.domain.receipts import receipt_digest
from studyapp.domain.screening import ScreeningQuestion
from studyapp.domain.translations import title_in
from studyapp.models import Assignment, Invitation, Participant
from studyapp.selectors.language_names import language_name
from studyapp.selectors.own_words import (
    device_label,
    outcome_label,
    part_label,
    relation_label,
    side_label,
)
from studyapp.selectors.words import StudyWords, study_words


@dataclass(frozen=True, slots=True)
class OwnRow:
    """One stored thing. `debate` is its number in the person's own order, 0 outside of debates.

    `value` is what is stored and `label` what it means to a reader.
    """

    section: str
    debate: int
    item: str
    about: str
    value: str
    label: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class OwnData:
    """Everything stored of a participant, and the study it belongs to, in its language."""

    participant_id: int
    study: str
    language: str
    contact: str
    cohort_token: str
    completed: bool
    rows: tuple[OwnRow, ...]


def person_by_receipt(code: str) -> int | None:
    """Return whose receipt code this is; case, spaces and hyphens do not matter."""
    digest = receipt_digest(code, secret=settings.SECRET_KEY)
    return _id(receipt_digest=digest)


def person_by_link(token: str) -> int | None:
    """Return whose personal link this is."""
    return _id(token=token)


def link_is_shared(token: str) -> bool:
    """Say whether others may know a personal link: a panel, or who invited its holder."""
    known = Q(invitation__isnull=False) | ~Q(external_id="")
    return Participant.objects.filter(known, token=token).exists()


def own_data(participant_id: int) -> OwnData | None:
    """Return everything stored of a participant, or None where nothing is."""
    people = Participant.objects.select_related("cohort__study")
    person = people.filter(pk=participant_id).first()
    if person is None:
        return None
    words = study_words(person.cohort, language=person.language)
    with translation.override(site_language(words.texts.language)):
        rows = tuple(_rows(person, words))
    return OwnData(
        participant_id=person.pk,
        study=words.texts.title,
        language=words.texts.language,
        contact=words.texts.contact,
        cohort_token=person.cohort.token,
        completed=person.completed_at is not None,
        rows=rows,
    )


def site_language(language: str) -> str:
    """Return a study's language where the site speaks it too, else the site's own."""
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _id(**lookup: str) -> int | None:
    return Participant.objects.filter(**lookup).values_list("pk", flat=True).first()


def _rows(person: Participant, words: StudyWords) -> Iterator[OwnRow]:
    yield from _taking_part(person)
    yield from _invitation_rows(person)
    yield from _asked_rows(_("Who may take part"), words.screening, person.screening,
                           at=person.screened_at)  # fmt: skip
    yield from _asked_rows(_("About you"), words.background, person.background,
                           at=person.background_at)  # fmt: skip
    for trial in _trials(person):
        yield from _times(trial, title=_title(person, trial))
        yield from _trial_rows(trial, {measure.key: measure for measure in words.measures})


def _asked_rows(
    section: str,
    questions: Sequence[ScreeningQuestion | BackgroundQuestion],
    answers: Mapping[str, str] | None,
    *,
    at: datetime | None,
) -> Iterator[OwnRow]:
    """Answers in the order in which they were asked: a database may keep them in another."""
    asked = {question.key: question for question in questions}
    given = answers or {}
    for key in sorted(given, key=[*asked, *given].index):
        known = asked.get(key)
        label = _option_label(known.options if known else (), given[key])
        yield _row(section, known.question if known else key, given[key], label=label, at=at)


def _taking_part(person: Participant) -> Iterator[OwnRow]:
    section = _("Taking part")
    yield _row(section, _("Consent given"), "", at=person.consented_at)
    yield _row(section, _("Language"), person.language, label=language_name(person.language))
    yield _row(section, _("Progress"), person.outcome, label=outcome_label(person.outcome))
    if person.device:
        yield _row(section, _("Kind of device"), person.device, label=device_label(person.device))
    if person.external_id:
        yield _row(section, _("Your name at the panel"), person.external_id)
    yield from _captured(section, person.captured)
    if person.completed_at:
        yield _row(section, _("Completion code"), person.completion_code, at=person.completed_at)


def _captured(section: str, captured: Mapping[str, Any]) -> Iterator[OwnRow]:
    """What the panel's link brought, the last time and each time before."""
    for name, value in captured.items():
        if name != EARLIER:
            yield _row(section, name, str(value))
    for visit in captured.get(EARLIER, []):
        for name, value in visit.items():
            yield _row(section, name, str(value), about=_("when you came before"))


def _invitation_rows(person: Participant) -> Iterator[OwnRow]:
    known = Invitation.objects.filter(participant=person).first()
    if known is None:
        return
    section = _("Your invitation")
    facts = {
        _("Name"): known.name,
        _("Role"): known.role,
        _("Years of experience"): known.experience_years,
        _("Credential"): known.credential,
    }
    for item, value in facts.items():
        if value not in ("", None):
            yield _row(section, item, str(value), at=known.used_at)


def _trials(person: Participant) -> Sequence[Assignment]:
    rows = person.assignments.select_related("scenario").defer("treatment_is_left")
    parts = ("responses", "drafts", "evidence_links", "changes", "exposures")
    return list(rows.prefetch_related(*parts).order_by("order"))


def _trial_rows(trial: Assignment, measures: Mapping[str, Measure]) -> Iterator[OwnRow]:
    for answer in trial.responses.all():
        yield _answer_row(_("Answers"), trial, measures, answer.measure, answer.side, answer.value,
                          at=answer.answered_at)  # fmt: skip
    for draft in trial.drafts.all():
        for name, value in draft.answers.items():
            key, _dot, side = str(name).partition(".")
            yield _answer_row(_("Answers not sent yet"), trial, measures, key, side, str(value),
                              at=draft.saved_at)  # fmt: skip
    for mark in trial.evidence_links.all():
        yield _row(_("Turns you marked"), part_label(mark.address), mark.relation,
                   debate=trial.order, about=side_label(mark.side),
                   label=relation_label(mark.relation), at=mark.marked_at)  # fmt: skip
    for change in trial.changes.all():
        key, _dot, side = change.field.partition(".")
        yield _answer_row(_("Answers you changed"), trial, measures, key, side, change.value)
    for seen in trial.exposures.all():
        label = _("%(seconds)s seconds; %(share)d %% of it came into view") % {
            "seconds": number_format(seen.visible_ms / 1000, decimal_pos=1),
            "share": seen.scrolled,
        }
        yield _row(_("Time in view"), part_label(seen.item), str(seen.visible_ms),
                   debate=trial.order, label=label)  # fmt: skip


def _title(person: Participant, trial: Assignment) -> str:
    """Name a debate as its own page does."""
    return title_in(
        trial.scenario.title,
        person.cohort.study.translations,
        scenario=trial.scenario.key,
        language=person.language,
    )


def _times(trial: Assignment, *, title: str) -> Iterator[OwnRow]:
    section = _("Steps")
    moments = {
        _("Debate opened"): trial.trace_opened_at,
        _("Reports opened"): trial.pair_opened_at,
        _("Answers sent"): trial.answered_at,
    }
    for item, at in moments.items():
        if at is not None:
            yield _row(section, item, "", debate=trial.order, about=title, at=at)


def _answer_row(
    section: str,
    trial: Assignment,
    measures: Mapping[str, Measure],
    key: str,
    side: str,
    value: str,
    *,
    at: datetime | None = None,
) -> OwnRow:
    measure = measures.get(key)
    return _row(
        section,
        measure.question if measure else key,
        value,
        debate=trial.order,
        about=side_label(side),
        label=_answer_label(measure, value),
        at=at,
    )


def _answer_label(measure: Measure | None, value: str) -> str:
    if measure is None:
        return ""
    if measure.anchors and value.isdigit() and 0 < int(value) <= len(measure.anchors):
        return measure.anchors[int(value) - 1]
    if measure.choices:
        return {"neither": _("Neither"), "both": _("Both")}.get(value, side_label(value))
    return _option_label(measure.options, value)


def _option_label(options: Sequence[Option | MeasureOption], value: str) -> str:
    return next((option.label for option in options if option.value == value), "")


def _row(
    section: str,
    item: str,
    value: str,
    *,
    debate: int = 0,
    about: str = "",
    label: str = "",
    at: datetime | None = None,
) -> OwnRow:
    return OwnRow(section, debate, item, about, str(value), label, at)
