"""Debates through the API alone: asked for, followed, stopped, taken up again, used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studyapp.models import DebateRun, Event
from studyapp.services.debates import Trunk
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.studyapp.api.calling import Caller, problem_of
from tests.studyapp.api.operations import CORPUS
from tests.studyapp.held import committee_cut, held
from tests.studyapp.lab import Lab

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _place(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


def _at(lab: Lab, rest: str = "") -> str:
    return f"/studies/{lab.study.slug}/debates{rest}"


def test_a_committees_debate_becomes_a_scenario(lab: Lab, ada: Caller, queued: list[int]) -> None:
    asked = ada.post(_at(lab, "/committee"), {"turns": 6, "shock_turns": [4], "seed": 126})
    assert asked.status_code == 202, asked.content
    (debate,) = asked.json()["debates"]
    before = ada.get(_at(lab, f"/{debate}")).json()
    assert (before["row"]["state"], before["result"]) == ("queued", None)

    held(Trunk(debate, queued[-1]))

    after = ada.get(_at(lab, f"/{debate}")).json()
    assert (after["row"]["state"], after["row"]["is_whole"]) == ("finished", True)
    assert after["result"]["reason"] == "max_rounds"
    assert after["is_offline"] is True
    said = [step["text"] for step in after["parts"][0]["steps"] if step["kind"] == "turn"]
    trace = ada.get(f"/studies/{lab.study.slug}/traces/{after['row']['scenario']}").json()
    assert said == [turn["text"] for turn in trace["content"]["turns"]]
    assert trace["row"]["produced"]["seed"] == 126


def test_each_claim_is_tried_in_a_debate_of_its_own(
    lab: Lab, ada: Caller, queued: list[int]
) -> None:
    claims = [CLAIM, "Vaccination of pupils reduced influenza among teachers."]
    named = [*claims, CLAIM]
    asked = ada.post(_at(lab, "/trials"), {"claims": named, "corpus": CORPUS, "rounds": 1})
    debates = asked.json()["debates"]

    held(Trunk(debates[0], queued[-2]))

    rows = ada.get(_at(lab)).json()["results"]
    assert [row["about"] for row in rows] == claims[::-1]
    assert [row["about"] for row in ada.get(_at(lab, "?state=finished")).json()["results"]] == [
        CLAIM
    ]
    found = ada.get(_at(lab, f"/{debates[0]}")).json()
    assert [part["is_switched"] for part in found["parts"]] == [False, True]
    assert found["result"]["verdict"]["finding"] in ("SUPPORT", "REFUTE", "INCONCLUSIVE")


def test_a_cancelled_debate_is_taken_up_again(lab: Lab, ada: Caller, queued: list[int]) -> None:
    (debate,) = ada.post(_at(lab, "/committee"), {"turns": 3}).json()["debates"]
    assert ada.post(_at(lab, f"/{debate}/cancel")).json()["row"]["state"] == "cancelled"
    assert problem_of(ada.post(_at(lab, f"/{debate}/cancel")), 409)["code"] == "illegal_move"

    assert ada.post(_at(lab, f"/{debate}/retry")).json()["row"]["state"] == "queued"
    held(Trunk(debate, queued[-1]))

    assert ada.get(_at(lab, f"/{debate}")).json()["row"]["state"] == "finished"
    kinds = Event.objects.filter(payload__actor="ada").values_list("kind", flat=True)
    assert {"debate.requested", "debate.cancelled", "debate.retried"} <= set(kinds)


def test_a_partial_debate_is_used_only_if_somebody_says_so(lab: Lab, ada: Caller) -> None:
    debate = held(committee_cut(lab.study.pk)).pk
    found = ada.get(_at(lab, f"/{debate}")).json()
    assert (found["row"]["is_whole"], found["row"]["scenario"]) == (False, "")
    assert found["has_trace"] is True

    assert ada.post(_at(lab, f"/{debate}/take")).json()["row"]["scenario"]
    assert problem_of(ada.post(_at(lab, f"/{debate}/take")), 409)["code"] == "debate_refused"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"turns": 4}, "turns"),
        ({"turns": "6"}, "turns"),
        ({"seed": -1}, "seed"),
        ({"max_cost": 10**400}, "max_cost"),
        ({"max_cost": True}, "max_cost"),
        ({"max_cost": "1"}, "max_cost"),
        ({"scenario": "harbour"}, "scenario"),
        ({"shock_kinds": []}, "shock_kinds"),
        ({"shock_turns": [99]}, "shock_turns"),
        ({"model": "x"}, "model"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_queued(
    lab: Lab, ada: Caller, body: dict[str, Any], field: str
) -> None:
    answer = ada.post(_at(lab, "/committee"), body)

    assert field in str(problem_of(answer, 400))
    assert not DebateRun.objects.exists()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"corpus": {"file_name": "c.jsonl", "content": "no json"}}, "c.jsonl"),
        ({"corpus": {"file_name": "c.jsonl", "content": ""}}, "content"),
        ({"claims": []}, "claims"),
        ({"claims": [CLAIM] * 21}, "claims"),
        ({"claims": ["  "]}, "claims"),
        ({"rounds": 31}, "rounds"),
    ],
)
def test_trials_are_queued_all_or_none(
    lab: Lab, ada: Caller, changes: dict[str, Any], told: str
) -> None:
    answer = ada.post(_at(lab, "/trials"), {"claims": [CLAIM], "corpus": CORPUS, **changes})

    assert told in str(problem_of(answer, 400))
    assert not DebateRun.objects.exists()


def test_another_studys_debate_is_not_there(lab: Lab, ada: Caller) -> None:
    assert problem_of(ada.get(_at(lab, "/999")), 404)
    assert problem_of(ada.post(_at(lab, "/999/cancel")), 404)
