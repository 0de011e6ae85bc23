"""Recommendations in the parties' own words, and the ones that all of them state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apg_engine.matching.index import CorpusIndex, Unit, is_public_turn, words_in
from apg_engine.matching.lexicon import RECOMMENDING, REPORTING
from apg_engine.matching.statements import stating
from apg_engine.matching.tokens import stem
from apg_engine.reading.standing import is_statement, place_of
from apg_engine.reading.withdrawal import withdrawals_of

_RECOMMENDING = frozenset(map(stem, RECOMMENDING))
_REPORTING = frozenset(map(stem, REPORTING))
_CONDITIONAL = re.compile(r"\b(?:if|unless|would|could|might|jeśli|chyba|gdyby)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shared:
    """One recommendation that every speaking party states, with each party's last wording."""

    by_agent: dict[str, Unit]

    @property
    def last(self) -> Unit:
        """The wording that was spoken last."""
        return max(self.by_agent.values(), key=place_of)

    @property
    def same_words(self) -> bool:
        """True where all parties use the same words, light ones aside."""
        return len({unit.words for unit in self.by_agent.values()}) == 1


@lru_cache(maxsize=2)
def recommendations_find(index: CorpusIndex) -> Mapping[str, Sequence[Unit]]:
    """List each speaking party's own recommendations in the order they were spoken."""
    found: dict[str, list[Unit]] = {}
    for unit in index.units:
        if is_public_turn(unit):
            own = found.setdefault(unit.item.speaker, [])
            if is_recommendation(unit):
                own.append(unit)
    return found


def is_recommendation(unit: Unit) -> bool:
    """Tell whether a sentence recommends something in its speaker's own name."""
    return (
        is_statement(unit)
        and any(word in _RECOMMENDING for word in unit.words)
        and not any(word in _REPORTING for word in unit.words)
        and not _CONDITIONAL.search(unit.text)
    )


def recommends(text: str) -> bool:
    """Tell whether any text, whoever wrote it, holds a word of recommendation."""
    return any(word in _RECOMMENDING for word in words_in(text))


def shared_find(index: CorpusIndex) -> list[Shared]:
    """Find the recommendations that all speaking parties state, in the order they close with.

    Two sentences agree if they have the same numbers, units, negations and quantifiers and at
    least 80 % of their content words in common. Where a party takes one of them back later,
    the debate is open again and nothing counts as shared.
    """
    recommendations = recommendations_find(index)
    if len(recommendations) < 2 or not all(recommendations.values()):
        return []
    fewest = min(recommendations, key=lambda agent: len(recommendations[agent]))
    found: list[Shared] = []
    wordings = {unit.words: unit for unit in recommendations[fewest]}
    for unit in wordings.values():
        shared = _shared(index, unit, recommendations)
        if shared and withdrawals_of(index, unit, recommendations):
            return []
        known = {same for other in found for same in stating(index, other.last)}
        if shared and shared.last not in known:
            found.append(shared)
    return sorted(found, key=lambda shared: place_of(shared.last))


def _shared(index: CorpusIndex, unit: Unit, agents: Iterable[str]) -> Shared | None:
    agreeing = [other for other in stating(index, unit) if is_recommendation(other)]
    by_agent = {other.item.speaker: other for other in agreeing}
    if set(by_agent) != set(agents):
        return None
    return Shared({agent: by_agent[agent] for agent in agents})


def later_turns(index: CorpusIndex, shared: list[Shared]) -> Iterator[Unit]:
    """List the sentences of the turns in which parties close on the shared recommendations."""
    addresses = {unit.item.address for one in shared for unit in one.by_agent.values()}
    return (unit for unit in index.units if unit.item.address in addresses)
