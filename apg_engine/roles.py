"""The two roles of a run, and who plays them."""

from __future__ import annotations

from dataclasses import dataclass

from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import CalibrationCard
from apg_engine.proposers.protocol import Proposer
from apg_engine.results import ModelNames


@dataclass(frozen=True, slots=True)
class Models:
    """The two roles of a run.

    Attributes:
        prompts: names of the prompt files they use.
        card: the auditor's calibration card, if it has one.
        measurer: a second auditor that judges the first and the last draft and steers nothing.
        warnings: what was noticed when the models were built.
    """

    proposer: Proposer
    auditor: Auditor
    prompts: tuple[str, ...] = ()
    card: CalibrationCard | None = None
    warnings: tuple[str, ...] = ()
    measurer: Auditor | None = None


def model_names(models: Models) -> ModelNames:
    """Give what a result says about who wrote and who checked."""
    return ModelNames(
        proposer=models.proposer.name,
        auditor=models.auditor.name,
        proposer_offline=models.proposer.offline,
        auditor_offline=models.auditor.offline,
    )
