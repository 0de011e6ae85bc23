"""What each party wants in the end, who says no to it, and what the numbers say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn
from apg_engine.matching.statements import stating
from apg_engine.reading.quantities import (
    Stated,
    names_agent,
    names_others,
    quantities_in,
    total_find,
)
from apg_engine.reading.recommendations import (
    Shared,
    is_recommendation,
    recommendations_find,
    shared_find,
)
from apg_engine.reading.rejections import rejects
from apg_engine.reading.settling import standing_demands
from apg_engine.reading.standing import is_shown, is_statement, place_of, stands_alone
from apg_engine.records import Agent

_DISPUTES = re.compile(
    r"\b(?:false|wrong|flaw\w*|mis(?:taken|interpret\w*|understand\w*|guided|represent\w*)|"
    r"contradict\w*|inconsisten\w*|fail\w* to|ignor\w*|overlook\w*|denial|dangerous|cannot justify|"
    r"błędn\w*|myl\w+|sprzeczn\w*|pomija\w*)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|so that|in order to|ponieważ|gdyż|bo|aby)\b", re.IGNORECASE
)
# So many words of content in common, and two sentences are about one matter.
_SAME_MATTER = 2


@dataclass(frozen=True, slots=True)
class Demand:
    """What one party asks for in the end, and the sentences of others that say no to it."""

    agent: str
    unit: Unit
    quantity: Decimal | None
    asserted_by: tuple[Unit, ...]
    denied_by: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The parties' last demands exceed what there is: `asked` > `total`, both in `measure`."""

    total: Stated
    demands: tuple[Stated, ...]
    asked: Decimal
    measure: str


def shortfall_find(index: CorpusIndex) -> Shortfall | None:
    """Add the last demand of each party up and compare it with what the record says there is."""
    total = total_find(index)
    if total is None:
        return None
    demands = tuple(standing_demands(index, total.quantity.unit).values())
    asked = sum((demand.quantity.value for demand in demands), Decimal(0))
    if len(demands) < 2 or asked <= total.quantity.value:
        return None
    measure = total.quantity.shown.lstrip("0123456789.,\u00a0\u202f ")
    return Shortfall(total, demands, asked, measure)


def settlement_find(index: CorpusIndex) -> list[Shared]:
    """Give what all parties recommend, if it settles what they dispute; else nothing.

    A shared sentence about something else settles nothing: while the demands exceed what there
    is, or one party denies what another still asks for, the debate is open.
    """
    shared = shared_find(index)
    if shared and (shortfall_find(index) or any(_is_open(d, shared) for d in demands_read(index))):
        return []
    return shared


def _is_open(demand: Demand, shared: Sequence[Shared]) -> bool:
    """Tell whether a denied demand was neither shared nor left behind by its party."""
    if not demand.denied_by:
        return False
    words = content_of(demand.unit.words)
    return not any(
        len(words & content_of(one.by_agent[demand.agent].words)) >= _SAME_MATTER
        and place_of(one.by_agent[demand.agent]) >= place_of(demand.unit)
        for one in shared
    )


@lru_cache(maxsize=2)
def demands_read(index: CorpusIndex) -> tuple[Demand, ...]:
    """Read each speaking party's final demand, with who shares it and who denies it."""
    finals = dict(_final_demands(index))
    holders = Counter(word for unit, _ in finals.values() for word in set(unit.words))
    return tuple(
        _demand(index, agent, unit, quantity, holders) for agent, (unit, quantity) in finals.items()
    )


def _final_demands(index: CorpusIndex) -> Iterator[tuple[str, tuple[Unit, Decimal | None]]]:
    total = total_find(index)
    counted = standing_demands(index, total.quantity.unit) if total else {}
    recommended = recommendations_find(index)
    for agent in index.corpus.agents:
        if agent.id in counted and is_shown(counted[agent.id].unit):
            yield agent.id, (counted[agent.id].unit, counted[agent.id].quantity.value)
        elif agent.id in recommended:
            unit = _last_word(index, agent, recommended[agent.id])
            if unit:
                yield agent.id, (unit, None)


