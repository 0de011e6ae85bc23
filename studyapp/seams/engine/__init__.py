"""The door to the gate: rows become engine records here, and results become plain data."""

from apg_engine import GateResult, Trace
from studyapp.seams.engine.charges import Charge, ChargeCost, charge_cost
from studyapp.seams.engine.configs import LANGUAGES, config_in_language, config_preset, config_read
from studyapp.seams.engine.fidelity import PairFidelity, fidelity_load
from studyapp.seams.engine.gate import (
    LIVE,
    NOT_JUDGED,
    OFFLINE,
    OWN,
    SYNTHESIS,
    GateOutcome,
    gate_run,
    outcome_load,
    prov_files,
    result_load,
)
from studyapp.seams.engine.journal import RunJournal
from studyapp.seams.engine.traces import ImportedTrace, trace_load, trace_read

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
