"""The court's judgment, and the gate it goes through."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apg_engine.calls import CallStatus, ChatReply
from apg_engine.config import GateConfig
from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.judgment import judgment_gate
from apg_engine.debates.courtroom.seats import ModelSeat
from apg_engine.debates.voices import Voice
from apg_engine.provenance.verification import run_verify
from apg_engine.spending.prices import prices_packaged
from tests.apg_engine.debates.courtroom.trials import TEXTS, cast_of, hold, setting
from tests.fakes.trying import TryingModel


def judged(court: TryingModel, out: Path, *, cast: Callable[[TryingModel], Cast]) -> dict[str, Any]:
    config = setting(rounds=1)
    made = cast(court)
    debate = hold(config, made)
    return judgment_gate(
        debate,
        path=out,
        config=GateConfig(),
        court=made.seats["court"],
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        environment={},
    )


def presided(court: TryingModel) -> Cast:
    return cast_of({"court": court})


FOUND = "The panel finds, by three of three judges, that the evidence supports the claim."
INVENTED = "Masks saved 4000 lives in Norway."


def test_a_sentence_the_court_was_not_shown_is_refused_and_repaired(tmp_path: Path) -> None:
    court = TryingModel(judgment=[f"{FOUND} {INVENTED}", f"{FOUND} {TEXTS[0]}"])

    gated = judged(court, tmp_path / "g", cast=presided)

    assert gated["outcome"] == "synthesis"
    assert gated["judgment"] == f"{FOUND} {TEXTS[0]}"
    assert gated["draft"] == f"{FOUND} {INVENTED}"
    assert INVENTED in court.asked("judgment")[1][1]
    assert run_verify(tmp_path / "g", replay=True).holds


def test_a_judgment_that_stays_invented_ends_in_a_divergence_report(tmp_path: Path) -> None:
    court = TryingModel(judgment=[f"{FOUND} {INVENTED}", f"{INVENTED} {FOUND}", INVENTED])

    gated = judged(court, tmp_path / "g", cast=presided)

    assert gated["outcome"] == "divergence"
    assert INVENTED not in gated["judgment"]
    assert len(court.asked("judgment")) == 3
    assert run_verify(tmp_path / "g", replay=True).holds


def test_a_court_that_writes_no_judgment_has_none_published(tmp_path: Path) -> None:
    refusal = ChatReply(CallStatus.REFUSED, text="", detail="I will not")

    gated = judged(TryingModel(judgment=refusal), tmp_path / "g", cast=presided)

    assert (gated["outcome"], gated["reason"]) == ("not_judged", "refused")
    assert not (tmp_path / "g").exists()


def test_a_sentence_of_an_exhibit_the_court_had_no_room_for_is_refused(tmp_path: Path) -> None:
    config = setting(rounds=1)
    debate = hold(config, cast_of({}))
    unseen = debate.first.play.room.docket.admitted[0].chunk.text
    hasty = TryingModel(judgment=f"{FOUND} {unseen}")

    gated = judgment_gate(
        debate,
        path=tmp_path / "g",
        config=GateConfig(pairs=1),
        court=ModelSeat(Voice(hasty, 0.0, 300, 700)),
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        environment={},
    )

    trace = json.loads((tmp_path / "g" / "trace.json").read_text("utf-8"))
    assert unseen not in [document["text"] for document in trace["documents"]]
    assert trace["turns"][-1]["text"] == FOUND
    assert gated["outcome"] == "divergence"


def test_a_repair_whose_author_was_shown_less_is_not_judged_on_more(tmp_path: Path) -> None:
    config = setting(rounds=1)
    debate = hold(config, cast_of({}))
    last = debate.first.play.room.docket.admitted[0].chunk.text
    hasty = TryingModel(judgment=[f"{FOUND} {INVENTED * 60}", f"{FOUND} {last}"])

    gated = judgment_gate(
        debate,
        path=tmp_path / "g",
        config=GateConfig(),
        court=ModelSeat(Voice(hasty, 0.0, 300, 1700)),
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        environment={},
    )

    first, repair = (prompt for _, prompt in hasty.asked("judgment"))
    assert last in first
    assert last not in repair
    assert gated["outcome"] == "divergence"
