"""How gunicorn serves the site: for the demo, in containers and in tests."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path
from typing import Any

bind = os.environ.get("WEB_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# More threads would wait for each other's turn at the interpreter more than for the database.
threads = int(os.environ.get("WEB_THREADS", "4"))
timeout = 60
graceful_timeout = 5
# No access log: a participant's personal link stands in the path. Where a request breaks, gunicorn
# names it too, so its own lines pass through the site's formatter.
accesslog = None
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "studyapp.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"gunicorn.error": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
}
# gunicorn 27 would open a control socket in the home folder.
control_socket_disable = True
# Its heartbeat file on a disk can stall a worker.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# Each process counts into files that whoever answers /metrics adds up; counts begin anew here.
if os.environ.get("METRICS_TOKEN"):
    _counts = Path(os.environ.get("VAR_DIR") or Path(__file__).parent / "var") / "metrics"
    shutil.rmtree(_counts, ignore_errors=True)
    _counts.mkdir(parents=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_counts)


def post_worker_init(_worker: Any) -> None:
    """Leave what the site consists of out of every garbage collection, and collect less often.

    A page makes some ten thousand short-lived objects; at Python's own threshold each request is
    stopped several times to look through the whole site for none of them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
