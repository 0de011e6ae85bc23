#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import io
import os
import signal
import sys


def main() -> None:
    """Run one management command."""
    # Texts are in any alphabet, whatever the system's own encoding is.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    from tools.demo import demo_adopt

    if demo_adopt(os.environ):
        sys.stderr.write("manage.py: no settings are named here, so this is about the demo\n")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studyapp.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["demo"]:
        # Until it listens itself there is nothing to clean up, and Django takes a second to import.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # `make demo` holds Ctrl-C back while one Python follows the other.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        main()
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        sys.exit(130)
