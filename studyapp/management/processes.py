"""How the site's two processes are started: the web server and a worker."""

from __future__ import annotations

import sys

# The worker hears of work through the broker alone; gossip between workers would only poll it.
_QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")


def web_command() -> list[str]:
    """Return the command of the web server; gunicorn.conf.py reads where it listens."""
    return [sys.executable, "-m", "gunicorn", "studyapp.wsgi"]


def worker_command(*, name: str) -> list[str]:
    """Return the command of a worker called `name`."""
    return [sys.executable, "-m", "celery", "-A", "studyapp", "worker", *_QUIET, "-n", name]
