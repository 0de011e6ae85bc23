"""Answering: errors keep what was entered, drafts survive, and nothing is stored twice."""

from __future__ import annotations

from datetime import datetime

import pytest

from studyapp.models import Assignment, Draft, Participant, Response, Study
from studyapp.pages import participant_steps
from studyapp.services.response import background_record
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def walker() -> Walker:
    return Walker().walk_to(sample_study().link, "/reports/")


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def chosen(walker: Walker) -> dict[str, str]:
    return walker.page.forms[0].chosen


def test_missing_answers_are_listed_with_links_and_the_rest_is_kept(walker: Walker) -> None:
    walker.send(act_on=None, trust__right=None, comment="My words")
    assert walker.status == 400
    html = walker.html
    assert "There is a problem" in html
    assert '<a href="#act_on">' in html
    assert '<a href="#trust.right">' in html
    assert html.count("error-message") == 2
    assert {"act_on", "trust.right"} <= set(walker.page.ids)
    assert chosen(walker) == {
        "faithful": "left",
        "fluent": "left",
        "trust.left": "1",
        "fluency.left": "1",
        "fluency.right": "1",
    }
    assert walker.page.forms[0].values["comment"] == "My words"
    assert "Error:" in html[html.index("<title>") : html.index("</title>")]
    assert Response.objects.count() == 0


@pytest.mark.parametrize(
    ("field", "value"), [("trust.left", "6"), ("act_on", "apg"), ("fluent", "both")]
)
def test_a_tampered_value_is_an_error_in_its_field(walker: Walker, field: str, value: str) -> None:
    walker.send(lambda name, offered: value if name == field else offered[0])
    assert walker.status == 400
    assert "Select one of the answers shown here" in walker.html
    assert Response.objects.count() == 0
    assert value not in chosen(walker).values()


def test_a_text_that_is_too_long_comes_back_whole(walker: Walker) -> None:
    walker.send(comment="x" * 5000)
    assert walker.status == 400
    assert "Shorten your answer to 4000 characters or fewer" in walker.html
    assert len(walker.page.forms[0].values["comment"]) == 5000


def test_what_is_typed_is_shown_as_text(walker: Walker) -> None:
    walker.send(act_on=None, comment="<script>alert(1)</script>&")
    assert "<script>alert" not in walker.html
    assert walker.page.forms[0].values["comment"] == "<script>alert(1)</script>&"