def _last_word(index: CorpusIndex, agent: Agent, recommended: Sequence[Unit]) -> Unit | None:
    """The last recommendation of its last turns that reads well, else its last such statement."""
    spoken = index.spoken_by(agent.id)
    whole = [u for u in spoken if is_statement(u)]
    statements = [u for u in whole if is_shown(u)] or whole
    kind = [u for u in statements if not rejects(u.text)] or statements
    own = [u for u in kind if not names_others(index, u)] or kind
    advice = [u for u in own if u in set(recommended)]
    late = sorted({unit.item.turn for unit in advice})[-2:]
    last = [unit for unit in advice if unit.item.turn in late] or own
    alone = [unit for unit in last if stands_alone(unit)]
    return (alone or last)[-1] if last else None


def _demand(
    index: CorpusIndex,
    agent: str,
    unit: Unit,
    quantity: Decimal | None,
    holders: Mapping[str, int],
) -> Demand:
    """Put a demand together; `holders` counts, for a word, the demands that have it."""
    particular = frozenset(word for word in content_of(unit.words) if holders[word] == 1)
    asserted = tuple(_one_each(_asserting(index, unit, agent)))
    asserting = {one.item.speaker for one in asserted}
    denying = (
        one for one in _denying(index, particular, agent) if one.item.speaker not in asserting
    )
    return Demand(agent, unit, quantity, asserted, tuple(_one_each(denying)))


def _asserting(index: CorpusIndex, unit: Unit, agent: str) -> Iterator[Unit]:
    for other in stating(index, unit):
        if other.item.speaker == agent or is_recommendation(other):
            yield other


def _denying(index: CorpusIndex, particular: frozenset[str], agent: str) -> Iterator[Unit]:
    """Sentences of other parties that reject what is particular to a demand."""
    holder = next(a for a in index.corpus.agents if a.id == agent)
    for other in index.touching(particular):
        if is_public_turn(other) and other.item.speaker != agent and is_shown(other):
            about = 3 * len(particular.intersection(other.words)) >= max(1, len(particular))
            if about and (rejects(other.text) or _disputes(other, holder)):
                yield other


def _disputes(unit: Unit, holder: Agent) -> bool:
    return names_agent(unit.text, holder) and bool(_DISPUTES.search(unit.text))


def _one_each(units: Iterable[Unit]) -> list[Unit]:
    """Keep each speaker's last sentence, in the order of speaking."""
    last = {unit.item.speaker: unit for unit in units}
    return sorted(last.values(), key=lambda unit: (unit.item.turn, unit.start))


def position_of(index: CorpusIndex, demand: Demand) -> Unit:
    """Give the sentence that best says why: the last reason, another advice, or the demand."""
    latest_first = list(reversed(index.spoken_by(demand.agent)))
    for fits in (_advises_with_reason, _gives_reason, is_recommendation, _is_any):
        for unit in latest_first:
            if fits(unit) and _can_speak_for(index, unit, demand):
                return unit
    return demand.unit


def _can_speak_for(index: CorpusIndex, unit: Unit, demand: Demand) -> bool:
    return (
        unit.words != demand.unit.words
        and is_statement(unit, least=8, most=32)
        and is_shown(unit)
        and not rejects(unit.text)
        and not _is_outdated(index, unit, demand)
    )


def _is_outdated(index: CorpusIndex, unit: Unit, demand: Demand) -> bool:
    """Tell whether a sentence holds an amount that its party no longer asks for."""
    total = total_find(index)
    if total is None or demand.quantity is None:
        return False
    measure = total.quantity.unit
    asked = {q.value for q in quantities_in(demand.unit.text) if q.unit == measure}
    held = {q.value for q in quantities_in(unit.text) if q.unit == measure}
    return not held <= asked | {total.quantity.value}


def _advises_with_reason(unit: Unit) -> bool:
    return _gives_reason(unit) and is_recommendation(unit)


def _gives_reason(unit: Unit) -> bool:
    return bool(_REASON.search(unit.text))


def _is_any(_unit: Unit) -> bool:
    return True
