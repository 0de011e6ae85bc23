"""Seal the log: batches of events become links of a chain, a few seconds after they happened.

Participants never wait for a seal, nor for one another: events are inserted freely, and a sweep
seals them afterwards. What is not sealed yet is protected by its own digest alone.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Max

from studyapp.domain.seals import CHAIN_START, seal_digest
from studyapp.models import Event, EventSeal, Study

logger = logging.getLogger(__name__)

_BATCH: Final = 1000
# Longer than any transaction of the site takes; who waits for the lock holds up all logging.
_LOCK_TIMEOUT: Final = "2s"
# Events that concern no study, such as accounts.
_SITE: Final = ""


def logs_seal(*, now: datetime) -> int:
    """Seal whatever is not sealed, study by study; safe to run in several workers at once.

    Returns:
        How many links were made; 0 also where a long transaction is in the way: a later sweep
        makes up for it.
    """
    horizon = _horizon()
    if horizon == 0:
        return 0
    return sum(_log_seal(study, horizon=horizon, now=now) for study in _studies())


def _studies() -> list[str]:
    return [_SITE, *Study.objects.order_by("pk").values_list("slug", flat=True)]


def _horizon() -> int:
    """Return the newest event that no transaction under way can still get in front of.

    PostgreSQL numbers rows before they are committed, so a late commit could land inside a sealed
    range. The lock waits for those who have inserted, and is given back at once. SQLite has one
    writer at a time: there the newest row is the horizon.
    """
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
                    cursor.execute("LOCK TABLE studyapp_event IN SHARE MODE")
            return int(Event.objects.aggregate(newest=Max("pk"))["newest"] or 0)
    except OperationalError as error:
        logger.info("the log is busy, the next sweep seals it: %s", type(error.__cause__).__name__)
        return 0


def _log_seal(study: str, *, horizon: int, now: datetime) -> int:
    made = 0
    while _link_add(study, horizon=horizon, now=now):
        made += 1
    return made


def _link_add(study: str, *, horizon: int, now: datetime) -> bool:
    last = EventSeal.objects.filter(study=study).order_by("-number").first()
    fresh = Event.objects.filter(study=study, pk__gt=last.last_event if last else 0)
    ordered = fresh.filter(pk__lte=horizon).order_by("pk").values_list("pk", "sha256")
    batch = list(ordered[:_BATCH])
    if not batch:
        return False
    number = last.number + 1 if last else 1
    before = last.sha256 if last else CHAIN_START
    try:
        with transaction.atomic():
            EventSeal.objects.create(
                study=study,
                number=number,
                first_event=batch[0][0],
                last_event=batch[-1][0],
                events=len(batch),
                sha256=seal_digest(
                    study=study, number=number, before=before, events=batch, sealed_at=now
                ),
                sealed_at=now,
            )
    except IntegrityError:
        # Another worker made this link a moment ago; the number is unique, so there is one chain.
        return False
    return True
