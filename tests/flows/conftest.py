"""Houses for the flows: each flow runs on the embedded default and on PostgreSQL with Redis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.house import House, house_environment, house_on_servers


@pytest.fixture(params=["embedded", "servers"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """An installed house without processes: migrated, static files collected."""
    if request.param == "servers":
        environment, remove = house_on_servers(tmp_path)
    else:
        environment, remove = house_environment(tmp_path), lambda: None
    house = House(tmp_path, environment)
    try:
        house.manage("migrate", "--no-input", "-v", "0")
        house.manage("collectstatic", "--no-input", "-v", "0")
        yield house
    finally:
        house.close()
        remove()
