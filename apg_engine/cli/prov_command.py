"""`prov`: the history of a finished run in W3C PROV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.status import ExitStatus
from apg_engine.disk import file_write
from apg_engine.provenance.history import PROV_JSON, PROV_N, prov_files
from apg_engine.provenance.verification import run_load, run_verify

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

_FORMATS = {"json": PROV_JSON, "provn": PROV_N}


def prov_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("prov", help="export a finished run's history as W3C PROV")
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder `gate` wrote")
    parser.add_argument("--format", choices=tuple(_FORMATS), default="json")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write here, not to the terminal")


def prov_run(options: argparse.Namespace) -> ExitStatus:
    """Verify the run, then export it; the run's folder is left as it is.

    Raises:
        InputError: there is no finished run, or it does not hold.
        ModelSetupError: the package prov is not installed.
    """
    run = run_load(options.run)
    engine = run_verify(options.run).engine
    files = prov_files(run.trace, run.result, run.records, engine=engine)
    data = files[_FORMATS[options.format]]
    if options.out is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        file_write(options.out, data)
    return ExitStatus.PUBLISHED
