"""`python -m analysis report|consistency|power`; `analysis/ttest.py` is the short way in."""

from __future__ import annotations

import io
import os
import sys

if __name__ == "__main__":
    # Tables of a few hundred rows: threads on every processor would wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from analysis.commands import run

    # Texts are in any alphabet, whatever the system's own encoding is.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.exit(run(sys.argv[1:]))
