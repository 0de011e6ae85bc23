"""The administration in a browser: no page of it is wider than the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from studyapp.services.health import heartbeat_store
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import STICKING_OUT, WIDER_THAN_WINDOW
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.lab import browser_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_no_page_scrolls_sideways(
    visitor: Visitor, site: str, study: SampleStudy, profile: str
) -> None:
    people_complete(study, count=2)
    heartbeat_store(worker="one", now=THEN)
    root = browser_of(User.objects.create_superuser("root"))
    page = visitor(profile).new_page()
    cookie = root.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
    found = [line for path in _paths(root) for line in _look(page, path, profile)]
    assert "\n".join(found) == ""


def _paths(root: Client) -> Iterator[str]:
    """List every table, its first row, and the form for a new one."""
    yield reverse("admin:index")
    for model in admin.site._registry:  # noqa: SLF001 - Django's name for it
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{base}_changelist")
        row = model._default_manager.first()  # noqa: SLF001 - as above
        if row is not None:
            yield reverse(f"{base}_change", args=[row.pk])
        add = reverse(f"{base}_add")
        if root.get(add).status_code == 200:
            yield add


def _look(page: Page, path: str, profile: str) -> Iterator[str]:
    page.goto(path)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{profile}{path.replace('/', '-')}.png")
    if page.evaluate(WIDER_THAN_WINDOW):
        yield f"{path}: {page.evaluate(STICKING_OUT)}"
