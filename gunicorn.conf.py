"""How gunicorn serves the site: for the demo, in containers and in tests."""

from __future__ import annotations

import os
from pathlib import Path

bind = os.environ.get("WEB_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
timeout = 60
graceful_timeout = 5
# No access log: a participant's personal link stands in the path.
accesslog = None
# gunicorn 27 would open a control socket in the home folder.
control_socket_disable = True
# Its heartbeat file on a disk can stall a worker.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
