"""What a test run needs before Django's settings are read: a plugin that pytest loads first.

It names the environment of the tests, starts private servers for what the environment does not
name, and stops them at the end. With xdist only the controlling process does so.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass, field

import pytest

from tests.private_servers import (
    Server,
    ServerError,
    Slot,
    postgres_start,
    redis_start,
    slot_take,
)

_LEFT_OUT_WHY = "needs "


@dataclass(slots=True)
class Bootstrap:
    """What this run has started."""

    slot: Slot | None = None
    servers: list[Server] = field(default_factory=list)

    def start(self) -> None:
        """Set the environment, starting a server for each address that is not set."""
        self.slot = slot_take()
        os.environ["VAR_DIR"] = str(self.slot.var)
        os.environ["INSECURE_HTTP"] = "1"
        os.environ["SECRET_KEY"] = "only-tests-use-this-key" * 3
        os.environ["ALLOWED_HOSTS"] = "testserver,localhost,127.0.0.1"
        for name, start in (("DATABASE_URL", postgres_start), ("CELERY_BROKER_URL", redis_start)):
            if not os.environ.get(name):
                server = start(self.slot)
                self.servers.append(server)
                os.environ[name] = server.url

    def stop(self) -> None:
        """Stop what was started, and give the slot back."""
        for server in reversed(self.servers):
            server.stop()
        self.servers.clear()
        if self.slot is not None:
            self.slot.lock.close()


_bootstrap = Bootstrap()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Start before pytest-django reads the settings: wrappers run before the plain hooks."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        try:
            _bootstrap.start()
        except ServerError as error:
            raise pytest.UsageError(str(error)) from error
    yield


def pytest_unconfigure() -> None:
    """Stop what was started."""
    _bootstrap.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test be left out only for a named need, and not at all where all is required."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        why = why.removeprefix("Skipped: ")
        if os.environ.get("APG_REQUIRE_ALL"):
            _fail(report, f"left out, and APG_REQUIRE_ALL is set: {why}")
        elif not why.startswith(_LEFT_OUT_WHY):
            _fail(report, f"a test may be left out only with a reason 'needs ...': {why}")
    return report


def _fail(report: pytest.TestReport, why: str) -> None:
    report.outcome = "failed"
    report.longrepr = why
