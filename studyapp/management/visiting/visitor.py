"""Somebody in front of a browser: stands at one page, fills in its form, and goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from studyapp.management.visiting.browser import Answer, Browser, VisitError
from studyapp.management.visiting.page import Field, Form, Page

# What somebody answers to a field; None leaves it as it is.
Fill = Callable[[Field], str | None]
_STEPS: Final = 400


@dataclass
class Visitor:
    """One browser at one page; `answers` are all that came, for whoever watches."""

    browser: Browser
    answers: list[Answer] = field(default_factory=list)
    page: Page = field(default_factory=lambda: Page(""))

    @property
    def address(self) -> str:
        """The path of the page."""
        return urlsplit(self.answers[-1].address).path

    @property
    def status(self) -> int:
        """The page's status."""
        return self.answers[-1].status

    def open(self, address: str) -> None:
        """Open an address and follow where it leads."""
        self._arrive(self.browser.get(address))

    def send(self, fill: Fill) -> None:
        """Fill in the page's main form and press its main button.

        Raises:
            VisitError: the page has no such form.
        """
        form = self.page.main_form
        if form is None:
            raise VisitError(f"{self.address}: no form to send")
        self._arrive(self.browser.post(form.action or self.address, form_data(form, fill)))

    def go_on(self, fill: Fill) -> bool:
        """Do what leads on from this page, by its form or its button; False where nothing does."""
        if self.page.main_form is not None:
            self.send(fill)
        elif self.page.main_link.startswith("/"):
            self.open(self.page.main_link)
        else:
            return False
        return True

    def walk(self, fill: Fill, *, at_page: Callable[[], bool] | None = None) -> None:
        """Go on until the end; `at_page` is called before each page is left, and may stop it.

        Raises:
            VisitError: there is no end.
        """
        for _ in range(_STEPS):
            if at_page is not None and not at_page():
                return
            if not self.go_on(fill):
                return
        raise VisitError(f"{self.address}: no end after {_STEPS} pages")

    def _arrive(self, answers: list[Answer]) -> None:
        self.answers += answers
        last = answers[-1]
        if last.status >= 500:
            raise VisitError(f"{last.address}: status {last.status}")
        self.page = Page(last.html if last.is_page else "")


def form_data(form: Form, fill: Fill) -> dict[str, str]:
    """Return what sending a form with its main button would send."""
    data = dict(form.hidden)
    for entry in form.fields.values():
        value = fill(entry)
        if value is None and entry.chosen:
            value = entry.chosen[-1]
        if value is not None:
            data[entry.name] = value
    button = form.main_button
    if button is not None and button.name:
        data[button.name] = button.value
    return data


def first_offered(entry: Field) -> str | None:
    """Take the first answer on offer, and a word where a text must stand."""
    if entry.is_text:
        return "A sentence in my own words." if entry.required else None
    return next(iter(entry.offered), None)
