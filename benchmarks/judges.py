"""The auditors a benchmark can be asked to measure."""

from __future__ import annotations

import argparse

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.protocol import Auditor


def judge_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that name the auditor."""
    parser.add_argument("--auditor", choices=("ladder",), default="ladder")


def judge_build(options: argparse.Namespace) -> Auditor:  # noqa: ARG001
    """Build the auditor the options name."""
    return LadderAuditor()
