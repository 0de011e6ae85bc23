"""How evidence comes into a trial: bands, novelty against everything, stops, motions."""

from __future__ import annotations

import json

import pytest

from apg_engine.debates.courtroom.admission import Admission
from apg_engine.debates.courtroom.searching import SearchStop
from tests.apg_engine.debates.courtroom.trials import (
    ALONE,
    CLAIM,
    TEXTS,
    library,
    offline,
    spoken,
)
from tests.fakes.trying import Rows, TryingModel, plan, weights

SCHOOLS = (
    *TEXTS,
    "A survey of 70 schools saw no reduction of influenza where cloth masks were worn.",
    "Teachers who wore cloth masks lowered the spread of influenza at 3 schools.",
    "Cloth masks in kindergartens reduced influenza by 11 percent.",
    "No spread of influenza was prevented by cloth masks in boarding schools.",
    "A model of schools finds that masks of cloth reduce influenza if worn all day.",
    "Wet cloth did not reduce influenza spread in 2 schools of the coast.",
)
NEVER_NEW = json.dumps({"query": "masks in schools"})


def endless(rows: Rows, prompt: str) -> str:
    """Ask for another text in each turn."""
    return json.dumps({"query": f"tally {prompt.count('Reading')} number {len(prompt)}"})


def many(count: int) -> tuple[str, ...]:
    """Texts that have hardly a word in common."""
    return tuple(" ".join(f"w{n}x{k}" for k in range(12)) + "." for n in range(count))


def test_weights_sort_items_into_the_papers_bands() -> None:
    def by_text(rows: Rows, _: str) -> str:
        level = {"d1": 0.9, "d2": 0.6, "d4": 0.2}
        return json.dumps(
            {
                "weights": [
                    {
                        "id": row["id"],
                        "relevance": level.get(f"d{row['id'][1:]}", 0.2),
                        "credibility": 0.8,
                    }
                    for row in rows
                ]
            }
        )

    debate = spoken({"court": TryingModel(weigh=by_text)}, rounds=1, ablations=ALONE)

    items = {item.id: item for item in debate.first.play.room.docket.items}
    assert items["E1"].admission is Admission.ADMITTED
    assert items["E2"].admission is Admission.FLAGGED
    assert debate.chunks == ("d1#c0",)


def test_items_the_court_did_not_weigh_are_not_admitted() -> None:
    debate = spoken({"court": TryingModel(weigh="They all look fine.")}, rounds=1, ablations=ALONE)

    assert debate.chunks == ()
    assert any("the court weighed none of" in one for one in debate.floor.warnings)


def test_a_text_that_is_found_again_and_again_is_one_exhibit() -> None:
    twice = (*TEXTS, TEXTS[0], TEXTS[0])
    plaintiff = TryingModel()

    debate = spoken({"plaintiff": plaintiff}, index=library(twice), rounds=3, ablations=ALONE)

    texts = [item.chunk.text for item in debate.first.play.room.docket.admitted]
    assert len(texts) == len(set(texts))
    for purpose in ("open", "argue"):
        for _, prompt in plaintiff.asked(purpose):
            assert (
                prompt.count(f'"kind": "document", "speaker": "Paper 1", "text": "{TEXTS[0]}') <= 1
            )


def test_novelty_counts_against_what_was_negotiated() -> None:
    near = (TEXTS[0], f"{TEXTS[0]} Really.", *TEXTS[9:])
    narrow = {"found": 1}
    court = TryingModel(refine=json.dumps({"query": f"{TEXTS[0]} Really."}))

    debate = spoken({"court": court}, index=library(near), rounds=1, search=narrow, ablations=ALONE)

    found = {item.id: item for item in debate.first.play.room.docket.items}["E2"]
    assert found.novelty is not None
    assert found.novelty < 0.2
    assert found.admission is Admission.DISCARDED


def test_with_the_released_pool_a_copy_of_an_exhibit_is_new() -> None:
    near = (TEXTS[0], f"{TEXTS[0]} Really.", *TEXTS[9:])
    court = TryingModel(refine=json.dumps({"query": f"{TEXTS[0]} Really."}))

    debate = spoken(
        {"court": court}, index=library(near), rounds=1, search={"found": 1},
        ablations=ALONE, released=("empty_novelty_pool",),
    )  # fmt: skip

    found = {item.id: item for item in debate.first.play.room.docket.items}["E2"]
    assert found.novelty == 1.0
    assert found.admission is Admission.ADMITTED


def test_a_search_reads_on_past_what_is_known_and_counts_it_as_redundant() -> None:
    court = TryingModel(refine=json.dumps({"query": TEXTS[0]}))

    debate = spoken({"court": court}, rounds=1, search={"found": 2}, ablations=ALONE)

    negotiated = [item.id for item in debate.first.play.room.docket.items if not item.round]
    plaintiffs, defenses = debate.first.play.room.iterations
    assert sorted(negotiated) == ["E1", "E2"]
    assert plaintiffs.results == 2 + 2
    assert plaintiffs.redundancy == pytest.approx(2 / 4)
    assert defenses.results == 4 + 2
    assert defenses.redundancy == pytest.approx(4 / 6)


