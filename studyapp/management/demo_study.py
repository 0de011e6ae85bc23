"""The demo study in the database: account, texts, opening. Each step can be repeated."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from studyapp import tasks
from studyapp.domain.seeds import SEED_LIMIT
from studyapp.errors import StudyAppError, StudyExistsError
from studyapp.selectors.generation import preset_config
from studyapp.selectors.scenario_rows import ScenarioRow, TextsState
from studyapp.selectors.study import StudyPage, study_find
from studyapp.services.study import study_generate, study_load, study_open

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ACCOUNT = "researcher"
_DEFINITION = settings.BASE_DIR / "fixtures" / "demo_study.json"
_OUTCOMES = {"synthesis": "verified synthesis", "divergence": "Divergence Report"}
_BROKEN = (TextsState.FAILED, TextsState.CANCELLED, TextsState.NOT_JUDGED, TextsState.NO_CONTRAST)


class DemoError(StudyAppError):
    """The demo cannot go on; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class DemoStudy:
    """The loaded demo study and the account that owns it."""

    slug: str
    owner: User

    def page(self) -> StudyPage:
        """Return how the study stands now.

        Raises:
            DemoError: it is gone.
        """
        page = study_find(self.owner, self.slug)
        if page is None:
            raise DemoError(f"the study {self.slug!r} was deleted while the demo was starting")
        return page


def account_ensure(*, password: str) -> User:
    """Return the researcher's account, made or reset so that `password` opens it."""
    account, _ = get_user_model().objects.get_or_create(username=ACCOUNT)
    if not account.check_password(password) or not account.is_superuser:
        account.is_staff = account.is_superuser = account.is_active = True
        account.set_password(password)
        account.save()
    return account


def demo_load(*, owner: User) -> DemoStudy:
    """Store the debates and the study, unless they are stored.

    Raises:
        StudyAppError: the files are not as they should be.
        DemoError: another demo study is stored.
    """
    try:
        study = study_load(
            path=_DEFINITION,
            seed=secrets.randbelow(SEED_LIMIT),
            owner_id=owner.pk,
            now=timezone.now(),
        )
    except StudyExistsError as error:
        raise DemoError(
            f"the demo study kept in {settings.VAR_DIR} is an older or changed one. Its answers "
            "stay there; to begin anew, move that folder away"
        ) from error
    return DemoStudy(slug=study.slug, owner=owner)


def texts_request(demo: DemoStudy) -> None:
    """Queue a run for each scenario that has none."""
    page = demo.page()
    if not page.can_generate:
        return
    with transaction.atomic():
        runs = study_generate(
            study_id=page.id,
            config=preset_config("offline"),
            actor_id=demo.owner.pk,
            now=timezone.now(),
        )
        for run_id in runs:
            tasks.run_execute.delay_on_commit(run_id=run_id)


@dataclass(frozen=True, slots=True)
class TextsProgress:
    """How far the texts are, in words, and whether all are there."""

    words: str
    done: bool


def texts_progress(demo: DemoStudy) -> TextsProgress:
    """Return how far the worker is.

    Raises:
        DemoError: a run ended without texts.
    """
    rows = demo.page().scenarios
    for row in rows:
        if row.state in _BROKEN:
            raise DemoError(f"{row.label}: {row.state}. {row.error or row.outcome}".rstrip())
    words = "; ".join(f"{row.key}: {_words(row)}" for row in rows)
    return TextsProgress(words, done=all(row.state is TextsState.READY for row in rows))


def _words(row: ScenarioRow) -> str:
    if row.state is TextsState.READY:
        return _OUTCOMES.get(row.outcome, row.outcome)
    return f"draft {row.pair_number}" if row.pair_number else str(row.state)


def demo_open(demo: DemoStudy) -> StudyPage:
    """Open the study if it never was, and return how it stands; paused or closed it stays."""
    page = demo.page()
    if not page.is_frozen:
        study_open(study_id=page.id, actor_id=demo.owner.pk, now=timezone.now())
    return demo.page()
