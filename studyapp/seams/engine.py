"""The one door to apg_engine: rows become engine records here, and results become plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, get_args

from django.db import DataError, IntegrityError, transaction

import apg_engine
from apg_engine import CallRecord, GateResult, Trace
from apg_engine.calls import NO_USAGE, Usage
from apg_engine.config import Language
from apg_engine.results import Pair
from apg_engine.spending.prices import prices_packaged
from studyapp.errors import DefinitionError, GenerationError, LeaseLostError, TraceRefusedError
from studyapp.models import ModelCall

NOT_JUDGED: Final = "not_judged"
SYNTHESIS: Final = "synthesis"
OFFLINE, LIVE = "offline", "live"
# Where no run stands behind the texts.
OWN = "own"
LANGUAGES: Final[tuple[str, ...]] = get_args(Language)
# A run in the database does not keep the hash of the code that made it.
_ENGINE_UNKNOWN: Final = "not recorded"

__all__ = [
    "LANGUAGES",
    "LIVE",
    "NOT_JUDGED",
    "OFFLINE",
    "OWN",
    "SYNTHESIS",
    "Charge",
    "ChargeCost",
    "GateOutcome",
    "GateResult",
    "ImportedTrace",
    "PairFidelity",
    "RunJournal",
    "Trace",
    "charge_cost",
    "config_in_language",
    "config_preset",
    "config_read",
    "fidelity_load",
    "gate_run",
    "outcome_load",
    "prov_files",
    "result_load",
    "trace_load",
    "trace_read",
]


@dataclass(frozen=True, slots=True)
class ImportedTrace:
    """A debate as it is stored; `content` is in the project's own trace format."""

    title: str
    language: str
    conflict_level: str
    content: dict[str, Any]
    sha256: str
    source_format: str
    source_file: str
    source_sha256: str
    warnings: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class PairFidelity:
    """PF of the two published texts, 0 to 1, by the auditor that steered the run.

    `treatment` is None where no audited draft was published, `reference` where its audit did not
    end; `reason` says so then.
    """

    reference: float | None
    treatment: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Charge:
    """What tells the cost of a recorded call: the model it went to, if any, and its usage."""

    model: object
    usage: object


@dataclass(frozen=True, slots=True)
class ChargeCost:
    """What a recorded call took; `is_asked` says whether a language model was asked at all.

    The amount is None where the model's price or its count of tokens is not known.
    """

    is_asked: bool
    prompt_tokens: int | None
    completion_tokens: int | None
    amount: float | None
    currency: str


class RunJournal:
    """The engine's journal of model calls on the table `ModelCall`.

    Each call is committed at once, together with the proof that this worker still holds the run.

    Args:
        of: the column of the run or the debate, and its row.
        now: clock.
        hold: extends the lease, or raises `LeaseLostError`.
        check: raises `LeaseLostError` if the run was cancelled or taken over.
    """

    def __init__(
        self,
        *,
        of: Mapping[str, int],
        now: Callable[[], datetime],
        hold: Callable[[], None],
        check: Callable[[], None],
    ) -> None:
        self._of, self._now, self._hold, self._check = of, now, hold, check

    def find(self, sequence: int) -> CallRecord | None:
        """Return the recorded call, if there is one.

        Raises:
            LeaseLostError: the run was cancelled or taken over, so no new call may be made.
        """
        self._check()
        calls = ModelCall.objects.filter(**self._of, sequence=sequence)
        row = calls.values_list("record", flat=True).first()
        return None if row is None else CallRecord.from_dict(row)

    def append(self, record: CallRecord) -> None:
        """Record a call for good.

        Raises:
            LeaseLostError: another worker holds the run or has recorded this call.
            GenerationError: the call holds a character that the database cannot store.
        """
        try:
            with transaction.atomic(durable=True):
                self._hold()
                ModelCall.objects.create(
                    **self._of,
                    sequence=record.sequence,
                    role=record.role,
                    request_sha256=record.request_sha256,
                    record=record.to_dict(),
                    created_at=self._now(),
                )
        except IntegrityError as error:
            raise LeaseLostError(f"call {record.sequence} was recorded by another") from error
        except DataError as error:
            raise GenerationError(
                f"The reply of the {record.role} holds a character that the database cannot "
                "store (NUL, or half of a surrogate pair). Retry, or use another model."
            ) from error


