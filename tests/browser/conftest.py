"""A headless Chromium for the browser tests."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from pytest_django.live_server_helper import LiveServer

from studyapp import tasks
from tests.sample_study import SampleStudy, sample_study

SCREENSHOTS: Final = Path(__file__).resolve().parents[2] / "var" / "screenshots"
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PROFILES: Final[dict[str, dict[str, Any]]] = {
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 860}},
}
Visitor = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    # Playwright's loop runs in this thread, where Django would refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(_ARGUMENTS))
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """Serve the site on loopback as a deployment does, static files included; yield its address."""
    server = LiveServer("127.0.0.1", start=False)
    # pytest-django would serve static files from their sources, which have no hashed names.
    server.thread.static_handler = _as_deployed  # type: ignore[assignment] # stubs want a class
    server.start()
    yield server.url
    server.stop()
    _answers_end()


@pytest.fixture
def visitor(browser: Browser, site: str) -> Iterator[Visitor]:
    """Open a browser of a profile at the site; options are Playwright's."""
    contexts: list[BrowserContext] = []

    def open_context(profile: str = "desktop", **options: Any) -> BrowserContext:
        context = browser.new_context(
            base_url=site,
            # A colour caught in the middle of a transition is nobody's colour.
            reduced_motion="reduce",
            **{"locale": "en-GB", **PROFILES[profile], **options},
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        return context

    yield open_context
    for context in contexts:
        context.close()


def _answers_end() -> None:
    """Wait for what a page sent as it was closed: the tables are emptied next."""
    for _ in range(100):
        if not any("process_request_thread" in thread.name for thread in threading.enumerate()):
            return
        time.sleep(0.05)


def _as_deployed(application: Any) -> Any:
    """Put nothing in front of the site: WhiteNoise serves what collectstatic collected."""
    return application


@pytest.fixture
def study(transactional_db: None) -> SampleStudy:
    return sample_study()


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the runs for which a worker was to be woken, in place of a broker."""
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.run_execute, "delay_on_commit", lambda *, run_id: woken.append(run_id)
    )
    return woken
