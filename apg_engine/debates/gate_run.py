"""The end of every debate: its trace goes through the gate, on the same budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from apg_engine.config import GateConfig
from apg_engine.debates.budget import DebateBudget
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.records import Trace
from apg_engine.results import GateResult, Outcome, Progress
from apg_engine.spending.budget import BudgetSpentError, GuardedJournal
from apg_engine.spending.estimates import call_estimate


def debate_gate(
    trace: Trace | None,
    *,
    path: Path,
    config: GateConfig,
    budget: DebateBudget,
    environment: Mapping[str, str],
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, Any]:
    """Gate a debate in a folder of its own and summarise the result for the debate's record.

    A debate in which nobody spoke, and one whose budget is used up, is not judged.

    Raises:
        ModelSetupError: a model of the gate cannot be built.
        JournalMismatchError: the folder holds another run.
    """
    if trace is None:
        return not_judged("empty_corpus", "nobody spoke")
    models = models_from_config(config, environment=environment)
    with RunDirectory(path, trace) as directory:
        journal = GuardedJournal(
            directory.journal(),
            budget=budget.run,
            estimate=call_estimate(config, trace, prices=budget.prices),
            prices=budget.prices,
        )
        try:
            result = gate(
                trace, config=config, models=models, journal=journal, on_progress=on_progress
            )
        except BudgetSpentError as error:
            journal.release()
            return not_judged("budget", error.told)
        directory.write(result)
    return gate_summary(result)


def not_judged(reason: str, detail: str) -> dict[str, Any]:
    """Say in a debate's record why nothing was gated."""
    return {
        "outcome": Outcome.NOT_JUDGED.value,
        "reason": reason,
        "detail": detail,
        "supported_claims": [],
    }


def gate_summary(result: GateResult) -> dict[str, Any]:
    """Sum a result of the gate up for a debate's record."""
    counted = [pair.fidelity for pair in result.pairs if pair.fidelity]
    return {
        "outcome": result.outcome.value,
        "reason": result.reason,
        "detail": result.detail,
        "supported_claims": [[one.supported, one.total] for one in counted],
        "proposer": result.models.proposer,
        "auditor": result.models.auditor,
    }
