"""Prompts, models, gate and audit: the Active Provenance Gate as a library."""

from __future__ import annotations

from importlib import import_module  # noqa: TID251 (only modules of this package, listed below)
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apg_engine.auditing import TextAudit, audit, audit_to_dict
    from apg_engine.config import (
        GateConfig,
        ModelSpec,
        config_from_dict,
        config_to_dict,
    )
    from apg_engine.debates.committee.holding import committee_trace
    from apg_engine.debates.courtroom.by_rules import courtroom_trace
    from apg_engine.errors import (
        ConfigError,
        EngineError,
        IllegalMoveError,
        InputError,
        JournalError,
        JournalMismatchError,
        ModelSetupError,
        ResultError,
        TraceError,
    )
    from apg_engine.journal import CallJournal, CallRecord, MemoryJournal
    from apg_engine.journal_file import FileJournal
    from apg_engine.machine import gate
    from apg_engine.models import models_from_config
    from apg_engine.records import (
        Agent,
        Corpus,
        Document,
        Fidelity,
        Label,
        Quote,
        Sentence,
        SentenceKind,
        Severity,
        Shock,
        ShockKind,
        Source,
        Trace,
        Turn,
        Verdict,
    )
    from apg_engine.result_json import result_from_dict, result_to_dict
    from apg_engine.results import GateResult, ModelNames, Outcome, Pair, Progress
    from apg_engine.roles import Models
    from apg_engine.traces import (
        import_trace,
        trace_from_dict,
        trace_sha256,
        trace_to_dict,
    )

__all__ = [
    "Agent",
    "CallJournal",
    "CallRecord",
    "ConfigError",
    "Corpus",
    "Document",
    "EngineError",
    "Fidelity",
    "FileJournal",
    "GateConfig",
    "GateResult",
    "IllegalMoveError",
    "InputError",
    "JournalError",
    "JournalMismatchError",
    "Label",
    "MemoryJournal",
    "ModelNames",
    "ModelSetupError",
    "ModelSpec",
    "Models",
    "Outcome",
    "Pair",
    "Progress",
    "Quote",
    "ResultError",
    "Sentence",
    "SentenceKind",
    "Severity",
    "Shock",
    "ShockKind",
    "Source",
    "TextAudit",
    "Trace",
    "TraceError",
    "Turn",
    "Verdict",
    "audit",
    "audit_to_dict",
    "committee_trace",
    "config_from_dict",
    "config_to_dict",
    "courtroom_trace",
    "gate",
    "import_trace",
    "models_from_config",
    "result_from_dict",
    "result_to_dict",
    "trace_from_dict",
    "trace_sha256",
    "trace_to_dict",
]

# Loading everything takes a third of a second; a name is loaded when it is first asked for.
_HOMES = {
    "apg_engine.auditing": (
        "TextAudit",
        "audit",
        "audit_to_dict",
    ),
    "apg_engine.config": (
        "GateConfig",
        "ModelSpec",
        "config_from_dict",
        "config_to_dict",
    ),
    "apg_engine.debates.committee.holding": ("committee_trace",),
    "apg_engine.debates.courtroom.by_rules": ("courtroom_trace",),
    "apg_engine.errors": (
        "ConfigError",
        "EngineError",
        "IllegalMoveError",
        "InputError",
        "JournalError",
        "JournalMismatchError",
        "ModelSetupError",
        "ResultError",
        "TraceError",
    ),
    "apg_engine.journal": (
        "CallJournal",
        "CallRecord",
        "MemoryJournal",
    ),
    "apg_engine.journal_file": ("FileJournal",),
    "apg_engine.machine": ("gate",),
    "apg_engine.models": ("models_from_config",),
    "apg_engine.records": (
        "Agent",
        "Corpus",
        "Document",
        "Fidelity",
        "Label",
        "Quote",
        "Sentence",
        "SentenceKind",
        "Severity",
        "Shock",
        "ShockKind",
        "Source",
        "Trace",
        "Turn",
        "Verdict",
    ),
    "apg_engine.result_json": (
        "result_from_dict",
        "result_to_dict",
    ),
    "apg_engine.results": (
        "GateResult",
        "ModelNames",
        "Outcome",
        "Pair",
        "Progress",
    ),
    "apg_engine.roles": ("Models",),
    "apg_engine.traces": (
        "import_trace",
        "trace_from_dict",
        "trace_sha256",
        "trace_to_dict",
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module (PEP 562).

    Raises:
        AttributeError: the package has no such public name.
    """
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
