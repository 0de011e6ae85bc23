"""Branches that do not wait for each other: one after the other, or in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class FanOut(Protocol):
    """Runs jobs and gives their results in the order of the jobs."""

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run every job; the first error of the order is raised after all have ended."""


def one_by_one(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run jobs in this thread."""
    return [job() for job in jobs]


class Threads:
    """Runs jobs in threads; each must have a line of calls of its own.

    Args:
        most: threads at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run the jobs and wait for all of them."""
        with ThreadPoolExecutor(max_workers=max(1, min(self._most, len(jobs)))) as pool:
            futures = [pool.submit(job) for job in jobs]
        return [future.result() for future in futures]
