"""What stands at the end: demands as their parties revised them, and what settles the dispute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn, words_in
from apg_engine.matching.lexicon import RECOMMENDING
from apg_engine.matching.tokens import stem
from apg_engine.reading.quantities import (
    Quantity,
    Stated,
    demands_find,
    is_demand,
    quantities_in,
)

_NOTHING_BEHIND = re.compile(r"\s*(?:[,;.]|(?:and|while|whereas|oraz|i|a)\b)", re.IGNORECASE)
_RECOMMENDING = frozenset(map(stem, RECOMMENDING))


@lru_cache(maxsize=4)
def standing_demands(index: CorpusIndex, measure: str) -> Mapping[str, Stated]:
    """Give each party's demand in a unit as it stands at the end, by agent id.

    A party that later proposes a division (several amounts in the same unit, one of them for what
    it had asked for) has moved to that amount.
    """
    return {
        agent: _moved(index, stated, measure)
        for agent, stated in demands_find(index, measure).items()
    }


def _moved(index: CorpusIndex, stated: Stated, measure: str) -> Stated:
    load = content_of(stated.unit.words) - _RECOMMENDING
    for unit in index.spoken_by(stated.speaker):
        is_later = (unit.item.turn, unit.start) > (stated.unit.item.turn, stated.unit.start)
        if is_later and is_public_turn(unit) and is_demand(unit):
            amount = _amount_for(load, unit, measure)
            stated = Stated(amount, unit, stated.speaker) if amount else stated
    return stated


def _amount_for(load: frozenset[str], unit: Unit, measure: str) -> Quantity | None:
    """The amount of a division whose share names most of a load."""
    shares = list(_shares(unit.text, measure))
    if len(shares) < 2:
        return None
    named, amount = max(
        ((len(load & content_of(words_in(share))), amount) for amount, share in shares),
        key=lambda pair: pair[0],
    )
    return amount if named else None


def _shares(text: str, measure: str) -> Iterator[tuple[Quantity, str]]:
    """Cut `18 MWh to the halls, 10 MWh to the wards` into amounts, each with what it is for.

    In `give the halls 18 MWh and the wards 10 MWh` that stands before its amount.
    """
    amounts = [quantity for quantity in quantities_in(text) if quantity.unit == measure]
    if amounts and _NOTHING_BEHIND.match(text.partition(amounts[0].shown)[2]):
        yield from _shares_behind(text, amounts)
        return
    rest = text
    for amount, following in zip_longest(amounts, amounts[1:]):
        rest = rest.partition(amount.shown)[2]
        yield amount, rest.partition(following.shown)[0] if following else rest


def _shares_behind(text: str, amounts: Sequence[Quantity]) -> Iterator[tuple[Quantity, str]]:
    rest = text
    for amount in amounts:
        before, _, rest = rest.partition(amount.shown)
        yield amount, before
