"""Move a study from state to state: each move is guarded by the table, conditional and logged."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from studyapp.domain.digest import json_sha256
from studyapp.domain.permissions import Action
from studyapp.domain.states import STUDY_MOVES, move_refusal, states_before
from studyapp.domain.tokens import token_new
from studyapp.models import Study, StudyState
from studyapp.selectors.texts import texts_of
from studyapp.services.sealing import logs_seal
from studyapp.services.study.pilot import pilot_clear
from studyapp.services.study.preregistration import preregistration_record
from studyapp.services.study.readiness import ready_check
from studyapp.services.study.record import design_record, event_log, study_locked


@transaction.atomic
def study_pilot(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Let people walk a draft as participants will; all they leave is test data.

    Nothing is frozen by it, but the design rests while somebody may be walking it.

    Raises:
        IllegalMoveError: the study is no draft.
        NoContrastError: both texts of a scenario are one text.
        StudyNotReadyError: something a participant needs is missing; lists everything.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    if study.state == StudyState.DRAFT:
        ready_check(study)
        Study.objects.filter(pk=study.pk).update(texts=texts_of(study))
    return _study_move(study, StudyState.PILOTING, actor_id=actor_id, now=now)


@transaction.atomic
def study_redraft(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """End a pilot and go on building; what its participants left is deleted.

    Raises:
        IllegalMoveError: the study is not piloting.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    moved = _study_move(study, StudyState.DRAFT, actor_id=actor_id, now=now)
    pilot_clear(study, actor_id=actor_id, now=now)
    return moved


@transaction.atomic
def study_open(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Let participants in. The first opening is the launch, which freezes the design.

    A launch stores the design's hash and the preregistration, and deletes what a pilot left. A
    test study without texts gets plain ones, which count what it has now.

    Raises:
        IllegalMoveError: the study is live already, or has ended.
        NoContrastError: both texts of a scenario are one text.
        StudyNotReadyError: something a participant needs is missing; lists everything.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    if study.opened_at is None:
        _launch(study, actor_id=actor_id, now=now)
    return _study_move(study, StudyState.OPEN, actor_id=actor_id, now=now)


@transaction.atomic
def study_pause(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Take no new participants for now.

    Raises:
        IllegalMoveError: the study is not live.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    return _study_move(study, StudyState.PAUSED, actor_id=actor_id, now=now)


@transaction.atomic
def study_close(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """End data collection for good.

    Raises:
        IllegalMoveError: the study was never live or is closed.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    closed = _study_move(study, StudyState.CLOSED, actor_id=actor_id, now=now)
    transaction.on_commit(lambda: logs_seal(now=now))
    return closed


@transaction.atomic
def study_archive(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Put a closed study away: it stays readable and exportable, below those still at work.

    Raises:
        IllegalMoveError: the study is not closed.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    return _study_move(study, StudyState.ARCHIVED, actor_id=actor_id, now=now)


def _launch(study: Study, *, actor_id: int | None, now: datetime) -> None:
    ready_check(study)
    if study.state == StudyState.PILOTING:
        pilot_clear(study, actor_id=actor_id, now=now)
    study.texts = texts_of(study)
    study.design_sha256 = json_sha256(design_record(study))
    record = preregistration_record(study, nonce=token_new(), now=now)
    Study.objects.filter(pk=study.pk, opened_at__isnull=True).update(
        design_sha256=study.design_sha256, opened_at=now, texts=study.texts, preregistration=record
    )


def _study_move(study: Study, target: StudyState, *, actor_id: int | None, now: datetime) -> Study:
    allowed = states_before(STUDY_MOVES, target)
    moved = Study.objects.filter(pk=study.pk, state__in=allowed).update(state=target)
    if moved != 1:
        raise move_refusal(
            what=f"study {study.slug}", found=study.state, target=target, allowed=allowed
        )
    before = study.state
    study.refresh_from_db()
    event_log(
        study,
        f"study.{target}",
        now=now,
        actor_id=actor_id,
        before=before,
        after=target,
        design_sha256=study.design_sha256,
    )
    return study
