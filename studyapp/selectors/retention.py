"""How long a study keeps what participants left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from studyapp.models import Retention


@dataclass(frozen=True, slots=True)
class RetentionView:
    """A study's rule; `due_at` is empty until the study is closed, `done_at` until it was done."""

    days: int
    action: str
    due_at: datetime | None
    done_at: datetime | None


def retention_of(study_id: int) -> RetentionView | None:
    """Return a study's rule, or None where its data are kept."""
    row = Retention.objects.filter(study_id=study_id).first()
    return None if row is None else RetentionView(row.days, row.action, row.due_at, row.done_at)
