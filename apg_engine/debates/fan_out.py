"""Branches that do not wait for each other: one after the other, or in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from apg_engine.errors import EngineError

Result = TypeVar("Result")


class BranchEndedError(EngineError):
    """A worker has done the one branch it was started for; what it recorded is in the journal."""


class ForkReachedError(EngineError):
    """A line of a debate forks, and some of the branches were not done yet.

    Attributes:
        branches: the names of all branches of the fork, in order.
    """

    def __init__(self, branches: tuple[str, ...]) -> None:
        self.branches = branches
        super().__init__(f"the debate forks into {', '.join(branches)}")


class FanOut(Protocol):
    """Runs jobs and gives their results in the order of the jobs."""

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run every job; the first error of the order is raised after all have ended."""


def one_by_one(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run jobs in this thread."""
    return [job() for job in jobs]


class Branches:
    """Gives every branch to a worker of its own, forks within branches too.

    Each worker holds the debate on the same journal, whose sequence numbers are fixed: what others
    have recorded is found. A worker goes to its own branch and does it, or ends at the first fork
    whose branches are not all done; who comes after they are done finds their calls and goes on. A
    branch that is done twice leaves one record of each call.

    A branch is named by its way from the trunk: `1.0/1.2` is the third branch of the first fork
    within the first branch of the first fork.

    Args:
        branch: the worker's own; the empty name is the trunk.
        is_done: tells of a branch by its name.
    """

    def __init__(self, branch: str, *, is_done: Callable[[str], bool]) -> None:
        self._own = tuple(branch.split("/")) if branch else ()
        self._is_done = is_done
        self._at: tuple[str, ...] = ()
        self._forks = 0

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run the worker's own branch of a fork, or all of them where they are done.

        Raises:
            BranchEndedError: the worker's own branch is done.
            ForkReachedError: branches of this fork have to be done first.
        """
        if len(jobs) == 1:
            return one_by_one(jobs)
        self._forks += 1
        ways = [(*self._at, f"{self._forks}.{number}") for number in range(len(jobs))]
        for way, job in zip(ways, jobs, strict=True):
            if self._own[: len(way)] == way:
                self._go(way, job)
                raise BranchEndedError(f"branch {'/'.join(way)} has ended")
        names = tuple("/".join(way) for way in ways)
        if not all(self._is_done(name) for name in names):
            raise ForkReachedError(names)
        return [self._go(way, job) for way, job in zip(ways, jobs, strict=True)]

    def _go(self, way: tuple[str, ...], job: Callable[[], Result]) -> Result:
        before = self._at, self._forks
        self._at, self._forks = way, 0
        try:
            return job()
        finally:
            self._at, self._forks = before


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
