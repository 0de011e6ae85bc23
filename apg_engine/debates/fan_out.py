"""Branches that do not wait for each other: one after the other, or in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from apg_engine.errors import EngineError

Result = TypeVar("Result")


class BranchEndedError(EngineError):
    """A worker has done the one branch it was started for; what it recorded is in the journal."""


class FanOut(Protocol):
    """Runs jobs and gives their results in the order of the jobs."""

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run every job; the first error of the order is raised after all have ended."""


def one_by_one(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run jobs in this thread."""
    return [job() for job in jobs]


class BranchOnly:
    """Runs one branch of the first fork of a debate, for a worker of its own.

    Each worker holds the debate on the same journal, whose sequence numbers are fixed: what others
    have recorded before the fork is found, and what this branch records, another worker finds that
    holds the whole debate. A branch that is done twice leaves one record of each call.

    Args:
        number: of the branch, from 0.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._is_within = False

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run the branch, with all that forks within it.

        Raises:
            BranchEndedError: it is done.
        """
        if self._is_within:
            return one_by_one(jobs)
        self._is_within = True
        jobs[self._number]()
        raise BranchEndedError(f"branch {self._number} of {len(jobs)} has ended")


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
