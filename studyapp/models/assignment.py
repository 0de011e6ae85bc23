"""Participants and what each was assigned to see."""

from __future__ import annotations

from django.db import models

from studyapp.domain.tokens import code_new, token_new
from studyapp.models.study import Cohort, Scenario, Study


class Participant(models.Model):
    """One person in one study, from consent on.

    `code` is what exports name; `token` opens the personal link.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participants")
    cohort = models.ForeignKey(Cohort, on_delete=models.PROTECT, related_name="participants")
    code = models.CharField(max_length=16, unique=True, default=code_new)
    token = models.CharField(max_length=32, unique=True, default=token_new)
    enrolment = models.PositiveIntegerField()
    language = models.CharField(max_length=16, default="en")
    is_test = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    background = models.JSONField(null=True, blank=True)
    consented_at = models.DateTimeField()
    background_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    completion_code = models.CharField(max_length=16, default=code_new)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("cohort", "enrolment"), name="enrolment_once"),
        )

    def __str__(self) -> str:
        return self.code


class Assignment(models.Model):
    """One trial: this participant, this scenario, at this place in the order, this arm left."""

    participant = models.ForeignKey(
        Participant, on_delete=models.CASCADE, related_name="assignments"
    )
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="assignments")
    token = models.CharField(max_length=32, unique=True, default=token_new)
    order = models.PositiveSmallIntegerField()
    treatment_is_left = models.BooleanField()
    trace_opened_at = models.DateTimeField(null=True, blank=True)
    pair_opened_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("participant", "order")
        constraints = (
            models.UniqueConstraint(fields=("participant", "scenario"), name="scenario_once"),
            models.UniqueConstraint(fields=("participant", "order"), name="order_once"),
        )

    def __str__(self) -> str:
        return f"{self.participant} trial {self.order}"
