"""What the offline proposer reads out of a corpus before it writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn
from apg_engine.matching.statements import stating
from apg_engine.reading.disputes import settlement_find
from apg_engine.reading.phrases import agents_called, is_plural, loads_find
from apg_engine.reading.quantities import Stated, demands_find, hours_in, total_find
from apg_engine.reading.recommendations import (
    Shared,
    is_recommendation,
    later_turns,
    recommendations_find,
)
from apg_engine.reading.standing import is_shown, is_statement, stands_alone
from apg_engine.records import ItemKind

_SAME_SUBJECT = 2


@dataclass(frozen=True, slots=True)
class Brief:
    """What a draft is built from.

    Attributes:
        names: the speaking parties as prose calls them, by agent id.
        plurals: the ids of those whose name is a plural.
        loads: what the parties speak for.
        total: what there is to share, as written; empty if the record does not say.
        hours: a period the record names; may be empty.
        facts: what context and shocks give, in groups of sentences that belong together.
        shared: recommendations every party states.
        repeated: facts several parties state, from their closing turns.
        reasons: for each party, sentences of its closing turn, best first.
        demands: each party's last demand or recommendation.
        variant: picks among equal wordings.
    """

    names: dict[str, str]
    plurals: frozenset[str]
    loads: tuple[str, ...]
    total: str
    hours: str
    facts: tuple[tuple[Unit, ...], ...]
    shared: tuple[Shared, ...]
    repeated: tuple[Unit, ...]
    reasons: dict[str, tuple[Unit, ...]]
    demands: dict[str, Unit]
    variant: int


def brief_read(index: CorpusIndex) -> Brief:
    """Read a corpus by rules alone; nothing depends on who wrote it."""
    total = total_find(index)
    demands = demands_find(index, total.quantity.unit) if total else {}
    shared = tuple(settlement_find(index))
    speakers = {unit.item.speaker for unit in index.units if is_public_turn(unit)}
    agents = [agent for agent in index.corpus.agents if agent.id in speakers]
    return Brief(
        names=agents_called(index, agents),
        plurals=frozenset(agent.id for agent in agents if is_plural(agent.name)),
        loads=tuple(loads_find(index, demands).values()),
        total=total.quantity.shown if total else "",
        hours=next(hours_in(index), ""),
        facts=tuple(_facts(index, total, shared)),
        shared=shared,
        repeated=tuple(_repeated(index, shared)),
        reasons={agent.id: tuple(_reasons(index, agent.id, shared)) for agent in agents},
        demands=_demands(index, demands),
        variant=int(index.corpus.sha256[:8], 16),
    )


def _facts(
    index: CorpusIndex, total: Stated | None, shared: tuple[Shared, ...]
) -> Iterator[tuple[Unit, ...]]:
    """The total first, then what shocks and context say about the same things."""
    subject = _subject(one.last for one in shared)
    if total:
        subject |= content_of(total.unit.words)
        yield from _with_lead(index, total.unit)
    for kind in (ItemKind.SHOCK, ItemKind.CONTEXT):
        for unit in index.units:
            near = not subject or len(content_of(unit.words) & subject) >= _SAME_SUBJECT
            if unit.item.kind is kind and near and stands_alone(unit):
                yield (unit,)


def _with_lead(index: CorpusIndex, unit: Unit) -> Iterator[tuple[Unit, ...]]:
    """The sentence alone, or behind the one it leans on."""
    before = [u for u in index.units if u.item is unit.item and u.end <= unit.start][-1:]
    if stands_alone(unit):
        yield (unit,)
    elif before and stands_alone(before[0]) and is_shown(unit) and is_statement(unit):
        yield (before[0], unit)


def _repeated(index: CorpusIndex, shared: tuple[Shared, ...]) -> Iterator[Unit]:
    """Facts in a closing turn that another party states too, in nearly the same words."""
    for unit in later_turns(index, list(shared)):
        if stands_alone(unit) and not is_recommendation(unit):
            speakers = {other.item.speaker for other in stating(index, unit)}
            if len(speakers) > 1:
                yield unit


def _reasons(index: CorpusIndex, agent: str, shared: tuple[Shared, ...]) -> list[Unit]:
    """Sentences of the party's closing turn that speak about the shared recommendation."""
    subject = _subject(one.last for one in shared)
    own = [u for u in later_turns(index, list(shared)) if u.item.speaker == agent]
    fitting = [
        u
        for u in own
        if stands_alone(u, least=8, most=30)
        and not is_recommendation(u)
        and content_of(u.words) & subject
    ]
    return sorted(fitting, key=lambda u: -len(content_of(u.words) & subject))


def _demands(index: CorpusIndex, demands: Mapping[str, Stated]) -> dict[str, Unit]:
    found = {agent: stated.unit for agent, stated in demands.items() if stands_alone(stated.unit)}
    for agent, units in recommendations_find(index).items():
        alone = [unit for unit in units if stands_alone(unit)]
        if agent not in found and alone:
            found[agent] = alone[-1]
    return found


def _subject(units: Iterable[Unit]) -> set[str]:
    return {word for unit in units for word in content_of(unit.words)}
