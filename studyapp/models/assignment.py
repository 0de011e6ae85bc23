"""Participants, the places they hold, and what each was assigned to see."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from studyapp.domain.receipts import receipt_code
from studyapp.domain.tokens import code_new, token_new
from studyapp.models.study import Cohort, Scenario, Study


class Outcome(models.TextChoices):
    """How taking part ended. Who withdraws or gives no consent has no row at all."""

    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    SCREENED_OUT = "screened_out"
    FAILED_ATTENTION = "failed_attention"


class Participant(models.Model):
    """One person in one study, from consent on.

    `code` is what exports name; `token` opens the personal link; `receipt_digest` finds the person
    by the receipt code that only they were told. `external_id` is a panel's name for them and
    `captured` the parameters of its link that the cohort keeps. `stratum` is `<question>=<value>`
    of the screening answer that a quota counts. `enrolment` numbers the draw they were given.
    `design_sha256` is the design they and all their answers belong to; empty in a pilot.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participants")
    cohort = models.ForeignKey(Cohort, on_delete=models.PROTECT, related_name="participants")
    code = models.CharField(max_length=16, unique=True, default=code_new)
    token = models.CharField(max_length=32, unique=True, default=token_new)
    receipt_digest = models.CharField(max_length=64, unique=True, null=True, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    captured = models.JSONField(default=dict, blank=True)
    enrolment = models.PositiveIntegerField()
    design_sha256 = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=16, default="en")
    device = models.CharField(max_length=16, blank=True)
    is_test = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    outcome = models.CharField(max_length=20, choices=Outcome, default=Outcome.IN_PROGRESS)
    screening = models.JSONField(null=True, blank=True)
    screening_attempts = models.PositiveSmallIntegerField(default=0)
    screened_at = models.DateTimeField(null=True, blank=True)
    stratum = models.CharField(max_length=120, blank=True)
    background = models.JSONField(null=True, blank=True)
    consented_at = models.DateTimeField()
    background_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    completion_code = models.CharField(max_length=16, default=code_new)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("study", "stratum"), name="participant_stratum"),)
        constraints = (
            models.UniqueConstraint(
                fields=("study", "is_test", "external_id"),
                condition=~models.Q(external_id=""),
                name="external_id_once_per_study",
            ),
            models.CheckConstraint(
                name="participant_outcome_known",
                condition=models.Q(outcome__in=Outcome.values),
            ),
            models.CheckConstraint(
                name="participant_complete_has_its_time",
                condition=~models.Q(outcome=Outcome.COMPLETE)
                | models.Q(completed_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.code

    @property
    def receipt(self) -> str:
        """The receipt code, which only this person is told."""
        return receipt_code(self.token, secret=settings.SECRET_KEY)


class Place(models.Model):
    """One numbered place of a cohort, with the trials drawn for whoever sits on it.

    Live and test places are numbered apart. A place is free again when its holder is gone, or was
    away past `reserved_until` without completing; the next person sits down on the lowest free
    place and gets its draw, so those who leave do not unbalance the design.
    """

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="places")
    is_test = models.BooleanField(default=False)
    number = models.PositiveIntegerField()
    participant = models.OneToOneField(
        Participant, on_delete=models.SET_NULL, related_name="place", null=True, blank=True
    )
    reserved_until = models.DateTimeField(null=True, blank=True)
    is_complete = models.BooleanField(default=False)

    class Meta:
        ordering = ("cohort", "number")
        constraints = (
            models.UniqueConstraint(fields=("cohort", "is_test", "number"), name="place_once"),
        )

    def __str__(self) -> str:
        return f"{self.cohort} place {self.number}"


class Tombstone(models.Model):
    """What stays of somebody who withdrew: what was drawn for them, no answer and no time.

    `trials` lists `{"scenario": key, "treatment_is_left": bool}` in the order drawn.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="tombstones")
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="tombstones")
    is_test = models.BooleanField(default=False)
    enrolment = models.PositiveIntegerField()
    trials = models.JSONField()
    was_complete = models.BooleanField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.cohort} place {self.enrolment}, withdrawn"


class Assignment(models.Model):
    """One trial: this participant, this scenario, at this place in the order, this arm left.

    `measure_order` lists the measures' keys as this participant met them. `timed_out` says that
    the time of a cohort under time pressure ran out before the answers came.
    """

    participant = models.ForeignKey(
        Participant, on_delete=models.CASCADE, related_name="assignments"
    )
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="assignments")
    token = models.CharField(max_length=32, unique=True, default=token_new)
    order = models.PositiveSmallIntegerField()
    treatment_is_left = models.BooleanField()
    measure_order = models.JSONField(default=list, blank=True)
    timed_out = models.BooleanField(default=False)
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
