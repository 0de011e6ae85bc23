"""The clock."""

from __future__ import annotations

import pytest

from tests.apg_engine.llm.asking import Time


@pytest.fixture
def time() -> Time:
    return Time()
