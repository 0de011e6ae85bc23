"""The released code's departures: each has a switch, and each changes a verdict or a score."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import JUDGES, preset_load
from apg_engine.debates.courtroom.released import SWITCHES
from apg_engine.debates.courtroom.verdicts import Finding
from tests.apg_engine.debates.courtroom.trials import (
    ALONE,
    TEXTS,
    hold,
    judged,
    library,
    setting,
    spoken,
)
from tests.fakes.trying import Rows, TryingModel, Write, opinion, purpose_of, weights


def test_every_switch_is_on_as_released_and_off_in_the_papers_preset() -> None:

    released, paper = (preset_load(n, claim="x y") for n in ("proclaim_as_released", "proclaim"))

    assert set(asdict(released.released).values()) == {True}
    assert set(asdict(paper.released).values()) == {False}


def test_p2_exchanged_counsel_keeps_its_old_system_prompt() -> None:
    plaintiff = TryingModel()

    spoken({"plaintiff": plaintiff}, rounds=1, released=("keeps_system_prompt",))

    _, switched = plaintiff.asked("prepare")
    assert "Your side argues this: the claim is right." in switched[0]
    assert "In this run you argue: the claim is wrong." in switched[1]


def reflecting(rows: Rows, prompt: str) -> str:
    return json.dumps({"logic": 1, "novelty": 1, "rebuttal": 1, "discovery_need": ""})


def test_p3_reflections_of_the_switched_run_make_the_adjustment() -> None:
    models = {"plaintiff": TryingModel(reflect=reflecting)}
    own = spoken(models, rounds=1)
    models = {"plaintiff": TryingModel(reflect=reflecting)}
    other = spoken(models, rounds=1, released=("reflections_of_switched_run",))

    assert own.verdict.parts.reflection > 0
    assert other.verdict.parts.reflection == -own.verdict.parts.reflection


def test_p7_judges_see_cut_exhibits_scores_and_reflections() -> None:
    judge = TryingModel()
    released = ("judges_see_cut_exhibits", "reflections_of_switched_run")

    spoken({"judge_a": judge}, rounds=1, released=released)

    prompt = next(p for _, p in judge.asked("judge") if '"id": "R1"' in p)
    assert "Reflection of the plaintiff in round 1" in prompt
    assert "The critic found nothing settled in round 1." in prompt
    assert len(judge.asked("judge")) == 2


def test_p8_critic_expert_and_court_are_the_panel() -> None:
    models = {
        role: ModelSpec(kind="scripted", name=role, script=("x",))
        for role in ("critic", "expert", "court")
    }
    config = setting(roles=models, released=("panel_of_debaters",))

    cast = cast_build(config, environment={})

    assert [cast.seats[judge].name for judge in JUDGES] == ["critic", "expert", "court"]


def test_p9_a_broken_ballot_votes_and_the_first_of_a_tie_wins() -> None:
    answers = (opinion("SUPPORT"), "no ballot", opinion("REFUTE"))
    ours = judged(*answers)
    theirs = judged(*answers, released=("broken_ballot_votes",))

    assert (ours.verdict.finding, ours.verdict.outcome) == (Finding.INCONCLUSIVE, "tied")
    assert (theirs.verdict.finding, theirs.verdict.outcome) == (Finding.SUPPORT, "tied")
    assert theirs.verdict.votes == {"SUPPORT": 1, "INCONCLUSIVE": 1, "REFUTE": 1}


def test_p12_the_released_confidence_is_nearly_constant() -> None:
    models = {"plaintiff": TryingModel(reflect=reflecting)}
    theirs = spoken(models, rounds=1, released=("confidence_as_released",))

    assert theirs.verdict.parts.reflection == pytest.approx(10 * 0.1 * (1 - 0.62))
    assert theirs.verdict.confidence == 1.0


# --- what each of the others does to a verdict --------------------------------------------------


def refuting_at(mark: str) -> dict[str, TryingModel]:
    """Judges who refute where an exhibit holds these words, and support elsewhere."""

    def vote(rows: Rows, _: str) -> str:
        shown = any(mark in row["text"] for row in rows if row["kind"] == "document")
        return opinion("REFUTE" if shown else "SUPPORT")

    return {judge: TryingModel(judge, judge=vote) for judge in JUDGES}


def asking(query: str, weigh: Write | None = None) -> TryingModel:
    """A court that refines every query to this one."""
    return TryingModel(
        refine=json.dumps({"query": query}), weigh=weigh or (lambda rows, _: weights(rows))
    )


COPY = (TEXTS[0], f"{TEXTS[0]} Really.", *TEXTS[9:])
LONG = f"{TEXTS[0]} {'It was measured with care and told at length. ' * 4}But not in winter."


class Sworn(TryingModel):
    """Argues what its system prompt names, whatever the user's part says."""

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        reply = super().complete(request, ordinal=ordinal)
        system = request.messages[0].content
        if purpose_of(system) not in {"open", "argue"}:
            return reply
        side = "right" if "this: the claim is right." in system else "wrong"
        return ChatReply(CallStatus.OK, text=f"It is {side} [E1].")


