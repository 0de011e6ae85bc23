"""The package's door: every public name opens, and nothing heavy stands behind it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import apg_engine

_LOADED = "import sys, apg_engine; print(*sorted(sys.modules))"


@pytest.mark.parametrize("name", apg_engine.__all__)
def test_every_public_name_opens(name: str) -> None:
    assert getattr(apg_engine, name).__name__ == name


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = apg_engine.nothing_like_it


def test_the_import_pulls_in_nothing_heavy() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )

    loaded = set(told.stdout.split())
    assert not loaded & {"openai", "httpx2", "numpy", "django", "apg_engine.machine", "tenacity"}
