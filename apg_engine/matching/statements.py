"""Which public sentences make the same statement, in nearly the same words?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from apg_engine.matching.disowned import disowning
from apg_engine.matching.index import CorpusIndex, Unit, is_public_turn
from apg_engine.matching.vetoes import differs, overlap, signature_of
from apg_engine.matching.word_order import is_reordered

# Share of content words two sentences must have in common to be about one statement.
SAME_STATEMENT = 0.8
# So few sentences are compared sooner than counted.
_FEW = 8


def stating(index: CorpusIndex, unit: Unit) -> tuple[Unit, ...]:
    """Public sentences that state the same: no other number, unit, negation, quantifier or order.

    `No wall takes the place of a pump` and its swap hold the same words, as do `24 MW to the pump
    and 16 to the clinic` and the reverse. What its own speaker calls false is not stated.
    """
    return tuple(other for other in _alike(index, unit) if disowning(index, other) is None)


def denying(index: CorpusIndex, unit: Unit) -> tuple[Unit, ...]:
    """Public sentences in nearly the same words with another number, negation or quantifier.

    And those in the same words that their speakers call false.
    """
    other = _looked_up(index, unit, "denying", lambda other: differs(unit.words, other.words))
    return (*other, *(one for one in _alike(index, unit) if disowning(index, one)))


def _alike(index: CorpusIndex, unit: Unit) -> tuple[Unit, ...]:
    return _looked_up(
        index,
        unit,
        "stating",
        lambda other: (
            not differs(unit.words, other.words) and not is_reordered(unit.words, other.words)
        ),
    )


def _looked_up(
    index: CorpusIndex, unit: Unit, kind: str, fits: Callable[[Unit], bool]
) -> tuple[Unit, ...]:
    key = (kind, unit.words)
    if key not in index.memo:
        index.memo[key] = tuple(_found(index, unit, kind, fits))
    return index.memo[key]


def _found(index: CorpusIndex, unit: Unit, kind: str, fits: Callable[[Unit], bool]) -> list[Unit]:
    # Debates repeat sentences word for word; each wording is compared once.
    known: dict[tuple[str, ...], bool] = {unit.words: fits(unit)}
    found: list[Unit] = []
    for other in _candidates(index, unit, kind):
        if is_public_turn(other):
            if other.words not in known:
                known[other.words] = fits(other) and (
                    overlap(index.content(unit), index.content(other)) >= SAME_STATEMENT
                )
            if known[other.words]:
                found.append(other)
    return found


def _candidates(index: CorpusIndex, unit: Unit, kind: str) -> Sequence[Unit]:
    """Sentences that share a rare word; for the same statement, those with the same numbers.

    Whichever are fewer: a large debate repeats its words, but seldom its numbers with them.
    """
    same = _by_signature(index)[signature_of(unit.words)] if kind == "stating" else None
    if same is not None and (
        len(same) <= _FEW or len(same) <= index.alike_at_most(unit.words, share=SAME_STATEMENT)
    ):
        return same
    return index.alike(unit.words, share=SAME_STATEMENT)


@lru_cache(maxsize=2)
def _by_signature(index: CorpusIndex) -> Mapping[tuple[object, ...], list[Unit]]:
    found: defaultdict[tuple[object, ...], list[Unit]] = defaultdict(list)
    for unit in index.units:
        if is_public_turn(unit):
            found[signature_of(unit.words)].append(unit)
    return found
