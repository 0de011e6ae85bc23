"""What participants' pages show: their place in a study, a debate, a pair of texts without arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from studyapp.domain.background import BackgroundQuestion
from studyapp.domain.markup import prose_render
from studyapp.domain.measures import Measure
from studyapp.domain.rules import rules_load
from studyapp.domain.screening import ScreeningForm, ScreeningQuestion, screening_due
from studyapp.domain.states import WALKED
from studyapp.domain.steps import Step, TrialState, steps_list
from studyapp.domain.texts import StudyTexts
from studyapp.domain.time_pressure import time_pressure_load
from studyapp.domain.translations import title_in
from studyapp.errors import UnknownLinkError
from studyapp.models import (
    Assignment,
    Invitation,
    LinkKind,
    Outcome,
    Participant,
)
from studyapp.selectors.reading import TrialReading, reading_of
from studyapp.selectors.words import cohort_background, consent_sha256, study_words

_REPORT_HEADING = 3
_VERSION_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Visit:
    """A participant's place in their study.

    `completion_code` is empty until completion; `is_closed` means that answers are no longer taken,
    `has_ended` that taking part ended before completion. `is_new` lasts until the first step after
    consent is done. `instructions` are the study's and then the cohort's; `screening` is the form
    that is due; `version` names the wording that was agreed to. `readings` say by the token of each
    trial how it is read.
    """

    token: str
    cohort_token: str
    language: str
    is_test: bool
    is_closed: bool
    texts: StudyTexts
    background: tuple[BackgroundQuestion, ...]
    measures: tuple[Measure, ...]
    trials: tuple[TrialState, ...]
    readings: Mapping[str, TrialReading]
    steps: tuple[Step, ...]
    completion_code: str
    receipt: str
    version: str
    instructions: str
    screening: ScreeningForm | None
    is_new: bool
    has_ended: bool
    is_revoked: bool
    is_from_panel: bool

    def trial(self, token: str) -> TrialState:
        """Return the trial with this token.

        Raises:
            UnknownLinkError: it is not this participant's.
        """
        for trial in self.trials:
            if trial.token == token:
                return trial
        raise UnknownLinkError("no trial of this participant has this link")


@dataclass(frozen=True, slots=True)
class BlindPair:
    """Two texts of a trial by their side. It has no field for arm, model, source or run."""

    token: str
    language: str
    left_html: SafeString
    right_html: SafeString


def visit_get(participant_token: str) -> Visit:
    """Return a participant's place.

    Raises:
        UnknownLinkError: nobody has this token.
    """
    person = participant_get(participant_token)
    rows = _trial_rows(person)
    trials = tuple(_trial_state(row, person) for row in rows)
    words = study_words(person.cohort, language=person.language)
    steps = steps_list(
        trials,
        asks_background=bool(words.background),
        has_background=person.background_at is not None,
        asks_screening=bool(words.screening),
        is_screened=person.screened_at is not None,
    )
    return Visit(
        token=person.token,
        cohort_token=person.cohort.token,
        language=person.language,
        is_test=person.is_test,
        is_closed=person.study.state not in WALKED,
        texts=words.texts,
        background=words.background,
        measures=words.measures,
        trials=trials,
        readings=_readings(person, rows),
        steps=steps,
        completion_code=person.completion_code if person.completed_at else "",
        receipt=person.receipt,
        version=consent_sha256(person.study, language=person.language)[:_VERSION_LENGTH],
        instructions=words.instructions,
        screening=_screening_form(person, words.screening),
        is_new=sum(step.done for step in steps) == 1 and not person.screening,
        has_ended=person.outcome in (Outcome.SCREENED_OUT, Outcome.FAILED_ATTENTION),
        is_revoked=_is_revoked(person),
        is_from_panel=person.cohort.link_kind == LinkKind.PANEL,
    )


def participant_get(token: str) -> Participant:
    """Return a participant with their cohort and study, in one query.

    Every page of everybody begins with it. Participant and cohort belong to one study, which is
    read once. Leaving columns out costs Django more than reading them.

    Raises:
        UnknownLinkError: nobody has this token.
    """
    rows = Participant.objects.select_related("cohort__study")
    try:
        person = rows.get(token=token)
    except Participant.DoesNotExist as error:
        raise UnknownLinkError("no participant has this link") from error
    person.study = person.cohort.study
    return person


def background_asked(person: Participant) -> list[dict[str, object]]:
    """Return the background questions for this participant: the cohort's own, or the study's."""
    return cohort_background(person.cohort)


def blind_pair(trial_token: str) -> BlindPair:
    """Return the two texts of a trial, each on the side that was drawn for it."""
    trial = Assignment.objects.filter(token=trial_token, scenario__pair__isnull=False)
    found = trial.values_list(
        "scenario__pair__reference_text",
        "scenario__pair__treatment_text",
        "treatment_is_left",
        "scenario__trace__language",
    ).first()
    if found is None:
        raise UnknownLinkError("no trial has this link, or its scenario has no pair yet")
    *texts, treatment_is_left, language = found
    if treatment_is_left:
        texts.reverse()
    left, right = (SafeString(prose_render(text, heading=_REPORT_HEADING)) for text in texts)
    return BlindPair(
        token=trial_token,
        language=language,
        left_html=left,
        right_html=right,
    )


def answers_get(trial_token: str) -> dict[str, str]:
    """Return the stored answers of a trial by field name."""
    assignment = Assignment.objects.prefetch_related("responses").get(token=trial_token)
    return {
        f"{row.measure}.{row.side}" if row.side else row.measure: row.value
        for row in assignment.responses.all()
    }


def background_get(participant_token: str) -> dict[str, str]:
    """Return the stored background answers by question key."""
    stored = Participant.objects.values_list("background", flat=True)
    return dict(stored.get(token=participant_token) or {})


def reports_are_rule_based(participant_token: str) -> bool:
    """Say whether any text that a participant read came from rules in place of a model."""
    manifests = Assignment.objects.filter(participant__token=participant_token).values_list(
        "scenario__pair__manifest", flat=True
    )
    return any(manifest["models"]["mode"] == "offline" for manifest in manifests)


def _screening_form(
    person: Participant, questions: tuple[ScreeningQuestion, ...]
) -> ScreeningForm | None:
    if person.screened_at is not None:
        return None
    answered = person.screening or {}
    return screening_due(questions, answered=answered, attempts=person.screening_attempts)


def _is_revoked(person: Participant) -> bool:
    """Ask only where people come by invitations: every page of everybody calls this."""
    if person.cohort.link_kind != LinkKind.PERSONAL:
        return False
    return Invitation.objects.filter(participant=person, revoked_at__isnull=False).exists()


def _trial_rows(person: Participant) -> list[dict[str, Any]]:
    """Read what pages need to know of the trials, and not which way round they are shown."""
    trials = Assignment.objects.filter(participant_id=person.pk).order_by("order")
    return list(
        trials.values(
            *("token", "order", "measure_order", "timed_out"),
            *("trace_opened_at", "pair_opened_at", "answered_at"),
            *("scenario__key", "scenario__title", "scenario__trace__sha256"),
        )
    )


def _trial_state(row: Mapping[str, Any], person: Participant) -> TrialState:
    return TrialState(
        token=row["token"],
        number=row["order"],
        title=title_in(
            row["scenario__title"],
            person.study.translations,
            scenario=row["scenario__key"],
            language=person.language,
        ),
        opened=row["trace_opened_at"] is not None,
        # A trial whose time ran out may have ended before its reports were opened.
        read=row["pair_opened_at"] is not None or row["answered_at"] is not None,
        answered=row["answered_at"] is not None,
    )


def _readings(person: Participant, rows: Sequence[Mapping[str, Any]]) -> dict[str, TrialReading]:
    rules = rules_load(person.study.rules)
    pressure = time_pressure_load(person.cohort.time_pressure)
    return {row["token"]: reading_of(row, rules=rules, pressure=pressure) for row in rows}
