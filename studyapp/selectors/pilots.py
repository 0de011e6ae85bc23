"""Where a study's log begins to count: after its last pilot, whose participants are gone."""

from __future__ import annotations

from django.db.models import Max, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from studyapp.domain.place_log import CLEARED
from studyapp.models import Event


def after_pilot(slug: OuterRef | str) -> Q:
    """Return what the events of a study fulfil that were written after its last pilot was cleared.

    Args:
        slug: the study's, or a reference to it out of the query that this becomes part of.
    """
    cleared = Event.objects.filter(study=slug, kind=CLEARED).order_by().values("study")
    last = Subquery(cleared.annotate(last=Max("pk")).values("last"))
    return Q(pk__gt=Coalesce(last, Value(0)))
