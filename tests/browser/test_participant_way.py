"""The participant's whole way in a real browser: looks, widths, accessibility, completion."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from studyapp.models import Participant, Response
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import NARROW, sideways
from tests.browser.way import PAGES, to_reports, way
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


class Inspector:
    """Photographs each page, and collects what is wrong with it in one colour scheme."""

    def __init__(self, profile: str, set_name: str = "") -> None:
        self.profile = profile
        self.folder = f"{profile}-{set_name}" if set_name else profile
        self.findings: list[str] = []
        self.pages: list[str] = []
        self.axe = Axe()

    def look(self, page: Page, name: str) -> None:
        self.pages.append(name)
        self.photograph(page, name, "light")
        page.emulate_media(color_scheme="dark")
        self.photograph(page, name, "dark")
        for found in self.axe.run(page).response["violations"]:
            node = found["nodes"][0]["html"][:160]
            self.findings.append(f"{name}: {found['id']} ({found['impact']}): {node}")
        if self.profile == "phone":
            self.findings += [f"{name}: {found}" for found in sideways(page)]
        page.emulate_media(color_scheme="light")

    def report(self) -> None:
        """Print the table of pages and findings."""
        for name in self.pages:
            found = [line for line in self.findings if line.startswith(f"{name}: ")]
            print(f"{self.folder:20} {name:24} {len(found)} findings")  # noqa: T201 - a figure

    def photograph(self, page: Page, name: str, scheme: str) -> None:
        folder = SCREENSHOTS / f"{self.folder}-{scheme}"
        page.screenshot(path=folder / f"{len(self.pages):02d}-{name}.png", full_page=True)


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_every_page_of_the_whole_way_is_in_order(
    visitor: Visitor, study: SampleStudy, profile: str
) -> None:
    # axe is added as a script of the page, which the site's own policy would refuse.
    page = visitor(profile, color_scheme="light", bypass_csp=True).new_page()
    inspector = Inspector(profile)
    way(page, study.link, inspector.look)
    inspector.report()
    assert inspector.findings == []
    assert tuple(inspector.pages) == PAGES
    person = Participant.objects.get()
    assert person.completed_at is not None
    assert person.completion_code in page.content()
    assert Response.objects.count() == 2 * 7


def test_scales_and_reports_fit_the_window(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor("phone", viewport=NARROW).new_page()
    to_reports(page, study.link)
    boxes = [option.bounding_box() for option in page.locator(".scale .option").all()]
    assert len(boxes) == 20
    for box in boxes:
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]
        assert box["height"] >= 44
    assert not _side_by_side(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert _side_by_side(page)


def _side_by_side(page: Page) -> bool:
    """Say whether both reports start at the same height; they are always equally wide."""
    left, right = (report.bounding_box() for report in page.locator(".report").all())
    assert left is not None
    assert right is not None
    assert left["width"] == right["width"]
    return left["y"] == right["y"]
