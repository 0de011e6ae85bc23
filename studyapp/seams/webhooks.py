"""The one door to other people's servers: one POST, to an address that was looked at.

The host's name is resolved once, every address is checked, and the connection goes to one of these
very addresses: a name that means something else a moment later leads nowhere. No redirect is
followed, no proxy of the environment is used, and the answer's body is not read.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlunsplit

import urllib3
from urllib3.exceptions import HTTPError, SSLError

from studyapp.domain.webhook_rules import Address, address_check, url_parts
from studyapp.errors import WebhookUnreachableError

_TIMEOUT: Final = urllib3.Timeout(connect=5, read=10)
_PORTS: Final = {"https": 443, "http": 80}
# A name with more addresses is tried at the first of them only.
_TRIED: Final = 3


def webhook_post(url: str, *, body: bytes, headers: Mapping[str, str], private: bool) -> int:
    """Send one message and return the status of the answer.

    Args:
        url: where to; its scheme was checked when it was stored.
        body: what to send.
        headers: with it.
        private: whether addresses of this machine and its network are taken.

    Raises:
        WebhookAddressError: the name leads to an address that must not be asked.
        WebhookUnreachableError: nothing answered.
    """
    parts = url_parts(url)
    addresses = _resolve(parts)
    if not private:
        for address in addresses:
            address_check(address)
    return _first_answer(parts, addresses, body, {**headers, "Host": parts.netloc})


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
    parts: SplitResult, addresses: list[Address], body: bytes, headers: Mapping[str, str]
) -> int:
    reason = "nothing answered"
    for address in addresses[:_TRIED]:
        try:
            return _post(parts, address, body, headers)
        except SSLError as error:
            raise WebhookUnreachableError("The host's certificate is not good.") from error
        except (HTTPError, OSError) as error:
            reason = type(error).__name__
    raise WebhookUnreachableError(f"The host cannot be reached: {reason}.")


def _post(parts: SplitResult, address: Address, body: bytes, headers: Mapping[str, str]) -> int:
    with _pool(parts, address) as pool:
        answer = pool.urlopen(
            "POST",
            urlunsplit(("", "", parts.path or "/", parts.query, "")),
            body=body,
            headers=dict(headers),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        answer.close()
        return int(answer.status)


def _pool(parts: SplitResult, address: Address) -> urllib3.HTTPConnectionPool:
    port = parts.port or _PORTS[parts.scheme]
    if parts.scheme == "http":
        return urllib3.HTTPConnectionPool(str(address), port, timeout=_TIMEOUT)
    # The certificate must be the name's, though the connection goes to its address.
    return urllib3.HTTPSConnectionPool(
        str(address),
        port,
        timeout=_TIMEOUT,
        cert_reqs="CERT_REQUIRED",
        server_hostname=parts.hostname,
        assert_hostname=parts.hostname,
    )
