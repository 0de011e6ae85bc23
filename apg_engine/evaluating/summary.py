"""What rows say: accuracy, agreement, calibration and cost by system and seed, and across seeds."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from apg_engine.annotation.agreement import cohen_kappa
from apg_engine.calibration.rates import Rate
from apg_engine.evaluating.agreement import (
    JudgeAgreement,
    PairedTest,
    judges_agreement,
    macro_f1,
    paired_tests,
)
from apg_engine.evaluating.calibrating import Calibration, calibration_of
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.evaluating.rows import Row


@dataclass(frozen=True, slots=True)
class Taken:
    """What a claim takes on average; None where one row does not know.

    Attributes:
        documents: distinct documents in a debate, and `chunks` distinct texts of them.
        cost_total: of all claims, in the prices' currency.
    """

    rounds: float
    documents: float
    chunks: float
    calls: float
    tokens: float | None
    cost: float | None
    cost_total: float | None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One system with one seed.

    Attributes:
        accuracy: right ones of all; a claim left open is not right.
        accuracy_decided: right ones of those decided.
        kappa_truth: Cohen's kappa with what is known; open is a category of its own.
        order_flips: votes that changed with the order of the sides, of those cast in both orders.
        refute_found: found REFUTE of those decided, beside `refute_known`, its share among the
            same claims.
        rounds_by_finding: mean rounds by what was found, with the number of claims.
        endings: how many claims ended how.
    """

    system: str
    seed: int
    accuracy: Rate
    accuracy_decided: Rate
    macro_f1: float
    kappa_truth: float | None
    judges: JudgeAgreement | None
    order_flips: Rate
    calibration: Calibration
    taken: Taken
    refute_found: Rate
    refute_known: Rate
    rounds_by_finding: Mapping[str, tuple[float, int]]
    endings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Flips:
    """Pairs of two seeds' runs of one claim, and how many of them found different things."""

    pairs: int
    flipped: int


@dataclass(frozen=True, slots=True)
class SeedSummary:
    """One system across its seeds, over the claims that every seed has judged.

    Attributes:
        accuracies: of each seed over these claims.
        spread: their standard deviation; None with one seed.
        oracle: claims that any seed has right.
        other_premises: pairs of runs that took the claim apart differently; `same_premises` those
            that did not. Empty premises are left out.
    """

    system: str
    seeds: tuple[int, ...]
    items: int
    accuracies: tuple[float, ...]
    spread: float | None
    oracle: Rate
    flips: Flips
    other_premises: Flips
    same_premises: Flips


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything."""

    runs: tuple[RunSummary, ...]
    seeds: tuple[SeedSummary, ...]
    tests: tuple[PairedTest, ...]


def rows_summarise(rows: Sequence[Row]) -> Summary:
    """Summarise rows: systems in the order they first appear, each one's seeds as they count."""
    systems = list(dict.fromkeys(row.system for row in rows))
    found: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.system, row.seed].append(row)
    by_run = dict(sorted(found.items(), key=lambda run: (systems.index(run[0][0]), run[0][1])))
    correct = {key: {row.item: row.is_correct for row in run} for key, run in by_run.items()}
    return Summary(
        runs=tuple(_run(run) for run in by_run.values()),
        seeds=tuple(_seeds(system, by_run) for system in systems),
        tests=paired_tests(correct),
    )


def _run(rows: Sequence[Row]) -> RunSummary:
    decided = [row for row in rows if row.opinion.label]
    labels = list(Label) if any(row.label is Label.NOT_ENOUGH for row in rows) else list(BINARY)
    return RunSummary(
        system=rows[0].system,
        seed=rows[0].seed,
        accuracy=Rate(sum(row.is_correct for row in rows), len(rows)),
        accuracy_decided=Rate(sum(row.is_correct for row in decided), len(decided)),
        macro_f1=macro_f1([(row.label, row.opinion.label) for row in rows], labels),
        kappa_truth=cohen_kappa([(row.label.value, _found(row)) for row in rows]),
        judges=judges_agreement([row.opinion.votes for row in rows]),
        order_flips=_order_flips(rows),
        calibration=calibration_of(rows),
        taken=_taken(rows),
        refute_found=_refuted([row.opinion.label for row in decided]),
        refute_known=_refuted([row.label for row in decided]),
        rounds_by_finding=_rounds(rows),
        endings=Counter(row.opinion.ending for row in rows),
    )


def _order_flips(rows: Sequence[Row]) -> Rate:
    told = [vote.is_flipped for row in rows for vote in row.opinion.votes]
    return Rate(told.count(True), len(told) - told.count(None))


def _found(row: Row) -> str:
    return row.opinion.label.value if row.opinion.label else "open"


def _refuted(labels: Sequence[Label | None]) -> Rate:
    return Rate(sum(label is Label.REFUTE for label in labels), len(labels))


def _rounds(rows: Sequence[Row]) -> dict[str, tuple[float, int]]:
    held: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        held[_found(row)].append(row.opinion.rounds)
    return {found: (statistics.fmean(counts), len(counts)) for found, counts in held.items()}


def _taken(rows: Sequence[Row]) -> Taken:
    costs = [row.spent.cost for row in rows]
    return Taken(
        rounds=statistics.fmean(row.opinion.rounds for row in rows),
        documents=statistics.fmean(row.opinion.documents for row in rows),
        chunks=statistics.fmean(row.opinion.chunks for row in rows),
        calls=statistics.fmean(row.spent.calls for row in rows),
        tokens=_mean([row.tokens for row in rows]),
        cost=_mean(costs),
        cost_total=_total(costs),
    )


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if len(known) == len(values) else None


def _mean(values: Sequence[float | None]) -> float | None:
    total = _total(values)
    return None if total is None else total / len(values)


def _seeds(system: str, by_run: Mapping[tuple[str, int], Sequence[Row]]) -> SeedSummary:
    runs = {
        seed: {row.item: row for row in rows}
        for (name, seed), rows in by_run.items()
        if name == system
    }
    first, *others = runs.values()
    items = [item for item in first if all(item in run for run in others)]
    hits = [sum(run[item].is_correct for item in items) for run in runs.values()]
    accuracies = tuple(count / len(items) for count in hits) if items else ()
    pairs = [
        (one[item], other[item]) for one, other in combinations(runs.values(), 2) for item in items
    ]
    apart = [pair for pair in pairs if all(row.opinion.premises for row in pair)]
    return SeedSummary(
        system=system,
        seeds=tuple(runs),
        items=len(items),
        accuracies=accuracies,
        spread=statistics.stdev(accuracies) if len(accuracies) > 1 else None,
        oracle=Rate(
            sum(any(run[item].is_correct for run in runs.values()) for item in items), len(items)
        ),
        flips=_flips(pairs),
        other_premises=_flips([pair for pair in apart if not _same_premises(pair)]),
        same_premises=_flips([pair for pair in apart if _same_premises(pair)]),
    )


def _flips(pairs: Sequence[tuple[Row, Row]]) -> Flips:
    flipped = sum(one.opinion.label is not other.opinion.label for one, other in pairs)
    return Flips(len(pairs), flipped)


def _same_premises(pair: tuple[Row, Row]) -> bool:
    one, other = ({p.casefold() for p in row.opinion.premises} for row in pair)
    return one == other
