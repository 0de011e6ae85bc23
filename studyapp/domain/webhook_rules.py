"""Where a webhook may go, and how what it carries is signed (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from studyapp.domain.occasions import URL_LIMIT
from studyapp.errors import WebhookAddressError

Address = IPv4Address | IPv6Address

SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - the standard's, for scanners of leaked secrets
# Behind these an address of version 4 is reached, which must be looked at itself.
_NAT64: Final = ip_network("64:ff9b::/96")
# Of version 6 this alone is the public network's. What else counts as global leads inside as well:
# a network's own NAT64, site-local addresses, ::/96 and ::ffff:0:0:0/96 with one of version 4.
_UNICAST: Final = ip_network("2000::/3")
# Global by name, and still nobody's on the public network.
_INNER: Final = (
    ip_network("192.0.0.0/24"),  # for protocols
    ip_network("192.88.99.0/24"),  # once relays of version 6
    ip_network("168.63.129.16/32"),  # a cloud's own service, which its machines alone reach
    ip_network("3fff::/20"),  # for documents
)


def url_check(url: str, *, plain_http: bool, private: bool) -> None:
    """Refuse an address that is none, or that this site must not send to.

    Args:
        url: what a researcher typed.
        plain_http: whether addresses without TLS are taken.
        private: whether addresses of this machine and its network are taken.

    Raises:
        WebhookAddressError: says what is wrong with it.
    """
    parts = url_parts(url)
    allowed = ("https", "http") if plain_http else ("https",)
    if parts.scheme not in allowed:
        raise WebhookAddressError(f"The address begins with {' or '.join(allowed)}://.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise WebhookAddressError("The address has no user name, password or #fragment.")
    literal = _literal(parts.hostname or "")
    if literal is not None and not private:
        address_check(literal)


def url_parts(url: str) -> SplitResult:
    """Take an address apart.

    Raises:
        WebhookAddressError: it is none.
    """
    is_one_word = url.isascii() and url.isprintable() and " " not in url
    if not is_one_word or len(url) > URL_LIMIT:
        raise WebhookAddressError(
            f"The address is of at most {URL_LIMIT} ASCII characters without spaces."
        )
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise WebhookAddressError(f"This is no address: {error}.") from error
    if not parts.hostname:
        raise WebhookAddressError("The address names no host.")
    return parts


def url_origin(url: str) -> str:
    """Return scheme and host: the path of such an address is often a secret."""
    parts = url_parts(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def address_check(address: Address) -> None:
    """Refuse an address that is not of the public network.

    Raises:
        WebhookAddressError: it is private, of this machine, link-local or reserved.
    """
    if not _is_public(address):
        raise WebhookAddressError("The host is not on the public network.")


def secret_of(*, site_key: str, salt: str) -> str:
    """Return a webhook's signing secret; who has the database alone cannot sign."""
    digest = hmac.digest(site_key.encode(), f"webhook:{salt}".encode(), hashlib.sha256)
    return SECRET_PREFIX + base64.b64encode(digest).decode()


def signature(*, secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return what stands in the header `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return _is_public(inner)
        if address not in _UNICAST:
            return False
    is_inner = any(address in network for network in _INNER)
    return address.is_global and not address.is_multicast and not is_inner


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the address of version 4 that one of version 6 stands for."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo
