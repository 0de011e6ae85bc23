"""Debates held here: what a study asked for, the branches workers do of it, and what they found."""

from __future__ import annotations

from django.db import models

from studyapp.models.corpus import DebateTrace
from studyapp.models.leased import LeasedWork, RunState
from studyapp.models.study import Scenario, Study


class DebateSystem(models.TextChoices):
    """By which rules a debate is held."""

    COMMITTEE = "committee"
    COURTROOM = "courtroom"


class EvidenceCorpus(models.Model):
    """Documents in which trials find their evidence, named by their content's hash."""

    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64, unique=True)
    documents = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.file_name


class DebateRun(models.Model):
    """One debate a study has held; its trace is the trace of a scenario once it is added.

    `spent` holds what the calls of each round and role used; a worker counts a call in the
    transaction that records it. `record` says how the debate was held, once it is over.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="debates")
    system = models.CharField(max_length=16, choices=DebateSystem)
    preset = models.CharField(max_length=40)
    config = models.JSONField()
    corpus = models.ForeignKey(
        EvidenceCorpus, on_delete=models.PROTECT, related_name="debates", null=True, blank=True
    )
    embedder = models.CharField(max_length=16, blank=True)
    state = models.CharField(max_length=16, choices=RunState, default=RunState.QUEUED)
    spent = models.JSONField(default=dict, blank=True)
    record = models.JSONField(null=True, blank=True)
    trace = models.ForeignKey(
        DebateTrace, on_delete=models.PROTECT, related_name="debates", null=True, blank=True
    )
    scenario = models.ForeignKey(
        Scenario, on_delete=models.SET_NULL, related_name="debates", null=True, blank=True
    )
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="debate_finished_has_record",
                condition=~models.Q(state="finished") | models.Q(record__isnull=False),
            ),
            models.CheckConstraint(
                name="debate_trial_has_corpus",
                condition=models.Q(system="courtroom", corpus__isnull=False)
                | models.Q(system="committee", corpus__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return f"debate {self.pk} ({self.state})"


class BranchState(models.TextChoices):
    """Where a branch stands: as leased work does, or waiting for the branches it forked into."""

    QUEUED = "queued"
    RUNNING = "running"
    FORKED = "forked"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class DebateBranch(LeasedWork):
    """A part of a debate that one worker does; the trunk has the empty name.

    `reserved` is what the call under way may use at most, with its round and role.
    """

    debate = models.ForeignKey(DebateRun, on_delete=models.CASCADE, related_name="branches")
    name = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=16, choices=BranchState, default=BranchState.QUEUED)
    reserved = models.JSONField(null=True, blank=True)

    class Meta(LeasedWork.Meta):
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("debate", "name"), name="one_branch_per_name"),
        )

    def __str__(self) -> str:
        return f"branch {self.name or 'trunk'} of debate {self.debate_id} ({self.state})"
