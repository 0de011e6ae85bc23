"""The one door to other people's servers: one POST, to an address that was looked at.

The host's name is resolved once, every address is checked, and the connection goes to one of these
very addresses: a name that means something else a moment later leads nowhere. No redirect is
followed, no proxy of the environment is used, and the answer's body is not read. A receiver that
sends its answer byte by byte is cut off when the time of the whole delivery is over.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlunsplit

from studyapp.domain.webhook_rules import Address, address_check, url_parts
from studyapp.errors import WebhookUnreachableError

# From the first connection to the answer's head; under the shortest pause between two attempts,
# after which another worker takes the delivery.
SECONDS: Final = 20.0
_CONNECT_SECONDS: Final = 5.0
_PORTS: Final = {"https": 443, "http": 80}
# A name with more addresses is tried at the first of them only.
_TRIED: Final = 3
_LATE: Final = "The host did not answer in time."


@dataclass(frozen=True, slots=True)
class _Deadline:
    """When a delivery ends, by the process's own clock."""

    at: float

    @property
    def left(self) -> float:
        return max(0.0, self.at - time.monotonic())


def webhook_post(
    url: str, *, body: bytes, headers: Mapping[str, str], private: bool, seconds: float = SECONDS
) -> int:
    """Send one message and return the status of the answer.

    Args:
        url: where to; its scheme was checked when it was stored.
        body: what to send.
        headers: with it.
        private: whether addresses of this machine and its network are taken.
        seconds: for all of it but the look-up of the name, which the system's resolver bounds.

    Raises:
        WebhookAddressError: the name leads to an address that must not be asked.
        WebhookUnreachableError: nothing answered, or not in time.
    """
    parts = url_parts(url)
    addresses = _resolve(parts)
    if not private:
        for address in addresses:
            address_check(address)
    deadline = _Deadline(time.monotonic() + seconds)
    return _first_answer(parts, addresses, body, {**headers, "Host": parts.netloc}, deadline)


def _resolve(parts: SplitResult) -> list[Address]:
    try:
        found = socket.getaddrinfo(
            parts.hostname, parts.port or _PORTS[parts.scheme], type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError) as error:
        raise WebhookUnreachableError("The host's name is not known.") from error
    # A scope behind % names an interface of this machine.
    names = dict.fromkeys(str(row[4][0]).partition("%")[0] for row in found)
    return [ip_address(name) for name in names]


def _first_answer(
    parts: SplitResult,
    addresses: list[Address],
    body: bytes,
    headers: Mapping[str, str],
    deadline: _Deadline,
) -> int:
    reason = _LATE
    for address in addresses[:_TRIED]:
        try:
            with _connected(parts, address, deadline) as connection:
                return _post(parts, connection, body, headers)
        except ssl.SSLCertVerificationError as error:
            raise WebhookUnreachableError("The host's certificate is not good.") from error
        except TimeoutError:
            reason = _LATE
        except (HTTPException, OSError) as error:
            reason = f"The host cannot be reached: {type(error).__name__}."
        if not deadline.left:
            break
    raise WebhookUnreachableError(reason)


def _post(
    parts: SplitResult, connection: socket.socket, body: bytes, headers: Mapping[str, str]
) -> int:
    http = HTTPConnection(str(parts.hostname))
    # It speaks on the connection that is there, and makes none of its own.
    http.sock = connection
    path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    http.request("POST", path, body=body, headers=dict(headers))
    with http.getresponse() as answer:
        return answer.status


@contextlib.contextmanager
def _connected(
    parts: SplitResult, address: Address, deadline: _Deadline
) -> Iterator[socket.socket]:
    """Connect to the address; the certificate must be the name's all the same."""
    place = (str(address), parts.port or _PORTS[parts.scheme])
    wait = min(_CONNECT_SECONDS, deadline.left)
    with socket.create_connection(place, timeout=wait) as plain, _cut_at(deadline, plain):
        plain.settimeout(deadline.left)
        if parts.scheme == "http":
            yield plain
            return
        context = ssl.create_default_context()
        with context.wrap_socket(plain, server_hostname=parts.hostname) as secured:
            yield secured


@contextlib.contextmanager
def _cut_at(deadline: _Deadline, connection: socket.socket) -> Iterator[None]:
    """Shut the connection down when time is over.

    A timeout of the socket counts from the last byte: who sends one now and then never meets it.
    """
    was_cut = threading.Event()
    # TLS takes the socket over; a second handle shuts down what is behind both.
    with connection.dup() as handle:
        timer = threading.Timer(deadline.left, _shut, (handle, was_cut))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            # Even without an error: what had come of the answer by then can look like all of it.
            if was_cut.is_set():
                raise TimeoutError


def _shut(handle: socket.socket, was_cut: threading.Event) -> None:
    was_cut.set()
    # Whoever is at the other end may have gone already.
    with contextlib.suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)
