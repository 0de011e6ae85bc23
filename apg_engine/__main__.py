"""`python -m apg_engine`: the engine from a shell."""

from __future__ import annotations

import os
import sys

from apg_engine.cli.parser import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], environment=os.environ))
