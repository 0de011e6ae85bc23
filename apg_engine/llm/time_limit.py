"""An end to an exchange that a server draws out."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

import httpx2

_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")


class TimeLimit:
    """Cuts a client's connection when the time of an exchange is over.

    A client's own timeout is for a single read: a server that sends a byte now and then, in the
    headers or in the body of an error, never exceeds it.

    Attributes:
        has_cut: True if the last exchange was cut.
    """

    def __init__(self) -> None:
        self.has_cut = False
        self._is_over = False
        self._stream: Any = None

    def watch(self, request: httpx2.Request) -> None:
        """Be told of the connections a request opens; a hook of the client."""
        request.extensions["trace"] = self._note

    @contextmanager
    def of(self, seconds: float) -> Iterator[None]:
        """Give what is done inside so many seconds."""
        self.has_cut = self._is_over = False
        timer = Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _note(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_CONNECTED):
            self._stream = info["return_value"]
            if self._is_over:
                self._cut()

    def _cut(self) -> None:
        self._is_over = True
        open_one = self._stream.get_extra_info("socket") if self._stream else None
        if open_one is not None:
            self.has_cut = True
            with suppress(OSError):
                open_one.shutdown(socket.SHUT_RDWR)
