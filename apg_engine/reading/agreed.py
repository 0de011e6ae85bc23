"""What stands outside the dispute, and what the record itself says is not known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn
from apg_engine.matching.vetoes import content_overlap, differs
from apg_engine.reading.quantities import total_find
from apg_engine.reading.recommendations import is_recommendation
from apg_engine.reading.standing import is_shown, is_statement, stands_alone
from apg_engine.records import ItemKind

_GAP = re.compile(
    r"\b(?:no (?:[\w-]+ ){0,2}?(?:data|measurements?|estimates?|evidence|records?|readings?|figures?|"
    r"confirmation|information|tests?)|not (?:yet )?been (?:measured|confirmed|verified|tested|"
    r"checked|established)|(?:not|never) (?:measured|confirmed|verified|tested)|unknown|unconfirmed|"
    r"unverified|cannot be (?:confirmed|verified|measured)|unclear|uncertain whether|not known|"
    r"awaits? (?:confirmation|results)|nie wiadomo|brak (?:danych|pomiarów|informacji|potwierdzenia)|"
    r"niepotwierdzon\w*|nie (?:zmierzono|potwierdzono|zbadano)|niejasne)\b",
    re.IGNORECASE,
)
_ALIKE = 0.8


@dataclass(frozen=True, slots=True)
class Agreed:
    """A fact nobody disputes, with every sentence that states it."""

    unit: Unit
    sources: tuple[Unit, ...]

    @property
    def speakers(self) -> tuple[str, ...]:
        """The parties that state it; none for what was given to all of them."""
        spoken = (unit.item.speaker for unit in self.sources if unit.item.speaker)
        return tuple(dict.fromkeys(spoken))


def given_facts(index: CorpusIndex) -> list[Agreed]:
    """List what context and shocks gave to all parties: the total first, then what has numbers."""
    total = total_find(index)
    subject = set(content_of(total.unit.words)) if total else set()
    found = [total.unit] if total and is_shown(total.unit) else []
    for unit in index.units:
        given = unit.item.kind in {ItemKind.CONTEXT, ItemKind.SHOCK}
        if given and unit not in found and stands_alone(unit):
            if _has_number(unit) or content_of(unit.words) & subject:
                found.append(unit)
    return [Agreed(unit, (unit,)) for unit in found]


def common_facts(index: CorpusIndex) -> list[Agreed]:
    """List statements that two or more parties make in nearly the same words, most shared first."""
    found: list[Agreed] = []
    for unit in index.units:
        if is_public_turn(unit) and stands_alone(unit) and not is_recommendation(unit):
            sources = (unit, *_repeating(index, unit))
            agreed = Agreed(unit, sources)
            if len(agreed.speakers) > 1 and not _known(unit, found):
                found.append(agreed)
    return sorted(found, key=lambda agreed: -len(agreed.speakers))


def gaps_find(index: CorpusIndex) -> list[Unit]:
    """List sentences that say what is not known, the last wording of each."""
    found: list[Unit] = []
    for unit in reversed(index.units):
        if is_shown(unit) and is_statement(unit, most=35) and _GAP.search(unit.text):
            if not any(content_overlap(unit.words, old.words) >= _ALIKE / 2 for old in found):
                found.append(unit)
    return found[::-1]


def _repeating(index: CorpusIndex, unit: Unit) -> Iterator[Unit]:
    for other in index.alike(unit.words):
        if (
            is_public_turn(other)
            and other.item.speaker != unit.item.speaker
            and content_overlap(unit.words, other.words) >= _ALIKE
            and not differs(unit.words, other.words)
        ):
            yield other


def _known(unit: Unit, found: list[Agreed]) -> bool:
    return any(content_overlap(unit.words, old.unit.words) >= _ALIKE for old in found)


def _has_number(unit: Unit) -> bool:
    return any(word[0] == "#" for word in unit.words)
