"""Debates that a study has held here, and workers that hold them, for tests."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Final

from studyapp.models import DebateRun
from studyapp.seams.debates import CommitteeWish, TrialWish
from studyapp.services.debates import Trunk, branch_execute, committee_request, trials_request
from studyapp.services.study import UploadedFile, study_build
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS
from tests.studyapp.debates import START, Clock

COMMITTEE: Final = CommitteeWish(seed=126, turns=6)
TRIAL: Final = TrialWish(rounds=2)


def corpus(texts: Sequence[str] = TEXTS) -> UploadedFile:
    """A corpus as a file of JSON Lines."""
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts, 1)]
    return UploadedFile("masks.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows).encode())


def draft_new(title: str = "Held here") -> int:
    """Store a draft without debates; return its key."""
    return study_build(title=title, debates=[], seed=1, owner_id=None, now=START).pk


def committee_queued(study_id: int, wish: CommitteeWish = COMMITTEE) -> Trunk:
    """Ask for a committee's debate."""
    return committee_request(study_id=study_id, wish=wish, actor_id=None, now=START)


def trial_queued(study_id: int, wish: TrialWish = TRIAL) -> Trunk:
    """Ask for a trial of the claim about masks."""
    (trunk,) = trials_request(
        study_id=study_id, claims=[CLAIM], corpus=corpus(), wish=wish, actor_id=None, now=START
    )
    return trunk


def held(trunk: Trunk, *, seed: int | None = None, times: int = 1) -> DebateRun:
    """Be all workers: messages in their order, or shuffled, each delivered so often."""
    messages, dice = [trunk.branch_id] * times, random.Random(seed)
    while messages:
        place = 0 if seed is None else dice.randrange(len(messages))
        woken = branch_execute(branch_id=messages.pop(place), now=Clock(), environment={})
        messages.extend(list(woken) * times)
    return DebateRun.objects.get(pk=trunk.debate_id)
