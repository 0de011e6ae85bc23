"""Run the demo on this machine: one worker, one web server, one study, until Ctrl-C."""

from __future__ import annotations

import logging
import os
import shlex
import signal
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.errors import StudyAppError
from studyapp.logs import JsonFormatter
from studyapp.management.demo_debate import SLUG, debate_ask, debate_shown
from studyapp.management.demo_place import HOST, only_one, port_read
from studyapp.management.demo_study import (
    ACCOUNT,
    DemoError,
    DemoStudy,
    account_ensure,
    demo_load,
    demo_open,
    texts_progress,
    texts_request,
)
from studyapp.management.processes import web_command, worker_command
from studyapp.selectors.cohorts import cohorts_list
from studyapp.selectors.study import StudyPage
from tools.demo import secret_read
from tools.health import healthy
from tools.progress import Progress
from tools.supervisor import Supervisor

_WEB_SECONDS = 60
_TEXTS_SECONDS = 300
_STOP_SECONDS = 10.0
_POLL_SECONDS = 0.2


class StoppedError(Exception):
    """Somebody asked the demo to stop."""


class Command(BaseCommand):
    """Everything a newcomer needs to see the whole arrow, from debates to answers."""

    help = "Run the demo study on this machine; `make demo` starts it with all it needs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the port."""
        parser.add_argument("--port", default="8000")

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, print the links, and stay until a signal or the end of a process."""
        if not settings.DEMO:
            raise CommandError("start the demo by `make demo`: it keeps a database of its own")
        try:
            port = port_read(options["port"])
            with only_one(port):
                Demo(port=port).run()
        except StudyAppError as error:
            sys.stderr.write(f"\nmake demo: {error}\n")
            sys.exit(2)


class Demo:
    """One run of the demo."""

    def __init__(self, *, port: int) -> None:
        self._port = port
        self._url = f"http://{HOST}:{port}"
        self._var = Path(settings.VAR_DIR)
        self._progress = Progress()
        self._supervisor = Supervisor()
        self._signals = 0

    def run(self) -> None:
        """Start everything, print the links, wait for the end, stop everything."""
        self._log_to_file()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            self._progress.line()
            demo, password = self._study_prepare()
            self._processes_start()
            debate_ask(owner=demo.owner)
            self._texts_generate(demo)
            self._debate_hold(demo)
            self._links_print(demo_open(demo), password)
            self._wait(lambda: False, seconds=None)
        except StoppedError:
            return
        finally:
            self._stop()

    def _log_to_file(self) -> None:
        """Keep the terminal for the steps and the links."""
        path = self._var / "log" / "demo.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        file = logging.FileHandler(path)
        root = logging.getLogger()
        file.setFormatter(JsonFormatter())
        root.handlers = [file]

    def _study_prepare(self) -> tuple[DemoStudy, str]:
        with self._progress.step("Database") as step:
            step.note = _shown(self._var / "db.sqlite3")
            call_command("migrate", verbosity=0, interactive=False)
        self._stop_check()
        with self._progress.step("Static files"):
            call_command("collectstatic", verbosity=0, interactive=False)
        self._stop_check()
        password = secret_read(self._var / "demo" / "password", length=12)
        with self._progress.step("Demo study") as step:
            demo = demo_load(owner=account_ensure(password=password))
            step.note = f"{len(demo.page().scenarios)} debates"
        self._stop_check()
        return demo, password

    def _processes_start(self) -> None:
        environment = {
            **os.environ,
            "WEB_BIND": f"{HOST}:{self._port}",
            "WEB_CONCURRENCY": "1",
            "PYTHONUNBUFFERED": "1",
            # A worker that runs as root in a container warns; its log is not read for that.
            "PYTHONWARNINGS": "ignore",
        }
        log = self._var / "log"
        with self._progress.step("Worker"):
            # Killed at once with us: the database is the queue of record, nothing is lost.
            self._supervisor.start(
                "worker",
                worker_command(name="demo@localhost"),
                log=log / "worker.log",
                environment=environment,
                death=signal.SIGKILL,
            )
        with self._progress.step("Web server") as step:
            self._supervisor.start(
                "web server", web_command(), log=log / "web.log", environment=environment
            )
            step.note = self._url
            self._wait(lambda: healthy(f"{self._url}/healthz"), seconds=_WEB_SECONDS)

    def _texts_generate(self, demo: DemoStudy) -> None:
        with self._progress.step("Both texts") as step:

            def done() -> bool:
                progress = texts_progress(demo)
                step.note = progress.words
                return progress.done

            texts_request(demo)
            self._wait(done, seconds=_TEXTS_SECONDS)

    def _debate_hold(self, demo: DemoStudy) -> None:
        with self._progress.step("A debate held here") as step:

            def done() -> bool:
                row = debate_shown(owner=demo.owner)
                step.note = f"{row.about}, {row.state}" if row else "put away"
                return row is None or not row.is_live

            self._wait(done, seconds=_TEXTS_SECONDS)

    def _links_print(self, page: StudyPage, password: str) -> None:
        cohort = cohorts_list(page.id, now=timezone.now())[0]
        activate = Path(sys.prefix) / "bin" / "activate"
        lines = _LINKS.format(
            state=page.state,
            take_part=f"{self._url}/s/{cohort.token}/",
            researcher=f"{self._url}/studies/{page.slug}/",
            debate=f"{self._url}/studies/{SLUG}/",
            account=ACCOUNT,
            password=password,
            models=", ".join(page.offline_models),
            folder=shlex.quote(str(settings.BASE_DIR)),
            activate=shlex.quote(_shown(activate)),
            manage=self._manage(),
            slug=page.slug,
            log=_shown(self._var / "log"),
        )
        self._progress.line(lines)

    def _manage(self) -> str:
        """Return how a shell calls manage.py about this demo."""
        if self._var.resolve() == (settings.BASE_DIR / "var").resolve():
            return "python manage.py"
        return f"VAR_DIR={shlex.quote(str(self._var))} python manage.py"

    def _wait(self, ready: Any, *, seconds: float | None) -> None:
        """Wait until `ready()`, for at most `seconds`.

        Raises:
            StoppedError: a signal came.
            DemoError: a process of ours has ended, or the time is over.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not ready():
            self._stop_check()
            ended = self._supervisor.ended()
            if ended is not None:
                raise DemoError(
                    f"the {ended.name} has ended: {ended.last_words()}\n"
                    f"All of it: {_shown(ended.log)}. Another make demo goes on from here."
                )
            if deadline is not None and time.monotonic() > deadline:
                log = _shown(self._var / "log")
                raise DemoError(f"nothing came of it in {seconds:.0f} s; see the logs in {log}")
            time.sleep(_POLL_SECONDS)

    def _stop(self) -> None:
        if not self._supervisor.children:
            return
        before = self._signals
        with self._progress.step("Stopping"):
            self._supervisor.stop(patience=_STOP_SECONDS, hurry=lambda: self._signals > before)

    def _stop_check(self) -> None:
        if self._signals:
            raise StoppedError

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1


def _shown(path: Path) -> str:
    base = settings.BASE_DIR
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)


_LINKS = """
  The demo study is {state}. It is a conceptual replication; its answers are test data.

  Take part     {take_part}
  Researcher    {researcher}
                name {account}, password {password}
  Debate        {debate}
                a draft with a debate that was held here; try another claim or scenario

  The debates were written for this demo, or held here by rules. The texts were written
  and checked by rules on this machine, not by a language model ({models}).
  They show how the gate works, not how well a model writes.

  Next: take part once, look at the researcher's page, then in a second terminal

    cd {folder}
    source {activate}
    python analysis/ttest.py                                  # the published study
    python -m apg_engine debate committee --seed 106 --out var/debate   # one that ends in a plan
    {manage} export_study {slug} --out demo.zip        # the answers given here
    python analysis/ttest.py demo.zip                         # what they say

  Logs: {log}. Ctrl-C stops everything; the next make demo goes on from here.
"""
