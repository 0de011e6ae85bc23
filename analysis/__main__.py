"""`python -m analysis report|consistency|power`; `analysis/ttest.py` is the short way in."""

from __future__ import annotations

import io
import sys

from analysis.commands import run

if __name__ == "__main__":
    # Texts are in any alphabet, whatever the system's own encoding is.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.exit(run(sys.argv[1:]))
