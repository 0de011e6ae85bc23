"""Give a person who consents a place in a cohort, and draw what they will see."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from studyapp.domain.measures import measures_load
from studyapp.domain.panel import is_new_session, sessions_join
from studyapp.domain.randomise import Trial, measure_order_draw, trials_draw
from studyapp.domain.receipts import receipt_code, receipt_digest
from studyapp.domain.rules import REFUSE, StudyRules, rules_load
from studyapp.domain.states import TAKING
from studyapp.errors import EntryRefusedError, StudyFullError, StudyNotOpenError, UnknownLinkError
from studyapp.models import (
    Assignment,
    Cohort,
    Event,
    LinkKind,
    Participant,
    Scenario,
    Study,
    StudyState,
)
from studyapp.selectors.joining import takes_newcomers
from studyapp.selectors.words import consent_sha256
from studyapp.services.completion import completion_mark
from studyapp.services.invitation import invitation_use
from studyapp.services.places import place_take

_TOKEN_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who consents: how they read, what a panel calls them, and whether they count.

    `external_id` and `captured` come from a panel's link. `is_test` is set for previews and for
    links whose placeholders were not replaced, `is_bot` for programs that take part. `invitation`
    is the token of a personal link.
    """

    language: str = "en"
    device: str = ""
    external_id: str = ""
    captured: Mapping[str, str] = field(default_factory=dict)
    is_test: bool = False
    is_bot: bool = False
    invitation: str = ""


def participant_enrol(
    *, cohort_token: str, visit: str, newcomer: Newcomer, now: datetime
) -> Participant:
    """Create the participant and their assignments, once per visit and once per panel id.

    Somebody whom a panel sends again comes back to their place; a new session is noted beside the
    first, unless the study's rules refuse it.

    Args:
        cohort_token: from the cohort's link.
        visit: a random word that the consent page made up and sent back. The same word gives the
            same participant, so that a form sent twice takes one place.
        newcomer: who they are.
        now: when they consented.

    Raises:
        UnknownLinkError: no cohort has this token.
        StudyNotOpenError: the study or the cohort takes nobody now.
        StudyFullError: the cohort or the study has no place left.
        EntryRefusedError: the cohort needs another kind of link, or this one was used before.
    """
    token = visit_token(cohort_token=cohort_token, visit=visit, newcomer=newcomer)
    found = _participant_find(cohort_token, token, newcomer)
    if found is not None:
        _session_note(found, newcomer, now=now)
        return found
    try:
        return _participant_insert(cohort_token, token, newcomer, now=now)
    except (IntegrityError, StudyFullError, EntryRefusedError):
        # The form's twin may have been faster, and may have taken the last place.
        twin = _participant_find(cohort_token, token, newcomer)
        if twin is None:
            raise
        return twin


def visit_token(*, cohort_token: str, visit: str, newcomer: Newcomer) -> str:
    """Return the token that a visit's consent leads to: fixed, and unguessable without SECRET_KEY.

    Somebody whom the study knew before has the token of another visit.
    """
    word = f"{newcomer.invitation}:{visit}" if newcomer.invitation else visit
    mac = salted_hmac("studyapp.participant", f"{cohort_token}:{word}", algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()[:_TOKEN_BYTES]).decode().rstrip("=")


def _participant_find(cohort_token: str, token: str, newcomer: Newcomer) -> Participant | None:
    found = Participant.objects.filter(token=token).first()
    if found is None and newcomer.invitation:
        found = Participant.objects.filter(invitation__token=newcomer.invitation).first()
    if found is None and newcomer.external_id:
        lane = Q(is_test=newcomer.is_test) | Q(study__is_test=True)
        lane |= Q(study__state=StudyState.PILOTING)
        found = Participant.objects.filter(
            lane, study__cohorts__token=cohort_token, external_id=newcomer.external_id
        ).first()
    return found


@transaction.atomic
def _session_note(found: Participant, newcomer: Newcomer, *, now: datetime) -> None:
    """Keep the parameters of a panel's new session, and those of the sessions before it."""
    person = Participant.objects.select_for_update().select_related("study").get(pk=found.pk)
    if not is_new_session(person.captured, newcomer.captured):
        return
    if rules_load(person.study.rules).returning == REFUSE:
        raise EntryRefusedError("this person was sent here before, in another session")
    person.captured = sessions_join(person.captured, newcomer.captured)
    person.save(update_fields=["captured"])
    _event_add(person, "participant.returned", {}, now=now)


