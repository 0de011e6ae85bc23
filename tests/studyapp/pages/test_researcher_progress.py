"""How far texts are and what they cost, by scenario and by draft, while a worker is at them."""

from __future__ import annotations

from typing import Any

import pytest

from studyapp.models import Event, GenerationRun, ModelCall, RunState
from studyapp.services.study import texts_generate
from tests.studyapp.debates import START, Clock, WorkerKilled
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db

PRICED = {
    "name": "gemini-3-flash-preview",
    "base_url": "https://generativelanguage.googleapis.com/v1beta/openai/",
}
UNPRICED = {"name": "house-model", "base_url": "http://127.0.0.1:1/v1"}
USED = {"prompt_tokens": 1000, "completion_tokens": 500}
UNTOLD = {"prompt_tokens": None, "completion_tokens": None}


def call_add(run: int, role: str, model: object, usage: dict[str, Any]) -> None:
    """Record a call as the engine does."""
    number = ModelCall.objects.filter(run=run).count() + 1
    record = {
        "sequence": number,
        "role": role,
        "request_sha256": "0" * 64,
        "request": {"model": model, "messages": []},
        "reply": "Four words are here.",
        "status": "ok",
        "attempts": [],
        "usage": usage,
        "detail": "",
        "seconds": 1.0,
    }
    ModelCall.objects.create(
        run_id=run, sequence=number, role=role, request_sha256="0" * 64,
        record=record, created_at=START,
    )  # fmt: skip


@pytest.fixture
def busy(lab: Lab) -> Lab:
    """Two runs, of which a worker is at the first."""
    lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
    GenerationRun.objects.filter(pk=lab.queued[0]).update(
        state=RunState.RUNNING, stage="auditing", pair_number=2, attempts=1, started_at=START
    )
    return lab


def pages_of(lab: Lab) -> list[str]:
    """Return the study's page and that of its first run, as htmx asks for them."""
    run = lab.url("run-live", run=lab.queued[0])
    return [page_text(lab.ada, address) for address in (lab.url("study-live"), run)]


def test_each_scenario_and_each_draft_tells_how_far_it_is(busy: Lab) -> None:
    for role in ("proposer", "auditor", "proposer"):
        call_add(busy.queued[0], role, PRICED, USED)
    study, run = pages_of(busy)
    for page in (study, run):
        assert "Draft 2 of at most 3: checking the draft sentence by sentence." in page
        assert 'max="3" value="2"' in page
        assert "hx-get" in page
    assert "0 of 2 scenarios have their two texts." in study
    assert "waiting for a worker" in study
    assert run.count("4 words written") == 2
    assert "1 check" in run


def test_tokens_and_money_are_told_so_far_and_at_the_end(busy: Lab) -> None:
    for role in ("proposer", "auditor"):
        call_add(busy.queued[0], role, PRICED, USED)
    for page in pages_of(busy):
        assert "Spent so far" in page
        assert "2,000 tokens in, 1,000 out" in page
        assert "0.0040 USD" in page
    GenerationRun.objects.filter(pk=busy.queued[0]).update(state=RunState.CANCELLED)
    for page in pages_of(busy):
        assert "0.0040 USD" in page


@pytest.mark.parametrize(
    ("model", "usage", "said"),
    [
        (UNPRICED, USED, "3,000 tokens in, 1,500 out"),
        (PRICED, UNTOLD, "tokens unknown: a server did not count them"),
    ],
)
def test_what_is_not_known_is_never_told_as_nothing(
    busy: Lab, model: dict[str, str], usage: dict[str, Any], said: str
) -> None:
    for row, used in ((PRICED, USED), (PRICED, USED), (model, usage)):
        call_add(busy.queued[0], "auditor", row, used)
    for page in pages_of(busy):
        assert said in page
        assert "cost unknown: a price or a count is missing" in page
        assert "USD" not in page.split("Recorded calls</h2>")[0]


def test_rules_cost_nothing_and_are_told_to(lab: Lab) -> None:
    lab.generate()
    study, run = pages_of(lab)
    assert "2 of 2 scenarios have their two texts." in study
    for page in (study, run):
        assert "nothing: rules answered, no model was asked" in page


def test_a_run_is_cancelled_and_retried_from_the_study_s_page(busy: Lab) -> None:
    run = busy.queued[0]
    call_add(run, "proposer", PRICED, USED)
    assert busy.url("run-cancel", run=run) in pages_of(busy)[0]
    busy.ada.post(busy.url("run-cancel", run=run))
    study = pages_of(busy)[0]
    assert busy.url("run-retry", run=run) in study
    assert "0.0020 USD" in study, "what was spent before the end is not forgotten"
    busy.ada.post(busy.url("run-retry", run=run))
    kinds = list(Event.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds[-2:] == ["run.cancelled", "run.retried"]


def test_a_run_that_is_taken_up_makes_no_recorded_call_again(lab: Lab) -> None:
    lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
    run = lab.queued[0]
    with pytest.raises(WorkerKilled):
        texts_generate(run_id=run, now=Clock(kill_at=2), environment={})
    before = list(ModelCall.objects.filter(run=run).values_list("pk", flat=True))
    GenerationRun.objects.filter(pk=run).update(state=RunState.FAILED, lease_token="")
    lab.ada.post(lab.url("run-retry", run=run))
    texts_generate(run_id=run, now=Clock(), environment={})
    assert list(ModelCall.objects.filter(run=run).values_list("pk", flat=True))[: len(before)] == (
        before
    )
    page = page_text(lab.ada, lab.url("run-detail", run=run))
    for told in ("Draft 1", "Why", "Decided by", "Final report, as it was published"):
        assert told in page
