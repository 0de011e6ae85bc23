"""Progressive retrieval: one iteration of a side's search in each of its turns, until it stops.

A search reads down its results to the fifth text nobody offered before (`found`), past those that
are known: else a small library would give the same five again, and no search would look further.
The paper gives the rules of stopping in words; these are our formulas, over what was read in one
iteration, less what the court discards for its weight:

    redundancy = share of the results that are known already or less than `novelty` new
    gain       = mean over the results not known before of relevance * novelty, 0 if not admitted

A stop is final for that side. One iteration a turn means that 10 iterations are 10 rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from apg_engine.debates.courtroom.admission import Admission
from apg_engine.debates.courtroom.config import SearchRules
from apg_engine.debates.courtroom.docket import Item


class SearchStop(StrEnum):
    """Why a side searches no more."""

    REDUNDANCY = "redundancy"
    GAIN = "gain"
    ITERATIONS = "iterations"


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration of a side's search.

    Attributes:
        results: how many were read.
        admitted: exhibits that came of it.
        stop: the rule that applies after it; None to go on.
    """

    side: str
    round: int
    query: str
    results: int
    admitted: tuple[str, ...]
    redundancy: float
    gain: float
    stop: SearchStop | None


def iteration_of(
    *,
    side: str,
    round_: int,
    query: str,
    known: int,
    fresh: Sequence[Item],
    earlier: int,
    rules: SearchRules,
) -> Iteration:
    """Sum an iteration up and apply the rules, in the order of SearchStop's members.

    Args:
        side: whose search it is.
        round_: of the debate.
        query: as it was searched.
        known: how many results were offered before, less those of no weight.
        fresh: the others, as the court weighed them, less those of no weight.
        earlier: iterations of this side before.
        rules: of the search.
    """
    results = known + len(fresh)
    new = sum((item.novelty or 0.0) >= rules.novelty for item in fresh)
    redundancy = 1.0 - new / results if results else 1.0
    taken = [item for item in fresh if item.admission is Admission.ADMITTED]
    gained = math.fsum(_relevance(item) * (item.novelty or 0.0) for item in taken)
    gain = gained / max(1, len(fresh))
    return Iteration(
        side=side,
        round=round_,
        query=query,
        results=results,
        admitted=tuple(item.id for item in taken),
        redundancy=redundancy,
        gain=gain,
        stop=_stop(redundancy, gain, earlier + 1, rules),
    )


def _relevance(item: Item) -> float:
    """The court's, or the cosine where it was not asked."""
    return max(0.0, item.cosine) if item.weight is None else item.weight.relevance


def _stop(redundancy: float, gain: float, held: int, rules: SearchRules) -> SearchStop | None:
    if redundancy > rules.redundancy:
        return SearchStop.REDUNDANCY
    if gain < rules.gain:
        return SearchStop.GAIN
    return SearchStop.ITERATIONS if held >= rules.iterations else None
