"""A side's search: what it reads past, what it asks for, and what stops it."""

from __future__ import annotations

import json

import pytest

from apg_engine.debates.courtroom.searching import SearchStop
from tests.apg_engine.debates.courtroom.trials import ALONE, CLAIM, TEXTS, library, offline, spoken
from tests.fakes.trying import TryingModel, plan, weights

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


def many(count: int) -> tuple[str, ...]:
    """Texts that have hardly a word in common."""
    return tuple(" ".join(f"w{n}x{k}" for k in range(12)) + "." for n in range(count))


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
