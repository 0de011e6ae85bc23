"""What participants' pages show: their place in a study, a debate, a pair of texts without arms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Q
from django.utils.safestring import SafeString

from studyapp.domain.background import BackgroundQuestion
from studyapp.domain.markup import prose_render
from studyapp.domain.measures import Measure
from studyapp.domain.steps import Step, TrialState, steps_list, trial_ahead
from studyapp.domain.texts import StudyTexts
from studyapp.domain.trace_view import TraceView, trace_view_build
from studyapp.errors import UnknownLinkError
from studyapp.models import (
    Assignment,
    Cohort,
    CohortState,
    DebateTrace,
    Draft,
    Participant,
    Place,
    StudyState,
)
from studyapp.selectors.words import study_words

_REPORT_HEADING = 3


@dataclass(frozen=True, slots=True)
class Landing:
    """What somebody meets at a cohort's link; without texts where the study is not open."""

    is_open: bool
    is_full: bool
    is_paused: bool
    texts: StudyTexts | None
    language: str
    languages: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Visit:
    """A participant's place in their study.

    `completion_code` is empty until completion; `is_closed` means that answers are no longer taken.
    """

    token: str
    language: str
    is_test: bool
    is_closed: bool
    texts: StudyTexts
    background: tuple[BackgroundQuestion, ...]
    measures: tuple[Measure, ...]
    trials: tuple[TrialState, ...]
    steps: tuple[Step, ...]
    completion_code: str

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


def landing_get(cohort_token: str, *, now: datetime, language: str = "") -> Landing:
    """Return what a cohort's link shows. Reading it changes nothing.

    Raises:
        UnknownLinkError: no cohort has this token.
    """
    try:
        cohort = Cohort.objects.select_related("study").get(token=cohort_token)
    except Cohort.DoesNotExist as error:
        raise UnknownLinkError("no cohort has this link") from error
    study = cohort.study
    is_open = study.state == StudyState.OPEN and cohort.state == CohortState.OPEN
    words = study_words(cohort, language=language) if is_open else None
    scenarios = study.scenarios.count() if is_open else 0
    asked = study.background if cohort.background is None else cohort.background
    ahead = [trial_ahead(number) for number in range(1, scenarios + 1)]
    return Landing(
        is_open=is_open,
        is_full=not has_place(cohort, is_test=study.is_test, now=now),
        is_paused=StudyState.PAUSED in (study.state, cohort.state),
        texts=words.texts if words else None,
        language=words.texts.language if words else language,
        languages=words.languages if words else (),
        steps=steps_list(ahead, asks_background=bool(asked), has_background=False),
    )


def place_find(cohort_token: str, participant_token: str) -> str:
    """Return the token if it belongs to a participant of this cohort, else an empty text."""
    found = Participant.objects.filter(token=participant_token, cohort__token=cohort_token)
    return participant_token if participant_token and found.exists() else ""


def visit_get(participant_token: str) -> Visit:
    """Return a participant's place.

    Raises:
        UnknownLinkError: nobody has this token.
    """
    try:
        person = Participant.objects.select_related("study", "cohort__study").get(
            token=participant_token
        )
    except Participant.DoesNotExist as error:
        raise UnknownLinkError("no participant has this link") from error
    trials = tuple(_trial_state(row) for row in _assignments(person))
    words = study_words(person.cohort, language=person.language)
    return Visit(
        token=person.token,
        language=person.language,
        is_test=person.is_test,
        is_closed=person.study.state not in (StudyState.OPEN, StudyState.PAUSED),
        texts=words.texts,
        background=words.background,
        measures=words.measures,
        trials=trials,
        steps=steps_list(
            trials,
            asks_background=bool(words.background),
            has_background=person.background_at is not None,
        ),
        completion_code=person.completion_code if person.completed_at else "",
    )


def background_asked(person: Participant) -> list[dict[str, object]]:
    """Return the background questions for this participant: the cohort's own, or the study's."""
    own = person.cohort.background
    return list(person.study.background if own is None else own)


def has_place(cohort: Cohort, *, is_test: bool, now: datetime) -> bool:
    """Say whether somebody who consents now would get a place."""
    held = Q(is_complete=True) | Q(participant__isnull=False, reserved_until__gte=now)
    places = Place.objects.filter(held, is_test=is_test)
    study = cohort.study
    if study.quota is not None and places.filter(cohort__study=study).count() >= study.quota:
        return False
    return cohort.quota is None or places.filter(cohort=cohort).count() < cohort.quota


def trace_view(trial_token: str) -> TraceView:
    """Return the debate of a trial, without what its speakers thought in private."""
    sha256 = Assignment.objects.values_list("scenario__trace__sha256", flat=True)
    return _trace_view(sha256.get(token=trial_token))


def blind_pair(trial_token: str) -> BlindPair:
    """Return the two texts of a trial, each on the side that was drawn for it."""
    rows = Assignment.objects.select_related("scenario__pair", "scenario__trace")
    assignment = rows.defer("scenario__trace__content").get(token=trial_token)
    pair = assignment.scenario.pair
    if pair is None:
        raise UnknownLinkError("this scenario has no pair yet")
    texts = [pair.reference_text, pair.treatment_text]
    if assignment.treatment_is_left:
        texts.reverse()
    left, right = (SafeString(prose_render(text, heading=_REPORT_HEADING)) for text in texts)
    return BlindPair(
        token=assignment.token,
        language=assignment.scenario.trace.language,
        left_html=left,
        right_html=right,
    )


def draft_get(trial_token: str) -> dict[str, str]:
    """Return what was entered and not yet submitted, by field name."""
    answers = Draft.objects.filter(assignment__token=trial_token).values_list("answers", flat=True)
    return dict(answers.first() or {})


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


def _assignments(person: Participant) -> list[Assignment]:
    rows = person.assignments.select_related("scenario").order_by("order")
    return list(rows.defer("treatment_is_left"))


def _trial_state(row: Assignment) -> TrialState:
    return TrialState(
        token=row.token,
        number=row.order,
        title=row.scenario.title,
        opened=row.trace_opened_at is not None,
        read=row.pair_opened_at is not None,
        answered=row.answered_at is not None,
    )


@lru_cache(maxsize=32)
def _trace_view(sha256: str) -> TraceView:
    """Keep the last few: a trace is named by its content, and rendering a long one takes time."""
    return trace_view_build(DebateTrace.objects.get(sha256=sha256).content)
