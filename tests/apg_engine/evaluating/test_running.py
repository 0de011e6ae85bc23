from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.errors import InputError
from apg_engine.evaluating.claims import BINARY, Label, LabelledClaim, claims_sha256
from apg_engine.evaluating.exhibits import Retrieved
from apg_engine.evaluating.opinions import DECIDED, Opinion, Sitting, System
from apg_engine.evaluating.panels import Panel, Single
from apg_engine.evaluating.rows import Row, rows_load
from apg_engine.evaluating.running import EvaluationPlan, evaluation_run, settings_read
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import prices_packaged
from tests.apg_engine.evaluating.benches import CLAIMS, advisor, index
from tests.fakes.evaluating import verdict

PRICES = prices_packaged()


def single(name: str = "scripted model") -> System:
    judge = advisor([verdict("SUPPORT", 0.6)], name=name)
    return Single(judge, Retrieved(index(), count=1), BINARY)


def plan(*systems: System, **changed: Any) -> EvaluationPlan:
    made = EvaluationPlan(
        systems=systems, claims=CLAIMS, data={"sha256": claims_sha256(CLAIMS)}, prices=PRICES
    )
    return replace(made, **changed)


def test_each_claim_and_seed_has_a_row_as_soon_as_it_is_judged(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []

    def told(row: Row, done: int, of: int) -> None:
        assert row in rows_load(tmp_path)
        seen.append((row.item, done, of))

    outcome = evaluation_run(plan(single(), seeds=2), folder=tmp_path, on_row=told)

    assert [(done, of) for _, done, of in seen] == [(n, 6) for n in range(1, 7)]
    assert {row.key for row in outcome.rows} == {
        (claim.id, "single", seed) for claim in CLAIMS for seed in (0, 1)
    }
    assert all(row.spent.calls == 1 for row in outcome.rows)


def test_a_second_run_asks_nobody_and_a_larger_one_only_what_is_new(tmp_path: Path) -> None:
    evaluation_run(plan(single(), claims=CLAIMS[:1]), folder=tmp_path)
    before = rows_load(tmp_path)
    new: list[str] = []

    evaluation_run(plan(single(), claims=CLAIMS[:1]), folder=tmp_path, on_row=_refuse)
    evaluation_run(plan(single()), folder=tmp_path, on_row=lambda row, *_: new.append(row.item))

    assert rows_load(tmp_path)[:1] == before
    assert new == ["zinc", "moon"]


def _refuse(row: Row, done: int, of: int) -> None:
    raise ValueError(f"{row.key} was judged again")


def test_several_claims_at_once_give_the_same_rows(tmp_path: Path) -> None:
    evaluation_run(plan(single(), seeds=3), folder=tmp_path / "one")
    evaluation_run(plan(single(), seeds=3, concurrency=4), folder=tmp_path / "four")
    one, four = (sorted(rows_load(tmp_path / n), key=lambda r: r.key) for n in ("one", "four"))
    assert [(row.key, row.opinion) for row in one] == [(row.key, row.opinion) for row in four]


def test_a_spent_budget_stops_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    first = evaluation_run(plan(single(), limits=Limits(calls=2)), folder=tmp_path)
    again = evaluation_run(plan(single(), limits=Limits(calls=2)), folder=tmp_path)
    more = evaluation_run(plan(single(), limits=Limits(calls=3)), folder=tmp_path)
    assert (len(first.rows), len(again.rows), len(more.rows)) == (2, 2, 3)
    assert "budget of 2 calls is spent" in first.stopped
    assert more.stopped == ""


def test_other_claims_or_other_settings_are_not_mixed_into_a_folder(tmp_path: Path) -> None:
    evaluation_run(plan(single()), folder=tmp_path)
    with pytest.raises(InputError, match="other claims"):
        evaluation_run(plan(single(), data={"sha256": "other"}), folder=tmp_path)
    with pytest.raises(InputError, match="other settings"):
        evaluation_run(plan(single("another model")), folder=tmp_path)
    assert list(settings_read(tmp_path)["systems"]) == ["single"]
    assert len(rows_load(tmp_path)) == 3


def test_a_vote_takes_what_the_named_system_took_claim_by_claim(tmp_path: Path) -> None:
    class Talks:
        name, offline = "mad", False
        settings: Mapping[str, Any] = {}

        def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
            calls = DebateCalls(sitting.journal, budget=sitting.budget)
            said = advisor([verdict("SUPPORT", 1.0)] * 9)
            for number in range(2 + CLAIMS.index(claim)):
                asking = Asking("x", 0, f"call {number}")
                said.advise(asking, calls, claim=claim.claim, pieces=(), labels=BINARY)
            return Opinion(Label.SUPPORT, DECIDED)

    judge = advisor([verdict("SUPPORT", 0.6)] * 9)
    vote = Panel("vote", [judge], Retrieved(index(), count=1), BINARY, samples=1, prices=PRICES)
    outcome = evaluation_run(plan(Talks(), vote, equal_to={"vote": "mad"}), folder=tmp_path)

    calls = {row.item: row.spent.calls for row in outcome.rows if row.system == "vote"}
    assert calls == {"masks": 2, "zinc": 3, "moon": 4}
    assert settings_read(tmp_path)["systems"]["vote"]["equal_to"] == "mad"

    with pytest.raises(InputError, match="masks, mad, seed 0"):
        evaluation_run(plan(vote, equal_to={"vote": "mad"}), folder=tmp_path / "alone")


def test_a_folder_without_an_evaluation_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="settings of an evaluation"):
        settings_read(tmp_path)
    (tmp_path / "settings.json").write_text("[]", "utf-8")
    with pytest.raises(InputError, match="settings of an evaluation"):
        settings_read(tmp_path)


def test_an_error_of_a_system_ends_the_evaluation_and_keeps_its_rows(tmp_path: Path) -> None:
    class Breaks:
        name, offline = "breaks", True
        settings: Mapping[str, Any] = {}

        def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
            if claim is CLAIMS[1]:
                raise InputError("claims", claim.id, "nothing", "something")
            return Opinion(Label.SUPPORT, DECIDED)

    with pytest.raises(InputError, match="zinc"):
        evaluation_run(plan(Breaks()), folder=tmp_path)
    assert [row.item for row in rows_load(tmp_path)] == ["masks"]
