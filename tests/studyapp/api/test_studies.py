"""A study through the API alone: built, generated, opened, watched, closed and exported."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from studyapp.domain.permissions import Role
from studyapp.models import Cohort, Event, Invitation, Study
from studyapp.services.export.jobs import export_build
from studyapp.services.study import texts_generate
from tests.sample_study import sample_study
from tests.studyapp.answering import people_complete
from tests.studyapp.api.calling import Caller, caller_of, problem_of
from tests.studyapp.api.operations import definition
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock
from tests.studyapp.lab import Lab, member_of, user_new

pytestmark = pytest.mark.django_db


def build(caller: Caller, **changes: Any) -> Any:
    """Have the study created."""
    debates = [{"file_name": DEADLOCK.name, "content": DEADLOCK.read_text()}]
    return caller.post("/studies", {"definition": definition(**changes), "debates": debates})


def _moved(caller: Caller, study: str, state: str) -> Any:
    return caller.post(f"{study}/state", {"state": state})


def test_a_study_goes_from_definition_to_download(queued: list[int]) -> None:
    ada = caller_of(user_new("ada").pk)
    created = build(ada)
    assert created.status_code == 201, created.content
    study = "/studies/by-program"
    assert created.headers["Location"] == f"http://testserver/api/v1{study}"

    runs = ada.post(f"{study}/runs", {"preset": "offline"}).json()["runs"]
    assert runs == queued
    for run_id in runs:
        texts_generate(run_id=run_id, now=Clock(), environment={})
    run = ada.get(f"{study}/runs/{runs[0]}").json()
    assert run["state"] == "finished"
    assert run["story"]["drafts"][0]["sentences"]
    pair = ada.get(f"{study}/pairs/first").json()
    assert pair["reference_text"] != pair["treatment_text"]

    assert _moved(ada, study, "open").json()["state"] == "open"
    assert ada.get(f"{study}/progress").json()["enrolled"] == 0
    assert problem_of(ada.post(f"{study}/exports"), 409)["code"] == "arm_key_sealed"
    assert ada.post(f"{study}/exports", {"blind": True}).status_code == 202
    assert _moved(ada, study, "closed").json()["is_sealed"] is False

    asked = ada.post(f"{study}/exports")
    export = asked.json()["id"]
    assert problem_of(ada.get(f"{study}/exports/{export}/file"), 400)["code"] == "export_refused"
    export_build(job_id=export, now=timezone.now)
    assert ada.get(f"{study}/exports/{export}").json()["is_there"] is True
    file = ada.get(f"{study}/exports/{export}/file", Accept="application/zip")
    assert b"".join(file.streaming_content)[:2] == b"PK"
    assert 'filename="by-program.zip"' in file.headers["Content-Disposition"]
    acts = Event.objects.filter(study="by-program", payload__actor="ada")
    assert {"study.created", "study.open", "study.closed", "export.downloaded"} <= set(
        acts.values_list("kind", flat=True)
    )


def test_a_study_is_piloted_paused_archived_and_versioned(queued: list[int]) -> None:
    ada = caller_of(user_new("ada").pk)
    build(ada)
    study = "/studies/by-program"
    texts = [
        {"scenario": "first", "arm": arm, "text": f"What {arm} wrote."}
        for arm in ("baseline", "apg")
    ]
    sent = {"file_name": "own.json", "content": json.dumps(texts)}
    assert ada.post(f"{study}/pairs", sent).json() == {"scenarios": ["first"]}
    assert problem_of(ada.get(f"{study}/preregistration"), 404)
    assert problem_of(ada.post(f"{study}/versions"), 409)["code"] == "illegal_move"

    for state in ("piloting", "draft", "piloting", "open", "paused", "open", "closed", "archived"):
        assert _moved(ada, study, state).json()["state"] == state
    assert problem_of(_moved(ada, study, "open"), 409)["code"] == "illegal_move"
    assert problem_of(ada.post(f"{study}/pairs", sent), 409)["code"] == "frozen"

    made = ada.post(f"{study}/versions")
    assert made.status_code == 201
    assert made.headers["Location"].endswith("/studies/by-program-v2")
    assert (made.json()["state"], made.json()["is_frozen"]) == ("draft", False)
    record = ada.get(f"{study}/preregistration").json()
    assert record["seed_sha256"]
    assert ada.get(f"{study}/pairs/first").json()["treatment_text"] == "What apg wrote."


def test_a_definition_that_was_read_creates_a_study_like_it(queued: list[int]) -> None:
    ada = caller_of(user_new("ada").pk)
    build(ada)
    body = ada.get("/studies/by-program/definition").json()
    body["definition"]["slug"] = "fork"
    assert ada.post("/studies", body).status_code == 201
    first, second = (
        ada.get(f"/studies/{slug}/traces").json()["results"] for slug in ("by-program", "fork")
    )
    assert [row["scenario"] for row in first] == [row["scenario"] for row in second]
    fork = ada.get("/studies/fork/definition").json()
    assert fork["debates"] == body["debates"]
    assert fork["definition"]["measures"] == body["definition"]["measures"]


def test_a_debate_is_named_and_taken_out(lab: Lab, ada: Caller) -> None:
    trace = f"/studies/{lab.study.slug}/traces/{lab.key}"
    named = ada.post(f"{trace}/title", {"title": "  The  bridge "})
    assert named.json()["title"] == "The bridge"
    told = problem_of(ada.post(f"{trace}/title", {"title": "the baseline one"}), 400)
    assert "baseline" in told["detail"]
    removed = ada.post(f"{trace}/remove", key="k")
    assert (removed.status_code, removed.content) == (204, b"")
    again = ada.post(f"{trace}/remove", key="k")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (204, "true")
    problem_of(ada.get(trace), 404)
    problem_of(ada.post(f"{trace}/remove"), 404)


def test_a_cohort_is_taken_out_but_not_the_last(lab: Lab, ada: Caller) -> None:
    cohorts = f"/studies/{lab.study.slug}/cohorts"
    ada.post(cohorts, {"name": "more"})
    assert ada.post(f"{cohorts}/more/remove").status_code == 204
    assert problem_of(ada.post(f"{cohorts}/open/remove"), 409)["code"] == "cohort_refused"


def test_a_running_study_is_watched_by_cohort_day_and_trial(db: None) -> None:
    sample = sample_study()
    people_complete(sample, count=2)
    ada = caller_of(member_of(sample.study, Role.MONITOR).pk)
    watch = ada.get(f"/studies/{sample.study.slug}/watch").json()
    assert [(row["name"], row["complete"]) for row in watch["cohorts"]] == [("open", 2)]
    assert watch["heat_total"] == 2
    assert {cell for row in watch["heat"] for cell in row["cells"]} == {"answered"}
    assert ada.get(f"/studies/{sample.study.slug}/watch?page=2").json()["heat"] == []
    problem_of(ada.get(f"/studies/{sample.study.slug}/watch?lane=other"), 400)


def test_a_definition_that_cannot_be_read_stores_nothing(db: None) -> None:
    ada = caller_of(user_new("ada").pk)
    told = problem_of(build(ada, seed="seven"), 400)
    assert "seed" in told["detail"]
    assert "'seven'" in told["detail"]
    assert not Study.objects.exists()


def test_a_taken_slug_is_a_conflict(queued: list[int]) -> None:
    ada = caller_of(user_new("ada").pk)
    build(ada)
    assert problem_of(build(ada), 409)["code"] == "study_exists"


def test_a_debate_is_added_and_read_whole(lab: Lab, ada: Caller) -> None:
    study = f"/studies/{lab.study.slug}"
    sent = {"file_name": "again.json", "content": AGREES.read_text()}
    added = ada.post(f"{study}/traces", sent)
    assert added.status_code == 201, added.content
    key = added.json()["scenario"]
    whole = ada.get(f"{study}/traces/{key}").json()
    assert whole["row"] == added.json()
    assert whole["content"]["turns"]
    assert ada.get(f"{study}/traces").json()["count"] == 3


def test_a_debate_that_is_none_is_refused_with_its_place(lab: Lab, ada: Caller) -> None:
    sent = {"file_name": "notes.json", "content": "[1, 2]"}
    told = problem_of(ada.post(f"/studies/{lab.study.slug}/traces", sent), 400)
    assert told["detail"].startswith("notes.json")
    assert lab.study.scenarios.count() == 2


def test_a_run_is_cancelled_and_retried(lab: Lab, ada: Caller) -> None:
    runs = f"/studies/{lab.study.slug}/runs"
    first = ada.post(runs).json()["runs"][0]
    assert ada.post(f"{runs}/{first}/cancel").json()["state"] == "cancelled"
    assert problem_of(ada.post(f"{runs}/{first}/cancel"), 409)["code"] == "illegal_move"
    assert [row["id"] for row in ada.get(f"{runs}?state=cancelled").json()["results"]] == [first]
    assert ada.post(f"{runs}/{first}/retry").json()["state"] == "queued"
    assert lab.queued[-1] == first


def test_people_are_invited_and_a_link_is_taken_back(lab: Lab, ada: Caller) -> None:
    cohorts = f"/studies/{lab.study.slug}/cohorts"
    made = ada.post(cohorts, {"name": "experts", "kind": "experts", "link": "personal"})
    assert made.status_code == 201, made.content
    links = f"{cohorts}/experts/links"
    people = [{"name": "Ann", "experience_years": 4}, {"name": "Bo"}]
    assert ada.post(links, {"people": people}).json() == {"created": 2}
    rows = ada.get(links).json()["results"]
    assert [row["name"] for row in rows] == ["Ann", "Bo"]
    assert ada.client.get(rows[0]["url"]).status_code == 200

    assert ada.post(f"{links}/{rows[0]['id']}/revoke").json()["state"] == "revoked"
    assert problem_of(ada.post(f"{links}/{rows[0]['id']}/revoke"), 409)
    assert [row["name"] for row in ada.get(f"{links}?state=revoked").json()["results"]] == ["Ann"]
    assert problem_of(ada.post(f"{cohorts}/open/links", {"people": people}), 409)


def test_a_cohort_is_paused(lab: Lab, ada: Caller) -> None:
    cohort = f"/studies/{lab.study.slug}/cohorts/open"
    assert ada.post(f"{cohort}/state", {"state": "paused"}).json()["state"] == "paused"
    assert ada.client.get(ada.get(cohort).json()["url"]).status_code == 200


def test_progress_is_not_split_by_arm_and_the_seed_is_told_nowhere(db: None) -> None:
    study = sample_study().study
    ada = caller_of(user_new("root", is_superuser=True).pk)
    Study.objects.filter(pk=study.pk).update(seed=8765432109876, is_test=False, kind="study")
    hidden = (study.reference_arm, study.treatment_arm, "treatment", "8765432109876")
    told = [
        ada.get(f"/studies/{study.slug}{part}").content.decode()
        for part in ("", "/progress", "/watch", "/cohorts", "/exports", "/runs")
    ]
    assert '"is_sealed":true' in told[0]
    assert [word for word in hidden for text in told if word in text] == []


def test_lists_come_in_pages_and_can_be_filtered(queued: list[int]) -> None:
    ada = caller_of(user_new("ada").pk)
    for number in range(3):
        build(ada, slug=f"study-{number}", scenarios=[])
    first = ada.get("/studies?page_size=2").json()
    assert [row["slug"] for row in first["results"]] == ["study-2", "study-1"]
    assert (first["count"], first["previous"]) == (3, None)
    second = ada.client.get(first["next"], headers={"Authorization": f"Bearer {ada.secret}"})
    assert [row["slug"] for row in second.json()["results"]] == ["study-0"]
    assert second.json()["next"] is None
    assert ada.get("/studies?state=open").json()["results"] == []
    assert ada.get("/studies?is_test=false").json()["count"] == 3
    by_slug = ada.get("/studies?order=slug&page_size=1").json()
    assert [row["slug"] for row in by_slug["results"]] == ["study-0"]
    for query in (
        "page_size=0",
        "page_size=9999",
        "page=x",
        "state=over",
        "order=seed",
        "order=",
        "state=",
    ):
        assert problem_of(ada.get(f"/studies?{query}"), 400)["problems"]


def test_a_page_reads_its_own_rows_only(lab: Lab, ada: Caller) -> None:
    cohort = Cohort.objects.create(study=lab.study, name="experts", link_kind="personal")
    links = f"/studies/{lab.study.slug}/cohorts/experts/links?page_size=2&order=-name&page=2"
    numbers, page = [], {}
    for people in (5, 500):
        Invitation.objects.bulk_create(
            Invitation(cohort=cohort, name=f"{people}-{number:03}", created_at=START)
            for number in range(people)
        )
        with CaptureQueriesContext(connection) as asked:
            page = ada.get(links).json()
        numbers.append(len(asked))
        read = [row["sql"] for row in asked if "studyapp_invitation" in row["sql"]]
        assert all("LIMIT 2" in sql or "COUNT(" in sql for sql in read), read
    assert [row["name"] for row in page["results"]] == ["500-497", "500-496"]
    assert page["count"] == 505
    assert len(set(numbers)) == 1
    assert ada.get(links.replace("page=2", "state=sent")).json()["count"] == 505
    assert ada.get(links.replace("page=2", "state=complete")).json()["count"] == 0