def for_the_plaintiff(rows: Rows, _: str) -> str:
    """Find what the first turn argues."""
    said = next(row["text"] for row in rows if row["id"] == "T1")
    return opinion("SUPPORT" if "It is right" in said else "REFUTE")


def test_p2_an_old_oath_contradicts_the_first_run() -> None:
    def delta(*released: str) -> float:
        counsel = {role: Sworn(role) for role in ("plaintiff", "defense")}
        judges = {judge: TryingModel(judge, judge=for_the_plaintiff) for judge in JUDGES}
        debate = spoken({**counsel, **judges}, rounds=1, released=released)
        return debate.verdict.parts.role_switch

    assert delta() > 0
    assert delta("keeps_system_prompt") == -0.10


def test_p4_a_copy_of_an_exhibit_changes_the_finding() -> None:
    def found(*released: str) -> Finding:
        models = {**refuting_at("Really."), "court": asking(COPY[1])}
        return spoken(
            models, index=library(COPY), rounds=1, search={"found": 1},
            ablations=ALONE, released=released,
        ).verdict.finding  # fmt: skip

    assert found() is Finding.SUPPORT
    assert found("empty_novelty_pool") is Finding.REFUTE


def test_p5_a_search_that_does_not_stop_finds_what_changes_the_finding() -> None:
    queries = ["cloth masks in schools", "cloth masks", "barley on light soil"]

    def found(*released: str) -> Finding:
        court = TryingModel(
            refine=[json.dumps({"query": query}) for query in queries for _ in range(2)],
            weigh=lambda rows, _: weights(rows),
        )
        return spoken(
            {**refuting_at("Barley"), "court": court}, rounds=3, search={"found": 1, "gain": 1.0},
            ablations=ALONE, released=released,
        ).verdict.finding  # fmt: skip

    assert found() is Finding.SUPPORT
    assert found("search_never_stops") is Finding.REFUTE


def test_p6_a_text_without_weight_changes_the_finding() -> None:
    def found(*released: str) -> Finding:
        def weigh(rows: Rows, _: str) -> str:
            return weights(rows, 0.0 if any("Barley" in row["text"] for row in rows) else 0.9)

        models = {**refuting_at("Barley"), "court": asking("barley on light soil", weigh)}
        return spoken(
            models, rounds=1, search={"found": 1}, ablations=ALONE, released=released
        ).verdict.finding

    assert found() is Finding.SUPPORT
    assert found("search_skips_admission") is Finding.REFUTE


def test_p7_what_stands_behind_the_cut_is_not_judged() -> None:
    def found(*released: str) -> Finding:
        return spoken(
            refuting_at("But not in winter."), index=library((LONG, *TEXTS[1:])), rounds=1,
            ablations={**ALONE, "progressive_rag": False}, released=released,
        ).verdict.finding  # fmt: skip

    assert found() is Finding.REFUTE
    assert found("judges_see_cut_exhibits") is Finding.SUPPORT


def test_p8_debaters_who_judge_change_the_finding() -> None:
    open_still = json.dumps({"premises": [{"id": "P1", "state": "open"}], "resolved": "no"})
    scripts = {"critic": (open_still, opinion("REFUTE")), "expert": (opinion("REFUTE"),)}
    roles = {
        role: ModelSpec(kind="scripted", name=role, script=script)
        for role, script in scripts.items()
    }

    def found(*released: str) -> Finding:
        config = setting(rounds=1, roles=roles, ablations=ALONE, released=released)
        return hold(config, cast_build(config, environment={})).verdict.finding

    assert found() is Finding.SUPPORT
    assert found("panel_of_debaters") is Finding.REFUTE


def test_there_is_a_switch_for_each_departure_that_changes_what_is_found() -> None:
    assert len(SWITCHES) == len(["P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P12"])
