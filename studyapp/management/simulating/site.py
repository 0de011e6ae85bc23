"""A web server of this site for the time of a run, on a free port, with this database."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from studyapp.management.processes import web_command
from tools.health import healthy
from tools.supervisor import Supervisor

_START_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.1
_STOP_SECONDS: Final = 10.0
_HOST: Final = "127.0.0.1"


class SiteError(Exception):
    """The web server did not start; the message holds its last words."""


@contextmanager
def site_running() -> Iterator[str]:
    """Start a web server and yield its address; it ends with the block.

    Raises:
        SiteError: it ended, or did not answer in time.
    """
    port = port_free()
    url = f"http://{_HOST}:{port}"
    # Plain HTTP on loopback: cookies marked as secure would not come back.
    environment = {
        **os.environ,
        "WEB_BIND": f"{_HOST}:{port}",
        "INSECURE_HTTP": "1",
        "ALLOWED_HOSTS": _HOST,
    }
    supervisor = Supervisor()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "web.log"
        try:
            child = supervisor.start("web", web_command(), log=log, environment=environment)
            deadline = time.monotonic() + _START_SECONDS
            while not healthy(f"{url}/healthz"):
                if supervisor.ended() is not None or time.monotonic() > deadline:
                    raise SiteError(f"the web server did not start: {child.log_end()}")
                time.sleep(_POLL_SECONDS)
            yield url
        finally:
            supervisor.stop(patience=_STOP_SECONDS, hurry=lambda: False)


def port_free() -> int:
    """Return a port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])
