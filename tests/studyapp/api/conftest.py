"""What tests of the API start from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from studyapp import tasks
from studyapp.services.study import UploadedFile, study_build
from tests.studyapp.api.calling import Caller, caller_of
from tests.studyapp.debates import AGREES, DEADLOCK, START
from tests.studyapp.lab import Lab, browser_of, user_new


@pytest.fixture(autouse=True)
def _counters() -> Iterator[None]:
    """Forget what earlier tests asked, which throttling counts."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect what a worker was to be woken for, in place of a broker."""
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.run_execute, "delay_on_commit", lambda *, run_id: woken.append(run_id)
    )
    monkeypatch.setattr(
        tasks.branch_execute, "delay_on_commit", lambda *, branch_id: woken.append(branch_id)
    )
    monkeypatch.setattr(
        tasks.export_build, "delay_on_commit", lambda *, job_id: woken.append(job_id)
    )
    monkeypatch.setattr(
        tasks.notice_deliver, "delay_on_commit", lambda *, delivery_id: woken.append(delivery_id)
    )
    return woken


@pytest.fixture
def lab(db: None, queued: list[int]) -> Lab:
    owner = user_new("ada")
    files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
    study = study_build(title="Two debates", debates=files, seed=1, owner_id=owner.pk, now=START)
    return Lab(study, browser_of(owner), queued)


@pytest.fixture
def ada(lab: Lab) -> Caller:
    """A program with a token of the study's owner that is for everything."""
    return caller_of(lab.study.owner_id)
