"""Start a tool so that Ctrl-C is answered by one calm line from the first moment.

    python tools/start.py tools/demo.py demo --port 8000

A Python that is importing answers Ctrl-C with a traceback. Here it ends at once, and `make` says
that it was interrupted, until the tool listens itself.
"""

from __future__ import annotations

import signal


def main() -> None:
    """Become the script that the first argument names."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    import runpy
    import sys

    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
