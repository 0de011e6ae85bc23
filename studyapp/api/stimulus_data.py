"""What the operations about traces, runs and pairs take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictChoice, StrictQuery, StrictText
from studyapp.domain.states import RUN_MOVES


class TraceRowData(serializers.Serializer[Any]):
    """A debate of a study."""

    scenario = serializers.CharField(help_text="The key of its scenario.")
    title = serializers.CharField()
    language = serializers.CharField()
    conflict_level = serializers.CharField()
    source_format = serializers.CharField()
    source_file = serializers.CharField()
    sha256 = serializers.CharField()
    warnings = serializers.ListField(child=serializers.CharField())
    produced = serializers.DictField(
        help_text="How it was held, where a site like this one held it; empty otherwise."
    )


class TraceData(serializers.Serializer[Any]):
    """A debate whole."""

    row = TraceRowData()
    content = serializers.DictField(help_text="The trace format, private traces included.")


class TitleBody(StrictBody):
    """A title."""

    title = StrictText(allow_blank=True, max_length=200)


class BroughtData(serializers.Serializer[Any]):
    """The scenarios that have the texts of a file now."""

    scenarios = serializers.ListField(child=serializers.CharField())


class RunQuery(StrictQuery):
    """Which runs."""

    state = serializers.ChoiceField(choices=list(RUN_MOVES), required=False)


class GenerateBody(StrictBody):
    """How the texts are written; for other models see generate_texts on the server."""

    preset = StrictChoice(choices=("offline", "paper"), default="offline")


class QueuedData(serializers.Serializer[Any]):
    """The runs that were queued; none where every scenario has its texts or a run."""

    runs = serializers.ListField(child=serializers.IntegerField())


class RunRowData(serializers.Serializer[Any]):
    """A run in a list."""

    id = serializers.IntegerField()
    scenario = serializers.CharField()
    state = serializers.CharField()
    stage = serializers.CharField()
    outcome = serializers.CharField()
    error = serializers.CharField()
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class QuoteData(serializers.Serializer[Any]):
    """Words of the debate at their address."""

    address = serializers.CharField()
    text = serializers.CharField()


class SentenceData(serializers.Serializer[Any]):
    """A sentence of a draft with its verdict."""

    text = serializers.CharField()
    kind = serializers.CharField()
    verdict = serializers.CharField(source="label")
    reason = serializers.CharField()
    decided_by = serializers.CharField()
    supporting = QuoteData(many=True)
    opposing = QuoteData(many=True)


class DraftData(serializers.Serializer[Any]):
    """A draft, what was found in it, and what the next one was told."""

    number = serializers.IntegerField()
    supported = serializers.IntegerField()
    total = serializers.IntegerField()
    judged = serializers.BooleanField()
    passed = serializers.BooleanField()
    hint = serializers.CharField()
    sentences = SentenceData(many=True)


class StoryData(serializers.Serializer[Any]):
    """How a finished run came to its result."""

    outcome = serializers.CharField()
    reason = serializers.CharField()
    detail = serializers.CharField()
    has_contrast = serializers.BooleanField()
    models = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())
    drafts = DraftData(many=True)


class RunData(serializers.Serializer[Any]):
    """A run with its story once it is finished."""

    id = serializers.IntegerField()
    scenario = serializers.CharField(source="scenario_key")
    state = serializers.CharField()
    stage = serializers.CharField()
    pair_number = serializers.IntegerField()
    pairs_allowed = serializers.IntegerField()
    threshold_percent = serializers.IntegerField()
    proposer = serializers.CharField()
    auditor = serializers.CharField()
    attempts = serializers.IntegerField()
    error = serializers.CharField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    story = StoryData(allow_null=True)


class PairData(serializers.Serializer[Any]):
    """A frozen pair. Which text stood left or right for whom is the arm key, and not in it."""

    scenario = serializers.CharField()
    sha256 = serializers.CharField()
    has_contrast = serializers.BooleanField()
    reference_arm = serializers.CharField()
    treatment_arm = serializers.CharField()
    reference_text = serializers.CharField()
    treatment_text = serializers.CharField()
    manifest = serializers.DictField()
    created_at = serializers.DateTimeField()
