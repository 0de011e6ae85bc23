"""Pages for what goes wrong: plain words, the site's frame, and a way on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.views import defaults

from tests.walking import PageReader

ROUTE = RequestFactory().get("/anywhere/")


def refused(status: int, request: HttpRequest) -> str:
    """Return the page that Django shows for a status."""
    pages: dict[int, Callable[[], HttpResponse]] = {
        400: lambda: defaults.bad_request(request, SuspiciousOperation("odd")),
        403: lambda: defaults.permission_denied(request, PermissionDenied("no")),
        404: lambda: defaults.page_not_found(request, Http404("gone")),
        500: lambda: defaults.server_error(request),
    }
    response = pages[status]()
    assert response.status_code == status
    return str(response.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-7", "latin-1"])
def test_a_form_in_an_encoding_that_is_not_read_is_refused_with_a_page(charset: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/rights/")
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    response = client.post("/rights/", data=b"code=x", content_type=kind)
    assert response.status_code in (400, 403)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "This request could not be understood"),
        (403, "You may not open this page"),
        (404, "Page not found"),
        (500, "Something went wrong here"),
    ],
)
def test_each_refusal_has_a_page_in_plain_words(status: int, words: str) -> None:
    html = refused(status, ROUTE)
    page = PageReader(html)
    assert f"<h1>{words}</h1>" in html
    assert words in html[html.index("<title>") : html.index("</title>")]
    assert "#main" in page.links
    assert any("app" in asset for asset in page.assets)


@pytest.mark.django_db
def test_a_form_without_a_token_elsewhere_gets_a_page_too() -> None:
    response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"})
    assert response.status_code == 403
    assert "Please try once more" in response.content.decode()


@pytest.mark.django_db
def test_a_browser_of_another_language_is_not_promised_it() -> None:
    response = Client(headers={"accept-language": "de"}).get("/s/nowhere/")
    assert response.status_code == 404
    assert '<html lang="en"' in response.content.decode()
