"""What somebody meets who comes to a study: an open door, a full house, their own place.

Nothing here writes, so a preview of a link, a scanner or a reload changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from studyapp.domain.panel import Arrival, PanelLink, is_new_session, panel_load
from studyapp.domain.rules import REFUSE, rules_load
from studyapp.domain.screening import screening_load
from studyapp.domain.states import TAKING, WALKED
from studyapp.domain.steps import Step, steps_list, trial_ahead
from studyapp.domain.texts import StudyTexts
from studyapp.errors import UnknownLinkError
from studyapp.models import (
    Cohort,
    CohortState,
    Invitation,
    LinkKind,
    Outcome,
    Participant,
    Place,
    Study,
    StudyState,
)
from studyapp.selectors.words import consent_sha256, study_words

_VERSION_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Landing:
    """What somebody meets at a cohort's link; without texts where the study is not open.

    `version` names the wording that is agreed to: the first letters of its SHA-256.
    """

    cohort_token: str
    link_kind: str
    is_open: bool
    is_full: bool
    is_paused: bool
    texts: StudyTexts | None
    version: str
    language: str
    languages: tuple[str, ...]
    steps: tuple[Step, ...]
    panel: PanelLink | None


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who has a place already: their personal link, and whether they are through.

    `is_new_session` says that a panel sent them again, `is_refused` that the study's rules do not
    allow it.
    """

    token: str
    has_finished: bool
    is_new_session: bool = False
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Invited:
    """A personal link: where it leads, and whether it still lets somebody in.

    `participant` is empty until somebody consented through it; `is_spent` means that they did and
    have withdrawn since.
    """

    token: str
    cohort_token: str
    participant: str
    is_revoked: bool
    is_spent: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """How taking part ended, and what a panel wants to hear of it.

    `why` is `quota`, `eligibility` or `comprehension` for who was screened out, and `provider` the
    kind of panel, or an empty text. `code` is the panel's code of the outcome, or the participant's
    own where nobody but the researcher asks; `redirect` is empty where there is nowhere to go back
    to.
    """

    outcome: str
    why: str
    provider: str
    code: str
    redirect: str


def landing_get(
    cohort_token: str, *, now: datetime, language: str = "", is_test: bool = False
) -> Landing:
    """Return what a cohort's link shows; `is_test` looks from the test lane, also in a pause.

    Raises:
        UnknownLinkError: no cohort has this token.
    """
    try:
        cohort = Cohort.objects.select_related("study").get(token=cohort_token)
    except Cohort.DoesNotExist as error:
        raise UnknownLinkError("no cohort has this link") from error
    study = cohort.study
    is_open = takes_newcomers(cohort, is_test=is_test)
    words = study_words(cohort, language=language) if is_open else None
    return Landing(
        cohort_token=cohort.token,
        link_kind=cohort.link_kind,
        is_open=is_open,
        is_full=not has_place(cohort, is_test=study.takes_test_data or is_test, now=now),
        is_paused=StudyState.PAUSED in (study.state, cohort.state),
        texts=words.texts if words else None,
        version=consent_version(study, language=words.texts.language) if words else "",
        language=words.texts.language if words else language,
        languages=words.languages if words else (),
        steps=_steps_ahead(study, asks_background=bool(words and words.background)),
        panel=panel_load(cohort.panel) if cohort.link_kind == LinkKind.PANEL else None,
    )


def panel_of(cohort_token: str) -> PanelLink | None:
    """Return the panel whose people come by this link, if it is a panel's."""
    found = Cohort.objects.filter(token=cohort_token, link_kind=LinkKind.PANEL)
    panel = found.values_list("panel", flat=True).first()
    return panel_load(panel) if panel else None


def takes_newcomers(cohort: Cohort, *, is_test: bool) -> bool:
    """Say whether a cohort lets somebody in now; tests may also come while it is paused."""
    if is_test:
        return cohort.study.state in WALKED
    return cohort.study.state in TAKING and cohort.state == CohortState.OPEN


def consent_version(study: Study, *, language: str) -> str:
    """Name the wording of a study's consent in a language; the log holds the whole hash."""
    return consent_sha256(study, language=language)[:_VERSION_LENGTH]


def place_find(cohort_token: str, participant_token: str) -> Holder | None:
    """Return who has this token if they belong to the cohort."""
    if not participant_token:
        return None
    found = Participant.objects.filter(token=participant_token, cohort__token=cohort_token)
    return _holder(found.first())


def place_is_gone(participant_token: str) -> bool:
    """Say whether a token that once led to a place leads to nobody: their data were deleted."""
    return not Participant.objects.filter(token=participant_token).exists()


