"""A house: one running installation of the site, with a database, a broker, a worker and a server.

Everything in it is a process of its own, started as a deployment starts it and spoken to from
outside: by command, by HTTP, by signal.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import urlsplit, urlunsplit

import environ
import psycopg
import pytest

from studyapp.management.processes import beat_command, web_command, worker_command
from tools.health import healthy
from tools.supervisor import Child, Supervisor

ROOT = Path(__file__).resolve().parents[2]
DEMO_STUDY = ROOT / "fixtures" / "demo_study.json"
_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.1


@dataclass
class House:
    """A running installation; `environment` is what all its processes see."""

    folder: Path
    environment: dict[str, str]
    supervisor: Supervisor = field(default_factory=Supervisor)
    url: str = ""

    def manage(self, *arguments: str, status: int = 0) -> str:
        """Run a management command that must end with `status`; return all it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Look into the database from outside."""
        if "DATABASE_URL" in self.environment:
            with _connect(self.environment["DATABASE_URL"]) as connection:
                return connection.execute(query).fetchall()
        with closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=20)) as connection:
            return connection.execute(query).fetchall()

    def worker_start(self, name: str = "one") -> Child:
        """Start a worker."""
        log = self.folder / f"worker-{name}.log"
        return self.supervisor.start(
            "worker",
            worker_command(name=f"{name}@localhost"),
            log=log,
            environment=self.environment,
            death=signal.SIGKILL,
        )

    def worker_stop(self, worker: Child) -> None:
        """Kill a worker, without a word."""
        worker.send(signal.SIGKILL)
        worker.process.wait()
        self.supervisor.children.remove(worker)

    def beat_start(self) -> Child:
        """Start the clock that asks for sweeps; the environment says SWEEP_BY=beat."""
        command = beat_command(schedule=str(self.folder / "beat-schedule"))
        log = self.folder / "beat.log"
        return self.supervisor.start("beat", command, log=log, environment=self.environment)

    def web_start(self) -> str:
        """Start the web server; return its address."""
        port = port_free()
        self.url = f"http://127.0.0.1:{port}"
        environment = {**self.environment, "WEB_BIND": f"127.0.0.1:{port}"}
        log = self.folder / "web.log"
        self.supervisor.start("web", web_command(), log=log, environment=environment)
        self.wait(lambda: healthy(f"{self.url}/healthz"))
        return self.url

    def wait(self, true: Callable[[], bool]) -> None:
        """Wait until something is true, as long as no process of the house has ended."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not true():
            ended = self.supervisor.ended()
            assert ended is None, f"the {ended.name} has ended:\n{ended.log_end(40)}"
            assert time.monotonic() < deadline, f"it never came true; logs are in {self.folder}"
            time.sleep(_POLL_SECONDS)

    def study_generate(self, *arguments: str) -> None:
        """Load the demo study and have its texts written by the worker."""
        self.manage("load_study", str(DEMO_STUDY))
        self.manage("generate_texts", "demo", *arguments)
        unwritten = "SELECT count(*) FROM studyapp_scenario WHERE pair_id IS NULL"
        self.wait(lambda: self.rows(unwritten) == [(0,)])

    def study_open(self) -> str:
        """Open the demo study; return the path of its link."""
        code = (
            "from django.utils import timezone; from studyapp.models import Study; "
            "from studyapp.services.study import study_open; "
            "study_open(study_id=Study.objects.get(slug='demo').pk, actor_id=None, "
            "now=timezone.now())"
        )
        self.manage("shell", "--no-imports", "-v", "0", "-c", code)
        ((token,),) = self.rows("SELECT token FROM studyapp_cohort")
        return f"/s/{token}/"

    def close(self) -> None:
        """End every process."""
        self.supervisor.stop(patience=10, hurry=lambda: False)


def house_environment(folder: Path) -> dict[str, str]:
    """Return the variables of a house on the embedded default: SQLite and the file broker."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SECRET_KEY": secrets.token_urlsafe(48),
        "INSECURE_HTTP": "1",
        "ALLOWED_HOSTS": "127.0.0.1",
        "VAR_DIR": str(folder),
        # Short, so that a killed worker's run is taken over soon.
        "RUN_LEASE_SECONDS": "2",
        "SWEEP_SECONDS": "1",
        "PYTHONWARNINGS": "ignore",
    }


def house_on_servers(
    folder: Path, *, template: str | None = None
) -> tuple[dict[str, str], Callable[[], None]]:
    """Return the variables of a house on PostgreSQL and Redis, and what removes its database.

    Its database is empty, or a copy of the one named by `template`, which nobody may be using.
    """
    address = os.environ["DATABASE_URL"]
    if not address.startswith(("postgres:", "postgresql:", "psql:", "pgsql:")):
        pytest.skip("needs PostgreSQL: DATABASE_URL names another database; unset it")
    name = f"flow_{secrets.token_hex(6)}"
    copied = f" TEMPLATE {template}" if template else ""
    _execute(address, f"CREATE DATABASE {name}{copied}")
    environment = {
        **house_environment(folder),
        "DATABASE_URL": urlunsplit(urlsplit(address)._replace(path=f"/{name}")),
        "CELERY_BROKER_URL": os.environ["CELERY_BROKER_URL"],
        "CELERY_QUEUE": name,
    }
    return environment, lambda: _execute(address, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(address: str, statement: LiteralString) -> None:
    with _connect(address) as connection:
        connection.execute(statement)


def _connect(address: str) -> psycopg.Connection:
    named = environ.Env.db_url_config(address)
    options = {
        "host": named["HOST"] or named.get("OPTIONS", {}).get("host"),
        "port": named["PORT"],
        "user": named["USER"],
        "password": named["PASSWORD"],
        "dbname": named["NAME"],
    }
    given = {key: value for key, value in options.items() if value}
    return psycopg.connect(**given, autocommit=True)


def port_free() -> int:
    """Return a port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