@transaction.atomic
def _participant_insert(
    cohort_token: str, token: str, newcomer: Newcomer, *, now: datetime
) -> Participant:
    cohort = _cohort_open(cohort_token, is_test=newcomer.is_test)
    _entry_check(cohort, newcomer)
    study = cohort.study
    scenarios = list(Scenario.objects.filter(study=study).only("key"))
    is_test = study.takes_test_data or newcomer.is_test
    place = place_take(cohort=cohort, is_test=is_test, now=now)
    _still_pilot_check(study)
    participant = Participant.objects.create(
        study=study,
        cohort=cohort,
        token=token,
        receipt_digest=_receipt_digest(token),
        external_id=newcomer.external_id,
        captured=dict(newcomer.captured),
        enrolment=place.number,
        design_sha256=study.design_sha256,
        language=newcomer.language,
        device=newcomer.device,
        is_test=is_test,
        is_bot=newcomer.is_bot,
        consented_at=now,
    )
    place.participant = participant
    place.save(update_fields=["participant"])
    if newcomer.invitation:
        invitation_use(token=newcomer.invitation, cohort=cohort, participant=participant, now=now)
    trials = trials_draw(
        seed=study.draw_seed, cohort=cohort.name, enrolment=place.number, scenarios=len(scenarios)
    )
    _assignments_insert(participant, scenarios, trials, rules_load(study.rules))
    record = _draw_record(participant, scenarios, trials)
    _event_add(participant, "participant.enrolled", record, now=now)
    # A study may ask for consent alone; then there is nothing left to do.
    completion_mark(participant=participant, now=now)
    return participant


def _still_pilot_check(study: Study) -> None:
    """A pilot may have ended, and been cleared, while this place was waited for."""
    if study.state == StudyState.PILOTING:
        now_is = Study.objects.values_list("state", flat=True).get(pk=study.pk)
        if now_is != StudyState.PILOTING:
            raise StudyNotOpenError(f"study {study.slug} is {now_is}, its pilot has ended")


def _entry_check(cohort: Cohort, newcomer: Newcomer) -> None:
    """Test lanes are open to whoever may test; live ones only by the cohort's kind of link."""
    if newcomer.is_test:
        return
    if cohort.link_kind == LinkKind.PERSONAL and not newcomer.invitation:
        raise EntryRefusedError(f"cohort {cohort.name} is entered by personal links")
    if cohort.link_kind == LinkKind.PANEL and not newcomer.external_id:
        raise EntryRefusedError(f"cohort {cohort.name} needs the panel's id of the participant")


def _receipt_digest(token: str) -> str:
    secret = settings.SECRET_KEY
    return receipt_digest(receipt_code(token, secret=secret), secret=secret)


def _cohort_open(cohort_token: str, *, is_test: bool) -> Cohort:
    try:
        cohort = Cohort.objects.select_related("study").get(token=cohort_token)
    except Cohort.DoesNotExist as error:
        raise UnknownLinkError("no cohort has this link") from error
    if not takes_newcomers(cohort, is_test=is_test):
        raise StudyNotOpenError(
            f"study {cohort.study.slug} is {cohort.study.state}, not open"
            if cohort.study.state not in TAKING
            else f"cohort {cohort.name} is {cohort.state}, not open"
        )
    return cohort


def _assignments_insert(
    participant: Participant,
    scenarios: Sequence[Scenario],
    trials: Sequence[Trial],
    rules: StudyRules,
) -> None:
    Assignment.objects.bulk_create(
        Assignment(
            participant=participant,
            scenario=scenarios[trial.scenario],
            order=order,
            treatment_is_left=trial.treatment_is_left,
            measure_order=_measure_order(participant, scenarios[trial.scenario], rules),
        )
        for order, trial in enumerate(trials, start=1)
    )


def _measure_order(participant: Participant, scenario: Scenario, rules: StudyRules) -> list[str]:
    keys = [measure.key for measure in measures_load(participant.study.measures)]
    if rules.measure_order == "fixed":
        return keys
    return measure_order_draw(
        seed=participant.study.draw_seed,
        cohort=participant.cohort.name,
        enrolment=participant.enrolment,
        scenario=scenario.key,
        measures=keys,
    )


def _draw_record(
    participant: Participant, scenarios: Sequence[Scenario], trials: Sequence[Trial]
) -> dict[str, Any]:
    """What was drawn, and which wording was agreed to."""
    return {
        "cohort": participant.cohort.name,
        "enrolment": participant.enrolment,
        "is_test": participant.is_test,
        "trials": [
            {
                "scenario": scenarios[trial.scenario].key,
                "treatment_is_left": trial.treatment_is_left,
            }
            for trial in trials
        ],
        "texts_sha256": consent_sha256(participant.study, language=participant.language),
    }


def _event_add(
    participant: Participant, kind: str, payload: dict[str, Any], *, now: datetime
) -> None:
    Event.objects.create(
        study=participant.study.slug,
        participant=participant.code,
        kind=kind,
        payload=payload,
        at=now,
    )
