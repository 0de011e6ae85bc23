"""Debates of the committee for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apg_engine import CallJournal, MemoryJournal
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.committee.config import CommitteeConfig, config_default
from apg_engine.debates.committee.debater import Debater
from apg_engine.debates.committee.holding import (
    Cast,
    CommitteeDebate,
    cast_build,
    committee_hold,
)
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.model_debater import ModelDebater
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.debates.voices import Voice
from apg_engine.llm.protocol import ChatModel
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.spending.prices import prices_packaged
from tests.fakes.debating import DebatingModel


def setting(**changes: Any) -> CommitteeConfig:
    """The packaged configuration, changed."""
    return replace(config_default(), **changes)


def offline(
    *,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    **changes: Any,
) -> CommitteeDebate:
    """A debate by rules."""
    config = setting(**changes)
    return hold(config, cast_build(config, environment={}), journal=journal, withheld=withheld)


def spoken(
    models: Mapping[str, ChatModel] | None = None,
    *,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    context_tokens: int = 0,
    **changes: Any,
) -> CommitteeDebate:
    """A debate by models; who is not named speaks as `DebatingModel`."""
    given = models or {}
    debaters: dict[str, Debater] = {
        module: ModelDebater(Voice(given.get(module) or DebatingModel(), 0.5, 300, context_tokens))
        for module in MODULES
    }
    cast = Cast(debaters, LadderAuditor())
    return hold(setting(**changes), cast, journal=journal, withheld=withheld)


def hold(
    config: CommitteeConfig,
    cast: Cast,
    *,
    journal: CallJournal | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
) -> CommitteeDebate:
    """Hold a debate with this cast."""
    budget = DebateBudget(config.limits, prices=prices_packaged())
    return committee_hold(
        config,
        cast=cast,
        journal=MemoryJournal() if journal is None else journal,
        budget=budget,
        withheld=withheld,
    )


class Interrupted(DebatingModel):
    """A debating model with some of its answers replaced, by the number of the call."""

    def __init__(self, replaced: Mapping[int, str | ChatReply]) -> None:
        super().__init__()
        self._replaced = replaced

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        usual = super().complete(request, ordinal=ordinal)
        given = self._replaced.get(ordinal, usual)
        return given if isinstance(given, ChatReply) else ChatReply(CallStatus.OK, text=given)


def silent() -> ScriptedModel:
    """A model that says nothing, for ever."""
    return ScriptedModel([""] * 100)


PLAN = {
    "target_claim": "",
    "attack_surface": "inconsistency",
    "intent": "counter",
    "anticipated_counter": "They will object.",
    "retrieved_axioms": [],
}
