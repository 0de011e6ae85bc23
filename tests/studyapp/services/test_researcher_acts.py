"""Every act of a researcher: services ask for the role and tell the log, whoever calls them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from studyapp import services
from studyapp.domain.permissions import ALLOWED, Action, Role
from studyapp.errors import RoleRefusedError, StudyAppError
from studyapp.models import (
    Cohort,
    Event,
    GenerationRun,
)
from studyapp.services import (
    study,
)
from studyapp.services.study.record import study_read
from tests.sample_study import sample_study
from tests.studyapp.debates import START
from tests.studyapp.lab import member_of, user_new
from tests.studyapp.services.researcher_acts import ACTS, OWN_ACTS, Act, OwnAct, Scene

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(120)]

# Logged where they have an effect, which tests/studyapp/pages/test_second_factor.py looks at;
# to begin stores a secret that counts for nothing until it is confirmed.
_ELSEWHERE: Final = {"second_factor_begin", "second_factor_confirm", "second_factor_check"}
# Parts of the acts above.
_PARTS: Final = {"pilot_clear", "export_log"} | {
    *("study_locked", "study_read", "role_check", "event_log", "actor_name"),
}


@pytest.fixture
def scene(tmp_path: Path, settings: Any) -> Scene:
    settings.EXPORT_DIR = tmp_path / "exports"
    sample = sample_study()
    Cohort.objects.create(study=sample.study, name="experts", link_kind="personal")
    member_of(sample.study, name="owner")
    return Scene(sample.study, tmp_path)


def services_of_researchers() -> Iterator[str]:
    """Find every public function of the services that somebody does in their own name."""
    names = {"actor_id", "owner_id", "user_id", "user"}
    for found in pkgutil.walk_packages(services.__path__, "studyapp.services."):
        if ".loaders." in found.name:
            continue
        module = importlib.import_module(found.name)  # noqa: TID251 - whatever module there is
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == found.name and not name.startswith("_")
            if is_own and names & set(inspect.signature(function).parameters):
                yield name


def test_every_service_of_researchers_has_its_row() -> None:
    rows = {act.service.__name__ for act in (*ACTS, *OWN_ACTS)}
    assert set(services_of_researchers()) == rows | _PARTS | _ELSEWHERE


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.service.__name__)
def test_who_has_no_right_is_refused_and_leaves_no_trace(scene: Scene, act: Act) -> None:
    without = [role for role in Role if act.action not in ALLOWED[role]]
    refused = [member_of(scene.study, role, name=role) for role in without]
    gone = member_of(scene.study, Role.OWNER, name="gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    for actor in (*refused, gone, user_new("stranger")):
        with pytest.raises(RoleRefusedError), transaction.atomic():
            act(scene, actor.pk)
        assert not Event.objects.filter(payload__actor=actor.username).exists()


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.service.__name__)
def test_an_act_is_logged_with_actor_time_before_and_after(scene: Scene, act: Act) -> None:
    ada = member_of(scene.study, Role.OWNER, name="ada")
    act(scene, ada.pk)
    event = Event.objects.filter(study=scene.study.slug, kind=act.kind).latest("pk")
    assert event.payload["actor"] == "ada"
    assert event.at == START
    before, after = event.payload["before"], event.payload["after"]
    assert (before == after) is act.is_request, event.payload


@pytest.mark.parametrize("act", OWN_ACTS, ids=lambda act: act.service.__name__)
def test_what_is_done_without_a_study_is_logged_too(scene: Scene, act: OwnAct) -> None:
    ada = user_new("ada")
    act.service(**act.values(scene, ada), now=START)
    event = Event.objects.filter(kind=act.kind, payload__actor="ada").latest("pk")
    assert event.at == START


def test_the_shell_may_everything_and_is_called_so(scene: Scene) -> None:
    assert study_read(scene.id, actor_id=None, action=Action.GOVERN) == scene.study
    study.study_pause(study_id=scene.id, actor_id=None, now=START)
    assert Event.objects.get(kind="study.paused").payload["actor"] == "shell"


def test_a_run_of_another_study_cannot_be_reached(scene: Scene) -> None:
    run_id = scene.run("queued")
    other = sample_study(slug="other").study
    ada = member_of(other)
    with pytest.raises(StudyAppError, match="none of study other"):
        study.generation_cancel(study_id=other.pk, run_id=run_id, actor_id=ada.pk, now=START)
    assert GenerationRun.objects.get(pk=run_id).state == "queued"
