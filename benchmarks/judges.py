"""The auditors a benchmark can be asked to measure."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path

from apg_engine.auditors.protocol import Auditor
from apg_engine.config import ModelSpec, config_from_dict
from apg_engine.errors import ConfigError
from apg_engine.models import auditor_build

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
NLI_FOLDER = SHARED / "models" / "nli_minilm_int8"
_HELP = (
    "ladder, nli, ladder+nli (the model as one more veto), or a JSON file with an auditor as in "
    "the gate's configuration"
)


def judge_options(parser: argparse.ArgumentParser, *, default: str) -> None:
    """Declare the options that name the auditor."""
    parser.add_argument("--auditor", default=default, metavar="NAME", help=f"{_HELP} ({default})")
    parser.add_argument(
        "--nli", type=Path, default=NLI_FOLDER, metavar="DIR", help="a local cross-encoder"
    )
    parser.add_argument("--thresholds", default="", metavar="FILE", help="its thresholds")


def judge_build(options: argparse.Namespace, *, name: str = "") -> Auditor:
    """Build the auditor the options name.

    Raises:
        EngineError: it cannot be built.
    """
    return auditor_build(_spec(name or options.auditor, options), environment=os.environ)


def _spec(name: str, options: argparse.Namespace) -> ModelSpec:
    if name == "ladder":
        return ModelSpec()
    local = ModelSpec(path=str(options.nli), thresholds=options.thresholds)
    if name == "ladder+nli":
        return local
    if name == "nli":
        return replace(local, kind="nli")
    path = Path(name)
    if not path.is_file():
        raise ConfigError("--auditor", "name", repr(name), _HELP)
    return config_from_dict({"auditor": json.loads(path.read_text("utf-8"))}).auditor