def panel_place_find(cohort_token: str, arrival: Arrival) -> Holder | None:
    """Return whom the study knows by a panel's id, in whichever of its cohorts."""
    if not arrival.external_id:
        return None
    lane = Q(is_test=False) | Q(study__is_test=True) | Q(study__state=StudyState.PILOTING)
    people = Participant.objects.filter(lane, study__cohorts__token=cohort_token)
    return _holder(
        people.select_related("study").filter(external_id=arrival.external_id).first(),
        arrival.captured,
    )


def invitation_find(token: str) -> Invited:
    """Return what a personal link stands for. Looking does not use it up.

    Raises:
        UnknownLinkError: there is no such invitation.
    """
    rows = Invitation.objects.select_related("cohort", "participant")
    try:
        row = rows.get(token=token)
    except Invitation.DoesNotExist as error:
        raise UnknownLinkError("no invitation has this link") from error
    return Invited(
        token=row.token,
        cohort_token=row.cohort.token,
        participant=row.participant.token if row.participant else "",
        is_revoked=row.revoked_at is not None,
        is_spent=row.used_at is not None and row.participant is None,
    )


def ending_get(participant_token: str) -> Ending:
    """Return how taking part ended for somebody, or has not yet."""
    rows = Participant.objects.select_related("study", "cohort")
    person = rows.get(token=participant_token)
    link = panel_load(person.cohort.panel) if person.cohort.link_kind == LinkKind.PANEL else None
    is_over = person.outcome != Outcome.IN_PROGRESS
    own = person.completion_code if person.outcome == Outcome.COMPLETE else ""
    return Ending(
        outcome=person.outcome,
        why=_why_out(person),
        provider=link.provider if link else "",
        code=(link.codes[person.outcome] if link else own) if is_over else "",
        redirect=link.address(person.outcome, person.external_id, person.captured)
        if link and is_over
        else "",
    )


def has_place(cohort: Cohort, *, is_test: bool, now: datetime) -> bool:
    """Say whether somebody who consents now would get a place, and could fit into a stratum."""
    held = Q(is_complete=True) | Q(participant__isnull=False, reserved_until__gte=now)
    places = Place.objects.filter(held, is_test=is_test)
    study = cohort.study
    of_study = places.filter(cohort__study=study)
    if study.quota is not None and of_study.count() >= study.quota:
        return False
    if cohort.quota is not None and places.filter(cohort=cohort).count() >= cohort.quota:
        return False
    return not study.rules.get("strata") or _has_stratum(study, of_study)


def place_is_lost(participant_token: str, *, now: datetime) -> bool:
    """Say whether somebody was away until others took the last places."""
    people = Participant.objects.select_related("cohort__study")
    person = people.filter(token=participant_token, outcome=Outcome.IN_PROGRESS).first()
    if person is None:
        return False
    if Place.objects.filter(participant=person, reserved_until__gte=now).exists():
        return False
    return not has_place(person.cohort, is_test=person.is_test, now=now)


def _has_stratum(study: Study, held: QuerySet[Place]) -> bool:
    """Say whether any answer that lets somebody in has room left."""
    for key, quotas in rules_load(study.rules).strata.items():
        accepted = [row.accepts for row in screening_load(study.screening) if row.key == key]
        taken = held.filter(participant__stratum__startswith=f"{key}=")
        counts = list(taken.values_list("participant__stratum", flat=True))
        return any(
            value not in quotas or counts.count(f"{key}={value}") < quotas[value]
            for values in accepted
            for value in values
        )
    return True


def _steps_ahead(study: Study, *, asks_background: bool) -> tuple[Step, ...]:
    ahead = [trial_ahead(number) for number in range(1, study.scenarios.count() + 1)]
    return steps_list(
        ahead,
        asks_background=asks_background,
        has_background=False,
        asks_screening=bool(study.screening),
    )


def _holder(person: Participant | None, captured: Mapping[str, str] | None = None) -> Holder | None:
    if person is None:
        return None
    is_new = is_new_session(person.captured, captured or {})
    return Holder(
        token=person.token,
        has_finished=person.outcome != Outcome.IN_PROGRESS,
        is_new_session=is_new,
        is_refused=is_new and rules_load(person.study.rules).returning == REFUSE,
    )


def _why_out(person: Participant) -> str:
    """Say what somebody was screened out by: an answer, two tries, or others who came first."""
    if person.outcome != Outcome.SCREENED_OUT:
        return ""
    answers = person.screening or {}
    failed = [
        question
        for question in screening_load(person.study.screening)
        if question.key in answers and answers[question.key] not in question.accepts
    ]
    return failed[0].kind.value if failed else "quota"
