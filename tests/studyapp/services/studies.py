"""Studies of two debates at each step before their launch, for tests."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from studyapp.models import (
    Study,
)
from studyapp.seams.engine import config_preset
from studyapp.services.study import (
    UploadedFile,
    study_create,
    study_generate,
    study_open,
    texts_generate,
)
from tests.sample_study import DEMO
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock, trace_stored

LATER = START + timedelta(hours=2)


def definition_of(**changes: Any) -> dict[str, Any]:
    """Return a definition of two scenarios, with changes."""
    demo = json.loads(DEMO.read_text(encoding="utf-8"))
    return {
        **demo,
        "slug": "views",
        "title": "Two views",
        "kind": "study",
        "seed": 1,
        "scenarios": [
            {"key": "one", "title": "First", "trace": "agrees.json"},
            {"key": "two", "title": "Second", "trace": "deadlock.json"},
        ],
        "plan": {},
        **changes,
    }


def study_stored(**changes: Any) -> Study:
    """Store a study with its two debates."""
    trace_ids = {
        "agrees.json": trace_stored(AGREES).pk,
        "deadlock.json": trace_stored(DEADLOCK).pk,
    }
    return study_create(
        definition=definition_of(**changes), trace_ids=trace_ids, owner_id=None, now=START
    )


def runs_asked(study: Study) -> list[int]:
    """Ask for texts by rules; return the runs."""
    return study_generate(
        study_id=study.pk, config=config_preset("offline"), actor_id=None, now=START
    )


def study_with_texts(**changes: Any) -> Study:
    """Store a study whose texts are written."""
    study = study_stored(**changes)
    for run_id in runs_asked(study):
        texts_generate(run_id=run_id, now=Clock(), environment={})
    return study


def study_opened() -> Study:
    """Store a study and launch it."""
    return study_open(study_id=study_with_texts().pk, actor_id=None, now=LATER)


def deadlock_file() -> UploadedFile:
    """Return a debate that ends in deadlock, as it is uploaded."""
    return UploadedFile("deadlock.json", DEADLOCK.read_bytes())


def owner_stored() -> int:
    """Store the account that owns a study, once."""
    return User.objects.get_or_create(username="ada", defaults={"is_staff": True})[0].pk