def test_gain_is_a_mean_over_what_was_not_known() -> None:
    court = TryingModel(
        refine=json.dumps({"query": TEXTS[0]}),
        weigh=lambda rows, _: weights(rows, 0.8, 1.0 if rows[0]["id"] != "E4" else 0.0),
    )

    debate = spoken({"court": court}, rounds=1, search={"found": 2}, ablations=ALONE)

    first = debate.first.play.room.iterations[0]
    new = [item for item in debate.first.play.room.docket.items if item.id in first.admitted]
    assert len(new) == 2
    assert first.gain == pytest.approx(sum(0.8 * (item.novelty or 0) for item in new) / 2)


def test_rules_look_further_than_the_negotiation_in_several_rounds() -> None:
    debate = offline(index=library(SCHOOLS), search={"found": 2}, ablations=ALONE)

    room = debate.first.play.room
    brought = [item for item in room.docket.admitted if item.round]
    assert {item.round for item in brought} >= {1, 2}
    assert all(item.novelty is not None and item.novelty >= 0.2 for item in brought)
    assert len({one.query for one in room.iterations}) == len(room.iterations) > 2
    assert {room.iterations[-1].stop, room.iterations[-2].stop} <= set(SearchStop)
    assert debate.rounds > 2


def test_a_query_by_rules_is_made_of_gap_need_and_last_turns() -> None:
    debate = offline(index=library(SCHOOLS), search={"found": 2}, ablations=ALONE)

    one, other, again, *_ = debate.first.play.room.iterations
    assert one.query.startswith(CLAIM.rstrip("."))
    # The defense has heard the plaintiff, and the plaintiff asks for what would meet the defense.
    assert set(other.query.split()) - set(one.query.split())
    heard = debate.floor.turns[1].text.lower()
    added = set(again.query.split()) - set(one.query.split())
    assert added & set(heard.replace(".", " ").split())


def test_a_search_that_has_stopped_is_over() -> None:
    court = TryingModel(refine=NEVER_NEW)

    debate = spoken({"court": court}, ablations=ALONE)

    searched = debate.first.play.room.iterations
    assert {one.stop for one in searched} <= {*SearchStop, None}
    for side in ("plaintiff", "defense"):
        own = [one for one in searched if one.side == side]
        assert [one.stop for one in own[:-1]] == [None] * (len(own) - 1)
        assert own[-1].stop is SearchStop.REDUNDANCY
    assert len(court.asked("refine")) == len(searched)


def test_a_released_search_goes_on_after_its_stop() -> None:
    court = TryingModel(refine=NEVER_NEW)

    debate = spoken({"court": court}, rounds=3, ablations=ALONE, released=("search_never_stops",))

    searched = debate.first.play.room.iterations
    assert len(searched) == 2 * debate.rounds
    assert searched[2].stop is SearchStop.REDUNDANCY
    assert (searched[4].side, searched[4].round) == (searched[2].side, 3)


def test_a_library_without_end_is_left_after_ten_iterations_and_the_turns_are_kept() -> None:
    texts = many(200)
    words = [text.split()[0] for text in texts]
    court = TryingModel(
        refine=[json.dumps({"query": " ".join(texts[k].split()[:6])}) for k in range(60, 160)]
    )

    debate = spoken(
        {"court": court}, index=library(texts), claim=f"{words[0]} {words[1]}", rounds=14,
        search={"found": 1}, ablations=ALONE,
    )  # fmt: skip

    own = [one for one in debate.first.play.room.iterations if one.side == "plaintiff"]
    assert len(own) == 10
    assert own[-1].stop is SearchStop.ITERATIONS
    assert debate.end.is_whole
    assert len(debate.floor.turns) == 2 * debate.rounds + 1


def test_a_query_is_made_of_the_last_four_turns_the_gap_and_the_reflections_need() -> None:
    texts = many(60)
    court = TryingModel(refine=[json.dumps({"query": text[:40]}) for text in texts[20:]])
    models = {"court": court, "plaintiff": TryingModel(prepare=plan(gap="No dose is shown."))}

    spoken(models, index=library(texts), rounds=4, search={"found": 1}, ablations=ALONE)

    _, last = court.asked("refine")[-2]
    assert last.count('"kind": "turn"') == 4
    assert '(JSON string): "No dose is shown."' in last
    assert '(JSON string): "A longer study."' in last


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


def test_a_released_search_admits_by_novelty_alone() -> None:
    court = TryingModel(
        weigh=lambda rows, _: weights(rows, 0.0, 0.0),
        refine=json.dumps({"query": "barley on light soil"}),
    )

    debate = spoken(
        {"court": court}, rounds=1, ablations=ALONE, released=("search_skips_admission",)
    )

    assert "d11#c0" in debate.chunks


def test_without_progressive_retrieval_nothing_is_sought_after_the_negotiation() -> None:
    court = TryingModel()

    debate = spoken({"court": court}, rounds=3, ablations={**ALONE, "progressive_rag": False})

    assert not court.asked("refine")
    assert {item.round for item in debate.first.play.room.docket.items} == {0}
