"""Which command was asked for, and how its errors reach a person: one line, no traceback."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from apg_engine.cli.annotate_command import annotate_add, annotate_run
from apg_engine.cli.audit_command import audit_add, audit_run
from apg_engine.cli.batch_command import batch_add, batch_main
from apg_engine.cli.debate_command import debate_add, debate_run
from apg_engine.cli.evaluate_command import evaluate_add, evaluate_run
from apg_engine.cli.gate_command import gate_add, gate_run
from apg_engine.cli.import_command import import_add, import_run
from apg_engine.cli.index_command import index_add, index_run
from apg_engine.cli.probe_command import probe_add, probe_run
from apg_engine.cli.prov_command import prov_add, prov_run
from apg_engine.cli.report_command import report_add, report_run
from apg_engine.cli.status import ExitStatus
from apg_engine.cli.verify_command import verify_add, verify_run
from apg_engine.errors import EngineError
from apg_engine.spending.budget import BudgetSpentError

Command = Callable[[argparse.Namespace, Mapping[str, str]], ExitStatus]
_COMMANDS: dict[str, Command] = {
    "annotate": annotate_run,
    "audit": audit_run,
    "batch": batch_main,
    "debate": debate_run,
    "evaluate": evaluate_run,
    "gate": gate_run,
    "import": lambda options, _: import_run(options),
    "index": lambda options, _: index_run(options),
    "probe": probe_run,
    "prov": lambda options, _: prov_run(options),
    "report": lambda options, _: report_run(options),
    "verify": lambda options, _: verify_run(options),
}


def main(arguments: Sequence[str], *, environment: Mapping[str, str]) -> int:
    """Run one command.

    Args:
        arguments: what stands behind the program's name.
        environment: where keys are read from.

    Returns:
        0 published, 3 divergence, 2 bad input, 4 not judged.
    """
    options = _parser().parse_args(arguments)
    try:
        return _flushed(_COMMANDS[options.command](options, environment))
    except BrokenPipeError:
        _output_close()
        return ExitStatus.OUTPUT_CLOSED
    except OSError as error:
        if error.filename is None:
            _output_close()
        _complain(f"{error.filename or 'output'}: {error.strerror or error}")
    except BudgetSpentError as error:
        _complain(str(error))
        return ExitStatus.NOT_JUDGED
    except EngineError as error:
        _complain(str(error))
    except KeyboardInterrupt:
        _complain("interrupted; the same command goes on where it stopped")
        return ExitStatus.INTERRUPTED
    return ExitStatus.BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m apg_engine",
        description="Turn a recorded debate into a verified synthesis or a Divergence Report.",
        epilog="Exit status: 0 published, 3 divergence, 2 bad input, 4 not judged.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    gate_add(commands)
    audit_add(commands)
    batch_add(commands)
    debate_add(commands)
    evaluate_add(commands)
    annotate_add(commands)
    import_add(commands)
    verify_add(commands)
    report_add(commands)
    prov_add(commands)
    index_add(commands)
    probe_add(commands)
    return parser


def _flushed(status: ExitStatus) -> ExitStatus:
    """Find out here, and not when Python ends, whether the output took everything."""
    sys.stdout.flush()
    return status


def _output_close() -> None:
    """Let nothing more be written to an output that takes none, not even by Python at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _complain(message: str) -> None:
    line = " ".join(message.split())
    sys.stderr.write(f"error: {line}\n")
