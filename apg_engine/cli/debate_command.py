"""`debate`: hold a debate that ends in the gate, or run one again with something taken out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.debate_committee import committee_add, committee_fork_run, committee_main
from apg_engine.cli.debate_courtroom import courtroom_add, courtroom_fork_run, courtroom_main
from apg_engine.cli.debate_drill import DRILL, DRILL_PARTS, drill_add, drill_main
from apg_engine.cli.status import ExitStatus
from apg_engine.debates.ended_debate import system_of
from apg_engine.debates.records import Withheld
from apg_engine.errors import InputError

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

System = Callable[[argparse.Namespace, Mapping[str, str]], ExitStatus]
Fork = Callable[[argparse.Namespace, Withheld, Mapping[str, str]], ExitStatus]
_SYSTEMS: dict[str, System] = {
    "committee": committee_main,
    "courtroom": courtroom_main,
    "drill": drill_main,
}
_FORKS: dict[str, Fork] = {"committee": committee_fork_run, "courtroom": courtroom_fork_run}


def debate_add(commands: Commands) -> None:
    """Declare the command and what stands behind it."""
    parser = commands.add_parser("debate", help="hold a debate and gate its trace")
    kinds = parser.add_subparsers(dest="system", required=True, metavar="SYSTEM")
    committee_add(kinds)
    courtroom_add(kinds)
    drill_add(kinds)
    _fork_add(kinds)


def debate_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Hold a debate, or fork one.

    Raises:
        EngineError: bad input; nothing is written before it is checked.
    """
    if options.system == "fork":
        return _fork(options, environment)
    return _SYSTEMS[options.system](options, environment)


def _fork_add(kinds: Commands) -> None:
    parser = kinds.add_parser("fork", help="run a debate again without something it was shown")
    parser.add_argument("source", type=Path, metavar="DIR", help="folder of an ended debate")
    parser.add_argument(
        "--without",
        action="append",
        required=True,
        metavar="ID",
        help="a turn (T3), a shock (S1), or the id of an axiom or exhibit; may stand again",
    )
    parser.add_argument("--embedder", type=Path, metavar="DIR", help="of a trial's index")
    parser.add_argument("--row", type=int, metavar="N", help="first journal row to make anew")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices of your own")
    parser.add_argument("--json", action="store_true", help="print the influence as JSON")


def _fork(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    if (options.source / DRILL).exists():
        parts = ", ".join(str(options.source / name) for name in DRILL_PARTS)
        raise InputError(str(options.source), "fork", "a drill, which is two trials", parts)
    system = system_of(options.source)
    if system not in _FORKS:
        known = ", ".join(_FORKS)
        raise InputError(str(options.source), "system", repr(system), known)
    if not options.json:
        sys.stderr.write(f"fork of a {system} debate without {', '.join(options.without)}\n")
    return _FORKS[system](options, Withheld(frozenset(options.without)), environment)
