"""One POST to somebody else's server, and the addresses that are never asked."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studyapp.domain.occasions import pause_after
from studyapp.errors import WebhookAddressError, WebhookUnreachableError
from studyapp.seams.webhooks import SECONDS, webhook_post
from tests.fakes.slow_receiver import WAYS, SlowReceiver
from tests.fakes.webhook_receiver import WebhookReceiver

_HEADERS = {"webhook-id": "notice_1"}


_resolve = socket.getaddrinfo


def _names(*addresses: str) -> Callable[..., list[Any]]:
    """Stand in for the resolver: every name of example.org has these addresses."""

    def resolved(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        if not host.endswith("example.org"):
            return list(_resolve(host, port, *more, **named))
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
        ]

    return resolved


def test_it_sends_the_body_with_its_headers_to_the_path_and_query() -> None:
    with WebhookReceiver() as receiver:
        status = webhook_post(receiver.url, body=b"{}", headers=_HEADERS, private=True)
        (got,) = receiver.got
        assert got.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert (status, got.path, got.body) == (204, "/hook?key=1", b"{}")
    assert got.headers["webhook-id"] == "notice_1"


def test_it_does_not_ask_the_site_s_own_network_unless_it_is_allowed() -> None:
    with WebhookReceiver() as receiver, pytest.raises(WebhookAddressError):
        webhook_post(receiver.url, body=b"{}", headers=_HEADERS, private=False)
    assert receiver.got == []


def test_a_name_that_leads_inside_as_well_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _names("93.184.215.14", "127.0.0.1"))
    with WebhookReceiver() as receiver:
        url = f"http://hooks.example.org:{receiver.port}/"
        with pytest.raises(WebhookAddressError):
            webhook_post(url, body=b"{}", headers=_HEADERS, private=False)
    assert receiver.got == []


def test_the_connection_goes_to_the_address_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, answer = [], _names("127.0.0.1")

    def noted(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        asked.append(host)
        return answer(host, port, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", noted)
    with WebhookReceiver() as receiver:
        url = f"http://hooks.example.org:{receiver.port}/"
        assert webhook_post(url, body=b"{}", headers=_HEADERS, private=True) == 204
        assert receiver.got[0].headers["host"] == f"hooks.example.org:{receiver.port}"
    assert asked.count("hooks.example.org") == 1


def test_a_redirect_is_not_followed() -> None:
    with WebhookReceiver(status=302) as receiver:
        assert webhook_post(receiver.url, body=b"{}", headers=_HEADERS, private=True) == 302
        assert len(receiver.got) == 1


def test_what_does_not_answer_is_named_without_its_address() -> None:
    with WebhookReceiver() as receiver:
        url = receiver.url
    with pytest.raises(WebhookUnreachableError, match="cannot be reached"):
        webhook_post(url, body=b"{}", headers=_HEADERS, private=True)


def test_an_unknown_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(WebhookUnreachableError, match="not known"):
        webhook_post("https://none.invalid/", body=b"{}", headers=_HEADERS, private=True)


@pytest.mark.parametrize("slow", WAYS)
def test_a_receiver_that_gives_byte_by_byte_is_cut_off(slow: str) -> None:
    """Each byte comes long before a socket's timeout would; all of them together never end."""
    with SlowReceiver(slow) as receiver:
        scheme = "https" if slow == "handshake" else "http"
        with pytest.raises(WebhookUnreachableError, match="did not answer in time"):
            webhook_post(
                f"{scheme}://127.0.0.1:{receiver.port}/",
                body=b"x" * (20_000_000 if slow == "request" else 2),
                headers=_HEADERS,
                private=True,
                seconds=0.4,
            )
        assert receiver.was_left()


def test_a_delivery_ends_before_another_worker_may_take_it() -> None:
    assert pause_after(1).total_seconds() > SECONDS


@pytest.fixture(scope="class")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl: install it (Debian: apt-get install openssl)")
    path = tmp_path_factory.mktemp("tls") / "hooks.pem"
    ask = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -batch"
    name = ["-subj", "/CN=hooks.example.org", "-addext", "subjectAltName=DNS:hooks.example.org"]
    command = [openssl, *ask.split(), *name, "-keyout", str(path), "-out", f"{path}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    certificate = Path(f"{path}.crt").read_text()
    path.write_text(path.read_text() + certificate)
    return path


class TestTls:
    def _post(self, certificate: Path, name: str) -> int:
        with WebhookReceiver(certificate=certificate) as receiver:
            url = f"https://{name}:{receiver.port}/hook"
            return webhook_post(url, body=b"{}", headers=_HEADERS, private=True)

    def test_the_certificate_is_the_name_s_though_the_address_is_asked(
        self, certificate: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", _names("127.0.0.1"))
        monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
        assert self._post(certificate, "hooks.example.org") == 204

    def test_a_certificate_of_another_name_or_nobody_s_is_refused(
        self, certificate: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", _names("127.0.0.1"))
        with pytest.raises(WebhookUnreachableError, match="certificate"):
            self._post(certificate, "hooks.example.org")
        monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
        with pytest.raises(WebhookUnreachableError, match="certificate"):
            self._post(certificate, "other.example.org")
