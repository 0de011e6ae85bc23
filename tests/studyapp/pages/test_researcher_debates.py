"""Debates on the researcher's pages: asked for, followed call by call, stopped, used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from studyapp import tasks
from studyapp.models import BranchState, DebateBranch, DebateRun, RunState, Study
from studyapp.seams.debates import CommitteeWish
from studyapp.services.debates import Trunk, branch_execute
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.studyapp.debates import START, Clock
from tests.studyapp.held import committee_cut, committee_queued, corpus, held, trial_queued
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db

COMMITTEE = {
    "scenario": "energy",
    "turns": "6",
    "seed": "126",
    "shock_turns": "4",
    "shock_kinds": ["zero_sum"],
    "enforcement": "flag",
    "speakers": "rules",
}
TRIAL = {
    "claim": CLAIM,
    "embedder": "words",
    "preset": "proclaim",
    "rounds": "1",
    "seed": "0",
    "speakers": "rules",
}


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> list[int]:
    """Collect the branches for which a worker was to be woken."""
    settings.VAR_DIR = tmp_path
    found: list[int] = []
    monkeypatch.setattr(
        tasks.branch_execute, "delay_on_commit", lambda *, branch_id: found.append(branch_id)
    )
    return found


def _held_last(woken: list[int]) -> DebateRun:
    debate = DebateRun.objects.latest("pk")
    return held(Trunk(debate.pk, woken[-1]))


class TestAsking:
    def test_a_committee_is_asked_for_held_and_becomes_a_scenario(
        self, lab: Lab, woken: list[int]
    ) -> None:
        response = lab.ada.post(lab.url("committee-create"), COMMITTEE)
        debate = _held_last(woken)

        assert response.headers["Location"] == lab.url("debate-detail", debate=debate.pk)
        assert debate.config["shocks"] == {"turns": [4], "kinds": ["zero_sum"]}
        assert debate.scenario is not None
        page = page_text(lab.ada, lab.url("debate-detail", debate=debate.pk))
        assert "Spoken by rules" in page
        assert "last round asked for" in page
        assert page.count('class="is-turn"') == 6
        trace = page_text(lab.ada, lab.url("trace-detail", key=debate.scenario.key))
        assert trace.index("Held here") < trace.index("Situation")
        assert trace.count("rules, no language model") == 2  # the speakers, the auditor of turns

    def test_a_trial_is_asked_for_and_shows_exhibits_and_ballots(
        self, lab: Lab, woken: list[int]
    ) -> None:
        lab.ada.post(lab.url("trial-create"), TRIAL | {"corpus": _file()})
        debate = _held_last(woken)

        page = page_text(lab.ada, lab.url("debate-detail", debate=debate.pk))
        assert "The second run, with exchanged sides" in page
        assert "Judge A" in page
        assert "supports the claim (unanimous)" in page
        assert "E1" in page

    def test_each_claim_of_a_file_is_a_debate(self, lab: Lab, woken: list[int]) -> None:
        lines = b'{"claim": "Masks help.", "label": "SUPPORT"}\n{"claim": "Masks do not help."}\n'
        claims = SimpleUploadedFile("claims.jsonl", lines)

        lab.ada.post(
            lab.url("trial-create"), TRIAL | {"claim": "", "claims": claims, "corpus": _file()}
        )

        asked = DebateRun.objects.order_by("pk").values_list("config__claim", flat=True)
        assert list(asked) == ["Masks help.", "Masks do not help."]
        assert len(woken) == 2

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"turns": "7"}, "so that all parties speak equally"),
            ({"turns": "x"}, "Turns: Enter a whole number"),
            ({"shock_turns": "4; 8"}, "numbers of turns with commas"),
            ({"shock_turns": "8, 4"}, "Enter each turn once, in order"),
            ({"shock_turns": "0"}, "Enter each turn once, in order"),
            ({"shock_kinds": []}, "Choose at least one kind of news"),
            ({"scenario": "moon"}, "Select a valid choice"),
        ],
    )
    def test_a_committee_that_cannot_be_is_explained(
        self, lab: Lab, changes: dict[str, Any], said: str
    ) -> None:
        response = lab.ada.post(lab.url("committee-create"), COMMITTEE | changes)

        assert response.status_code == 400
        assert said in response.content.decode()
        assert not DebateRun.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"claim": ""}, "one of the two"),
            ({"claims": b"{}"}, "one of the two"),
            ({"claim": "", "claims": b'{"claim": 3}'}, "claims.jsonl: line 1"),
            ({"claim": "", "claims": b"[" * 200_000}, "claims.jsonl: line 1"),
            ({"corpus": b"[" * 200_000}, "corpus.jsonl: line 1"),
            ({"corpus": b'{"id": "a"}'}, "line 1: text"),
            ({"corpus": None}, "Choose a file of documents"),
        ],
    )
    def test_a_trial_that_cannot_be_is_explained(
        self, lab: Lab, changes: dict[str, Any], said: str
    ) -> None:
        sent: dict[str, Any] = TRIAL | {"corpus": _file()}
        for name, value in changes.items():
            is_file = isinstance(value, bytes)
            sent[name] = SimpleUploadedFile(f"{name}.jsonl", value) if is_file else value
        sent = {name: value for name, value in sent.items() if value is not None}

        response = lab.ada.post(lab.url("trial-create"), sent)

        assert response.status_code == 400
        assert said in response.content.decode()
        assert not DebateRun.objects.exists()


class TestFollowing:
    def test_what_is_recorded_shows_before_the_debate_is_over(self, lab: Lab) -> None:
        trunk = trial_queued(lab.study.pk)
        address = lab.url("debate-live", debate=trunk.debate_id)
        assert "Waiting for a worker" in page_text(lab.ada, address)

        first, *_ = branch_execute(branch_id=trunk.branch_id, now=Clock(), environment={})
        judges = branch_execute(branch_id=first, now=Clock(), environment={})
        branch_execute(branch_id=judges[0], now=Clock(), environment={})

        page = page_text(lab.ada, address)
        assert page.count('class="is-turn"') == 4
        assert "seeks:" in page
        assert "Judge A" in page
        assert "Judge B" not in page.split("<ol")[1]
        assert 'hx-trigger="every 2s"' in page
        assert "USD" in page

    def test_who_is_asked_in_which_run_is_told(self, lab: Lab) -> None:
        trunk = trial_queued(lab.study.pk)
        runs = branch_execute(branch_id=trunk.branch_id, now=Clock(), environment={})
        for branch in runs:
            running = DebateBranch.objects.filter(pk=branch)
            running.update(state=BranchState.RUNNING, stage="critic 2 review")

        page = page_text(lab.ada, lab.url("debate-live", debate=trunk.debate_id))

        assert "Critic: reviews the premises (round 2)." in page
        assert "Critic: reviews the premises (second run, round 2)." in page

    def test_a_debate_that_ended_early_does_not_speak_of_what_may_come(self, lab: Lab) -> None:
        trunk = trial_queued(lab.study.pk)
        address = lab.url("debate-detail", debate=trunk.debate_id)
        assert "none yet" in page_text(lab.ada, address)

        lab.ada.post(lab.url("debate-cancel", debate=trunk.debate_id))

        page = page_text(lab.ada, address)
        assert "Nothing was said." in page
        assert "yet" not in page[page.index("The first run") :]

    def test_weights_are_written_as_the_reader_writes_numbers(self, lab: Lab) -> None:
        debate = held(trial_queued(lab.study.pk))
        lab.ada.cookies["django_language"] = "pl"

        page = page_text(lab.ada, lab.url("debate-detail", debate=debate.pk))

        assert re.search(r"E\d+ 0,\d\d dopuszczone", page)

    def test_news_stands_before_the_turn_it_came_before(self, lab: Lab) -> None:
        debate = held(committee_queued(lab.study.pk))

        page = page_text(lab.ada, lab.url("debate-detail", debate=debate.pk))

        kinds = re.findall(r'<li class="is-(turn|news)">', page)
        assert kinds == ["turn"] * 3 + ["news"] + ["turn"] * 3

    def test_the_page_loads_anew_once_it_is_over(self, lab: Lab) -> None:
        debate = held(committee_queued(lab.study.pk))

        response = lab.ada.get(lab.url("debate-live", debate=debate.pk))

        assert response.headers["HX-Refresh"] == "true"

    def test_it_is_cancelled_and_taken_up_again(self, lab: Lab, woken: list[int]) -> None:
        trunk = committee_queued(lab.study.pk)
        address = lab.url("debate-detail", debate=trunk.debate_id)

        lab.ada.post(lab.url("debate-cancel", debate=trunk.debate_id))
        assert "cancelled" in page_text(lab.ada, address)
        lab.ada.post(lab.url("debate-retry", debate=trunk.debate_id))

        assert woken == [trunk.branch_id]
        assert held(trunk).state == RunState.FINISHED

    def test_a_partial_debate_is_added_as_it_is_by_who_may_edit(self, lab: Lab) -> None:
        debate = held(committee_cut(lab.study.pk, limits={"tokens": 1_500_000}))
        address = lab.url("debate-detail", debate=debate.pk)
        page = page_text(lab.ada, address)
        assert "Add it to the study as it is" in page
        assert "at most 1,500,000 tokens" in page

        lab.ada.post(lab.url("debate-take", debate=debate.pk))

        debate.refresh_from_db()
        assert debate.scenario is not None
        assert "Add it to the study as it is" not in page_text(lab.ada, address)

    def test_a_debate_that_came_too_late_for_its_study_says_so(self, lab: Lab) -> None:
        trunk = committee_queued(lab.study.pk)
        Study.objects.filter(pk=lab.study.pk).update(opened_at=START, state="open")
        held(trunk)

        page = page_text(lab.ada, lab.url("debate-detail", debate=trunk.debate_id))

        assert "no scenario can be added to the study any more" in page
        assert "Add it to the study as it is" not in page

    def test_a_debate_that_failed_says_why_and_offers_another_try(self, lab: Lab) -> None:
        trunk = committee_queued(lab.study.pk, CommitteeWish(speakers="paper"))
        held(trunk)

        page = page_text(lab.ada, lab.url("debate-detail", debate=trunk.debate_id))

        assert "GEMINI_API_KEY" in page
        assert lab.url("debate-retry", debate=trunk.debate_id) in page

    def test_the_study_s_page_lists_it(self, lab: Lab) -> None:
        trunk = committee_queued(lab.study.pk)

        page = page_text(lab.ada, lab.url("study-detail"))

        assert lab.url("debate-detail", debate=trunk.debate_id) in page
        assert lab.url("trial-create") in page


def _file() -> SimpleUploadedFile:
    file = corpus()
    return SimpleUploadedFile(file.name, file.data)
