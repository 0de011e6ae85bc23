"""`python -m apg_engine`: the engine from a shell."""

from __future__ import annotations

import gc
import io
import os
import sys

from apg_engine.cli.parser import main

# The records of a run live to its end; looking through them again and again took a sixth of the
# time of a large trace.
_ALLOCATIONS = 50_000

if __name__ == "__main__":
    # Texts are in any alphabet, whatever the system's own encoding is.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    gc.set_threshold(_ALLOCATIONS)
    sys.exit(main(sys.argv[1:], environment=os.environ))
