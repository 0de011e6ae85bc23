"""The frozen pair of texts that participants compare."""

from __future__ import annotations

from django.db import models

from studyapp.models.corpus import DebateTrace
from studyapp.models.frozen import FrozenModel
from studyapp.models.generation import GenerationRun


class StimulusPair(FrozenModel):
    """Two texts about one trace, stored once and never changed.

    `reference_text` and `treatment_text` are the two arms; a study says what it calls them
    (baseline and apg unless it says otherwise). `sha256` covers trace, both texts and manifest.
    """

    trace = models.ForeignKey(DebateTrace, on_delete=models.PROTECT, related_name="pairs")
    run = models.OneToOneField(
        GenerationRun, on_delete=models.PROTECT, related_name="pair", null=True, blank=True
    )
    reference_text = models.TextField()
    treatment_text = models.TextField()
    has_contrast = models.BooleanField()
    manifest = models.JSONField()
    sha256 = models.CharField(max_length=64, db_index=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"pair {self.pk} of {self.trace}"
