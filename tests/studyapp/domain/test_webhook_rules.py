"""Where a webhook may go, and how its messages are signed."""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Final

import pytest
import time_machine
from standardwebhooks import Webhook, WebhookVerificationError

from studyapp.domain.webhook_rules import (
    address_check,
    secret_of,
    signature,
    url_check,
    url_origin,
)
from studyapp.errors import WebhookAddressError

_NOW: Final = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "ftp://example.org/hook",
        "example.org/hook",
        "https://",
        "https://ann:secret@example.org/",
        "https://example.org/#part",
        "https://example.org:99999/",
        "https://example.org/a b",
        "https://żółw.example/",
        "https://example.org/\n",
        "https://127.0.0.1/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:192.168.0.1]/",
        "https://example.org/" + "x" * 500,
    ],
)
def test_it_refuses_an_address_that_is_none_or_not_of_the_public_network(url: str) -> None:
    with pytest.raises(WebhookAddressError):
        url_check(url, plain_http=False, private=False)


def test_it_takes_a_public_address_over_tls() -> None:
    url_check("https://hooks.example.org:8443/a/b?c=d", plain_http=False, private=False)
    url_check("https://93.184.215.14/", plain_http=False, private=False)


def test_settings_open_plain_http_and_addresses_beside_the_site() -> None:
    url_check("http://127.0.0.1:9/", plain_http=True, private=True)
    with pytest.raises(WebhookAddressError):
        url_check("http://127.0.0.1:9/", plain_http=True, private=False)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.1",
        "10.0.0.1",
        "100.64.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.1.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "64:ff9b:1::7f00:1",
        "::7f00:1",
        "::ffff:0:7f00:1",
        "fec0::1",
        "5f00::1",
        "3fff::1",
        "192.0.0.8",
        "192.88.99.1",
        "168.63.129.16",
    ],
)
def test_no_address_that_is_not_public_is_asked(address: str) -> None:
    with pytest.raises(WebhookAddressError):
        address_check(ip_address(address))


def test_public_addresses_of_both_versions_are_asked() -> None:
    address_check(ip_address("93.184.215.14"))
    address_check(ip_address("2606:2800:21f::1"))
    address_check(ip_address("64:ff9b::5db8:d70e"))


def test_the_reference_library_accepts_the_signature_and_no_other_body() -> None:
    secret, body = secret_of(site_key="key", salt="salt"), b'{"type":"test"}'
    timestamp = int(_NOW.timestamp())
    signed = signature(secret=secret, message_id="notice_1", timestamp=timestamp, body=body)
    headers = {
        "webhook-id": "notice_1",
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signed,
    }

    with time_machine.travel(_NOW):
        assert Webhook(secret).verify(body.decode(), headers) == {"type": "test"}
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify('{"type":"tent"}', headers)
        for other in (("key", "other"), ("other", "salt")):
            reader = Webhook(secret_of(site_key=other[0], salt=other[1]))
            with pytest.raises(WebhookVerificationError):
                reader.verify(body.decode(), headers)


def test_the_origin_leaves_out_the_part_that_is_often_a_secret() -> None:
    assert url_origin("https://hooks.example.org:8443/T0/B0/secret") == (
        "https://hooks.example.org:8443"
    )
