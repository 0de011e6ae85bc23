"""A receiver of webhooks that takes its time: never silent for long, and never at an end."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Self

_PAUSE: Final = 0.02
_LEFT_SECONDS: Final = 10.0


def _reads_slowly() -> Iterator[bytes]:
    return itertools.repeat(b"")


def _heads_without_end() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    for number in itertools.count():
        yield b"x-%d: y\r\n" % number if number < 50 else b"z"


def _status_without_end() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 "
    yield from itertools.repeat(b"O")


def _continues() -> Iterator[bytes]:
    return itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n")


def _handshake() -> Iterator[bytes]:
    # A TLS record of a server's hello that is announced as long, and comes a byte at a time.
    yield b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb"
    yield from itertools.repeat(b"\x03")


_WAYS: Final[Mapping[str, Callable[[], Iterator[bytes]]]] = {
    "request": _reads_slowly,
    "status": _status_without_end,
    "headers": _heads_without_end,
    "continue": _continues,
    "handshake": _handshake,
}
WAYS: Final = tuple(_WAYS)


class SlowReceiver:
    """Answers one connection in one of WAYS until the other side leaves."""

    def __init__(self, way: str) -> None:
        self._way = way
        self._left = threading.Event()

    def __enter__(self) -> Self:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._thread.join()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.getsockname()[1])

    def was_left(self) -> bool:
        """Wait until the other side has gone, and tell whether it has."""
        return self._left.wait(_LEFT_SECONDS)

    def _serve(self) -> None:
        connection, _ = self._server.accept()
        with connection:
            gone = select.poll()
            gone.register(connection, select.POLLRDHUP)
            for piece in _WAYS[self._way]():
                if gone.poll(1000 * _PAUSE):
                    self._left.set()
                    return
                self._step(connection, piece)

    def _step(self, connection: socket.socket, piece: bytes) -> None:
        # Who goes in the middle is noticed at the next look.
        with contextlib.suppress(OSError):
            connection.sendall(piece) if piece else connection.recv(65_536)
