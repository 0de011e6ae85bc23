"""A server that speaks the chat-completions protocol on loopback, and misbehaves on request.

In a test::

    with FakeOpenAI([status(429, retry_after=1), text("hello")]) as server:
        client(base_url=server.base_url)
        assert server.calls == 2

As its own process, answering the engine's prompts with plausible drafts and verdicts::

    python -m tests.fakes.openai_server --port 8099 --latency 1 --log calls.jsonl

Each answered request is one line of the log, written when it was answered:
`{"n": 1, "role": "proposer", "model": "...", "sha256": "...", "messages_sha256": "..."}`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from tests.fakes.openai_answers import Answer, Body
from tests.fakes.plausible import plausible, role_of

Script = Sequence[Answer] | Callable[[Body], Answer]


class FakeOpenAI:
    """The server in a thread. Scripted answers come in order; the last one is repeated.

    Attributes:
        requests: every request body received, in order.
        headers: the headers of every request.
    """

    def __init__(
        self,
        script: Script,
        *,
        latency: float = 0.0,
        port: int = 0,
        log: Path | None = None,
        context_tokens: int | None = None,
    ) -> None:
        self._script = script
        self._latency = latency
        self._log = log
        self._context_tokens = context_tokens
        self._lock = threading.Lock()
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self._server = _Server(port, self)
        self._thread = threading.Thread(
            target=lambda: self._server.serve_forever(poll_interval=0.02), daemon=True
        )

    @property
    def base_url(self) -> str:
        """What a client takes as `base_url`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """How many requests came in so far."""
        return len(self.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def serve_forever(self) -> None:
        """Serve in this thread until the process ends."""
        self._server.serve_forever(poll_interval=0.1)

    def take(self, body: Body, headers: dict[str, str]) -> Answer:
        """Record a request and choose its answer."""
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            place = len(self.requests) - 1
        if callable(self._script):
            answer = self._script(body)
        else:
            answer = self._script[min(place, len(self._script) - 1)]
        time.sleep(self._latency + answer.delay)
        return self._with_usage(answer, body)

    def answered(self, body: Body) -> None:
        """Write a line to the log, once the answer is out."""
        if self._log is None:
            return
        with self._lock, self._log.open("a", encoding="utf-8") as file:
            self._lines = getattr(self, "_lines", 0) + 1
            file.write(json.dumps(_log_line(self._lines, body)) + "\n")

    def _with_usage(self, answer: Answer, body: Body) -> Answer:
        if answer.body is None or "choices" not in answer.body or "usage" in answer.body:
            return answer
        sent = sum(len(str(message["content"])) for message in body["messages"])
        tokens = sent // 4 if self._context_tokens is None else min(sent // 4, self._context_tokens)
        usage = {"prompt_tokens": tokens, "completion_tokens": 50, "total_tokens": tokens + 50}
        return Answer({**answer.body, "usage": usage}, answer.status, answer.headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, owner: FakeOpenAI) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.owner = owner


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(length))
        answer = self.server.owner.take(body, _lower(self.headers))
        try:
            self._send(answer)
        except (BrokenPipeError, ConnectionResetError):
            return
        self.server.owner.answered(body)

    def _send(self, answer: Answer) -> None:
        if answer.drop == "start":
            self._close()
            return
        if answer.drip:
            self._drip(answer)
            return
        data = _data(answer)
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data) + (100 if answer.drop else 0)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        if answer.drop:
            self.wfile.flush()
            self._close()

    def _drip(self, answer: Answer) -> None:
        self.wfile.write(f"HTTP/1.1 {answer.status} Slow\r\nX-Slow: ".encode())
        if answer.drip == "body":
            self.wfile.write(b"1\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            self.wfile.write(b" ")
            time.sleep(0.05)

    def _close(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name there)
        return


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _data(answer: Answer) -> bytes:
    return answer.raw if answer.raw is not None else json.dumps(answer.body).encode()


def _log_line(number: int, body: Body) -> Body:
    asked = {"sha256": digest(body), "messages_sha256": digest(body["messages"])}
    return {"n": number, "role": role_of(body), "model": body.get("model"), **asked}


def digest(data: Any) -> str:
    """Hash JSON data, so that what was asked can be compared with what was recorded."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def main(arguments: Sequence[str]) -> None:
    """Serve `plausible` answers until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--log", type=Path, default=None, help="one JSON line per answered request")
    options = parser.parse_args(arguments)
    server = FakeOpenAI(plausible, latency=options.latency, port=options.port, log=options.log)
    sys.stdout.write(f"listening on {server.base_url}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
