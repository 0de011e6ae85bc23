"""What is kept of a browser's own words: a class of devices, and nothing else."""

from __future__ import annotations

import pytest

from studyapp.domain.devices import device_class

AGENTS = {
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1": "phone",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/120.0 Mobile Safari/537.36": "phone",
    "Mozilla/5.0 (Linux; Android 14; SM-X710) Chrome/120.0 Safari/537.36": "tablet",
    "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) Mobile/15E148 Safari/604.1": "tablet",
    "Mozilla/5.0 (Android 13; Tablet; rv:120.0) Gecko/120.0 Firefox/120.0": "tablet",
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0": "desktop",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0 Safari/537.36": "desktop",
    "": "",
    "  ": "",
}


@pytest.mark.parametrize(("agent", "expected"), AGENTS.items())
def test_a_browser_is_of_one_class(agent: str, expected: str) -> None:
    assert device_class(agent) == expected
