"""What tests of the researcher's pages start from."""

from __future__ import annotations

import pytest

from studyapp import tasks
from studyapp.services.study import UploadedFile, study_build
from tests.studyapp.debates import AGREES, DEADLOCK, START
from tests.studyapp.lab import Lab, browser_of, user_new


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the runs for which a worker was to be woken, in place of a broker."""
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.run_execute, "delay_on_commit", lambda *, run_id: woken.append(run_id)
    )
    return woken


@pytest.fixture
def lab(db: None, queued: list[int]) -> Lab:
    owner = user_new("ada")
    files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
    study = study_build(title="Two debates", debates=files, seed=1, owner_id=owner.pk, now=START)
    return Lab(study, browser_of(owner), queued)
