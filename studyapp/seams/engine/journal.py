"""The engine's journal of model calls, in the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import DataError, IntegrityError, transaction

from apg_engine import CallRecord
from studyapp.errors import GenerationError, LeaseLostError
from studyapp.models import ModelCall


class RunJournal:
    """The engine's journal of model calls on the table `ModelCall`.

    Each call is committed at once, together with the proof that this worker still holds the run.

    Args:
        of: the column of the run or the debate, and its row.
        now: clock.
        hold: extends the lease, or raises `LeaseLostError`.
        check: raises `LeaseLostError` if the run was cancelled or taken over.
    """

    def __init__(
        self,
        *,
        of: Mapping[str, int],
        now: Callable[[], datetime],
        hold: Callable[[], None],
        check: Callable[[], None],
    ) -> None:
        self._of, self._now, self._hold, self._check = of, now, hold, check

    def find(self, sequence: int) -> CallRecord | None:
        """Return the recorded call, if there is one.

        Raises:
            LeaseLostError: the run was cancelled or taken over, so no new call may be made.
        """
        self._check()
        calls = ModelCall.objects.filter(**self._of, sequence=sequence)
        row = calls.values_list("record", flat=True).first()
        return None if row is None else CallRecord.from_dict(row)

    def append(self, record: CallRecord) -> None:
        """Record a call for good.

        Raises:
            LeaseLostError: another worker holds the run or has recorded this call.
            GenerationError: the call holds a character that the database cannot store.
        """
        try:
            with transaction.atomic(durable=True):
                self._hold()
                ModelCall.objects.create(
                    **self._of,
                    sequence=record.sequence,
                    role=record.role,
                    request_sha256=record.request_sha256,
                    record=record.to_dict(),
                    created_at=self._now(),
                )
        except IntegrityError as error:
            raise LeaseLostError(f"call {record.sequence} was recorded by another") from error
        except DataError as error:
            raise GenerationError(
                f"The reply of the {record.role} holds a character that the database cannot "
                "store (NUL, or half of a surrogate pair). Retry, or use another model."
            ) from error