def trace_read(data: bytes, *, file_name: str, max_bytes: int) -> ImportedTrace:
    """Read a debate in any known format.

    Raises:
        TraceRefusedError: names the file, the place, what was found and what is allowed.
    """
    try:
        trace = apg_engine.import_trace(data, file_name=file_name, max_bytes=max_bytes)
    except apg_engine.TraceError as error:
        raise TraceRefusedError(
            file=error.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error
    return ImportedTrace(
        title=trace.title,
        language=trace.language,
        conflict_level=trace.conflict_level,
        content=apg_engine.trace_to_dict(trace),
        sha256=apg_engine.trace_sha256(trace),
        source_format=trace.source.format,
        source_file=trace.source.file_name,
        source_sha256=trace.source.sha256,
        warnings=trace.warnings,
    )


def trace_load(content: Mapping[str, Any], *, file_name: str) -> Trace:
    """Turn a stored trace back into the engine's record."""
    return apg_engine.trace_from_dict(content, file_name=file_name)


def config_preset(name: str) -> dict[str, Any]:
    """Return the gate configuration of a preset: `offline` or `paper`.

    Raises:
        DefinitionError: there is no preset of that name.
    """
    with _config_refusals():
        return apg_engine.config_to_dict(apg_engine.GateConfig.preset(name))


def config_read(config: Mapping[str, Any]) -> dict[str, Any]:
    """Bring a gate configuration into its full form.

    Raises:
        DefinitionError: a value is not allowed.
    """
    with _config_refusals():
        return apg_engine.config_to_dict(apg_engine.config_from_dict(config))


def config_in_language(config: Mapping[str, Any], *, language: str) -> dict[str, Any]:
    """Have the texts written in a debate's language, where the engine writes it."""
    base = language.partition("-")[0].lower()
    return {**config, "language": base} if base in LANGUAGES else dict(config)


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


def charge_cost(charge: Charge) -> ChargeCost:
    """Tell what a recorded call took, at the prices that come with the engine."""
    prices, model = prices_packaged(), charge.model
    if not isinstance(model, Mapping):
        return ChargeCost(
            is_asked=False,
            prompt_tokens=None,
            completion_tokens=None,
            amount=None,
            currency=prices.currency,
        )
    found = prices.find(model=str(model.get("name", "")), base_url=str(model.get("base_url", "")))
    usage = Usage(**charge.usage) if isinstance(charge.usage, Mapping) else NO_USAGE
    return ChargeCost(
        is_asked=True,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        amount=None if found is None else found.cost(usage),
        currency=prices.currency,
    )


def fidelity_load(record: Mapping[str, Any]) -> PairFidelity:
    """Read from a stored result the PF of the Baseline and of the APG report."""
    result = result_load(record)
    shares = [_share(pair) for pair in result.pairs]
    first, last = (shares[0], shares[-1]) if shares else (None, None)
    if result.outcome != SYNTHESIS:
        reason = "the APG report is a Divergence Report: it is quoted from the debate, not audited"
        return PairFidelity(reference=first, treatment=None, reason=reason)
    reason = "the audit of the Baseline did not end" if first is None else ""
    return PairFidelity(reference=first, treatment=last, reason=reason)


def _share(pair: Pair) -> float | None:
    found = pair.fidelity
    return None if found is None or not found.total else found.supported / found.total


@contextmanager
def _config_refusals() -> Iterator[None]:
    try:
        yield
    except apg_engine.ConfigError as error:
        raise DefinitionError(
            file=error.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error


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
