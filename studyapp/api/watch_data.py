"""What the operations about progress give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictQuery
from studyapp.selectors.watch import HEAT_ROWS


class WatchQuery(StrictQuery):
    """Whom to watch."""

    lane = serializers.ChoiceField(
        choices=("live", "test"), default="live", help_text="A test study has its test lane only."
    )
    page = serializers.IntegerField(
        min_value=1,
        max_value=1_000_000,
        default=1,
        help_text=f"Which {HEAT_ROWS} participants the heat map shows, the latest first.",
    )


class BalanceData(serializers.Serializer[Any]):
    """How often a scenario was shown either way round; the larger count is first."""

    title = serializers.CharField()
    one_way = serializers.IntegerField()
    other_way = serializers.IntegerField()
    by_place = serializers.ListField(child=serializers.IntegerField())


class ProgressData(serializers.Serializer[Any]):
    """How far participants are. Nothing here is split by arm."""

    enrolled = serializers.IntegerField()
    at_background = serializers.IntegerField()
    in_trial = serializers.IntegerField()
    completed = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    withdrawn_complete = serializers.IntegerField()
    test = serializers.IntegerField()
    last_seen = serializers.DateTimeField(allow_null=True)
    balance = BalanceData(many=True)


class CohortProgressData(serializers.Serializer[Any]):
    """A cohort by how far its participants are; the groups do not overlap."""

    name = serializers.CharField()
    state = serializers.CharField()
    quota = serializers.IntegerField(allow_null=True)
    invited = serializers.IntegerField(
        allow_null=True, help_text="Valid personal links; null where nobody is invited by name."
    )
    consented = serializers.IntegerField()
    here = serializers.IntegerField(help_text="In progress, with a place.")
    away = serializers.IntegerField(help_text="In progress, for so long that it has no place.")
    complete = serializers.IntegerField()
    screened_out = serializers.IntegerField()
    failed_attention = serializers.IntegerField()
    withdrawn = serializers.IntegerField()


class DayData(serializers.Serializer[Any]):
    """One day, in UTC."""

    on = serializers.DateField()
    consented = serializers.IntegerField()
    complete = serializers.IntegerField()


class StationData(serializers.Serializer[Any]):
    """How many of those in progress are at one place."""

    kind = serializers.CharField(help_text="start, debate or reports")
    trial = serializers.IntegerField()
    people = serializers.IntegerField()


class MedianTimeData(serializers.Serializer[Any]):
    """A scenario's median times as m:ss, empty without answers."""

    title = serializers.CharField()
    debate = serializers.CharField()
    reports = serializers.CharField()


class HeatRowData(serializers.Serializer[Any]):
    """One participant by trial: ahead, debate, reports or answered."""

    code = serializers.CharField()
    cohort = serializers.CharField()
    outcome = serializers.CharField()
    cells = serializers.ListField(child=serializers.CharField())


class WaitingData(serializers.Serializer[Any]):
    """Work of one kind for the worker."""

    kind = serializers.CharField(help_text="texts, exports or reports")
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    is_late = serializers.BooleanField()


class WatchData(serializers.Serializer[Any]):
    """A study as it runs. Nothing here is split by arm or by side."""

    cohorts = CohortProgressData(many=True)
    days = DayData(many=True)
    stations = StationData(many=True)
    times = MedianTimeData(many=True)
    heat = HeatRowData(many=True)
    heat_total = serializers.IntegerField()
    waiting = WaitingData(many=True)
