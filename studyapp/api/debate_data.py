"""What the operations about debates held here take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictAmount, StrictBody, StrictChoice, StrictNumber, StrictText
from studyapp.api.study_data import FileBody
from studyapp.selectors.debate_choices import (
    CLAIMS_MOST,
    EMBEDDERS,
    ENFORCEMENTS,
    KINDS,
    PRESETS,
    SCENARIOS,
    SPEAKERS,
    Caps,
    CommitteeWish,
    TrialWish,
)

_SEED_MOST = 2**31 - 1


class DebateBody(StrictBody):
    """What both systems ask: who speaks, the seed, and the most it may use."""

    seed = StrictNumber(min_value=0, max_value=_SEED_MOST, default=0)
    speakers = StrictChoice(
        choices=SPEAKERS,
        default=SPEAKERS[0],
        help_text="Rules, or the paper's proposer; other models: hold_debate on the server.",
    )
    max_calls = StrictNumber(min_value=1, max_value=100_000, default=None, allow_null=True)
    max_tokens = StrictNumber(min_value=1, max_value=10**9, default=None, allow_null=True)
    max_cost = StrictAmount(min_value=0, default=None, allow_null=True, help_text="US dollars.")


class CommitteeBody(DebateBody):
    """A debate of the crisis committee."""

    scenario = StrictChoice(choices=SCENARIOS, default=SCENARIOS[0])
    turns = StrictNumber(
        min_value=3, max_value=90, default=12, help_text="A multiple of three, one share each."
    )
    shock_turns = serializers.ListField(
        child=StrictNumber(min_value=1, max_value=90), default=[4, 8], max_length=90
    )
    shock_kinds = serializers.ListField(
        child=StrictChoice(choices=KINDS), default=list(KINDS), min_length=1, max_length=len(KINDS)
    )
    enforcement = StrictChoice(
        choices=ENFORCEMENTS,
        default="flag",
        help_text="What becomes of a turn's claims that the record does not carry.",
    )


class TrialsBody(DebateBody):
    """Trials of claims, one each, with evidence from a corpus."""

    claims = serializers.ListField(
        child=StrictText(max_length=1000), min_length=1, max_length=CLAIMS_MOST
    )
    corpus = FileBody(help_text="JSON Lines: an object a line with id, text, and perhaps title.")
    preset = StrictChoice(choices=PRESETS, default=PRESETS[0])
    rounds = StrictNumber(min_value=1, max_value=30, default=10)
    embedder = StrictChoice(choices=EMBEDDERS, default=EMBEDDERS[0])


class QueuedDebatesData(serializers.Serializer[Any]):
    """The debates that were queued."""

    debates = serializers.ListField(child=serializers.IntegerField())


class DebateRowData(serializers.Serializer[Any]):
    """A debate in a list; `about` is its scenario's name or its claim."""

    id = serializers.IntegerField()
    system = serializers.CharField()
    preset = serializers.CharField()
    about = serializers.CharField()
    seed = serializers.IntegerField()
    state = serializers.CharField()
    stop = serializers.CharField(help_text="Why it ended; empty until then.")
    is_whole = serializers.BooleanField(help_text="Whether its rules ended it.")
    scenario = serializers.CharField(help_text="The scenario with its trace; empty without one.")
    error = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class WeighedData(serializers.Serializer[Any]):
    """An item that was weighed, and what became of it."""

    id = serializers.CharField()
    weight = serializers.FloatField()
    admission = serializers.CharField()


class StepData(serializers.Serializer[Any]):
    """A recorded call of the public part of a debate."""

    kind = serializers.CharField()
    role = serializers.CharField(source="step.role")
    round = serializers.IntegerField(source="step.round")
    text = serializers.CharField(source="step.text")
    items = WeighedData(source="step.items", many=True)
    is_failed = serializers.BooleanField(source="step.is_failed")
    is_replaced = serializers.BooleanField(source="step.is_replaced")


class PartData(serializers.Serializer[Any]):
    """A run of a debate as far as it is; a trial has a second one with exchanged counsel."""

    is_switched = serializers.BooleanField()
    steps = StepData(many=True)


class ResultData(serializers.Serializer[Any]):
    """How a debate ended, and what it came to."""

    reason = serializers.CharField()
    detail = serializers.CharField()
    is_whole = serializers.BooleanField()
    rounds = serializers.IntegerField()
    warnings = serializers.ListField(child=serializers.CharField())
    failed_calls = serializers.IntegerField()
    verdict = serializers.DictField(help_text="Of a trial; empty for a committee.")
    consistency = serializers.DictField(help_text="Of a trial that exchanged the sides.")
    allocation = serializers.DictField(help_text="Of a committee; empty for a trial.")
    conflict = serializers.CharField()


class SpentData(serializers.Serializer[Any]):
    """What calls to models have used."""

    calls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True, help_text="US dollars; null where unknown.")


class DebateData(serializers.Serializer[Any]):
    """A debate, how far it is, and how it ended."""

    row = DebateRowData()
    speakers = serializers.DictField(
        source="speaker_of", child=serializers.CharField(), help_text="Who speaks, by role."
    )
    is_offline = serializers.BooleanField(help_text="Whether rules speak for every role.")
    corpus = serializers.CharField(help_text="The file a trial finds its evidence in.")
    embedder = serializers.CharField()
    limits = serializers.DictField()
    recorded_calls = serializers.IntegerField(source="calls")
    spent = SpentData()
    parts = PartData(many=True)
    result = ResultData(allow_null=True)
    has_trace = serializers.BooleanField()


def committee_wish(body: Mapping[str, Any]) -> CommitteeWish:
    """Return what a body chooses of a committee's debate."""
    return CommitteeWish(
        scenario=body["scenario"],
        seed=body["seed"],
        turns=body["turns"],
        shock_turns=tuple(body["shock_turns"]),
        shock_kinds=tuple(body["shock_kinds"]),
        enforcement=body["enforcement"],
        speakers=body["speakers"],
        caps=_caps(body),
    )


def trial_wish(body: Mapping[str, Any]) -> TrialWish:
    """Return what a body chooses of trials, besides claims and corpus."""
    return TrialWish(
        preset=body["preset"],
        seed=body["seed"],
        rounds=body["rounds"],
        speakers=body["speakers"],
        embedder=body["embedder"],
        caps=_caps(body),
    )


def _caps(body: Mapping[str, Any]) -> Caps:
    return Caps(body["max_calls"], body["max_tokens"], body["max_cost"])
