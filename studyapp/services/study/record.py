"""What is kept about a study: the row under lock, its design as hashed, its log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model

from studyapp.errors import FrozenError
from studyapp.models import Event, Study


def study_locked(study_id: int) -> Study:
    """Fetch a study and keep others from changing it until the transaction ends."""
    return Study.objects.select_for_update().get(pk=study_id)


def frozen_check(study: Study) -> None:
    """Refuse to touch the design of a study that has been open.

    Raises:
        FrozenError: participants may have seen the design.
    """
    if study.opened_at is not None:
        raise FrozenError(
            f"study {study.slug} has been opened, so its design is frozen; make a new study"
        )


def event_log(
    study: Study, kind: str, *, now: datetime, actor_id: int | None, **payload: Any
) -> None:
    """Append what a researcher did to the log."""
    user = get_user_model().objects.filter(pk=actor_id).first() if actor_id else None
    actor = user.get_username() if user else ""
    Event.objects.create(study=study.slug, kind=kind, payload={"actor": actor, **payload}, at=now)


def design_record(study: Study) -> dict[str, Any]:
    """Return everything that makes up the design, as the data its hash covers."""
    # Only where there is one: the hash of a study without a plan stays what it was before plans.
    plan = {"plan": study.plan} if study.plan else {}
    return {
        **plan,
        "slug": study.slug,
        "title": study.title,
        "kind": study.kind,
        "test": study.is_test,
        "seed": study.seed,
        "arms": {"reference": study.reference_arm, "treatment": study.treatment_arm},
        "measures": study.measures,
        "background": study.background,
        "texts": study.texts,
        "cohorts": [[row.name, row.quota] for row in study.cohorts.order_by("pk")],
        "scenarios": [
            [row.key, row.title, row.trace.sha256, row.pair.sha256 if row.pair else ""]
            for row in study.scenarios.select_related("trace", "pair").order_by("position")
        ],
    }
