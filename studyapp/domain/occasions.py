"""What a study's people can have themselves be told of while they are not looking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from studyapp.errors import NoticeError


class Occasion(StrEnum):
    """Something worth a notice; the value is its name for programs.

    COHORT_FULL, STUDY_FULL: every place is held or filled. PLANNED_N: as many have completed as
    were planned. STALLED: nobody came and nobody completed for the study's time. STUCK: many came
    and nobody completed for that time. DEBATE_FAILED, TEXTS_FAILED: a debate held here, or a run,
    failed or was stopped. EXPORT_READY, EXPORT_FAILED: an export was built, or was not. TEST:
    somebody asked for a test.
    """

    COHORT_FULL = "cohort.full"
    STUDY_FULL = "study.full"
    PLANNED_N = "study.planned_n_reached"
    STALLED = "study.stalled"
    STUCK = "study.stuck"
    DEBATE_FAILED = "debate.failed"
    TEXTS_FAILED = "texts.failed"
    EXPORT_READY = "export.ready"
    EXPORT_FAILED = "export.failed"
    TEST = "test"


# A test is asked for by a button, and cannot be left out.
CHOICES: Final = tuple(occasion for occasion in Occasion if occasion is not Occasion.TEST)
HOURS_LIMIT: Final = 24 * 90
PEOPLE_LIMIT: Final = 10_000
URL_LIMIT: Final = 500
DESCRIPTION_LIMIT: Final = 120
# How long to wait after each attempt that failed: a receiver that restarts is reached within
# minutes, one that was down over a weekend is still reached. The last is not tried again.
PAUSES: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
    timedelta(hours=24),
)
MAX_ATTEMPTS: Final = len(PAUSES) + 1


@dataclass(frozen=True, slots=True)
class StallRule:
    """When a live study counts as stalled: after so many hours; as stuck: with so many people."""

    hours: int = 48
    people: int = 10

    @property
    def period(self) -> timedelta:
        """The hours as a time."""
        return timedelta(hours=self.hours)


def rule_check(rule: StallRule) -> None:
    """Refuse numbers that make no sense.

    Raises:
        NoticeError: a number is out of its range.
    """
    if not 1 <= rule.hours <= HOURS_LIMIT:
        raise NoticeError(f"{rule.hours} hours; allowed are 1 to {HOURS_LIMIT}.")
    if not 1 <= rule.people <= PEOPLE_LIMIT:
        raise NoticeError(f"{rule.people} people; allowed are 1 to {PEOPLE_LIMIT}.")


def occasions_read(names: Iterable[str]) -> list[Occasion]:
    """Return the occasions of these names, in the order of the list of all.

    Raises:
        NoticeError: there is none of such a name.
    """
    asked = set(names)
    unknown = sorted(asked - set(CHOICES))
    if unknown:
        raise NoticeError(f"{unknown[0]!r} is no occasion; allowed are {', '.join(CHOICES)}.")
    return [occasion for occasion in CHOICES if occasion in asked]


def pause_after(attempts: int) -> timedelta:
    """Return how long to wait after so many attempts."""
    return PAUSES[min(attempts, len(PAUSES)) - 1]
