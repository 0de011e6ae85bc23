"""The researcher's pages, over HTTP: who may see what, what is shown, what each button does."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_django
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from studyapp import tasks
from studyapp.models import (
    DebateTrace,
    Event,
    GenerationRun,
    RunState,
    Scenario,
    StimulusPair,
    Study,
    StudyState,
)
from studyapp.pages.researcher_urls import urlpatterns
from studyapp.services.study import study_build, texts_generate
from studyapp.services.study.loading import UploadedFile
from tests.sample_study import DEMO, SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock

_WORD = "correct horse"
pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Lab:
    """Ada's study with two debates, and the browsers of people who may or may not see it."""

    study: Study
    ada: Client
    queued: list[int]

    def url(self, name: str, **kwargs: Any) -> str:
        return reverse(name, kwargs={"slug": self.study.slug, **kwargs})

    def generate(self) -> None:
        self.ada.post(self.url("study-generate"), {"preset": "offline"})
        for run_id in self.queued:
            texts_generate(run_id=run_id, now=Clock(), environment={})

    @property
    def key(self) -> str:
        return self.study.scenarios.earliest("position").key

    def state(self) -> str:
        return Study.objects.values_list("state", flat=True).get(pk=self.study.pk)


@pytest.fixture
def queued(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: pytest_django.DjangoCaptureOnCommitCallbacks,
) -> list[int]:
    """Collect the runs for which a worker was to be woken, in place of a broker."""
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.run_execute, "delay_on_commit", lambda *, run_id: woken.append(run_id)
    )
    return woken


@pytest.fixture
def lab(queued: list[int]) -> Lab:
    owner = _user("ada")
    files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
    study = study_build(title="Two debates", debates=files, seed=1, owner_id=owner.pk, now=START)
    return Lab(study, _browser(owner), queued)


def _addresses(lab: Lab) -> Iterator[tuple[str, str, str]]:
    """Name, method and address of every page about a study."""
    run = GenerationRun.objects.earliest("pk")
    posts = {"generate", "open", "pause", "close", "export", "add", "remove", "cancel", "retry"}
    for pattern in urlpatterns:
        name = str(pattern.name)
        wanted = pattern.pattern.converters
        if "slug" not in wanted:
            continue
        kwargs: dict[str, Any] = {"key": lab.key} if "key" in wanted else {}
        if "run" in wanted:
            kwargs["run"] = run.pk
        method = "post" if name.rpartition("-")[2] in posts else "get"
        yield name, method, lab.url(name, **kwargs)


class TestWhoMaySee:
    def test_every_page_about_a_study_asks_who_is_there(self, lab: Lab) -> None:
        lab.generate()
        table = list(_addresses(lab))
        assert len(table) == 15
        stranger, visitor = _browser(_user("bob")), _browser(_user("eve", is_staff=False))

        for name, method, address in table:
            missing = address.replace("/two-debates/", "/no-such-study/")
            anonymous = getattr(Client(), method)(address)
            assert anonymous.status_code == 302, name
            assert anonymous["Location"].startswith("/login/"), name
            assert getattr(visitor, method)(address).status_code == 403, name
            assert getattr(visitor, method)(missing).status_code == 403, name
            # Not even existence: what is another's looks like what is not there.
            assert getattr(stranger, method)(address).status_code == 404, name
            assert getattr(stranger, method)(missing).status_code == 404, name

        assert Study.objects.get(pk=lab.study.pk).state == StudyState.DRAFT
        assert not Event.objects.filter(kind="bundle.exported").exists()

    def test_the_owner_and_superusers_see_them_all(self, lab: Lab) -> None:
        lab.generate()
        root = _browser(_user("root", is_superuser=True))

        for client in (lab.ada, root):
            for name, method, address in _addresses(lab):
                if method == "get":
                    assert client.get(address).status_code == 200, name

    def test_the_list_holds_only_one_s_own_studies(self, lab: Lab) -> None:
        address = reverse("study-list")

        assert "Two debates" in _text(lab.ada, address)
        assert "Two debates" not in _text(_browser(_user("bob")), address)
        assert "Two debates" in _text(_browser(_user("root", is_superuser=True)), address)

    def test_a_run_of_another_study_is_not_found_under_one_s_own(self, lab: Lab) -> None:
        lab.generate()
        run = GenerationRun.objects.earliest("pk")
        bob = _user("bob")
        own = study_build(title="Bob's", debates=[], seed=1, owner_id=bob.pk, now=START)
        client = _browser(bob)

        for name in ("run-detail", "run-live"):
            address = reverse(name, kwargs={"slug": own.slug, "run": run.pk})
            assert client.get(address).status_code == 404
        for name in ("run-cancel", "run-retry"):
            address = reverse(name, kwargs={"slug": own.slug, "run": run.pk})
            assert client.post(address).status_code == 404

    def test_what_changes_something_cannot_be_done_by_a_link(self, lab: Lab) -> None:
        lab.generate()
        for name, method, address in _addresses(lab):
            if method == "post" and name != "debates-add":
                assert lab.ada.get(address).status_code == 405, name

    def test_pages_are_not_kept_in_caches(self, lab: Lab) -> None:
        assert "no-store" in lab.ada.get(lab.url("study-detail"))["Cache-Control"]


