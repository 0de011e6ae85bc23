"""A debate of the demo, held by its worker for a draft of its own; each step can be repeated."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from studyapp import tasks
from studyapp.domain.seeds import SEED_LIMIT
from studyapp.management.demo_study import DemoError
from studyapp.selectors.debate_choices import CommitteeWish
from studyapp.selectors.debate_views import DebateRow
from studyapp.selectors.debates import debates_rows
from studyapp.selectors.study import StudyPage, study_find
from studyapp.services.debates import committee_request
from studyapp.services.study import study_build

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SLUG = "a-debate-held-here"
_TITLE = "A debate held here"
# With this seed a zero-sum shock leaves no plan that all three can carry: a deadlock.
_WISH = CommitteeWish(scenario="energy", seed=3)


def debate_ask(*, owner: User) -> None:
    """Queue the debate, unless it was asked for before or the study is none to edit any more."""
    with transaction.atomic():
        page = study_find(owner, SLUG) or _study_make(owner)
        if page.is_frozen or debates_rows(page.id):
            return
        trunk = committee_request(
            study_id=page.id, wish=_WISH, actor_id=owner.pk, now=timezone.now()
        )
        tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)


def debate_shown(*, owner: User) -> DebateRow | None:
    """Return the first debate held for the draft, or None where a researcher has put it away."""
    page = study_find(owner, SLUG)
    return next(reversed(list(debates_rows(page.id))), None) if page else None


def _study_make(owner: User) -> StudyPage:
    study = study_build(
        title=_TITLE,
        debates=(),
        seed=secrets.randbelow(SEED_LIMIT),
        owner_id=owner.pk,
        now=timezone.now(),
    )
    page = study_find(owner, study.slug)
    if page is None:
        raise DemoError(f"the study {study.slug!r} was deleted while the demo was starting")
    return page
