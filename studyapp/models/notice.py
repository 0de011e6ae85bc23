"""What people and programs are told about a study, to whom it goes, and whether it arrived."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from studyapp.models.member import StudyMember
from studyapp.models.study import Study


class NoticeRule(models.Model):
    """When a study counts as stalled or stuck; a study without a row has the usual rule."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="notice_rule")
    stall_hours = models.PositiveIntegerField()
    stuck_people = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="notice_rule_counts_something",
                condition=Q(stall_hours__gte=1, stuck_people__gte=1),
            ),
        )

    def __str__(self) -> str:
        return f"{self.study}: stalled after {self.stall_hours} hours"


class NoticeReader(models.Model):
    """A member who wants mail, and on which occasions (studyapp.domain.occasions)."""

    member = models.OneToOneField(
        StudyMember, on_delete=models.CASCADE, related_name="notice_reader"
    )
    occasions = models.JSONField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"mail to {self.member}"


class Webhook(models.Model):
    """An address that is told. Its signing secret is derived from `salt` and the site's key."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    description = models.CharField(max_length=120, blank=True)
    occasions = models.JSONField()
    salt = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.study}"


class Notice(models.Model):
    """One occasion, told once: `subject` says which of its kind it is."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="notices")
    occasion = models.CharField(max_length=40)
    subject = models.CharField(max_length=120)
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(fields=("study", "occasion", "subject"), name="notice_once"),
        )

    def __str__(self) -> str:
        return f"{self.occasion} {self.subject}"


class DeliveryState(models.TextChoices):
    """Whether a notice has arrived."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class NoticeDelivery(models.Model):
    """One notice on its way to one webhook or one reader: the outbox.

    Whoever takes a delivery up counts the attempt and says when the next one is due, in one
    conditional UPDATE; so it is nobody else's meanwhile, and due again if the worker dies.
    """

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", null=True, blank=True
    )
    reader = models.ForeignKey(
        NoticeReader, on_delete=models.CASCADE, related_name="deliveries", null=True, blank=True
    )
    state = models.CharField(
        max_length=16, choices=DeliveryState, default=DeliveryState.WAITING, db_index=True
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=200, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "notice deliveries"
        constraints = (
            models.CheckConstraint(
                name="delivery_goes_to_one",
                condition=Q(webhook__isnull=True, reader__isnull=False)
                | Q(webhook__isnull=False, reader__isnull=True),
            ),
            models.UniqueConstraint(fields=("notice", "webhook"), name="delivery_once_to_webhook"),
            models.UniqueConstraint(fields=("notice", "reader"), name="delivery_once_to_reader"),
            models.CheckConstraint(
                name="delivery_state_known", condition=Q(state__in=DeliveryState.values)
            ),
            models.CheckConstraint(
                name="delivery_ended_has_its_time",
                condition=Q(state="waiting") | Q(ended_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.notice} ({self.state})"
