"""What stands outside the dispute, and what the record itself says is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn, words_in
from apg_engine.matching.spans import match_in
from apg_engine.matching.statements import stating
from apg_engine.matching.vetoes import content_overlap
from apg_engine.reading.quantities import total_find
from apg_engine.reading.recommendations import is_recommendation
from apg_engine.reading.standing import is_shown, is_statement, stands_alone
from apg_engine.records import ItemKind

_GAP = re.compile(
    r"\b(?:no (?:[\w-]+ ){0,2}?(?:data|measurements?|estimates?|evidence|records?|readings?|"
    r"figures?|confirmation|information|tests?)|"
    r"not (?:yet )?been (?:measured|confirmed|verified|tested|checked|established)|"
    r"(?:not|never) (?:measured|confirmed|verified|tested)|"
    r"cannot be (?:confirmed|verified|measured)|"
    r"unknown|unconfirmed|unverified|unclear|uncertain whether|not known|"
    r"awaits? (?:confirmation|results)|nie wiadomo|niejasne|niepotwierdzon\w*|"
    r"brak (?:danych|pomiarów|informacji|potwierdzenia)|nie (?:zmierzono|potwierdzono|zbadano))\b",
    re.IGNORECASE,
)
_ALIKE = 0.8
_GIVEN = frozenset({ItemKind.CONTEXT, ItemKind.SHOCK})


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
    """List what context and shocks gave to all parties.

    The total comes first, then what is nearest to the total and the question.
    """
    total = total_find(index)
    subject = _words(index.corpus.question) | (content_of(total.unit.words) if total else set())
    found = [total.unit] if total and is_shown(total.unit) else []
    given = [u for u in index.units if u.item.kind in _GIVEN and _is_fact(u)]
    for unit in sorted(given, key=lambda u: -len(content_of(u.words) & subject)):
        near = len(content_of(unit.words) & subject) > 1
        if (near or _has_number(unit)) and not _said(unit, found):
            found.append(unit)
    return [Agreed(unit, (unit,)) for unit in found]


def _is_fact(unit: Unit) -> bool:
    return stands_alone(unit) and not _GAP.search(unit.text)


def _words(text: str) -> frozenset[str]:
    return content_of(words_in(text))


def _said(unit: Unit, found: list[Unit]) -> bool:
    """Tell whether most of what a sentence says, or all that another says, is said already."""
    own = content_of(unit.words)
    return any(
        len(own & content_of(old.words)) >= _ALIKE * min(len(own), len(content_of(old.words)))
        for old in found
    )


def common_facts(index: CorpusIndex) -> list[Agreed]:
    """List statements that two or more parties make in nearly the same words, most shared first."""
    found: list[Agreed] = []
    for unit in _first_wordings(index):
        # In this order, since few sentences of a debate have company: that is cheap to see.
        others = list(_repeating(index, unit))
        if others and _is_fact(unit) and not is_recommendation(unit):
            agreed = Agreed(unit, tuple(_one_each([unit, *others])))
            known = _known(unit, [old.unit for old in found], share=_ALIKE)
            if len(agreed.speakers) > 1 and not known:
                found.append(agreed)
    return sorted(found, key=lambda agreed: -len(agreed.speakers))


def gaps_find(index: CorpusIndex) -> list[Unit]:
    """List sentences that say what is not known, the last wording of each."""
    found: list[Unit] = []
    for unit in reversed(index.units):
        names_gap = is_statement(unit, most=35) and _GAP.search(unit.text) and is_shown(unit)
        if names_gap and not _known(unit, found, share=_ALIKE / 2):
            found.append(unit)
    return found[::-1]


def _repeating(index: CorpusIndex, unit: Unit) -> Iterator[Unit]:
    """Sentences of other parties that say the same, or hold it as a clause."""
    others = [u for u in stating(index, unit) if u.item.speaker != unit.item.speaker]
    holding = [u for u in index.holding(unit.words) if is_public_turn(u)]
    clauses = [u for u in holding if u.words != unit.words and match_in(u, list(unit.words))]
    yield from (*others, *(u for u in clauses if u.item.speaker != unit.item.speaker))


def _first_wordings(index: CorpusIndex) -> list[Unit]:
    """Public sentences, each wording once, in the order they were first said."""
    first: dict[tuple[str, ...], Unit] = {}
    for unit in index.units:
        if is_public_turn(unit):
            first.setdefault(unit.words, unit)
    return list(first.values())


def _one_each(units: Iterable[Unit]) -> list[Unit]:
    """Keep each speaker's last sentence, in the order of speaking."""
    last = {unit.item.speaker: unit for unit in units}
    return sorted(last.values(), key=lambda unit: (unit.item.turn, unit.start))


def _known(unit: Unit, found: list[Unit], *, share: float) -> bool:
    return any(content_overlap(unit.words, old.words) >= share for old in found)


def _has_number(unit: Unit) -> bool:
    return any(word[0] == "#" for word in unit.words)
