"""What a run of the gate hands over, and what it tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.fidelity import CalibratedFidelity
from apg_engine.config import GateConfig
from apg_engine.records import Fidelity, Sentence, Verdict


class Outcome(StrEnum):
    """How a run ended."""

    SYNTHESIS = "synthesis"
    DIVERGENCE = "divergence"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True)
class Pair:
    """One proposer-auditor pair: a draft and what the audit found.

    `fidelity` is None where the audit did not end; `hint` is what the next pair was told;
    `calibrated` is the same PF with what the auditor's card makes of it.
    """

    number: int
    draft: str
    draft_sha256: str
    sentences: tuple[Sentence, ...]
    verdicts: tuple[Verdict, ...]
    fidelity: Fidelity | None
    hint: str = ""
    calibrated: CalibratedFidelity | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands, for whoever watches it."""

    stage: str
    pair_number: int


@dataclass(frozen=True, slots=True)
class ModelNames:
    """Which models were used; offline ones say so in their name and in the flag."""

    proposer: str
    auditor: str
    proposer_offline: bool
    auditor_offline: bool


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's result over one trace.

    Attributes:
        outcome: synthesis, divergence or not_judged.
        reason: why it ended so, from a fixed list (`apg_engine.states.REASONS`).
        detail: the same for a person, with what was found.
        pairs: every proposer-auditor pair in order.
        baseline_text: the first, ungated draft (Markdown); empty if there was none.
        apg_text: what the gate publishes, for a participant (Markdown); empty if not judged.
        has_contrast: False where both texts are one.
        divergence: the Divergence Report as JSON (schema version 1), or None.
        warnings: short codes first ("symmetric", "offline models"), then sentences.
        prompts: name, version and SHA-256 of each prompt that was used.
        card: the auditor's calibration card, if it has one.
    """

    outcome: Outcome
    reason: str
    detail: str
    pairs: tuple[Pair, ...]
    baseline_text: str
    apg_text: str
    has_contrast: bool
    divergence: dict[str, Any] | None
    warnings: tuple[str, ...]
    models: ModelNames
    config: GateConfig
    trace_sha256: str
    corpus_sha256: str
    segmenter: str
    prompts: tuple[str, ...] = ()
    card: CalibrationCard | None = None
