"""`probe`: does an endpoint really enforce JSON schemas?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.model_options import config_of, environment_of, model_options_add
from apg_engine.cli.status import ExitStatus
from apg_engine.errors import ConfigError
from apg_engine.journal import CallJournal, CallLedger, MemoryJournal
from apg_engine.journal_file import FileJournal
from apg_engine.llm.probing import Enforcement, schema_probe
from apg_engine.models import chat_model_build

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def probe_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("probe", help="find out whether an endpoint enforces schemas")
    model_options_add(parser, roles=("auditor",))
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the call here")
    parser.add_argument("--json", action="store_true", help="print the finding as JSON")


def probe_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Ask once, and tell what was found; a finding that is kept is told again.

    Raises:
        EngineError: the auditor is no model at an endpoint, or cannot be built.
    """
    spec = config_of(options, trace_language="").auditor
    if spec.kind not in {"openai", "scripted"}:
        raise ConfigError("probe", "--auditor", spec.kind, "a model at an endpoint")
    model = chat_model_build(spec, "auditor", environment_of(options, environment))
    journal: CallJournal = FileJournal(options.journal) if options.journal else MemoryJournal()
    found = schema_probe(model, calls=CallLedger(journal))
    if options.json:
        sys.stdout.write(json.dumps(asdict(found), ensure_ascii=False) + "\n")
    else:
        adjusted = f"; answered only {', '.join(found.adjusted)}" if found.adjusted else ""
        detail = f" ({found.detail})" if found.detail else ""
        sys.stdout.write(f"{found.model}: JSON schema {found.schema}{adjusted}{detail}\n")
    known = found.schema is not Enforcement.UNKNOWN
    return ExitStatus.PUBLISHED if known else ExitStatus.NOT_JUDGED
