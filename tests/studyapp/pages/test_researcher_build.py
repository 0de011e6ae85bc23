"""Building, opening and exporting a study over HTTP."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
import pytest_django
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from studyapp.models import (
    DebateTrace,
    Event,
    GenerationRun,
    Scenario,
    StimulusPair,
    Study,
)
from tests.sample_study import DEMO
from tests.studyapp.debates import AGREES, DEADLOCK
from tests.studyapp.lab import Lab, browser_of, debate_file, page_text, user_new

pytestmark = pytest.mark.django_db


class TestBuilding:
    def test_a_study_is_created_from_uploaded_debates(self) -> None:
        client = browser_of(user_new("ada"))

        response = client.post(
            reverse("study-create"),
            {"title": "Bridges", "debates": [debate_file(AGREES.name), debate_file(DEADLOCK.name)]},
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
            "plan": {},
        }
        upload = SimpleUploadedFile("own.json", json.dumps(definition).encode())

        browser_of(user_new("ada")).post(
            reverse("study-create"),
            {"from": "definition", "definition": upload, "debates": debate_file(AGREES.name)},
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

        response = browser_of(user_new("ada")).post(
            reverse("study-create"), {"title": "T", "debates": [debate_file(AGREES.name), upload]}
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

        response = browser_of(user_new("ada")).post(
            reverse("study-create"), {"title": "T", "debates": [debate_file(AGREES.name)]}
        )

        assert "at most 1000 bytes" in response.content.decode()
        assert not DebateTrace.objects.exists()

    def test_missing_fields_are_told_at_the_field(self) -> None:
        page = browser_of(user_new("ada")).post(reverse("study-create"), {}).content.decode()

        assert "Enter a title" in page
        assert "Choose at least one debate file" in page

    def test_a_debate_is_added_and_taken_out_again(self, lab: Lab) -> None:
        Scenario.objects.filter(study=lab.study).delete()

        lab.ada.post(lab.url("debates-add"), {"debates": debate_file(AGREES.name)})
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

        assert "no contrast" in page_text(lab.ada, lab.url("study-detail"))
        response = lab.ada.post(lab.url("study-open"), follow=True)
        assert "nothing to compare" in response.content.decode()
        assert lab.state() == "draft"

    def test_the_participants_link_stands_on_the_page(self, lab: Lab) -> None:
        token = lab.study.cohorts.get().token

        assert f"http://testserver/s/{token}/" in page_text(lab.ada, lab.url("study-detail"))


class TestExport:
    def test_the_bundle_is_downloaded_and_the_download_is_logged(self, lab: Lab) -> None:
        response = lab.ada.post(lab.url("study-export"))

        data = response.getvalue()
        assert response["Content-Disposition"] == 'attachment; filename="two-debates.zip"'
        assert "long.csv" in zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert Event.objects.get(kind="bundle.exported").payload["actor"] == "ada"
