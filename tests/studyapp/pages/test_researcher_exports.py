"""The pages about exports: what is offered, how far it is, what is given out, what is sealed."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import pytest_django

from studyapp import tasks
from studyapp.models import Event, ExportJob, Participant, Study, Unsealing
from studyapp.services.export.jobs import export_build
from tests.sample_study import SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import Clock
from tests.studyapp.lab import Lab, browser_of, page_text, user_new

pytestmark = pytest.mark.django_db

ASKED = {
    "form": "bundle", "table": "long", "completion": "all", "whose": "live", "cohort": "",
    "headings": "codes",
}  # fmt: skip
REASON = "A participant reported harm; we must know what they read."


@pytest.fixture(autouse=True)
def exports_apart(tmp_path: Path, settings: pytest_django.Settings) -> None:
    settings.EXPORT_DIR = tmp_path / "exports"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the exports for which a worker was to be woken, in place of a broker."""
    found: list[int] = []
    monkeypatch.setattr(
        tasks.export_build, "delay_on_commit", lambda *, job_id: found.append(job_id)
    )
    return found


@pytest.fixture
def running(lab: Lab, woken: list[int]) -> Lab:
    """Ada's live study, open, with two people's answers."""
    lab.generate()
    lab.ada.post(lab.url("study-open"))
    study = Study.objects.get(pk=lab.study.pk)
    people_complete(SampleStudy(study, study.cohorts.get()), count=2)
    Study.objects.filter(pk=study.pk).update(is_test=False, kind="study")
    Participant.objects.update(is_test=False)
    return lab


@pytest.fixture
def closed(running: Lab) -> Lab:
    Study.objects.filter(pk=running.study.pk).update(state="closed")
    return running


def _ask(lab: Lab, **asked: Any) -> Any:
    return lab.ada.post(lab.url("export-request"), {**ASKED, **asked})


def _content(response: Any) -> bytes:
    return b"".join(response.streaming_content)


class TestAsking:
    def test_an_export_is_asked_for_built_watched_and_taken_along(
        self, closed: Lab, woken: list[int]
    ) -> None:
        assert _ask(closed).status_code == 302
        live = page_text(closed.ada, closed.url("exports-live"))
        assert "Waiting for a worker" in live
        assert "hx-get" in live

        export_build(job_id=woken[0], now=Clock())

        page = page_text(closed.ada, closed.url("study-exports"))
        assert "finished" in page
        assert "hx-get" not in page
        response = closed.ada.post(closed.url("export-file", export=woken[0]))
        data = _content(response)
        assert response.streaming
        name = f'attachment; filename="{closed.study.slug}.zip"'
        assert response["Content-Disposition"] == name
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = json.loads(archive.read("manifest.json"))
        assert manifest["participants"]["complete"] == 2
        event = Event.objects.get(kind="export.downloaded")
        assert event.payload["actor"] == "ada"

    def test_how_far_a_worker_is_is_shown(self, closed: Lab, woken: list[int]) -> None:
        _ask(closed)
        ExportJob.objects.update(state="running", rows_done=30, rows_total=120, stage="long.csv")

        live = page_text(closed.ada, closed.url("exports-live"))

        assert "30 of about 120 rows" in live
        assert 'value="25"' in live

    def test_options_that_do_not_go_together_come_back_with_the_form_as_it_was(
        self, closed: Lab, woken: list[int]
    ) -> None:
        response = _ask(closed, headings="labels", completion="partial")

        page = response.content.decode()
        assert response.status_code == 400
        assert "a bundle has codes as headings" in page
        assert '<option value="partial" selected>' in page
        assert not ExportJob.objects.exists()
        assert woken == []

    def test_something_that_is_not_offered_is_refused(self, closed: Lab) -> None:
        assert _ask(closed, form="exe").status_code == 400
        assert _ask(closed, cohort="nope").status_code == 400
        assert not ExportJob.objects.exists()

    def test_panel_ids_are_offered_only_where_there_are_some(self, closed: Lab) -> None:
        assert "external_ids" not in page_text(closed.ada, closed.url("study-exports"))

        Participant.objects.filter(pk=Participant.objects.earliest("pk").pk).update(
            external_id="PID-1"
        )

        assert "external_ids" in page_text(closed.ada, closed.url("study-exports"))

    def test_a_file_that_is_gone_is_told(self, closed: Lab, woken: list[int]) -> None:
        response = closed.ada.post(closed.url("export-file", export=999), follow=True)

        assert "not there any more" in response.content.decode()

    def test_a_download_is_a_post_so_that_no_prefetch_is_recorded(self, closed: Lab) -> None:
        assert closed.ada.get(closed.url("export-file", export=1)).status_code == 405


