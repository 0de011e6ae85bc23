"""`gate`: one run over one trace, written into a directory that can be resumed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.import_command import trace_read
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.config import PRESETS, GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.errors import ConfigError
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.results import GateResult, Outcome, Progress
from apg_engine.traces import MAX_BYTES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

_LANGUAGES = ("en", "pl")
_ROLE_HELP = (
    "offline, scripted:FILE (a JSON list of answers), or the name of a model at an "
    "OpenAI-compatible endpoint"
)


def gate_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("gate", help="gate one debate")
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a debate in any known format")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("--preset", choices=PRESETS, default="offline")
    for role in ("proposer", "auditor"):
        parser.add_argument(f"--{role}", metavar="MODEL", help=_ROLE_HELP)
        parser.add_argument(f"--{role}-base-url", metavar="URL")
        parser.add_argument(f"--{role}-key-env", metavar="NAME", help="variable with the key")
        parser.add_argument(f"--{role}-temperature", type=float, metavar="T")
        parser.add_argument(f"--{role}-max-tokens", type=int, metavar="N")
        parser.add_argument(f"--{role}-attempts", type=int, metavar="N", help="tries per call")
        parser.add_argument(f"--{role}-timeout", type=float, metavar="SECONDS", help="of one try")
    parser.add_argument("--pairs", type=int, help="proposer-auditor pairs, 1 to 11 (default 3)")
    parser.add_argument("--threshold", type=int, metavar="PERCENT", help="default 95")
    parser.add_argument(
        "--language", choices=_LANGUAGES, help="of the texts (default: the trace's)"
    )
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="largest trace to read")
    parser.add_argument("--json", action="store_true", help="print a summary as JSON")


def gate_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Run the gate, or go on with a run that was interrupted.

    Raises:
        EngineError: bad input; nothing is written before trace and configuration are checked.
    """
    trace = trace_read(options.trace, max_bytes=options.max_bytes)
    config = _config(options, trace.language)
    models = models_from_config(config, environment=environment)
    with RunDirectory(options.out, trace) as directory:
        result = gate(
            trace,
            config=config,
            models=models,
            journal=directory.journal(),
            on_progress=None if options.json else _tell,
        )
        directory.write(result)
    _summarise(result, options)
    return OF_OUTCOME[result.outcome]


def _config(options: argparse.Namespace, trace_language: str) -> GateConfig:
    config = GateConfig.preset(options.preset)
    given = {
        "threshold_percent": options.threshold,
        "pairs": options.pairs,
        "language": options.language or (trace_language if trace_language in _LANGUAGES else None),
    }
    changed = {key: value for key, value in given.items() if value is not None}
    data = config_to_dict(config) | changed
    data["proposer"] = _spec_data(config.proposer, "proposer", options)
    data["auditor"] = _spec_data(config.auditor, "auditor", options)
    return config_from_dict(data)


def _spec_data(spec: ModelSpec, role: str, options: argparse.Namespace) -> dict[str, object]:
    named = getattr(options, role)
    if named is not None:
        spec = _named(named, role)
    data = config_to_dict(GateConfig(proposer=spec))["proposer"]
    given = {
        "base_url": getattr(options, f"{role}_base_url"),
        "api_key_env": getattr(options, f"{role}_key_env"),
        "temperature": getattr(options, f"{role}_temperature"),
        "max_tokens": getattr(options, f"{role}_max_tokens"),
        "attempts": getattr(options, f"{role}_attempts"),
        "timeout_seconds": getattr(options, f"{role}_timeout"),
    }
    merged: dict[str, object] = data | {k: v for k, v in given.items() if v is not None}
    return merged


def _named(named: str, role: str) -> ModelSpec:
    if named == "offline":
        return ModelSpec()
    if named.startswith("scripted:"):
        path = Path(named.removeprefix("scripted:"))
        return ModelSpec(kind="scripted", name=path.stem, script=_script(path, role))
    # A proposer writes; the auditor measures, and a measure is not sampled.
    return ModelSpec(kind="openai", name=named, temperature=0.5 if role == "proposer" else 0.0)


def _script(path: Path, role: str) -> tuple[str, ...]:
    if not path.is_file():
        raise ConfigError(str(path), role, "nothing", "an existing JSON file")
    try:
        answers = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(str(path), role, f"no JSON ({error})", "a list of answers") from error
    if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
        raise ConfigError(str(path), role, type(answers).__name__, "a list of answers")
    return tuple(answers)


def _tell(progress: Progress) -> None:
    sys.stderr.write(f"pair {progress.pair_number}: {progress.stage}\n")


def _summarise(result: GateResult, options: argparse.Namespace) -> None:
    if options.json:
        sys.stdout.write(json.dumps(_summary(result, options.out), ensure_ascii=False) + "\n")
        return
    for warning in result.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    counts = ", ".join(_counted(result))
    sys.stdout.write(
        f"{_SAID[result.outcome]} ({result.reason}): {result.detail}\n"
        f"models: {result.models.proposer} | {result.models.auditor}\n"
        f"supported claims by pair: {counts or 'none counted'}\n"
        f"written to {options.out}\n"
    )
    if result.outcome is Outcome.NOT_JUDGED:
        sys.stdout.write("an ended run is not repeated; use a new --out to try again\n")


def _counted(result: GateResult) -> list[str]:
    counted = [pair.fidelity for pair in result.pairs if pair.fidelity]
    return [f"{fidelity.supported}/{fidelity.total}" for fidelity in counted]


_SAID = {
    Outcome.SYNTHESIS: "published a verified synthesis",
    Outcome.DIVERGENCE: "published a Divergence Report",
    Outcome.NOT_JUDGED: "not judged",
}


def _summary(result: GateResult, out: Path) -> dict[str, object]:
    models = result.models
    return {
        "outcome": result.outcome.value,
        "reason": result.reason,
        "detail": result.detail,
        "pairs": _counted(result),
        "has_contrast": result.has_contrast,
        "warnings": list(result.warnings),
        "proposer": models.proposer,
        "auditor": models.auditor,
        "offline": models.proposer_offline or models.auditor_offline,
        "out": str(out),
    }
