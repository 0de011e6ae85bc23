"""Texts that a study brings of its own, in place of generated ones."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import transaction

from studyapp.domain.own_texts import TextsWanted, own_texts_read
from studyapp.domain.permissions import Action
from studyapp.models import Scenario
from studyapp.services.stimulus import pair_bring
from studyapp.services.study.record import event_log, frozen_check, study_locked
from studyapp.services.study.uploads import UploadedFile


@transaction.atomic
def pairs_load(
    *, study_id: int, file: UploadedFile, actor_id: int | None, now: datetime
) -> list[str]:
    """Store the pairs of a file and give each to its scenario, all or none.

    A scenario that had texts gets these instead; one that is being generated keeps these.

    Returns:
        The keys of the scenarios, in the order of the file.

    Raises:
        PairsRefusedError: the file cannot be read, or names what the study does not have.
        FrozenError: the study was launched, or is piloting.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    scenarios = {
        row.key: row for row in study.scenarios.select_related("trace", "pair").order_by("position")
    }
    wanted = TextsWanted(tuple(scenarios), (study.reference_arm, study.treatment_arm))
    pairs = own_texts_read(file.data, file_name=file.name, wanted=wanted)
    sha256 = hashlib.sha256(file.data).hexdigest()
    before, after = {}, {}
    for own in pairs:
        row = scenarios[own.scenario]
        pair = pair_bring(trace=row.trace, own=own, file=file.name, sha256=sha256, now=now)
        Scenario.objects.filter(pk=row.pk).update(pair=pair, run=None)
        before[row.key], after[row.key] = row.pair.sha256 if row.pair else "", pair.sha256
    event_log(
        study,
        "texts.brought",
        now=now,
        actor_id=actor_id,
        before=before,
        after=after,
        file=file.name,
        sha256=sha256,
    )
    return list(after)
