"""Coming in and going out in a real browser: cookies, codes, redirects, and how it looks."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, CDPSession, Page, Route, expect

from studyapp.models import Cohort, Invitation, Outcome, Participant, Study
from studyapp.services.completion import participation_end
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.browser.way import check, listen, send, way
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.entering import PROLIFIC, SCREENING, sent_by_panel

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

PANEL_PAGE = "https://app.prolific.com/**"
SLOW = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 25_000,
}
_WORD = "correct horse"


@pytest.fixture
def live(study: SampleStudy) -> SampleStudy:
    """A study whose participants count."""
    Study.objects.update(is_test=False, kind="study")
    return study


@pytest.fixture
def panel(live: SampleStudy) -> SampleStudy:
    Cohort.objects.update(link_kind="panel", panel=PROLIFIC)
    return live


class Looker:
    """Photographs pages in both colour schemes and collects what is wrong with them."""

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self.findings: list[str] = []
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def look(self, page: Page, name: str) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            file = f"joining-{self.profile}-{scheme}-{name}.png"
            page.screenshot(path=SCREENSHOTS / file, full_page=True)
            for found in Axe().run(page).response["violations"]:
                node = found["nodes"][0]["html"][:160]
                self.findings.append(f"{name} {scheme}: {found['id']}: {node}")
        if self.profile == "phone":
            sizes = ("100%",) if name.startswith("researcher") else ("100%", "200%")
            self.findings += [f"{name}: {found}" for found in sideways(page, sizes)]


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_every_page_of_coming_in_and_going_out_is_in_order(
    visitor: Visitor, panel: SampleStudy, profile: str
) -> None:
    looker = Looker(profile)
    page = _page(visitor, profile)
    page.goto(panel.link)
    looker.look(page, "ask-id")
    page.goto(sent_by_panel(panel, "{{%PROLIFIC_PID%}}"))
    looker.look(page, "test-link")
    page.goto(sent_by_panel(panel, "a"))
    page.click("text=I do not want to take part")
    looker.look(page, "consent-declined")
    _look_at_screening(page, panel, looker)
    person = Participant.objects.get(external_id="a")
    page.goto(f"/p/{person.token}/receipt/")
    looker.look(page, "receipt")
    Participant.objects.update(outcome=Outcome.FAILED_ATTENTION)
    page.goto(f"/p/{person.token}/")
    looker.look(page, "failed-attention")
    assert looker.findings == []


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_every_page_at_the_door_is_in_order(
    visitor: Visitor, panel: SampleStudy, profile: str
) -> None:
    looker = Looker(profile)
    page = _page(visitor, profile)
    _look_at_panel_doors(page, panel, looker)
    Cohort.objects.update(link_kind="personal", panel={})
    page.goto(panel.link)
    # The cookie of a panel's person leads back; a stranger is told that an invitation is needed.
    page.context.clear_cookies()
    page.goto(panel.link)
    looker.look(page, "need-invitation")
    invitation = Invitation.objects.create(cohort=panel.cohort, created_at=THEN, revoked_at=THEN)
    page.goto(f"/i/{invitation.token}/")
    looker.look(page, "revoked")
    Cohort.objects.update(link_kind="open")
    page.goto(panel.link)
    check(page, "agree")
    send(page)
    person = Participant.objects.latest("pk")
    participation_end(participant=person, outcome=Outcome.SCREENED_OUT, why="test", now=THEN)
    page.goto(panel.link)
    looker.look(page, "somebody-else")
    assert looker.findings == []


def _look_at_screening(page: Page, study: SampleStudy, looker: Looker) -> None:
    Study.objects.update(screening=SCREENING)
    page.goto(sent_by_panel(study, "a"))
    check(page, "agree")
    send(page)
    looker.look(page, "eligibility")
    check(page, "adult", "region")
    send(page)
    looker.look(page, "comprehension")
    check(page, "task-1")
    send(page)
    looker.look(page, "comprehension-again")
    check(page, "task-1")
    send(page)
    looker.look(page, "screened-out")


def _look_at_panel_doors(page: Page, study: SampleStudy, looker: Looker) -> None:
    page.goto(sent_by_panel(study, "b"))
    check(page, "agree")
    send(page)
    looker.look(page, "first-page-with-receipt")
    page.goto(sent_by_panel(study, "b", session="s2"))
    looker.look(page, "welcome-back")
    Study.objects.update(rules={"returning": "refuse"})
    page.goto(sent_by_panel(study, "b", session="s3"))
    looker.look(page, "already")
    page.goto(f"{study.link}?preview=old")
    looker.look(page, "stale")


def test_80_after_the_last_answer_people_are_taken_back_to_their_panel(
    visitor: Visitor, panel: SampleStudy
) -> None:
    """On a slow line (reports 35 and 80): only once everything is stored, with the code in view."""
    page = visitor("phone").new_page()
    complaints, arrived = listen(page), _panel_stands_in(page)
    _throttle(page.context, page)
    way(page, sent_by_panel(panel, "a"), lambda *_: None)
    expect(page.locator("#end-code")).to_have_text("DONE-1")
    person = Participant.objects.get()
    assert person.completed_at is not None
    assert person.assignments.filter(answered_at__isnull=True).count() == 0
    # Coming back to the page is no reason to be sent away again.
    expect(page.locator("[data-countdown]")).to_be_hidden()
    page.goto(f"/p/{person.token}/thanks/")
    expect(page.locator("[data-countdown]")).to_be_visible()
    page.wait_for_url(PANEL_PAGE, timeout=30_000)
    assert arrived == ["https://app.prolific.com/submissions/complete?cc=DONE-1"]
    assert complaints == []


def test_who_wants_to_stay_stays(visitor: Visitor, panel: SampleStudy) -> None:
    page = visitor("phone").new_page()
    arrived = _panel_stands_in(page)
    page.goto(sent_by_panel(panel, "a"))
    check(page, "agree")
    send(page)
    Participant.objects.update(outcome=Outcome.SCREENED_OUT)
    page.clock.install()
    page.goto(f"/p/{Participant.objects.get().token}/")
    expect(page.locator("[data-seconds]")).to_have_text("10")
    page.clock.run_for(3000)
    expect(page.locator("[data-seconds]")).to_have_text("7")
    page.get_by_role("button", name="Stay on this page").click()
    page.clock.run_for(20_000)
    assert arrived == []
    expect(page.locator("#end-code")).to_have_text("OUT-2")
    page.click("#end-link")
    page.wait_for_url(PANEL_PAGE)
    assert arrived == ["https://app.prolific.com/submissions/complete?cc=OUT-2"]


def test_nothing_of_the_participant_s_address_goes_to_the_panel(
    visitor: Visitor, panel: SampleStudy
) -> None:
    page = visitor("desktop").new_page()
    told: list[dict[str, str]] = []
    page.route(PANEL_PAGE, lambda route: _answer(route, told))
    page.goto(sent_by_panel(panel, "a"))
    check(page, "agree")
    send(page)
    Participant.objects.update(outcome=Outcome.SCREENED_OUT)
    page.goto(f"/p/{Participant.objects.get().token}/")
    page.click("#end-link")
    page.wait_for_url(PANEL_PAGE)
    assert "referer" not in told[0]


def test_17_blocked_cookies_are_told_before_anything_is_typed(
    visitor: Visitor, live: SampleStudy
) -> None:
    context = visitor("phone")
    page = context.new_page()
    page.goto(live.link)
    notice = page.locator("[data-no-cookies]")
    expect(notice).to_be_hidden()
    session = context.new_cdp_session(page)
    session.send("Emulation.setDocumentCookieDisabled", {"disabled": True})
    page.goto(live.link)
    expect(notice).to_be_visible()
    page.screenshot(path=SCREENSHOTS / "joining-phone-light-no-cookies.png", full_page=True)
    context.clear_cookies()
    check(page, "agree")
    send(page)
    expect(page.get_by_role("heading", name="Please send this page once more")).to_be_visible()
    assert not Participant.objects.exists()


def test_without_scripts_the_way_back_and_saying_no_still_work(
    visitor: Visitor, panel: SampleStudy
) -> None:
    page = visitor("phone", java_script_enabled=False).new_page()
    page.goto(sent_by_panel(panel, "a"))
    page.click("text=I do not want to take part")
    expect(page.get_by_text("NO-4")).to_be_visible()
    check(page, "agree")
    send(page)
    Participant.objects.update(outcome=Outcome.SCREENED_OUT)
    page.goto(f"/p/{Participant.objects.get().token}/")
    expect(page.locator("#end-link")).to_be_visible()
    expect(page.locator("[data-countdown]")).to_be_hidden()


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_a_researcher_finds_links_codes_and_invitations_in_order(
    visitor: Visitor, live: SampleStudy, profile: str
) -> None:
    user = User.objects.create_superuser("ada", password=_WORD)
    Study.objects.update(owner=user)
    looker = Looker(profile)
    context = visitor(profile, permissions=["clipboard-read", "clipboard-write"], bypass_csp=True)
    page = context.new_page()
    page.goto("/studies/sample/cohorts/open/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    looker.look(page, "researcher-cohort")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#cohort-link").text_content()
    assert page.locator("img.qr").evaluate("image => image.complete && image.naturalWidth > 100")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the QR code").click()
    assert download.value.suggested_filename == "sample-open.svg"
    _look_at_building(page, live, looker)
    page.goto("/studies/sample/")
    looker.look(page, "researcher-study")
    assert looker.findings == []


def _look_at_building(page: Page, study: SampleStudy, looker: Looker) -> None:
    page.goto("/studies/sample/new-cohort/")
    looker.look(page, "researcher-new-cohort")
    page.get_by_label("Name", exact=True).fill("prolific")
    page.get_by_label("How they come in").select_option("panel")
    page.get_by_text("Settings of the panel").click()
    page.get_by_role("button", name="Add the cohort").click()
    looker.look(page, "researcher-panel")
    Cohort.objects.create(study=study.study, name="experts", kind="experts", link_kind="personal")
    page.goto("/studies/sample/cohorts/experts/")
    looker.look(page, "researcher-invite")
    page.get_by_label("One person per line").fill(
        "Ann Lee, structural engineer, 12, chartered\nBob Ray, nurse, 4\nCid Ó Briain"
    )
    page.get_by_role("button", name="Make personal links").click()
    Invitation.objects.filter(name="Bob Ray").update(revoked_at=THEN)
    page.reload()
    looker.look(page, "researcher-invited")


def _page(visitor: Visitor, profile: str) -> Page:
    # axe is added as a script of the page, which the site's own policy would refuse.
    return visitor(profile, bypass_csp=True).new_page()


def _panel_stands_in(page: Page) -> list[str]:
    """Answer in the panel's place, and list what it was asked."""
    arrived: list[str] = []

    def answer(route: Route) -> None:
        arrived.append(route.request.url)
        route.fulfill(status=200, content_type="text/html", body="<title>Panel</title>")

    page.route(PANEL_PAGE, answer)
    return arrived


def _answer(route: Route, told: list[dict[str, str]]) -> None:
    told.append(route.request.headers)
    route.fulfill(status=200, content_type="text/html", body="<title>Panel</title>")


def _throttle(context: BrowserContext, page: Page) -> None:
    session: CDPSession = context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", dict[str, Any](SLOW))
