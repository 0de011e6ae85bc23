"""`python -m analysis report|consistency|power`; `analysis/ttest.py` is the short way in."""

from __future__ import annotations

import sys

from analysis.commands import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
