"""Whether the arm key of a study (which arm stood where, by assignment) is sealed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from studyapp.errors import ArmKeySealedError
from studyapp.models import Participant, Study, StudyKind

# Data collection is over, or has not begun: a draft has no live participant.
_UNSEALED_STATES: Final = frozenset({"draft", "piloting", "closed", "archived"})
# A study that is still being built, or tried out.
_BEFORE_LAUNCH: Final = frozenset({"draft", "piloting"})


@dataclass(frozen=True, slots=True)
class Unsealed:
    """One look at the key before the study had ended."""

    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ArmKey:
    """Where the key of a study stands.

    `is_sealed` is what counts. `seals` says whether the study has a seal at all: a demo or test
    study has none. `planned` is the number of completes at which the seal ends, None where the
    study states none; `complete` is how many there are.
    """

    is_sealed: bool
    seals: bool
    planned: int | None
    complete: int
    unsealings: tuple[Unsealed, ...]


def arm_key(study_id: int) -> ArmKey:
    """Tell where the key of a study stands."""
    study = Study.objects.get(pk=study_id)
    looks = study.unsealings.order_by("pk").values_list("actor", "reason", "at")
    return ArmKey(
        is_sealed=key_is_sealed(study),
        seals=study.kind == StudyKind.STUDY and not study.is_test,
        planned=_planned(study),
        complete=_complete(study),
        unsealings=tuple(Unsealed(*look) for look in looks),
    )


def key_is_sealed(study: Study) -> bool:
    """Say whether the key is sealed: a live study that runs, N not reached, nobody unsealed it.

    Its test participants are sealed too: their draws have the same seed and the same numbers.
    """
    if study.kind != StudyKind.STUDY or study.is_test or study.state in _UNSEALED_STATES:
        return False
    planned = _planned(study)
    reached = planned is not None and _complete(study) >= planned
    return not reached and not study.unsealings.exists()


def seed_is_secret(study: Study) -> bool:
    """Say whether the seed is kept from pages and files: from it the sides could be drawn again.

    That begins before the study is live: a seed that was read in a draft tells the sides later.
    """
    will_be_sealed = study.kind == StudyKind.STUDY and not study.is_test
    return key_is_sealed(study) or (will_be_sealed and study.state in _BEFORE_LAUNCH)


def key_check(study: Study) -> None:
    """Refuse to tell which arm stood where while that is sealed.

    Raises:
        ArmKeySealedError: it is sealed.
    """
    if key_is_sealed(study):
        raise ArmKeySealedError(
            f"Which arm stood where in study {study.slug} is sealed until the study is closed or "
            "its planned number of participants is reached. A blind export is allowed now; "
            "whoever needs the arms earlier unseals them with a reason, which is recorded."
        )


def _planned(study: Study) -> int | None:
    """The study's own number, else that of all its cohorts, where each states one."""
    if study.quota is not None:
        return study.quota
    quotas = list(study.cohorts.values_list("quota", flat=True))
    known = [quota for quota in quotas if quota is not None]
    return sum(known) if known and len(known) == len(quotas) else None


def _complete(study: Study) -> int:
    people = Participant.objects.filter(study=study, is_test=False, completed_at__isnull=False)
    stones = study.tombstones.filter(is_test=False, was_complete=True)
    return people.count() + stones.count()
