"""Print the reproduction of the N=33 study, or the same rows for a study's export.

`python analysis/ttest.py` works from any directory; see `--help` for the rest. Nothing outside the
standard library is imported before it is known to be there.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "fixtures" / "n33"


def environment_problem() -> str:
    """Say in one line what this Python lacks and how to mend it; empty if nothing."""
    old = sys.version_info < (3, 11)
    missing = [name for name in ("numpy", "scipy") if find_spec(name) is None]
    if not old and not missing:
        return ""
    lack = "Python 3.11 or later" if old else " and ".join(missing)
    activate = ROOT / ".venv" / "bin" / "activate"
    first = "" if activate.exists() else "run `make demo` once to build it, then "
    return f"ttest.py needs {lack}: {first}activate the environment with `. {activate}`"


def main(arguments: list[str]) -> int:
    """Run the command; the exit status is 2 for bad input or a missing environment."""
    problem = environment_problem()
    if problem:
        sys.stderr.write(problem + "\n")
        return 2
    # Run as a script, Python looks in this folder first: its modules are not top-level names.
    sys.path[:] = [
        str(ROOT),
        *(p for p in sys.path if Path(p or ".").resolve() != ROOT / "analysis"),
    ]
    from analysis.reproduce import run

    return run(arguments, reference=REFERENCE)


if __name__ == "__main__":
    # A few hundred numbers: starting a thread on every processor would take longer than they do.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main(sys.argv[1:]))
