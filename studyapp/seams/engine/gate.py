"""The gate at work on a stored debate, and its stored results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import apg_engine
from apg_engine import CallRecord, GateResult
from studyapp.errors import GenerationError
from studyapp.seams.engine.journal import RunJournal
from studyapp.seams.engine.traces import trace_load

NOT_JUDGED: Final = "not_judged"
SYNTHESIS: Final = "synthesis"
OFFLINE, LIVE = "offline", "live"
# Where no run stands behind the texts.
OWN = "own"
# A run in the database does not keep the hash of the code that made it.
_ENGINE_UNKNOWN: Final = "not recorded"


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """How the gate ended; `record` is the whole result as JSON-ready data.

    `mode` is `offline` where rules wrote the texts in place of a language model, else `live`;
    `auditor_offline` says whether rules judged them.
    """

    outcome: str
    reason: str
    baseline_text: str
    apg_text: str
    has_contrast: bool
    warnings: tuple[str, ...]
    models: tuple[str, ...]
    mode: str
    auditor_offline: bool
    record: dict[str, Any]


def gate_run(
    *,
    content: Mapping[str, Any],
    config: Mapping[str, Any],
    environment: Mapping[str, str],
    journal: RunJournal,
    on_progress: Callable[[str, int], None],
) -> GateOutcome:
    """Let the gate work on a stored trace.

    Raises:
        GenerationError: it could not end; the message is for the researcher.
    """
    try:
        gate_config = apg_engine.config_from_dict(config)
        result = apg_engine.gate(
            trace_load(content, file_name="stored trace"),
            config=gate_config,
            models=apg_engine.models_from_config(gate_config, environment=environment),
            journal=journal,
            on_progress=lambda progress: on_progress(progress.stage, progress.pair_number),
        )
    except apg_engine.EngineError as error:
        raise GenerationError(str(error)) from error
    return _outcome(result)


def outcome_load(record: Mapping[str, Any]) -> GateOutcome:
    """Read a stored result."""
    return _outcome(result_load(record))


def result_load(record: Mapping[str, Any]) -> GateResult:
    """Turn a stored result back into the engine's record."""
    return apg_engine.result_from_dict(record)


def prov_files(
    *, content: Mapping[str, Any], record: Mapping[str, Any], calls: Iterable[Mapping[str, Any]]
) -> dict[str, bytes]:
    """Give the history of a stored run as PROV-JSON and PROV-N, by file name.

    Args:
        content: the debate as stored.
        record: the stored result.
        calls: the stored calls, in their order.
    """
    # Only an export needs it.
    from apg_engine.provenance.history import prov_files as history_files

    return history_files(
        trace_load(content, file_name="stored trace"),
        result_load(record),
        [CallRecord.from_dict(call) for call in calls],
        engine=_ENGINE_UNKNOWN,
    )


def _outcome(result: GateResult) -> GateOutcome:
    models = result.models
    return GateOutcome(
        outcome=result.outcome,
        reason=result.reason,
        baseline_text=result.baseline_text,
        apg_text=result.apg_text,
        has_contrast=result.has_contrast,
        warnings=result.warnings,
        models=tuple(dict.fromkeys((models.proposer, models.auditor))),
        mode=OFFLINE if models.proposer_offline else LIVE,
        auditor_offline=models.auditor_offline,
        record=apg_engine.result_to_dict(result),
    )
