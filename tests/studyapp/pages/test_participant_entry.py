"""Coming in: looking allocates nothing, consenting takes one place, coming back finds it."""

from __future__ import annotations

import pytest
from django.test import Client

from studyapp.models import Assignment, Cohort, Event, Participant, Study
from studyapp.pages.place_cookie import place_cookie_name
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db

# Link previews, mail scanners and headless browsers, as they name themselves.
AGENTS = (
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 HeadlessChrome/120.0 Safari/537.36",
    "Microsoft Office/16.0 (Outlook SafeLinks)",
    "python-requests/2.31",
    "",
)


@pytest.fixture
def study() -> SampleStudy:
    return sample_study(quota=5)


def nothing_is_allocated() -> bool:
    return (
        Participant.objects.count() == 0
        and Assignment.objects.count() == 0
        and Event.objects.count() == 0
        and Cohort.objects.get().enrolled == 0
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_looking_at_the_link_allocates_nothing(study: SampleStudy, agent: str) -> None:
    client = Client(headers={"user-agent": agent})
    for _ in range(3):
        assert client.get(study.link).status_code == 200
        assert client.head(study.link).status_code == 200
        assert Client(headers={"user-agent": agent}).get(study.link).status_code == 200
    assert nothing_is_allocated()


def test_looking_at_a_personal_link_changes_nothing(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/")
    token = walker.address.split("/")[2]
    before = list(Participant.objects.values()) + list(Assignment.objects.values())
    for agent in AGENTS:
        client = Client(headers={"user-agent": agent})
        assert client.get(f"/p/{token}/").status_code == 302
        assert client.head(f"/p/{token}/", follow=True).status_code == 200
    assert before == list(Participant.objects.values()) + list(Assignment.objects.values())


def test_no_page_of_the_whole_way_writes_on_get(study: SampleStudy) -> None:
    walker = Walker().get(study.link)
    while walker.page.forms:
        before = list(Assignment.objects.order_by("pk").values()) + list(Event.objects.values())
        walker.get(walker.address)
        after = list(Assignment.objects.order_by("pk").values()) + list(Event.objects.values())
        assert before == after
        walker.send()
    assert walker.address.endswith("/thanks/")


def test_consent_must_be_given(study: SampleStudy) -> None:
    walker = Walker().get(study.link).send(agree=None)
    assert walker.status == 400
    assert "Tick the box if you agree to take part" in walker.html
    assert 'href="#agree"' in walker.html
    assert nothing_is_allocated()


def test_reloading_the_consent_page_leaves_it_open(study: SampleStudy) -> None:
    walker = Walker()
    for _ in range(3):
        walker.get(study.link)
    assert walker.send().address.endswith("/about-you/")


def test_consent_gives_a_place_a_cookie_and_a_personal_link(study: SampleStudy) -> None:
    walker = Walker().get(study.link).send()
    person = Participant.objects.get()
    assert walker.address == f"/p/{person.token}/about-you/"
    cookie = walker.client.cookies[place_cookie_name(study.cohort.token)]
    assert cookie.value.startswith(f"{person.token}:")
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert f"/p/{person.token}/" in walker.get(f"/p/{person.token}/later/").html


def test_nobody_is_told_to_come_back_later_where_nothing_is_left_to_do(study: SampleStudy) -> None:
    walker = Walker().walk(study.link)
    done = walker.address
    later = done.replace("thanks", "later")
    assert walker.get(later).address == done
    other = Walker().walk_to(study.link, "/debate/")
    Study.objects.update(state="closed")
    other.get(f"/p/{other.address.split('/')[2]}/later/")
    assert "This study has ended" in other.html


def test_the_invitation_leads_back_in_the_same_browser(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    place = walker.address
    assert walker.get(study.link).address == place
    assert Participant.objects.count() == 1


def test_two_tabs_of_one_browser_are_one_participant(study: SampleStudy) -> None:
    one = Walker().get(study.link)
    other = Walker(client=one.client).get(study.link)
    one.send()
    other.send()
    assert one.address == other.address
    assert Participant.objects.count() == 1


def test_consent_sent_twice_is_one_participant(study: SampleStudy) -> None:
    walker = Walker().get(study.link)
    form = walker.filled()
    walker.send()
    walker.client.cookies.pop(place_cookie_name(study.cohort.token))
    again = walker.client.post(study.link, form)
    assert again.headers["Location"] == f"/p/{Participant.objects.get().token}/"
    assert Participant.objects.count() == 1


def test_the_personal_link_resumes_in_another_browser(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/")
    token = walker.address.split("/")[2]
    elsewhere = Walker().get(f"/p/{token}/")
    assert elsewhere.address == walker.address
    assert Participant.objects.count() == 1


def test_a_foreign_cookie_is_not_a_place(study: SampleStudy) -> None:
    other = sample_study(slug="other")
    stranger = Walker().get(other.link).send()
    token = stranger.address.split("/")[2]
    walker = Walker()
    walker.client.cookies[place_cookie_name(study.cohort.token)] = token
    assert walker.get(study.link).address == study.link


@pytest.mark.parametrize("link", ["/s/nonsense/", "/p/nonsense/", "/p/nonsense/thanks/"])
def test_a_wrong_link_is_a_friendly_404(study: SampleStudy, link: str) -> None:
    walker = Walker().get(link)
    assert walker.status == 404
    assert "Check that the link is complete" in walker.html


def test_a_trial_of_somebody_else_is_a_404(study: SampleStudy) -> None:
    one = Walker().walk_to(study.link, "/debate/")
    other = Walker().walk_to(study.link, "/debate/")
    mine, theirs = one.address.split("/")[2], other.address.split("/")[4]
    for page in ("", "debate/", "reports/"):
        assert Walker().get(f"/p/{mine}/t/{theirs}/{page}").status == 404


def test_a_full_study_says_so_before_any_work(study: SampleStudy) -> None:
    Cohort.objects.update(quota=0, enrolled=0)
    walker = Walker().get(study.link)
    assert walker.status == 200
    assert "All places are taken" in walker.html
    assert walker.page.forms == []


def test_who_consents_too_late_is_told(study: SampleStudy) -> None:
    walker = Walker().get(study.link)
    Cohort.objects.update(quota=0)
    walker.send()
    assert walker.status == 409
    assert "All places are taken" in walker.html
    assert nothing_is_allocated()


def test_a_full_study_lets_those_in_who_have_a_place(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    place = walker.address
    Cohort.objects.update(quota=1)
    assert walker.get(study.link).address == place


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("draft", "This study is not open"),
        ("paused", "This study is taking a break"),
        ("closed", "This study is not open"),
    ],
)
def test_a_study_that_is_not_open_says_so(study: SampleStudy, state: str, words: str) -> None:
    walker = Walker().get(study.link)
    Study.objects.update(state=state)
    assert words in Walker().get(study.link).html
    walker.send()
    assert walker.status == 409
    assert words in walker.html
    assert nothing_is_allocated()


def test_a_draft_study_without_texts_can_be_looked_at(study: SampleStudy) -> None:
    Study.objects.update(state="draft", texts={})
    assert Walker().get(study.link).status == 200


def test_a_study_without_background_questions_goes_straight_to_the_debate(
    study: SampleStudy,
) -> None:
    Study.objects.update(background=[])
    walker = Walker().get(study.link).send()
    assert "/t/" in walker.address
    assert "Step 2 of 7" in walker.html
    assert Walker().get(f"/p/{Participant.objects.get().token}/about-you/").status == 404
    assert walker.walk_to("", "/thanks/").status == 200


def test_a_study_of_consent_alone_ends_with_its_code() -> None:
    study = sample_study(debates=0)
    Study.objects.update(background=[])
    walker = Walker().get(study.link).send()
    assert walker.address.endswith("/thanks/")
    assert Participant.objects.get().completion_code in walker.html
