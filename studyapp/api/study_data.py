"""What the operations about studies take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictChoice, StrictQuery, StrictText
from studyapp.api.paging import order_field
from studyapp.domain.states import STUDY_MOVES

_FILE_NAME = "What errors call it; formats are told apart by content."


class FileBody(StrictBody):
    """A file as text."""

    file_name = StrictText(max_length=255, help_text=_FILE_NAME)
    content = StrictText(trim_whitespace=False, help_text="The whole file, as text.")


class FileData(serializers.Serializer[Any]):
    """A file as text."""

    file_name = serializers.CharField()
    content = serializers.CharField()


class StudyBody(StrictBody):
    """A new study: its definition in the format `apg-study`, and the debates it names."""

    definition = serializers.JSONField(
        help_text="An object in the format apg-study; fixtures/demo_study.json is one."
    )
    debates = FileBody(many=True, required=False, default=list)


class DefinitionData(serializers.Serializer[Any]):
    """A study's definition with its debates: what creates a study like it."""

    definition = serializers.DictField()
    debates = FileData(many=True)


class StudyMoveBody(StrictBody):
    """Where to take a study; `open` is live."""

    state = StrictChoice(choices=list(STUDY_MOVES))


class StudyQuery(StrictQuery):
    """Which studies."""

    state = serializers.ChoiceField(choices=list(STUDY_MOVES), required=False)
    is_test = serializers.BooleanField(required=False, allow_null=True, default=None)
    order = order_field("-created_at", "slug", "title")


class StudyRowData(serializers.Serializer[Any]):
    """A study in a list. No count is split by arm."""

    slug = serializers.CharField()
    title = serializers.CharField()
    state = serializers.CharField()
    version = serializers.IntegerField()
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


class NothingBody(StrictBody):
    """No body is needed."""
