"""Houses for the flows: each flow runs on the embedded default and on PostgreSQL with Redis."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.house import House, house_environment, house_on_servers


@pytest.fixture(scope="session")
def embedded_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a house on the embedded default, to be copied."""
    folder = tmp_path_factory.mktemp("embedded")
    _install(House(folder, house_environment(folder)))
    return folder


@pytest.fixture(scope="session")
def servers_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return a house on PostgreSQL and Redis whose folder and database are to be copied."""
    folder = tmp_path_factory.mktemp("servers")
    environment, remove = house_on_servers(folder)
    try:
        house = House(folder, environment)
        _install(house)
        yield house
    finally:
        remove()


@pytest.fixture(params=["embedded", "servers"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """An installed house without processes: migrated, static files collected."""
    if request.param == "servers":
        installed: House = request.getfixturevalue("servers_house")
        source = installed.folder
        # The queue has the name of the database.
        template = installed.environment["CELERY_QUEUE"]
        environment, remove = house_on_servers(tmp_path, template=template)
    else:
        source = request.getfixturevalue("embedded_house")
        environment, remove = house_environment(tmp_path), lambda: None
    shutil.copytree(source, tmp_path, dirs_exist_ok=True)
    house = House(tmp_path, environment)
    try:
        yield house
    finally:
        house.close()
        remove()


def _install(house: House) -> None:
    house.manage("migrate", "--no-input", "-v", "0")
    house.manage("collectstatic", "--no-input", "-v", "0")
