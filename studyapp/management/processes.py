"""How the site's processes are started: the web server, a worker, and beat where it is used."""

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


def beat_command(*, schedule: str) -> list[str]:
    """Return the command of the one clock that asks for sweeps where SWEEP_BY is beat."""
    return [sys.executable, "-m", "celery", "-A", "studyapp", "beat", "--schedule", schedule]
