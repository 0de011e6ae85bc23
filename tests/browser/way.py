"""How a person goes through the study with a browser, page by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import ConsoleMessage, Page, Response

RADIOS: Final = ("act_on", "faithful", "fluent", "trust.left", "trust.right", "fluency.left")
BACKGROUND: Final = ("age_group", "field", "llm_literacy")
PAGES: Final = (
    *("invitation", "invitation-error", "about-you", "about-you-error", "introduction"),
    *("debate-one", "reports-one", "reports-error", "reports-with-debate", "later", "break"),
    *("debate-two", "reports-two", "thanks", "answered"),
)
Look = Callable[[Page, str], None]


def way(page: Page, link: str, look: Look) -> None:
    """Go from the link to the thanks page, stumbling once on each form; look at each of PAGES."""
    _to_first_debate(page, link, look)
    _trial(page, "one", look, stumble=_stumble)
    _trial(page, "two", look)
    look(page, "thanks")
    page.go_back()
    look(page, "answered")
    page.click("text=Continue")


def to_reports(page: Page, link: str) -> None:
    """Go straight to the first pair of reports."""
    page.goto(link)
    check(page, "agree")
    send(page)
    check(page, *BACKGROUND)
    for _ in range(3):
        send(page)
    page.wait_for_selector("#report-a")


def check(page: Page, *ids: str) -> None:
    """Choose the options with these ids."""
    for name in ids:
        page.check(f"[id='{name}']")


def send(page: Page) -> None:
    """Press the page's main button, and wait for what comes: a form may first save its draft."""
    with page.expect_navigation():
        page.click("main .actions button >> nth=0")


def until(page: Page, expression: str) -> Any:
    """Wait until an expression is true in the page; return its value.

    Playwright's own way asks again by `eval`, which the site's policy refuses.
    """
    for _ in range(150):
        if value := page.evaluate(expression):
            return value
        page.wait_for_timeout(100)
    raise AssertionError(f"it never came true: {expression}")


def listen(page: Page) -> list[str]:
    """Collect what the browser complains about: scripts, policies, files that are missing."""
    complaints: list[str] = []

    def console(message: ConsoleMessage) -> None:
        # A refused form comes with status 400, which the browser reports as well.
        if message.type in ("error", "warning") and "400 (Bad Request)" not in message.text:
            complaints.append(message.text)

    def answered(response: Response) -> None:
        if response.status > 400:
            complaints.append(f"{response.status} {response.url}")

    page.on("console", console)
    page.on("response", answered)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def _to_first_debate(page: Page, link: str, look: Look) -> None:
    page.goto(link)
    look(page, "invitation")
    send(page)
    look(page, "invitation-error")
    check(page, "agree")
    send(page)
    look(page, "about-you")
    send(page)
    look(page, "about-you-error")
    check(page, *BACKGROUND)
    send(page)
    look(page, "introduction")


def _trial(
    page: Page, name: str, look: Look, stumble: Callable[[Page, Look], None] | None = None
) -> None:
    send(page)
    look(page, f"debate-{name}")
    send(page)
    look(page, f"reports-{name}")
    check(page, *RADIOS)
    if stumble is not None:
        stumble(page, look)
    check(page, "fluency.right")
    send(page)
    if stumble is not None:
        look(page, "break")


def _stumble(page: Page, look: Look) -> None:
    send(page)
    look(page, "reports-error")
    page.click("text=Look at the debate again")
    look(page, "reports-with-debate")
    page.click("text=Continue later")
    look(page, "later")
    page.click("text=Continue now")
