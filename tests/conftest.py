"""Fixtures for every test: what a test may need that not every machine has."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """Hear interrupts: a run in the background ignores them, and so would what tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Collect the static files once, as a deployment does, so that a missing one fails a test."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        call_command("collectstatic", verbosity=0, interactive=False)


@pytest.fixture(autouse=True, scope="session")
def _static_files_listed_once() -> Iterator[None]:
    """Every new client builds WhiteNoise anew, which looks at each static file: look once."""
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    look = WhiteNoiseMiddleware.update_files_dictionary

    def listed(self: Any, root: str, prefix: str) -> None:
        key = (root, prefix, self.max_age)
        if key not in known:
            look(self, root, prefix)
            known[key] = dict(self.files)
        self.files.update(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "update_files_dictionary", listed)
        yield


@pytest.fixture(autouse=True)
def _no_language_left() -> Iterator[None]:
    """A page sets the language of its thread; the next test is in a thread of nobody's."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of the papers' data that maintainers keep beside the checkout."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs ../shared: the maintainers' copy of the papers' data, not distributed")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of a Chromium."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    pytest.skip("needs chromium: install it (Debian: apt-get install chromium)")
