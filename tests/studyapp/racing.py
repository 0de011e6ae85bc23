"""Let things happen at the same moment, each in a thread with its own connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest
from django.db import connection


def at_once(jobs: Sequence[Callable[[], object]]) -> None:
    """Start all jobs together and wait for them; an error in one fails the test."""
    if connection.vendor == "sqlite":
        pytest.skip("needs PostgreSQL: threads cannot share an in-memory SQLite")
    barrier = threading.Barrier(len(jobs))
    failures: list[Exception] = []

    def work(job: Callable[[], object]) -> None:
        try:
            barrier.wait(timeout=10)
            job()
        except Exception as error:  # noqa: BLE001 - told to the test below
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