def test_background_errors_keep_the_other_answers(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/").send(field=None)
    assert walker.status == 400
    assert '<a href="#field">' in walker.html
    assert chosen(walker) == {"age_group": "18-24", "llm_literacy": "never"}
    assert Participant.objects.get().background is None


def test_answers_that_failed_are_kept_on_the_server_too(walker: Walker) -> None:
    walker.send(act_on=None, comment="Kept")
    walker.get(walker.address)
    assert walker.page.forms[0].values["comment"] == "Kept"
    assert chosen(walker)["faithful"] == "left"


def test_a_draft_fills_the_form_again_also_in_another_browser(walker: Walker) -> None:
    draft = {**walker.filled(act_on="neither", comment="So far"), "fluent": ""}
    saved = walker.client.post(walker.address.replace("/reports/", "/draft/"), draft)
    assert saved.status_code == 204
    assert saved.content == b""
    elsewhere = Walker().get(walker.address)
    assert chosen(elsewhere)["act_on"] == "neither"
    assert "fluent" not in chosen(elsewhere)
    assert elsewhere.page.forms[0].values["comment"] == "So far"
    assert Response.objects.count() == 0


def test_save_and_continue_later_works_without_script(walker: Walker) -> None:
    place = walker.address
    walker.send(action="later", act_on="right", fluent=None)
    assert walker.address.endswith("/later/")
    token = place.split("/")[2]
    assert f"/p/{token}/" in walker.html
    assert chosen(Walker().get(f"/p/{token}/"))["act_on"] == "right"


def test_a_draft_without_a_token_is_refused(walker: Walker) -> None:
    address = walker.address.replace("/reports/", "/draft/")
    assert walker.client.post(address, {"act_on": "left"}).status_code == 403
    assert Draft.objects.count() == 0


def test_a_draft_is_only_posted(walker: Walker) -> None:
    assert walker.client.get(walker.address.replace("/reports/", "/draft/")).status_code == 405


def test_a_draft_for_an_unknown_trial_is_a_404(walker: Walker) -> None:
    token = walker.address.split("/")[2]
    assert walker.client.post(f"/p/{token}/t/x/draft/", walker.filled()).status_code == 404


def test_a_draft_that_comes_after_the_answers_is_told(walker: Walker) -> None:
    address, form = walker.address.replace("/reports/", "/draft/"), walker.filled()
    walker.send()
    form["csrfmiddlewaretoken"] = walker.page.forms[0].values["csrfmiddlewaretoken"]
    assert walker.client.post(address, form).status_code == 409
    assert Draft.objects.count() == 0


def test_the_same_answers_sent_twice_lead_on_and_are_stored_once(walker: Walker) -> None:
    address, form = walker.address, walker.filled(comment="Once")
    walker.send(comment="Once")
    again = walker.client.post(address, form, follow=True)
    assert again.redirect_chain[-1][0] == walker.address
    assert Response.objects.count() == 8


def test_other_answers_sent_after_going_back_leave_the_first_ones(walker: Walker) -> None:
    address, form = walker.address, walker.filled(act_on="right")
    walker.send(act_on="left")
    again = walker.client.post(address, form)
    assert again.status_code == 409
    assert "You have already answered this page" in again.content.decode()
    assert Response.objects.get(measure="act_on").value == "left"
    assert Response.objects.count() == 7


def test_going_back_to_a_finished_trial_says_so_and_leads_on(walker: Walker) -> None:
    address = walker.address
    walker.send()
    for page in (address, address.replace("/reports/", "/debate/"), address[:-8]):
        back = Walker(client=walker.client).get(page)
        assert back.status == 200
        assert "You have already answered this page" in back.html
        assert walker.address in back.page.links


def test_going_back_from_the_thanks_page_changes_nothing(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/").send().walk_to("", "/reports/")
    address, form = walker.address, walker.filled(act_on="right")
    walker.send(act_on="left")
    assert walker.address.endswith("/thanks/")
    again = walker.client.post(address, form)
    assert again.status_code == 409
    assert set(Response.objects.filter(measure="act_on").values_list("value", flat=True)) == {
        "left"
    }
    thanks = walker.get(walker.address)
    assert Participant.objects.get().completion_code in thanks.html


def test_going_back_to_the_background_leaves_it(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/")
    address, form = walker.address, walker.filled()
    walker.send()
    place = walker.address
    assert "You have already answered this page" in walker.get(address).html
    same = walker.client.post(address, form)
    assert (same.status_code, same.headers["Location"]) == (302, place)
    other = walker.client.post(address, {**form, "field": "health"})
    assert other.status_code == 409
    assert (Participant.objects.get().background or {})["field"] == "computing"


@pytest.mark.parametrize(("field", "status"), [("computing", 302), ("health", 409)])
def test_a_background_sent_twice_at_once_leads_on_to_the_next_step(
    study: SampleStudy, monkeypatch: pytest.MonkeyPatch, field: str, status: int
) -> None:
    def the_other_was_faster(*, participant: str, sent: dict[str, str], now: datetime) -> None:
        first = {**sent, "field": "computing"}
        background_record(participant=participant, sent=first, now=now)
        background_record(participant=participant, sent=sent, now=now)

    monkeypatch.setattr(participant_steps, "background_record", the_other_was_faster)
    walker = Walker().walk_to(study.link, "/about-you/")
    answer = walker.client.post(walker.address, walker.filled(field=field))
    trial = f"{walker.address.removesuffix('about-you/')}t/{_first_trial()}/"
    assert answer.status_code == status
    assert trial in (answer.headers.get("Location", "") or answer.content.decode())
    assert (Participant.objects.get().background or {})["field"] == "computing"


def test_going_back_within_a_trial_shows_the_debate_again(walker: Walker) -> None:
    back = walker.get(walker.address.replace("/reports/", "/debate/"))
    assert "I have read the debate" in back.html
    assert back.send().address.endswith("/reports/")
    intro = walker.get(walker.address[:-8])
    assert "Continue reading" in intro.html


@pytest.mark.parametrize("page", ["debate/", "reports/"])
def test_no_step_can_be_skipped(study: SampleStudy, page: str) -> None:
    walker = Walker().walk_to(study.link, "/about-you/")
    token = walker.address.split("/")[2]
    for trial in Assignment.objects.order_by("order"):
        assert walker.get(f"/p/{token}/t/{trial.token}/{page}").address.endswith("/about-you/")
    walker.send()
    first, second = Assignment.objects.order_by("order").values_list("token", flat=True)
    assert walker.get(f"/p/{token}/t/{first}/{page}").address == f"/p/{token}/t/{first}/"
    assert walker.get(f"/p/{token}/t/{second}/{page}").address == f"/p/{token}/t/{first}/"


def test_posting_ahead_leads_back_and_stores_nothing(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/").send()
    token = walker.address.split("/")[2]
    second = Assignment.objects.get(order=2).token
    csrf = walker.filled()
    ahead = walker.client.post(f"/p/{token}/t/{second}/reports/", {**csrf, "act_on": "left"})
    assert (ahead.status_code, ahead.headers["Location"]) == (302, walker.address)
    assert Response.objects.count() == 0


def test_a_lost_cookie_brings_the_page_back_filled_and_stores_nothing(walker: Walker) -> None:
    del walker.client.cookies["csrftoken"]
    walker.send(act_on="neither", comment="A long thought")
    assert walker.status == 403
    assert "Please send this page once more" in walker.html
    assert chosen(walker)["act_on"] == "neither"
    assert walker.page.forms[0].values["comment"] == "A long thought"
    assert Response.objects.count() == 0
    assert Draft.objects.count() == 0
    form = {**walker.page.forms[0].values, **chosen(walker)}
    assert walker.client.post(walker.address, form).status_code == 302
    assert Response.objects.get(measure="comment").value == "A long thought"


def test_a_stale_token_brings_the_background_back_filled(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/")
    walker.send(csrfmiddlewaretoken="x" * 64, field="health")
    assert walker.status == 403
    assert chosen(walker)["field"] == "health"
    assert Participant.objects.get().background is None


def test_blocked_cookies_are_told_before_any_answer(study: SampleStudy) -> None:
    walker = Walker().get(study.link)
    walker.client.cookies.clear()
    walker.send()
    assert walker.status == 403
    assert "your browser blocks cookies for this site" in walker.html
    assert chosen(walker) == {"agree": "yes"}
    assert Participant.objects.count() == 0


def test_a_lost_cookie_does_not_show_a_pair_too_early(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/about-you/").send()
    address = f"{walker.address}reports/"
    response = walker.client.post(address, {"act_on": "left"})
    assert (response.status_code, response.headers["Location"]) == (302, walker.address)


def test_pages_are_not_kept_in_caches(walker: Walker) -> None:
    assert "no-store" in walker.response.headers["Cache-Control"]
    assert "no-store" in walker.send().response.headers["Cache-Control"]


def test_a_closed_study_says_so_and_keeps_the_code_within_reach(study: SampleStudy) -> None:
    finished = Walker().walk(study.link)
    walker = Walker().walk_to(study.link, "/reports/")
    Study.objects.update(state="closed")
    assert "This study has ended" in walker.send().html
    assert walker.status == 409
    assert "This study has ended" in walker.get(walker.address).html
    assert "completion code" in finished.get(finished.address).html


def test_the_code_is_shown_again_after_a_reload(study: SampleStudy) -> None:
    walker = Walker().walk(study.link)
    code = Participant.objects.get().completion_code
    for _ in range(2):
        assert code in walker.get(walker.address).html
    assert code in walker.get(study.link).html


def _first_trial() -> str:
    return Assignment.objects.earliest("order").token