class TestSigningIn:
    def test_a_researcher_signs_in_and_lands_on_the_studies(self) -> None:
        _user("ada", password=_WORD)

        response = Client().post("/login/", {"username": "ada", "password": _WORD})

        assert (response.status_code, response["Location"]) == (302, reverse("study-list"))

    @pytest.mark.parametrize("address", ["/login/", "/admin/login/"])
    def test_guessing_is_stopped_and_a_right_guess_does_not_help_then(
        self, address: str, settings: pytest_django.Settings
    ) -> None:
        settings.AXES_FAILURE_LIMIT = 3
        _user("ada", password=_WORD)
        client = Client()
        guess = {"username": "ada", "password": "wrong"}

        statuses = [client.post(address, guess).status_code for _ in range(4)]

        assert statuses == [200, 200, 429, 429]
        right = client.post(address, {**guess, "password": _WORD})
        assert right.status_code == 429
        assert "Too many attempts" in right.content.decode()

    def test_a_wrong_password_is_told_beside_the_form(self) -> None:
        page = Client().post("/login/", {"username": "ada", "password": "no"}).content.decode()

        assert "There is a problem" in page
        assert 'value="ada"' in page

    def test_signing_out_needs_a_button(self, lab: Lab) -> None:
        assert lab.ada.get("/logout/").status_code == 405
        assert lab.ada.post("/logout/").status_code == 302
        assert lab.ada.get(reverse("study-list")).status_code == 302

    def test_the_first_page_lists_no_study(self, lab: Lab) -> None:
        page = lab.ada.get("/").content.decode()

        assert "Researcher sign-in" in page
        assert "Two debates" not in page


class TestBuilding:
    def test_a_study_is_created_from_uploaded_debates(self) -> None:
        client = _browser(_user("ada"))

        response = client.post(
            reverse("study-create"),
            {"title": "Bridges", "debates": [_file(AGREES.name), _file(DEADLOCK.name)]},
            follow=True,
        )

        study = Study.objects.get()
        assert (study.slug, study.owner) == ("bridges", User.objects.get(username="ada"))
        assert study.scenarios.count() == 2
        assert "test data" in response.content.decode()

    def test_a_study_is_created_from_a_definition_and_its_debates(self) -> None:
        definition = json.loads(DEMO.read_text(encoding="utf-8")) | {
            "slug": "own",
            "kind": "study",
            "scenarios": [{"key": "one", "title": "One", "trace": f"debates/{AGREES.name}"}],
        }
        upload = SimpleUploadedFile("own.json", json.dumps(definition).encode())

        _browser(_user("ada")).post(
            reverse("study-create"),
            {"from": "definition", "definition": upload, "debates": _file(AGREES.name)},
        )

        study = Study.objects.get()
        assert (study.slug, study.is_test) == ("own", False)

    @pytest.mark.parametrize(
        ("name", "data", "said"),
        [
            ("cut.json", b'{"format": "apg-trace", "version": 1,', "cut.json"),
            ("empty.json", b" ", "empty.json"),
            ("v9.json", b'{"format": "apg-trace", "version": 9}', "v9.json"),
        ],
    )
    def test_a_bad_upload_is_explained_and_changes_nothing(
        self, name: str, data: bytes, said: str
    ) -> None:
        upload = SimpleUploadedFile(name, data)

        response = _browser(_user("ada")).post(
            reverse("study-create"), {"title": "T", "debates": [_file(AGREES.name), upload]}
        )

        page = response.content.decode()
        assert response.status_code == 400
        assert said in page
        assert "allowed" in page
        assert "Nothing was stored" in page
        assert not Study.objects.exists()
        assert not DebateTrace.objects.exists()

    def test_a_debate_over_the_limit_is_refused_before_it_is_read(
        self, settings: pytest_django.Settings
    ) -> None:
        settings.TRACE_MAX_BYTES = 1000

        response = _browser(_user("ada")).post(
            reverse("study-create"), {"title": "T", "debates": [_file(AGREES.name)]}
        )

        assert "at most 1000 bytes" in response.content.decode()
        assert not DebateTrace.objects.exists()

    def test_missing_fields_are_told_at_the_field(self) -> None:
        page = _browser(_user("ada")).post(reverse("study-create"), {}).content.decode()

        assert "Enter a title" in page
        assert "Choose at least one debate file" in page

    def test_a_debate_is_added_and_taken_out_again(self, lab: Lab) -> None:
        Scenario.objects.filter(study=lab.study).delete()

        lab.ada.post(lab.url("debates-add"), {"debates": _file(AGREES.name)})
        scenario = lab.study.scenarios.get()
        lab.ada.post(lab.url("scenario-remove", key=scenario.key))

        assert not lab.study.scenarios.exists()

    def test_a_bad_debate_is_explained_on_the_study_s_page(self, lab: Lab) -> None:
        upload = SimpleUploadedFile("cut.json", b"{")

        response = lab.ada.post(lab.url("debates-add"), {"debates": upload})

        assert response.status_code == 400
        assert "cut.json" in response.content.decode()
        assert lab.study.scenarios.count() == 2

    def test_generating_queues_one_run_a_scenario_and_wakes_a_worker_for_each(
        self, lab: Lab
    ) -> None:
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})

        assert lab.queued == list(GenerationRun.objects.values_list("pk", flat=True))
        assert len(lab.queued) == 2


