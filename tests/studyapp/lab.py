"""A researcher's study with two debates, and the browsers of people who may or may not see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from studyapp.domain.permissions import Role
from studyapp.models import Study, StudyMember
from studyapp.services.study import UploadedFile, study_build, texts_generate
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock

WORD: Final = "correct horse"


@dataclass(frozen=True)
class Lab:
    """Ada's study, her browser, and the runs for which a worker was to be woken."""

    study: Study
    ada: Client
    queued: list[int]

    def url(self, name: str, **kwargs: Any) -> str:
        """Return the address of a page about the study."""
        return reverse(name, kwargs={"slug": self.study.slug, **kwargs})

    def generate(self) -> None:
        """Ask for the texts by the button, and be the worker."""
        self.ada.post(self.url("study-generate"), {"preset": "offline"})
        for run_id in self.queued:
            texts_generate(run_id=run_id, now=Clock(), environment={})

    @property
    def key(self) -> str:
        """The first scenario's key."""
        return self.study.scenarios.earliest("position").key

    def state(self) -> str:
        """The study's state as stored."""
        return Study.objects.values_list("state", flat=True).get(pk=self.study.pk)


def lab_new(queued: list[int], *, title: str = "Two debates") -> Lab:
    """Store Ada's study; `queued` is where the runs go for which a worker is to be woken."""
    owner = user_new("ada")
    files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
    study = study_build(title=title, debates=files, seed=1, owner_id=owner.pk, now=START)
    return Lab(study, browser_of(owner), queued)


def user_new(
    name: str, *, password: str = "", is_staff: bool = True, is_superuser: bool = False
) -> User:
    """Store a user."""
    return User.objects.create_user(
        name, password=password or None, is_staff=is_staff, is_superuser=is_superuser
    )


def member_of(study: Study, role: Role = Role.OWNER, *, name: str = "ada") -> User:
    """Return somebody who has a role in a study; a user of this name is taken."""
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": True})
    values = {"role": role, "added_at": START}
    StudyMember.objects.update_or_create(study=study, user=user, defaults=values)
    return user


def browser_of(user: User) -> Client:
    """Return a browser in which the user is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def debate_file(name: str) -> SimpleUploadedFile:
    """Return an upload of one of the two debates."""
    path = AGREES if name == AGREES.name else DEADLOCK
    return SimpleUploadedFile(name, path.read_bytes(), content_type="application/json")


def page_text(client: Client, address: str) -> str:
    """Return a page that must be there."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()
