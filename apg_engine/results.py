"""What a run of the gate hands over, and what it tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal

from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.fidelity import CalibratedFidelity
from apg_engine.config import GateConfig
from apg_engine.records import (
    Counts,
    Coverage,
    Fidelity,
    Policy,
    Preservation,
    Sentence,
    Verdict,
)

PF_MEANING: Final = (
    "PF is grounding in the debate, not truth: it counts how many claims of a text the record"
    " states, whether or not the record is right."
)


class Outcome(StrEnum):
    """How a run ended."""

    SYNTHESIS = "synthesis"
    DIVERGENCE = "divergence"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True)
class Pair:
    """One proposer-auditor pair: a draft and what the audit found.

    Attributes:
        fidelity: PF under the policy of the run, which steers; None where the audit did not end.
        hint: what the next pair was told.
        calibrated: the same PF with what the auditor's card makes of it.
        counts: PF under both policies and over every sentence.
        coverage: which stances of the debate the draft states.
        preserved: what a repair kept of the draft before; None for the first.
        confirmation: verdicts of the second, full audit of a passing draft; empty where the
            auditor is deterministic or the draft did not pass.
        confirmed: PF of that second audit.
    """

    number: int
    draft: str
    draft_sha256: str
    sentences: tuple[Sentence, ...]
    verdicts: tuple[Verdict, ...]
    fidelity: Fidelity | None
    hint: str = ""
    calibrated: CalibratedFidelity | None = None
    counts: Counts | None = None
    coverage: Coverage | None = None
    preserved: Preservation | None = None
    confirmation: tuple[Verdict, ...] = ()
    confirmed: Fidelity | None = None

    def passes(self, percent: int) -> bool:
        """Tell whether the draft passed its audit, and the second one where there was one."""
        if self.fidelity is None or not self.fidelity.passes(percent):
            return False
        if not self.confirmation:
            return True
        return self.confirmed is not None and self.confirmed.passes(percent)

    def refused(self, policy: Policy) -> tuple[Verdict, ...]:
        """List the verdicts on sentences that either audit refused, each sentence once."""
        found = {v.sentence_id: v for v in self.verdicts if not v.holds(policy)}
        for verdict in self.confirmation:
            if not verdict.holds(policy):
                found.setdefault(verdict.sentence_id, verdict)
        order = [verdict.sentence_id for verdict in self.verdicts]
        return tuple(found[name] for name in order if name in found)


@dataclass(frozen=True, slots=True)
class Measure:
    """PF of the first and the last draft by one auditor.

    Attributes:
        auditor: who judged.
        role: `steered` where its verdicts led the repair, `measured` where they led nothing.
        initial: counts of the first draft; None if its audit did not end.
        terminal: counts of the last draft.
    """

    auditor: str
    role: Literal["steered", "measured"]
    initial: Counts | None
    terminal: Counts | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a model's context had no room for: addresses of corpus sentences, by pair and role."""

    pair: int
    role: str
    addresses: tuple[str, ...]


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
        measures: PF of the first and the last draft, by the auditor that steered and, if one was
            asked, by a second one that only measured.
        left_out: what a model was not shown, because its context is too small.
        pf_meaning: what PF says and what it does not, for every reader of a report.
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
    measures: tuple[Measure, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    pf_meaning: str = PF_MEANING