class TestWatching:
    def test_the_page_looks_again_while_a_worker_is_busy_and_stops_then(self, lab: Lab) -> None:
        live = lab.url("study-live")
        assert "hx-get" not in _text(lab.ada, live)
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        assert "hx-get" in _text(lab.ada, live)
        for run_id in lab.queued:
            texts_generate(run_id=run_id, now=Clock(), environment={})

        assert "hx-get" not in _text(lab.ada, live)

    def test_offline_models_are_named_as_what_they_are(self, lab: Lab) -> None:
        lab.generate()

        for name in ("study-detail", "run-detail", "pair-detail"):
            kwargs: dict[str, Any] = {}
            if name == "run-detail":
                kwargs = {"run": lab.queued[0]}
            if name == "pair-detail":
                kwargs = {"key": lab.key}
            assert "No language model wrote or judged" in _text(lab.ada, lab.url(name, **kwargs))

    def test_the_demo_study_says_that_it_is_a_conceptual_replication(self, lab: Lab) -> None:
        Study.objects.filter(pk=lab.study.pk).update(kind="demo")

        page = _text(lab.ada, lab.url("study-detail"))

        assert "conceptual replication" in page
        assert "replica," not in page

    def test_counts_and_balance_name_no_arm(self, lab: Lab) -> None:
        lab.generate()
        lab.ada.post(lab.url("study-open"))
        study = Study.objects.get(pk=lab.study.pk)
        people_complete(SampleStudy(study, study.cohorts.get()), count=5)

        page = _text(lab.ada, lab.url("study-live"))

        assert "baseline" not in page
        assert "apg" not in page
        figures = [part.split("</dd>")[0].strip() for part in page.split("<dd>")[1:5]]
        assert figures == ["5", "0", "0", "5"]

    def test_the_run_s_story_shows_drafts_verdicts_and_evidence(self, lab: Lab) -> None:
        lab.generate()
        deadlock = lab.study.scenarios.get(title="Dark nights in April").run_id

        page = _text(lab.ada, lab.url("run-detail", run=deadlock))

        assert "Result: a Divergence Report" in page
        assert "Draft 3" in page
        assert "What the proposer was told next" in page
        assert "supported" in page
        assert "undetermined" in page
        assert "#T" in page
        assert "Recorded calls" in page

    def test_a_run_is_cancelled_and_taken_up_again(self, lab: Lab) -> None:
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        run = lab.queued[0]

        lab.ada.post(lab.url("run-cancel", run=run))
        assert "cancelled" in _text(lab.ada, lab.url("run-detail", run=run))
        lab.ada.post(lab.url("run-retry", run=run))

        assert GenerationRun.objects.get(pk=run).state == RunState.QUEUED
        assert lab.queued.count(run) == 2

    def test_when_a_run_ends_its_page_is_loaded_anew(self, lab: Lab) -> None:
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        live = lab.url("run-live", run=lab.queued[0])
        assert "HX-Refresh" not in lab.ada.get(live)

        texts_generate(run_id=lab.queued[0], now=Clock(), environment={})

        assert lab.ada.get(live)["HX-Refresh"] == "true"

    def test_a_failed_run_says_why(self, lab: Lab) -> None:
        lab.ada.post(lab.url("study-generate"), {"preset": "paper"})
        texts_generate(run_id=lab.queued[0], now=Clock(), environment={})

        assert "GEMINI_API_KEY" in _text(lab.ada, lab.url("run-detail", run=lab.queued[0]))
        assert "GEMINI_API_KEY" in _text(lab.ada, lab.url("study-detail"))

    def test_the_debate_is_shown_with_its_private_side(self, lab: Lab) -> None:
        scenario = lab.study.scenarios.select_related("trace").earliest("position")
        turn = next(row for row in scenario.trace.content["turns"] if row["private_trace"])

        page = _text(lab.ada, lab.url("trace-detail", key=scenario.key))

        assert turn["private_trace"][:30] in page
        assert f'id="P{turn["number"]}"' in page

    def test_the_pair_is_shown_as_participants_see_it(self, lab: Lab) -> None:
        lab.generate()
        key = lab.key

        page = _text(lab.ada, lab.url("pair-detail", key=key))

        assert page.index("Report A") < page.index("Report B")
        assert "Arm: baseline" in page

    def test_a_scenario_without_a_pair_has_no_pair_page(self, lab: Lab) -> None:
        key = lab.key

        assert lab.ada.get(lab.url("pair-detail", key=key)).status_code == 404
        assert lab.ada.get(lab.url("trace-detail", key="nope")).status_code == 404


