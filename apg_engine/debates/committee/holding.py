"""Hold one debate of the committee, from a configuration to a trace and a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apg_engine.auditors.protocol import Auditor
from apg_engine.config import ModelSpec
from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.debates.committee.config import (
    CommitteeConfig,
    committee_config_from_dict,
    committee_config_to_dict,
    config_default,
    scheduled,
)
from apg_engine.debates.committee.debater import Debater
from apg_engine.debates.committee.details import debate_details
from apg_engine.debates.committee.dispatcher import Dispatch, shocks_dispatch
from apg_engine.debates.committee.knowledge import MODULES, KnowledgeGraph, knowledge_load
from apg_engine.debates.committee.model_debater import ModelDebater
from apg_engine.debates.committee.play import CommitteePlay, Seats
from apg_engine.debates.committee.rule_debater import RuleDebater
from apg_engine.debates.committee.scenario import Scenario, scenario_load
from apg_engine.debates.floor import Floor
from apg_engine.debates.records import NOTHING_WITHHELD, Party, Withheld
from apg_engine.debates.trace_of import Frame, trace_of
from apg_engine.debates.turn_loop import DebateEnd, rounds_hold
from apg_engine.debates.voices import voice_build
from apg_engine.errors import ConfigError
from apg_engine.journal import CallJournal, MemoryJournal
from apg_engine.models import auditor_build
from apg_engine.records import ConflictLevel, Document, Trace
from apg_engine.spending.budget import Amount
from apg_engine.spending.prices import PriceTable, prices_packaged
from apg_engine.traces import conflict_level

SOURCE_FORMAT = "apg-committee"


@dataclass(frozen=True, slots=True)
class CommitteeDebate:
    """A debate that has ended, whole or in part.

    Attributes:
        trace: None where nobody spoke.
        details: what the committee adds to the record of a debate, as JSON.
    """

    floor: Floor
    end: DebateEnd
    trace: Trace | None
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cast:
    """Who speaks and who audits."""

    debaters: Mapping[str, Debater]
    auditor: Auditor


def committee_trace(*, scenario: str = "energy", seed: int = 0, turns: int = 12) -> Trace:
    """Hold a debate by rules, without a model or a network, and give its trace.

    Args:
        scenario: energy, biocontainment or orbital.
        seed: draws the shocks; equal seeds give equal traces, to the byte.
        turns: a multiple of three.

    Raises:
        ConfigError: there is no such scenario, or the turns cannot be shared out equally.
    """
    default = committee_config_to_dict(config_default())
    given = {"scenario": scenario, "seed": seed, "turns": turns}
    config = committee_config_from_dict(default | given, file_name="committee")
    debate = committee_hold(
        config,
        cast=cast_build(config, environment={}),
        journal=MemoryJournal(),
        budget=DebateBudget(config.limits, prices=prices_packaged()),
    )
    if debate.trace is None:
        raise ConfigError("committee", "limits", "no turn was held", "a debate by rules")
    return debate.trace


def cast_build(config: CommitteeConfig, *, environment: Mapping[str, str]) -> Cast:
    """Build who speaks for each module, and the auditor of turns.

    Raises:
        ModelSetupError: a key or a package is missing.
    """
    return Cast(
        debaters={
            module: _debater(config.debater(module), module, environment) for module in MODULES
        },
        auditor=auditor_build(config.auditor, environment=environment),
    )


def committee_hold(
    config: CommitteeConfig,
    *,
    cast: Cast,
    journal: CallJournal,
    budget: DebateBudget,
    withheld: Withheld = NOTHING_WITHHELD,
    on_ask: Callable[[Asking], None] | None = None,
) -> CommitteeDebate:
    """Hold a debate; every call goes through the journal.

    Raises:
        JournalMismatchError: the journal belongs to another debate.
    """
    scenario = scenario_load(config.scenario)
    graphs = {module: knowledge_load(module, scenario.id) for module in MODULES}
    calls = DebateCalls(journal, budget=budget, withheld=withheld, on_ask=on_ask)
    floor = Floor([_party(graphs[share.party]) for share in scenario.shares], calls)
    dispatches = shocks_scheduled(config)
    play = CommitteePlay(
        config=config,
        scenario=scenario,
        graphs=graphs,
        dispatches=dispatches,
        seats=Seats(cast.debaters, cast.auditor, _estimate(config, budget.prices)),
        floor=floor,
    )
    floor.warnings.extend(_left_out(config))
    end = rounds_hold(play, floor=floor, rounds=config.rounds)
    happened = tuple(one for one in dispatches if one.shock.turn <= len(floor.turns))
    level = conflict_level([one.shock for one in happened], rule=config.conflict_rule)
    return CommitteeDebate(
        floor=floor,
        end=end,
        trace=trace_of(floor, _frame(config, scenario, graphs, happened, floor, level), end=end),
        details={
            **_cast_details(config, cast),
            **debate_details(play, scenario=scenario, happened=happened),
            "conflict": {"level": level, "rule": config.conflict_rule},
        },
    )


def shocks_scheduled(config: CommitteeConfig) -> tuple[Dispatch, ...]:
    """Draw the shocks of a debate, each with the turn it comes before."""
    plan, scenario = scheduled(config).shocks, scenario_load(config.scenario)
    return shocks_dispatch(scenario, seed=config.seed, turns=plan.turns, kinds=plan.kinds)


def _party(graph: KnowledgeGraph) -> Party:
    return Party(graph.module, graph.name, mandate=graph.mandate)


def _debater(spec: ModelSpec, module: str, environment: Mapping[str, str]) -> Debater:
    if spec.kind == "offline":
        return RuleDebater()
    return ModelDebater(voice_build(spec, role=module, environment=environment))


def _estimate(config: CommitteeConfig, prices: PriceTable) -> Amount:
    """Set aside for one audit of a turn; rules take nothing."""
    spec = config.auditor
    if spec.kind != "openai":
        return Amount(calls=int(spec.kind == "scripted"))
    price = prices.find(model=spec.name, base_url=spec.base_url)
    cost = spec.max_tokens * price.output_per_million / 1_000_000 if price else 0.0
    return Amount(calls=1, tokens=spec.max_tokens, cost=cost)


def _left_out(config: CommitteeConfig) -> list[str]:
    late = [turn for turn in config.shocks.turns if turn > config.turns]
    listed = ", ".join(map(str, late))
    return [f"shocks before turns {listed} are left out: {config.turns} turns"] if late else []


def _frame(
    config: CommitteeConfig,
    scenario: Scenario,
    graphs: Mapping[str, KnowledgeGraph],
    happened: tuple[Dispatch, ...],
    floor: Floor,
    level: ConflictLevel,
) -> Frame:
    used = {name for turn in floor.heard for name in turn.evidence}
    return Frame(
        title=scenario.title,
        crisis_context=scenario.crisis_context,
        question=scenario.question,
        source_name=f"committee-{scenario.id}-{config.seed}-{config.turns}",
        documents=tuple(
            Document(node.id, "axiom", node.text)
            for graph in graphs.values()
            for node in graph.nodes
            if node.id in used
        ),
        shocks=tuple(one.shock for one in happened),
        conflict_level=level,
        source_format=SOURCE_FORMAT,
    )


def _cast_details(config: CommitteeConfig, cast: Cast) -> dict[str, Any]:
    return {
        "scenario": config.scenario,
        "debaters": {
            module: {"name": one.name, "offline": one.offline}
            for module, one in cast.debaters.items()
        },
        "turn_auditor": {"name": cast.auditor.name, "offline": cast.auditor.offline},
    }


def setup_of(config: CommitteeConfig, withheld: Withheld = NOTHING_WITHHELD) -> dict[str, Any]:
    """Give what makes a debate this debate, as JSON: a folder is kept to it."""
    return {
        "system": "committee",
        **committee_config_to_dict(config),
        "withheld": sorted(withheld.ids),
    }
