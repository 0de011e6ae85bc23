"""A receiver of webhooks on loopback, which keeps what it got and answers as it is told."""

from __future__ import annotations

import ssl
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Received:
    """One message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebhookReceiver:
    """Answers each POST with `status`; with a certificate it speaks TLS."""

    status: int = 204
    certificate: Path | None = None
    got: list[Received] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = HTTPServer(("127.0.0.1", 0), self._handler())
        if self.certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/hook?key=1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {key.lower(): value for key, value in self.headers.items()}
                receiver.got.append(Received(self.path, headers, body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Keep the tests' output clean."""

        return Handler
