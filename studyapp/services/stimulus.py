"""Freeze what a finished run produced into the pair that participants will compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from studyapp.domain.digest import json_sha256
from studyapp.domain.own_texts import OwnPair
from studyapp.domain.report_shape import imbalance_notes, report_shape
from studyapp.errors import IllegalMoveError, NotJudgedError
from studyapp.models import DebateTrace, GenerationRun, RunState, StimulusPair
from studyapp.seams import engine

MANIFEST_FORMAT: Final = "apg-pair"
MANIFEST_VERSION: Final = 1
# Neither a language model nor rules of this site wrote the texts: researchers brought them.
OWN: Final = engine.OWN


@transaction.atomic
def pair_freeze(*, run_id: int, now: datetime) -> StimulusPair:
    """Store the run's two texts as a pair, once; a second call returns the same pair.

    Raises:
        IllegalMoveError: the run is not finished.
        NotJudgedError: the gate gave no report, so there is nothing to compare.
    """
    # The lock makes two workers that finish the same run take turns.
    run = (
        GenerationRun.objects.select_for_update(of=("self",)).select_related("trace").get(pk=run_id)
    )
    if run.state != RunState.FINISHED or run.result is None:
        raise IllegalMoveError(f"run {run_id} is {run.state}; only a finished run has a pair")
    stored = StimulusPair.objects.filter(run=run).first()
    return stored or _pair_create(run, run.result, now=now)


def pair_bring(
    *, trace: DebateTrace, own: OwnPair, file: str, sha256: str, now: datetime
) -> StimulusPair:
    """Store two texts that researchers brought as a pair; no run and no model stands behind it.

    Args:
        trace: the debate that the texts are about.
        own: the texts.
        file: what their file was called.
        sha256: of that file.
        now: when.
    """
    reference, treatment = report_shape(own.reference), report_shape(own.treatment)
    manifest = {
        "format": MANIFEST_FORMAT,
        "version": MANIFEST_VERSION,
        "trace_sha256": trace.sha256,
        "outcome": OWN,
        "models": {"mode": OWN, "names": [], "auditor_offline": False},
        "source": {"file": file, "sha256": sha256},
        "warnings": [],
        "texts": {"reference": asdict(reference), "treatment": asdict(treatment)},
        "imbalance": list(imbalance_notes(reference, treatment)),
    }
    texts = {"reference": own.reference, "treatment": own.treatment}
    return StimulusPair.objects.create(
        trace=trace,
        reference_text=own.reference,
        treatment_text=own.treatment,
        has_contrast=own.has_contrast,
        manifest=manifest,
        sha256=json_sha256({"trace": trace.sha256, "texts": texts, "manifest": manifest}),
        created_at=now,
    )


def _pair_create(run: GenerationRun, record: Mapping[str, Any], *, now: datetime) -> StimulusPair:
    outcome = engine.outcome_load(record)
    if outcome.outcome == engine.NOT_JUDGED:
        raise NotJudgedError(f"run {run.pk} was not judged: {outcome.reason}")
    manifest = _manifest(run, outcome)
    texts = {"reference": outcome.baseline_text, "treatment": outcome.apg_text}
    return StimulusPair.objects.create(
        trace=run.trace,
        run=run,
        reference_text=texts["reference"],
        treatment_text=texts["treatment"],
        has_contrast=outcome.has_contrast,
        manifest=manifest,
        sha256=json_sha256({"trace": run.trace.sha256, "texts": texts, "manifest": manifest}),
        created_at=now,
    )


def _manifest(run: GenerationRun, outcome: engine.GateOutcome) -> dict[str, Any]:
    reference = report_shape(outcome.baseline_text)
    treatment = report_shape(outcome.apg_text)
    return {
        "format": MANIFEST_FORMAT,
        "version": MANIFEST_VERSION,
        "trace_sha256": run.trace.sha256,
        "outcome": outcome.outcome,
        "models": {
            "mode": outcome.mode,
            "names": list(outcome.models),
            "auditor_offline": outcome.auditor_offline,
        },
        "config": run.config,
        "engine_result_sha256": json_sha256(run.result),
        "warnings": list(outcome.warnings),
        "texts": {"reference": asdict(reference), "treatment": asdict(treatment)},
        "imbalance": list(imbalance_notes(reference, treatment)),
    }