class TestSeal:
    def test_a_running_study_is_sealed_and_a_blind_export_is_proposed(self, running: Lab) -> None:
        page = page_text(running.ada, running.url("study-exports"))

        assert "Which arm stood where is told to nobody" in page
        assert 'name="blind" id="id_blind" checked' in page or 'id="id_blind" checked' in page

    def test_the_whole_bundle_is_refused_on_both_pages(
        self, running: Lab, woken: list[int]
    ) -> None:
        asked = _ask(running)
        direct = running.ada.post(running.url("study-export"), follow=True)

        assert asked.status_code == 400
        for response in (asked, direct):
            assert "sealed until the study is closed" in response.content.decode()
        assert woken == []
        assert not Event.objects.filter(kind="bundle.exported").exists()

    def test_the_blind_one_is_built(self, running: Lab, woken: list[int]) -> None:
        _ask(running, blind="on")
        export_build(job_id=woken[0], now=Clock())

        data = _content(running.ada.post(running.url("export-file", export=woken[0])))

        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert json.loads(archive.read("manifest.json"))["blind"] is True

    def test_the_seed_is_not_shown_while_the_key_is_sealed(self, running: Lab) -> None:
        Study.objects.filter(pk=running.study.pk).update(seed=987654321)

        assert "987654321" not in page_text(running.ada, running.url("study-detail"))

        Study.objects.filter(pk=running.study.pk).update(state="closed")
        assert "987654321" in page_text(running.ada, running.url("study-detail"))

    def test_unsealing_needs_a_reason(self, running: Lab) -> None:
        for reason in ("", "short"):
            response = running.ada.post(running.url("arm-key-unseal"), {"reason": reason})
            assert response.status_code == 400

        assert not Unsealing.objects.exists()

    def test_unsealing_is_recorded_shown_and_opens_the_bundle(
        self, running: Lab, woken: list[int]
    ) -> None:
        running.ada.post(running.url("arm-key-unseal"), {"reason": REASON})

        page = page_text(running.ada, running.url("study-exports"))
        assert "Unsealed early by ada" in page
        assert REASON in page
        assert _ask(running).status_code == 302
        assert Unsealing.objects.get().actor == "ada"


class TestStrangers:
    @pytest.mark.parametrize("name", ["study-exports", "exports-live"])
    def test_somebody_else_s_exports_are_not_found(self, closed: Lab, name: str) -> None:
        eve = browser_of(user_new("eve"))

        assert eve.get(closed.url(name)).status_code == 404

    @pytest.mark.parametrize("name", ["export-request", "arm-key-unseal"])
    def test_somebody_else_can_neither_ask_nor_unseal(self, closed: Lab, name: str) -> None:
        eve = browser_of(user_new("eve"))

        assert eve.post(closed.url(name), {**ASKED, "reason": REASON}).status_code == 404
        assert not ExportJob.objects.exists()
        assert not Unsealing.objects.exists()

    def test_an_export_is_not_found_under_another_study(
        self, closed: Lab, woken: list[int]
    ) -> None:
        _ask(closed)
        export_build(job_id=woken[0], now=Clock())
        eve = browser_of(user_new("eve"))

        assert eve.post(closed.url("export-file", export=woken[0])).status_code == 404
