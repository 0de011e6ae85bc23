"""What tests of the researcher's pages start from."""

from __future__ import annotations

import pytest

from studyapp import tasks
from tests.studyapp.lab import Lab, lab_new


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
    return lab_new(queued)