class TestOpening:
    def test_open_pause_and_close(self, lab: Lab) -> None:
        lab.generate()
        for name, state in (
            ("study-open", "open"),
            ("study-pause", "paused"),
            ("study-open", "open"),
            ("study-close", "closed"),
        ):
            lab.ada.post(lab.url(name))
            assert lab.state() == state
            assert lab.ada.get(lab.url("study-detail")).status_code == 200

    def test_a_study_without_texts_says_what_is_missing(self, lab: Lab) -> None:
        response = lab.ada.post(lab.url("study-open"), follow=True)

        assert "has no texts yet" in response.content.decode()
        assert lab.state() == "draft"

    def test_no_contrast_is_marked_and_the_study_stays_shut(self, lab: Lab) -> None:
        lab.generate()
        StimulusPair.objects.filter(scenarios__key=lab.key).update(has_contrast=False)

        assert "no contrast" in _text(lab.ada, lab.url("study-detail"))
        response = lab.ada.post(lab.url("study-open"), follow=True)
        assert "nothing to compare" in response.content.decode()
        assert lab.state() == "draft"

    def test_the_participants_link_stands_on_the_page(self, lab: Lab) -> None:
        token = lab.study.cohorts.get().token

        assert f"http://testserver/s/{token}/" in _text(lab.ada, lab.url("study-detail"))


class TestExport:
    def test_the_bundle_is_downloaded_and_the_download_is_logged(self, lab: Lab) -> None:
        response = lab.ada.post(lab.url("study-export"))

        data = response.getvalue()
        assert response["Content-Disposition"] == 'attachment; filename="two-debates.zip"'
        assert "long.csv" in zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert Event.objects.get(kind="bundle.exported").payload["actor"] == "ada"


class TestCost:
    def test_queries_do_not_grow_with_scenarios_and_participants(self, lab: Lab) -> None:
        lab.generate()
        small = {name: _queries(lab.ada, lab.url(name)) for name in ("study-detail", "study-live")}
        files = [UploadedFile("x.json", AGREES.read_bytes())] * 4
        study = study_build(
            title="Large", debates=files, seed=1, owner_id=lab.study.owner_id, now=START
        )
        large = Lab(study, lab.ada, lab.queued)
        large.generate()
        lab.ada.post(large.url("study-open"))
        study.refresh_from_db()
        people_complete(SampleStudy(study, study.cohorts.get()), count=4)

        for name, queries in small.items():
            assert _queries(lab.ada, large.url(name)) == queries, name

    def test_the_list_takes_the_same_queries_for_one_study_and_for_five(self, lab: Lab) -> None:
        address = reverse("study-list")
        one = _queries(lab.ada, address)
        for number in range(4):
            study_build(
                title=f"S{number}", debates=[], seed=1, owner_id=lab.study.owner_id, now=START
            )

        assert _queries(lab.ada, address) == one


def _user(
    name: str, *, password: str = "", is_staff: bool = True, is_superuser: bool = False
) -> User:
    return User.objects.create_user(
        name, password=password or None, is_staff=is_staff, is_superuser=is_superuser
    )


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _file(name: str) -> SimpleUploadedFile:
    path = AGREES if name == AGREES.name else DEADLOCK
    return SimpleUploadedFile(name, path.read_bytes(), content_type="application/json")


def _text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
