"""The embedded message broker: kombu's filesystem transport with messages that appear whole.

kombu 5.7 writes a message under its final name, so a worker can read half of it: one message in
thousands is lost, and an empty file ends the worker. Here a file is written under another name,
flushed to disk and renamed into place, and the table of bindings likewise.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

_MESSAGE = ".msg"


class Channel(filesystem.Channel):
    """A channel whose files are written once, whole, and taken by one reader."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for folder in (self.data_folder_in, self.data_folder_out, self.processed_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)
        self.control_folder.mkdir(parents=True, exist_ok=True)

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override] # noqa: ARG002
        # Wall clock, not kombu's monotonic one: the order must survive a restart of the machine.
        name = f"{time.time_ns():020d}_{uuid.uuid4()}.{queue}{_MESSAGE}"
        _write_whole(Path(self.data_folder_out) / name, dumps(payload))

    def _get(self, queue: str) -> Any:  # type: ignore[override] # its bases disagree
        for path in sorted(Path(self.data_folder_in).iterdir()):
            if path.name.partition(".")[2] != f"{queue}{_MESSAGE}":
                continue
            payload = self._take(path)
            if payload is not None:
                return payload
        raise Empty

    def _take(self, path: Path) -> Any | None:
        taken = Path(self.processed_folder) / path.name
        try:
            path.rename(taken)
        except FileNotFoundError:
            return None  # another worker was faster
        try:
            payload = loads(taken.read_text(encoding="utf-8"))
        except ValueError:
            # Set aside, not fatal: the database is the queue of record and its sweep sends anew.
            logger.exception("message %s cannot be read and was set aside", path.name)
            return None
        taken.unlink()
        return payload

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None
    ) -> None:
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        file = self._exchange_file(exchange)  # type: ignore[attr-defined] # newer than its stubs
        with _locked(file.with_suffix(".lock")):
            table = self.get_table(exchange)
            if binding not in table:
                _write_whole(file, dumps([binding, *table]))


class Transport(filesystem.Transport):
    """kombu's filesystem transport over `Channel`."""

    Channel = Channel


def broker_register() -> None:
    """Make `filesystem://` mean this transport in this process."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"


def broker_options(folder: Path) -> dict[str, object]:
    """Return Celery's transport options for a broker that keeps its files under `folder`."""
    return {
        # One folder for both directions, so that the site and its workers share it.
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "processed_folder": str(folder / "taken"),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.2,
    }


def _write_whole(path: Path, text: str) -> None:
    part = path.with_name(f".{uuid.uuid4()}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
