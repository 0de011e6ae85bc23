"""Work on a debate: win a branch, hold the debate as far as it goes, and see who goes on.

A line that forks lets go; the last of its branches to end queues it again. Which of them ends
first, and how often each is told to begin, changes nothing: their calls have fixed numbers.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from studyapp.errors import GenerationError, LeaseLostError
from studyapp.models import BranchState, DebateBranch, DebateRun, RunState
from studyapp.seams import debates as engine
from studyapp.services.debates.endings import debate_end, debate_fail, debate_give_up
from studyapp.services.leasing import Clock, Lease, expired_free, heartbeat, lease_span, lease_win

logger = logging.getLogger(__name__)

# More wake-ups than workers can use in one interval would only fill the broker.
SWEEP_LIMIT: Final = 50
_LIVE: Final = (RunState.QUEUED, RunState.RUNNING)


def branch_execute(*, branch_id: int, now: Clock, environment: Mapping[str, str]) -> Sequence[int]:
    """Win a branch and do it; do nothing if it cannot be won.

    Not one transaction on purpose: each model call is committed as soon as it is recorded, so
    that a worker which dies loses nothing that was recorded.

    Args:
        branch_id: the branch; a second worker with the same id returns at once.
        now: clock; leases are measured by it.
        environment: where the models' keys are read from.

    Returns:
        The branches for which the caller wakes a worker.
    """
    lease = lease_win(DebateBranch.objects, row_id=branch_id, now=now)
    if lease is None:
        logger.info("branch %s is not to be had: done, cancelled, or in other hands", branch_id)
        return ()
    try:
        with heartbeat(lease):
            outcome = _worked(lease, environment)
        return _after(lease, outcome)
    except LeaseLostError:
        logger.info("branch %s was cancelled or taken over; this worker stops", branch_id)
    except GenerationError as error:
        with suppress(LeaseLostError):
            debate_fail(lease, str(error))
    return ()


def branches_sweep(*, now: datetime) -> list[int]:
    """Free the branches of dead workers and name those that need a worker woken, oldest first.

    Not one transaction on purpose: who fails a debate locks its study first, and holds no branch
    that somebody else waits for who has the study.
    """
    expired_free(DebateBranch.objects, now=now)
    given_up = DebateBranch.objects.filter(state=BranchState.FAILED, debate__state__in=_LIVE)
    for branch_id in list(given_up.order_by("pk").values_list("pk", flat=True)):
        debate_give_up(branch_id=branch_id, now=now)
    return _due(now=now)


@transaction.atomic
def _due(*, now: datetime) -> list[int]:
    quiet = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    due = DebateBranch.objects.filter(quiet, state=BranchState.QUEUED, debate__state__in=_LIVE)
    found = list(due.order_by("pk").values_list("pk", flat=True)[:SWEEP_LIMIT])
    DebateBranch.objects.filter(pk__in=found, state=BranchState.QUEUED).update(
        lease_until=now + lease_span()
    )
    return found


def _worked(lease: Lease, environment: Mapping[str, str]) -> engine.Outcome:
    branch = DebateBranch.objects.select_related("debate__corpus").get(pk=lease.row_id)
    debate = branch.debate
    _begin(debate, now=lease.now())
    # What others have done is read before their calls are: a branch that is done has all of them.
    done = debate.branches.filter(state=BranchState.FINISHED).values_list("name", flat=True)
    work = engine.Work(
        debate_id=debate.pk,
        branch_id=branch.pk,
        branch=branch.name,
        system=debate.system,
        config=debate.config,
        evidence=_evidence(debate),
        is_done=frozenset(done).__contains__,
    )
    hand = engine.Hand(now=lease.now, extend=lease.extend, asks=_asker(lease))
    return engine.debate_work(work, hand=hand, environment=environment)


def _begin(debate: DebateRun, *, now: datetime) -> None:
    live = DebateRun.objects.filter(pk=debate.pk, state__in=_LIVE)
    values = {"state": RunState.RUNNING, "started_at": Coalesce(F("started_at"), now)}
    if live.update(**values) != 1:
        raise LeaseLostError(f"debate {debate.pk} is over")


def _evidence(debate: DebateRun) -> engine.Evidence | None:
    if debate.corpus is None:
        return None
    return engine.Evidence(
        documents=debate.corpus.documents,
        sha256=debate.corpus.sha256,
        embedder=debate.embedder,
        folder=settings.VAR_DIR / "evidence",
    )


def _asker(lease: Lease) -> engine.Asks:
    def asks(role: str, round_: int, purpose: str) -> None:
        lease.write(stage=f"{role} {round_} {purpose}"[:40], lease_until=lease.now() + lease_span())

    return asks


def _after(lease: Lease, outcome: engine.Outcome) -> Sequence[int]:
    match outcome:
        case engine.Forked(branches=names):
            return _fork(lease, names)
        case engine.Held():
            debate_end(lease, outcome)
            return ()
        case _:
            return _branch_end(lease)


@transaction.atomic
def _fork(lease: Lease, names: Sequence[str]) -> Sequence[int]:
    """Let the line wait for its branches; attempts count anew, since it got somewhere."""
    branch = _held_locked(lease)
    lease.write(state=BranchState.FORKED, lease_token="", lease_until=None, stage="", attempts=0)
    moment = lease.now()
    for name in names:
        values = {"created_at": moment, "lease_until": moment + lease_span()}
        DebateBranch.objects.get_or_create(debate_id=branch.debate_id, name=name, defaults=values)
    children = DebateBranch.objects.filter(debate_id=branch.debate_id, name__in=names)
    return list(children.filter(state=BranchState.QUEUED).values_list("pk", flat=True))


@transaction.atomic
def _branch_end(lease: Lease) -> Sequence[int]:
    """End a branch; the last of its fork queues the line again that waits for them."""
    branch = _held_locked(lease)
    lease.end(state=BranchState.FINISHED, stage="", reserved=None)
    if set(_states_of_fork(branch)) != {BranchState.FINISHED}:
        return ()
    line = branch.name.rpartition("/")[0]
    waiting = DebateBranch.objects.filter(
        debate_id=branch.debate_id, name=line, state=BranchState.FORKED
    )
    woken = list(waiting.values_list("pk", flat=True))
    waiting.update(state=BranchState.QUEUED, lease_until=lease.now() + lease_span())
    return woken


def _held_locked(lease: Lease) -> DebateBranch:
    """Lock the debate and return the branch: of two that end at once, one is the last.

    Raises:
        LeaseLostError: the branch is gone, because its debate was taken up again.
    """
    branch = DebateBranch.objects.filter(pk=lease.row_id).first()
    if branch is None:
        raise LeaseLostError(f"branch {lease.row_id} is gone")
    DebateRun.objects.select_for_update(no_key=True).get(pk=branch.debate_id)
    return branch


def _states_of_fork(branch: DebateBranch) -> list[str]:
    """Of the branches of the same fork: `1.0/1.2` has `1.0/1.` in common with them."""
    fork = branch.name.rpartition(".")[0] + "."
    named = DebateBranch.objects.filter(debate_id=branch.debate_id, name__startswith=fork)
    rows = named.values_list("name", "state")
    return [state for name, state in rows if "/" not in name[len(fork) :]]
