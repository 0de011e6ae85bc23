"""How participants read and answered, beside what they answered."""

from __future__ import annotations

from django.db import models

from studyapp.models.assignment import Assignment
from studyapp.models.response import ReportSide


class Exposure(models.Model):
    """How long one thing was in view during one view of a page.

    `view` is the page's own random word. `item` is a turn, the context, a shock or a document by
    its number in the page (`T4`, `C1`, `S1`, `A2`), a report (`left`, `right`), both reports at
    once (`pair`), the debate opened again beside them (`debate`), or the page itself
    (`page:debate`, whose coverage is that of the debate, and `page:reports`, of the pair). Browsers
    send totals, so a batch that comes twice or late changes nothing: the larger total stays.
    `visible_ms` leaves idle time out; `scrolled` is the share of the item that was in view, in per
    cent.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="exposures")
    view = models.CharField(max_length=24)
    item = models.CharField(max_length=40)
    visible_ms = models.PositiveIntegerField()
    scrolled = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("assignment", "view", "item"), name="exposure_once"),
            models.CheckConstraint(
                name="exposure_scrolled_per_cent", condition=models.Q(scrolled__lte=100)
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.item} {self.visible_ms} ms"


class Change(models.Model):
    """One answer that was chosen and later replaced, before the answers were submitted."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="changes")
    view = models.CharField(max_length=24)
    sequence = models.PositiveIntegerField()
    field = models.CharField(max_length=80)
    value = models.CharField(max_length=200, blank=True)
    after_ms = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("assignment", "view", "sequence"), name="change_once"),
        )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.field} was {self.value}"


class Relation(models.TextChoices):
    """What a turn says about a report, in the participant's eyes."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


class EvidenceLink(models.Model):
    """A participant's mark: this turn supports or contradicts the report on this side.

    `writer` says in which browser, as in a draft.
    """

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="evidence_links"
    )
    side = models.CharField(max_length=8, choices=ReportSide)
    address = models.CharField(max_length=16)
    relation = models.CharField(max_length=16, choices=Relation)
    writer = models.CharField(max_length=32, blank=True, default="")
    marked_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("assignment", "side", "address"), name="mark_once"),
            models.CheckConstraint(
                name="mark_side_known", condition=models.Q(side__in=("left", "right"))
            ),
            models.CheckConstraint(
                name="mark_relation_known", condition=models.Q(relation__in=Relation.values)
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.address} {self.relation} {self.side}"
