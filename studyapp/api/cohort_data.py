"""What the operations about cohorts and their links take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictChoice, StrictNumber, StrictQuery, StrictText
from studyapp.api.paging import order_field
from studyapp.domain.definition import COHORT_KINDS, LINK_KINDS, CohortPlan
from studyapp.domain.invitations import InvitationPlan
from studyapp.domain.panel import link_query
from studyapp.domain.states import COHORT_MOVES
from studyapp.selectors.cohorts import INVITATION_STATES, CohortPage, InvitationRow

COHORT_STATES = tuple(COHORT_MOVES)
_MOST_PEOPLE = 1000
_MOST_PLACES = 2**31 - 1


class CohortBody(StrictBody):
    """A new cohort; a definition can give one more: background questions and time pressure."""

    name = serializers.RegexField(r"^[a-z0-9][a-z0-9_-]{0,39}\Z", max_length=40)
    kind = StrictChoice(choices=COHORT_KINDS, default="open")
    link = StrictChoice(choices=LINK_KINDS, default="browser")
    quota = StrictNumber(min_value=1, max_value=_MOST_PLACES, allow_null=True, default=None)
    panel = serializers.DictField(
        required=False, default=dict, help_text="Exactly where link is panel; as in a definition."
    )
    instructions = StrictText(allow_blank=True, default="")

    def plan(self) -> CohortPlan:
        """Return what the service creates."""
        return CohortPlan(**self.validated_data)


class CohortQuery(StrictQuery):
    """Which cohorts."""

    state = serializers.ChoiceField(choices=COHORT_STATES, required=False)


class CohortMoveBody(StrictBody):
    """Where a cohort goes."""

    state = StrictChoice(choices=COHORT_STATES)


class CountsData(serializers.Serializer[Any]):
    """Participants of a cohort by where they are."""

    complete = serializers.IntegerField()
    here = serializers.IntegerField()
    away = serializers.IntegerField()
    screened_out = serializers.IntegerField()
    failed_attention = serializers.IntegerField()
    test = serializers.IntegerField()


class CohortData(serializers.Serializer[Any]):
    """A cohort with its link and its counts."""

    name = serializers.CharField()
    kind = serializers.CharField()
    link = serializers.CharField(source="link_kind")
    state = serializers.CharField()
    quota = serializers.IntegerField(allow_null=True)
    url = serializers.SerializerMethodField(help_text="What participants are given.")
    invited = serializers.IntegerField()
    counts = CountsData()

    @extend_schema_field(serializers.CharField())
    def get_url(self, cohort: CohortPage) -> str:
        """Return the cohort's link, with a panel's placeholders."""
        path = reverse("join", kwargs={"cohort": cohort.token})
        query = f"?{link_query(cohort.panel)}" if cohort.panel else ""
        return str(self.context["request"].build_absolute_uri(path)) + query


class PersonBody(StrictBody):
    """One person to invite."""

    name = StrictText(max_length=200)
    role = StrictText(max_length=200, allow_blank=True, default="")
    experience_years = StrictNumber(min_value=0, max_value=80, allow_null=True, default=None)
    credential = StrictText(allow_blank=True, default="")


class InvitationsBody(StrictBody):
    """People to invite: all of them or none."""

    people = serializers.ListField(child=PersonBody(), min_length=1, max_length=_MOST_PEOPLE)

    def plans(self) -> list[InvitationPlan]:
        """Return whom the service invites."""
        return [InvitationPlan(**row) for row in self.validated_data["people"]]


class InvitedData(serializers.Serializer[Any]):
    """How many personal links were made; the list of links gives them."""

    created = serializers.IntegerField()


class InvitationQuery(StrictQuery):
    """Which personal links."""

    state = serializers.ChoiceField(choices=INVITATION_STATES, required=False)
    order = order_field("id", "name")


class InvitationData(serializers.Serializer[Any]):
    """A personal link, for whom it is and how far they are."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.CharField()
    experience_years = serializers.IntegerField(allow_null=True)
    credential = serializers.CharField()
    state = serializers.CharField()
    used_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField())
    def get_url(self, row: InvitationRow) -> str:
        """Return the personal link."""
        path = reverse("invitation", kwargs={"invitation": row.token})
        return str(self.context["request"].build_absolute_uri(path))


def cohort_data(cohort: CohortPage, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cohort as it is answered."""
    return dict(CohortData(cohort, context=dict(context)).data)
