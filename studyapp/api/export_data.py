"""What the operations about exports take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictChoice, StrictFlag, StrictQuery, StrictText
from studyapp.api.paging import order_field
from studyapp.domain.export_options import COMPLETIONS, DATA, FORMS, HEADINGS, TABLES

STATES = ("queued", "running", "finished", "failed")


class ExportBody(StrictBody):
    """What an export holds; unblinded and wide ones are refused while the arm key is sealed."""

    form = StrictChoice(choices=FORMS, default="bundle")
    table = StrictChoice(choices=TABLES, default="long")
    blind = StrictFlag(default=False)
    completion = StrictChoice(choices=COMPLETIONS, default="all")
    lane = StrictChoice(choices=DATA, default="live", help_text="Whose data: live or test ones.")
    cohort = StrictText(allow_blank=True, max_length=80, default="")
    headings = StrictChoice(choices=HEADINGS, default="codes")
    external_ids = StrictFlag(default=False)


class ExportQuery(StrictQuery):
    """Which exports."""

    state = serializers.ChoiceField(choices=STATES, required=False)
    order = order_field("-requested_at")


class OptionsData(serializers.Serializer[Any]):
    """What was asked for."""

    form = serializers.CharField()
    table = serializers.CharField()
    blind = serializers.BooleanField()
    completion = serializers.CharField()
    lane = serializers.CharField(source="data", help_text="live, test or both.")
    cohort = serializers.CharField()
    headings = serializers.CharField()
    external_ids = serializers.BooleanField()


class ExportData(serializers.Serializer[Any]):
    """An export: how far it is, and whether its file can be downloaded."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    stage = serializers.CharField()
    per_cent = serializers.IntegerField()
    error = serializers.CharField()
    file_name = serializers.CharField(source="name")
    options = OptionsData()
    actor = serializers.CharField()
    participants = serializers.IntegerField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    requested_at = serializers.DateTimeField()
    built_at = serializers.DateTimeField(allow_null=True)
    is_there = serializers.BooleanField(help_text="Whether it can be downloaded.")
    is_outdated = serializers.BooleanField(help_text="Somebody withdrew since it was built.")
