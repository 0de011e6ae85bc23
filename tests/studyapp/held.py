"""Debates that a study has held here, and workers that hold them, for tests."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Final

from studyapp.models import DebateRun
from studyapp.seams.debates import CommitteeWish, TrialWish, config_checked, config_committee
from studyapp.services.debates import (
    Trunk,
    WantedDebate,
    branch_execute,
    committee_request,
    debate_request,
    trials_request,
)
from studyapp.services.study import UploadedFile, study_build
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS
from tests.studyapp.debates import START, Clock

COMMITTEE: Final = CommitteeWish(seed=126, turns=6)
TRIAL: Final = TrialWish(rounds=2)
NO_LIMITS: Final[Mapping[str, int]] = {}
_PLAN: Final = json.dumps(
    {
        "target_claim": "Who needs most?",
        "attack_surface": "Figures without a source.",
        "intent": "Ask for a share.",
        "anticipated_counter": "Others need more.",
        "axioms": [],
    }
)


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


def committee_cut(
    study_id: int,
    *,
    limits: Mapping[str, int] = NO_LIMITS,
    said: Sequence[str] = ("We ask for 20 MWh.", "We keep to 20 MWh."),
) -> Trunk:
    """Ask for a debate whose speakers run out of words in the second round."""
    base = config_committee(COMMITTEE)
    script = [word for text in said for word in (_PLAN, text)]
    spec = {"kind": "scripted", "name": "few words", "script": script}
    speakers = dict.fromkeys(base["debaters"], spec)
    config = config_checked(
        "committee", {**base, "debaters": speakers, "limits": {"run": dict(limits)}}
    )
    wanted = WantedDebate("committee", "few words", config)
    return debate_request(study_id=study_id, wanted=wanted, actor_id=None, now=START)


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
