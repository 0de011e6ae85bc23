"""What the operations about studies take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictQuery, StrictText
from studyapp.domain.states import STUDY_MOVES

_FILE_NAME = "What errors call it; formats are told apart by content."


class FileBody(StrictBody):
    """A file as text."""

    file_name = StrictText(max_length=255, help_text=_FILE_NAME)
    content = StrictText(trim_whitespace=False, help_text="The whole file, as text.")


class StudyBody(StrictBody):
    """A new study: its definition in the format `apg-study`, and the debates it names."""

    definition = serializers.JSONField(
        help_text="An object in the format apg-study; fixtures/demo_study.json is one."
    )
    debates = FileBody(many=True, required=False, default=list)


class StudyQuery(StrictQuery):
    """Which studies."""

    state = serializers.ChoiceField(choices=list(STUDY_MOVES), required=False)
    is_test = serializers.BooleanField(required=False, allow_null=True, default=None)


class StudyRowData(serializers.Serializer[Any]):
    """A study in a list. No count is split by arm."""

    slug = serializers.CharField()
    title = serializers.CharField()
    state = serializers.CharField()
    is_demo = serializers.BooleanField()
    is_test = serializers.BooleanField()
    scenarios = serializers.IntegerField()
    scenarios_ready = serializers.IntegerField()
    enrolled = serializers.IntegerField()
    completed = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class ScenarioData(serializers.Serializer[Any]):
    """A scenario with where its texts stand."""

    key = serializers.CharField()
    title = serializers.CharField(source="label")
    texts = serializers.CharField(source="state")
    run_id = serializers.IntegerField(allow_null=True)


class StudyData(serializers.Serializer[Any]):
    """A study. Its seed is not told: from it, the sides could be drawn again."""

    slug = serializers.CharField()
    title = serializers.CharField()
    state = serializers.CharField()
    role = serializers.CharField(help_text="What the holder of the token is in it.")
    is_demo = serializers.BooleanField()
    is_test = serializers.BooleanField()
    is_frozen = serializers.BooleanField()
    is_sealed = serializers.BooleanField(help_text="Whether the arm key is sealed now.")
    design_sha256 = serializers.CharField(help_text="Empty until the study was opened.")
    opened_at = serializers.DateTimeField(allow_null=True)
    scenarios = ScenarioData(many=True)


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


class NothingBody(StrictBody):
    """No body is needed."""
