"""How evidence comes into a trial: bands, copies, novelty against everything."""

from __future__ import annotations

import json

from apg_engine.debates.courtroom.admission import Admission
from tests.apg_engine.debates.courtroom.trials import ALONE, TEXTS, library, spoken
from tests.fakes.trying import Rows, TryingModel, weights


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
