"""Ask for debates: each is a row with its whole configuration, and a trunk for a worker to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from studyapp.domain.digest import json_sha256
from studyapp.domain.permissions import Action
from studyapp.models import DebateBranch, DebateRun, EvidenceCorpus
from studyapp.seams import debates as engine
from studyapp.services.leasing import lease_span
from studyapp.services.study import UploadedFile
from studyapp.services.study.record import event_log, frozen_check, study_locked


@dataclass(frozen=True, slots=True)
class WantedDebate:
    """One debate to be held.

    Attributes:
        preset: as records name the configuration.
        config: the whole of it, checked.
        corpus: JSON Lines a trial finds its evidence in; None for a committee.
        embedder: by which vectors a trial compares texts; empty for a committee.
    """

    system: str
    preset: str
    config: Mapping[str, Any]
    corpus: UploadedFile | None = None
    embedder: str = ""


@dataclass(frozen=True, slots=True)
class Trunk:
    """A debate that was queued, and the branch for which the caller wakes a worker."""

    debate_id: int
    branch_id: int


@transaction.atomic
def committee_request(
    *, study_id: int, wish: engine.CommitteeWish, actor_id: int | None, now: datetime
) -> Trunk:
    """Ask for a debate of the crisis committee.

    Raises:
        DefinitionError: a value is not allowed.
        FrozenError: the study has been opened, so its design is frozen.
    """
    config = engine.config_committee(wish)
    wanted = WantedDebate(engine.COMMITTEE, engine.COMMITTEE, config)
    return debate_request(study_id=study_id, wanted=wanted, actor_id=actor_id, now=now)


@transaction.atomic
def trials_request(
    *,
    study_id: int,
    claims: Sequence[str],
    corpus: UploadedFile,
    wish: engine.TrialWish,
    actor_id: int | None,
    now: datetime,
) -> list[Trunk]:
    """Ask for a trial of each claim, all or none; a claim that is named twice is tried once.

    Raises:
        DefinitionError: a value is not allowed.
        EvidenceRefusedError: the corpus cannot be read.
        FrozenError: the study has been opened, so its design is frozen.
    """
    wanted = [
        WantedDebate(
            engine.COURTROOM,
            wish.preset,
            engine.config_courtroom(wish, claim=claim),
            corpus,
            wish.embedder,
        )
        for claim in dict.fromkeys(claims)
    ]
    return [
        debate_request(study_id=study_id, wanted=one, actor_id=actor_id, now=now) for one in wanted
    ]


@transaction.atomic
def debate_request(
    *, study_id: int, wanted: WantedDebate, actor_id: int | None, now: datetime
) -> Trunk:
    """Put a debate into the queue; the caller wakes a worker for its trunk after the commit.

    Raises:
        EvidenceRefusedError: the corpus cannot be read, or a trial has none.
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    debate = DebateRun.objects.create(
        study=study,
        system=wanted.system,
        preset=wanted.preset,
        config=dict(wanted.config),
        corpus=_corpus_store(wanted.corpus, now=now) if wanted.corpus else None,
        embedder=wanted.embedder,
        created_at=now,
    )
    trunk = DebateBranch.objects.create(
        debate=debate, created_at=now, lease_until=now + lease_span()
    )
    told = {"system": debate.system, "preset": debate.preset, "config": debate.config}
    event_log(
        study,
        "debate.requested",
        now=now,
        actor_id=actor_id,
        before=None,
        after=told,
        debate=debate.pk,
    )
    return Trunk(debate.pk, trunk.pk)


def _corpus_store(file: UploadedFile, *, now: datetime) -> EvidenceCorpus:
    documents = engine.documents_read(file.data, file_name=file.name)
    corpus, _ = EvidenceCorpus.objects.get_or_create(
        sha256=json_sha256(documents),
        defaults={"file_name": file.name[:255], "documents": documents, "created_at": now},
    )
    return corpus
