"""An empty database for one measurement, on the tests' private server."""

from __future__ import annotations

from typing import Final

import psycopg

from tests.private_servers import Server

_NAME: Final = "measured"


def database_new(server: Server) -> str:
    """Return a new database's address; what the last measurement left goes.

    The server keeps its files, and is the next run's, so nothing may pile up there.
    """
    address = server.url.replace("postgres://", "postgresql://", 1)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {_NAME}")
        connection.execute(f"CREATE DATABASE {_NAME}")
    return server.url.replace("/postgres?", f"/{_NAME}?")
