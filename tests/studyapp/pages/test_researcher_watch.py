"""What the researcher's pages show, and at what cost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from studyapp.models import (
    GenerationRun,
    RunState,
    Study,
)
from studyapp.services.study import UploadedFile, study_build, texts_generate
from tests.sample_study import SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import AGREES, START, Clock
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db


class TestWatching:
    def test_the_page_looks_again_while_a_worker_is_busy_and_stops_then(self, lab: Lab) -> None:
        live = lab.url("study-live")
        assert "hx-get" not in page_text(lab.ada, live)
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        assert "hx-get" in page_text(lab.ada, live)
        for run_id in lab.queued:
            texts_generate(run_id=run_id, now=Clock(), environment={})

        assert "hx-get" not in page_text(lab.ada, live)

    def test_offline_models_are_named_as_what_they_are(self, lab: Lab) -> None:
        lab.generate()

        for name in ("study-detail", "run-detail", "pair-detail"):
            kwargs: dict[str, Any] = {}
            if name == "run-detail":
                kwargs = {"run": lab.queued[0]}
            if name == "pair-detail":
                kwargs = {"key": lab.key}
            assert "No language model wrote or judged" in page_text(
                lab.ada, lab.url(name, **kwargs)
            )

    def test_the_demo_study_says_that_it_is_a_conceptual_replication(self, lab: Lab) -> None:
        Study.objects.filter(pk=lab.study.pk).update(kind="demo")

        page = page_text(lab.ada, lab.url("study-detail"))

        assert "conceptual replication" in page
        assert "replica," not in page

    def test_counts_and_balance_name_no_arm(self, lab: Lab) -> None:
        lab.generate()
        lab.ada.post(lab.url("study-open"))
        study = Study.objects.get(pk=lab.study.pk)
        people_complete(SampleStudy(study, study.cohorts.get()), count=5)

        page = page_text(lab.ada, lab.url("study-live"))

        assert "baseline" not in page
        assert "apg" not in page
        figures = [part.split("</dd>")[0].strip() for part in page.split("<dd>")[1:5]]
        assert figures == ["5", "0", "0", "5"]

    def test_the_run_s_story_shows_drafts_verdicts_and_evidence(self, lab: Lab) -> None:
        lab.generate()
        deadlock = lab.study.scenarios.get(trace__title="Dark nights in April").run_id

        page = page_text(lab.ada, lab.url("run-detail", run=deadlock))

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
        assert "cancelled" in page_text(lab.ada, lab.url("run-detail", run=run))
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

        assert "GEMINI_API_KEY" in page_text(lab.ada, lab.url("run-detail", run=lab.queued[0]))
        assert "GEMINI_API_KEY" in page_text(lab.ada, lab.url("study-detail"))

    def test_the_debate_is_shown_with_its_private_side(self, lab: Lab) -> None:
        scenario = lab.study.scenarios.select_related("trace").earliest("position")
        turn = next(row for row in scenario.trace.content["turns"] if row["private_trace"])

        page = page_text(lab.ada, lab.url("trace-detail", key=scenario.key))

        assert turn["private_trace"][:30] in page
        assert f'id="P{turn["number"]}"' in page

    def test_the_pair_is_shown_as_participants_see_it(self, lab: Lab) -> None:
        lab.generate()
        key = lab.key

        page = page_text(lab.ada, lab.url("pair-detail", key=key))

        assert page.index("Report A") < page.index("Report B")
        assert "Arm: baseline" in page

    def test_a_scenario_without_a_pair_has_no_pair_page(self, lab: Lab) -> None:
        key = lab.key

        assert lab.ada.get(lab.url("pair-detail", key=key)).status_code == 404
        assert lab.ada.get(lab.url("trace-detail", key="nope")).status_code == 404


class TestCost:
    def test_queries_do_not_grow_with_scenarios_and_participants(self, lab: Lab) -> None:
        lab.generate()
        lab.ada.post(lab.url("study-open"))
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


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
