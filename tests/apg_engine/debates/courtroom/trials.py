"""Trials for tests: a small library about masks, and casts of fake models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from apg_engine import CallJournal, MemoryJournal
from apg_engine.calls import ChatReply
from apg_engine.cli.parser import main
from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.casting import Cast, cast_build
from apg_engine.debates.courtroom.config import (
    JUDGES,
    ROLES,
    Ablations,
    CourtroomConfig,
    SearchRules,
    preset_load,
)
from apg_engine.debates.courtroom.holding import Conduct, CourtroomDebate, courtroom_hold
from apg_engine.debates.courtroom.library import Index
from apg_engine.debates.courtroom.released import Released
from apg_engine.debates.courtroom.seats import ModelSeat
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.debates.voices import Voice
from apg_engine.llm.protocol import ChatModel
from apg_engine.retrieval.chunks import Document
from apg_engine.retrieval.embedding import HashedWords
from apg_engine.retrieval.evidence_index import EvidenceIndex, index_of_documents
from apg_engine.spending.prices import prices_packaged
from tests.fakes.trying import TryingModel

CLAIM = "Cloth masks reduce the spread of influenza in schools."
TEXTS = (
    "Cloth masks reduced the spread of influenza in 14 schools during one winter.",
    "In a trial of 900 pupils cloth masks did not reduce the spread of influenza.",
    "Surgical masks halved influenza among nurses on 6 wards.",
    "Ventilation of classrooms lowered carbon dioxide and influenza in schools.",
    "Influenza spread fastest in schools with full classrooms before the holidays.",
    "Cloth masks that were washed daily filtered 40 percent of droplets.",
    "Pupils touched their masks 9 times an hour on average.",
    "Vaccination of pupils reduced influenza among teachers.",
    "The duration of the effect of masks in schools was 5 weeks.",
    "Cats sleep for 15 hours a day.",
    "Barley grows well on light soil near rivers.",
    "The harbour was dredged twice in 1911.",
)


def library(texts: tuple[str, ...] = TEXTS) -> EvidenceIndex:
    """An index in memory; E1 is the first text."""
    documents = [
        Document(f"d{number}", f"Paper {number}", text) for number, text in enumerate(texts, 1)
    ]
    return index_of_documents(documents, HashedWords())


def setting(
    *,
    search: Mapping[str, Any] | None = None,
    ablations: Mapping[str, Any] | None = None,
    released: tuple[str, ...] = (),
    **changes: Any,
) -> CourtroomConfig:
    """The paper's preset, changed."""
    config = preset_load("proclaim", claim=CLAIM)
    return replace(
        config,
        search=SearchRules(**(search or {})),
        ablations=Ablations(**(ablations or {})),
        released=Released(**dict.fromkeys(released, True)),
        **changes,
    )


def spoken(
    models: Mapping[str, ChatModel] | None = None,
    *,
    index: Index | None = None,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    conduct: Conduct | None = None,
    context_tokens: int = 0,
    **changes: Any,
) -> CourtroomDebate:
    """A trial by models; who is not named plays as `TryingModel`."""
    cast = cast_of(models or {}, context_tokens=context_tokens)
    return hold(
        setting(**changes), cast, index=index, journal=journal, withheld=withheld, conduct=conduct
    )


def offline(
    *,
    index: Index | None = None,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    **changes: Any,
) -> CourtroomDebate:
    """A trial by rules."""
    config = setting(**changes)
    cast = cast_build(config, environment={})
    return hold(config, cast, index=index, journal=journal, withheld=withheld)


def cast_of(models: Mapping[str, ChatModel], *, context_tokens: int = 0) -> Cast:
    """Seat models; judges are of families of their own."""
    seats = {
        role: ModelSeat(
            Voice(models.get(role) or TryingModel(f"model of {role}"), 0.5, 300, context_tokens)
        )
        for role in ROLES
    }
    return Cast(seats, {role: role for role in ROLES})


def hold(
    config: CourtroomConfig,
    cast: Cast,
    *,
    index: Index | None = None,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    conduct: Conduct | None = None,
) -> CourtroomDebate:
    """Hold a trial with this cast."""
    return courtroom_hold(
        config,
        index=index or library(),
        cast=cast,
        journal=MemoryJournal() if journal is None else journal,
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        withheld=withheld,
        conduct=conduct or Conduct(),
    )


def judged(*answers: str | ChatReply, **changes: Any) -> CourtroomDebate:
    """A round by models with fixed evidence, and these answers of its judges."""
    models = {
        judge: TryingModel(judge, judge=answer)
        for judge, answer in zip(JUDGES, answers, strict=True)
    }
    return spoken(models, rounds=1, ablations={**ALONE, "progressive_rag": False}, **changes)


def run(*arguments: object) -> int:
    """Give the command's exit status."""
    return main(["debate", *map(str, arguments)], environment={})


def record(out: Path) -> dict[str, Any]:
    """Read the record of a trial."""
    data: dict[str, Any] = json.loads((out / "debate.json").read_text("utf-8"))
    return data


ALONE = {"role_switching": False}
"""Ablations for tests of one run."""
