"""Flagged items: who is shown them, and what a motion does."""

from __future__ import annotations

from tests.apg_engine.debates.courtroom.trials import ALONE, TEXTS, library, spoken
from tests.fakes.trying import Rows, TryingModel, plan, weights


def test_flagged_items_are_shown_to_planning_counsel_alone() -> None:
    models = {
        "court": TryingModel(weigh=lambda rows, _: weights(rows, 0.6, 0.6)),
        **{role: TryingModel(role) for role in ("plaintiff", "critic", "judge_a")},
    }

    debate = spoken(models, rounds=1, ablations=ALONE)

    assert debate.chunks == ()
    flagged = '"speaker": "flagged: Paper 1"'
    plaintiff = models["plaintiff"]
    assert flagged in plaintiff.asked("prepare")[0][1]
    assert TEXTS[0] not in plaintiff.asked("open")[0][1]
    assert TEXTS[0] not in models["critic"].asked("review")[0][1]
    assert TEXTS[0] not in models["judge_a"].asked("judge")[0][1]


def test_a_motion_makes_the_court_look_again() -> None:
    looks: list[list[str]] = []

    def looking(rows: Rows, _: str) -> str:
        looks.append([row["id"] for row in rows])
        return weights(rows, 0.9 if looks[-1] == ["E1"] else 0.5, 0.9)

    models = {
        "court": TryingModel(weigh=looking),
        "plaintiff": TryingModel(prepare=plan(motion="E1")),
    }

    debate = spoken(models, rounds=1, ablations={**ALONE, "progressive_rag": False})

    assert looks[-1] == ["E1"]
    assert "d1#c0" in debate.chunks


def test_what_was_found_and_has_its_like_admitted_since_is_no_longer_new() -> None:
    texts = (
        "Cloth masks reduce the spread of influenza in schools by 14 percent.",
        "How long does the effect last: the duration of the effect was 5 weeks for masks.",
        "How long does the effect last: the duration of the effect was 5 weeks, for masks.",
    )
    looks: list[list[str]] = []

    def looking(rows: Rows, _: str) -> str:
        looks.append([row["id"] for row in rows])
        return weights(rows, 0.9 if looks[-1] != ["E2"] or len(looks) > 2 else 0.5, 0.9)

    models = {
        "court": TryingModel(weigh=looking, refine=['{"query": "duration of the effect"}']),
        "plaintiff": TryingModel(prepare=[plan(), plan(motion="E2")]),
    }

    debate = spoken(
        models,
        index=library(texts),
        rounds=2,
        search={"found": 1, "redundancy": 1.0, "gain": 0.0},
        ablations=ALONE,
    )

    items = {item.id: item for item in debate.first.play.room.docket.items}
    assert debate.chunks == ("d1#c0", "d3#c0")
    assert items["E2"].admission == "flagged"
    assert (items["E2"].novelty or 0.0) < 0.2
    assert looks.count(["E2"]) == 1, "the court is not asked for what is not new"


def test_a_motion_for_something_that_is_not_flagged_is_no_plan() -> None:
    models = {"plaintiff": TryingModel(prepare=plan(motion="E12"))}

    debate = spoken(models, rounds=1, ablations={**ALONE, "progressive_rag": False})

    assert "d12#c0" not in debate.chunks
    planned = [one for one in debate.floor.calls.answers if one.purpose == "prepare"]
    assert [one.status for one in planned if one.role == "plaintiff"] == ["unparsed", "unparsed"]
