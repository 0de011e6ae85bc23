"""Who sees what in which order and on which side: a pure function of the study's seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Trial:
    """One place in a participant's order: which scenario, and whether its treatment is left.

    `scenario` is the 0-based index among the study's scenarios in their stored order.
    """

    scenario: int
    treatment_is_left: bool


def trials_draw(*, seed: int, cohort: str, enrolment: int, scenarios: int) -> tuple[Trial, ...]:
    """Draw the trials of the participant with the 1-based number `enrolment` in a cohort.

    Participants come in permuted blocks of `block_size(scenarios)`. Within each block every row
    of the Williams design is used twice, once with a pattern of sides and once with its mirror
    image: so each scenario has its treatment left for exactly half of the block, also among those
    who meet the scenario at the same place of the order.

    Raises:
        ValueError: `enrolment` is below 1.
    """
    if enrolment < 1:
        raise ValueError(f"enrolment number {enrolment} must be at least 1")
    block, place = divmod(enrolment - 1, block_size(scenarios))
    rows = williams_rows(scenarios)
    plan = _block_plan(_dice(seed, cohort, block), rows=len(rows), scenarios=scenarios)
    row, sides = plan[place]
    return tuple(Trial(scenario, sides[scenario]) for scenario in rows[row])


def measure_order_draw(
    *, seed: int, cohort: str, enrolment: int, scenario: str, measures: Sequence[str]
) -> list[str]:
    """Draw the order in which one trial asks its measures, for studies that shuffle them."""
    return _shuffled(_dice(seed, cohort, "measures", enrolment, scenario), measures)


def block_size(scenarios: int) -> int:
    """How many participants make a block: each order once with each of two mirrored patterns."""
    return 2 * len(williams_rows(scenarios))


def williams_rows(scenarios: int) -> tuple[tuple[int, ...], ...]:
    """Orders in which each scenario stands at each place, and after each other, equally often.

    Source: E. J. Williams (1949), Australian Journal of Scientific Research A 2, 149-168. An even
    number needs as many rows as scenarios, an odd one twice as many.
    """
    first = _zigzag(scenarios)
    rows = [tuple((item + step) % scenarios for item in first) for step in range(scenarios)]
    if scenarios % 2 and scenarios > 1:
        rows += [row[::-1] for row in rows]
    return tuple(rows) or ((),)


def _zigzag(scenarios: int) -> tuple[int, ...]:
    """0, 1, n-1, 2, n-2, ...: neighbours differ by every distance once."""
    return tuple(
        (place + 1) // 2 if place % 2 else (scenarios - place // 2) % scenarios
        for place in range(scenarios)
    )


def _block_plan(
    dice: random.Random, *, rows: int, scenarios: int
) -> list[tuple[int, tuple[bool, ...]]]:
    """Every row twice, with mirrored sides, in random order."""
    plan = list(enumerate(_side_patterns(dice, rows=rows, scenarios=scenarios)))
    plan += [(row, tuple(not left for left in pattern)) for row, pattern in plan]
    return _shuffled(dice, plan)


def _side_patterns(dice: random.Random, *, rows: int, scenarios: int) -> Iterator[tuple[bool, ...]]:
    """One pattern a row: against the first scenario, every other keeps its side equally often."""
    columns = [_shuffled(dice, [row % 2 == 0 for row in range(rows)]) for _ in range(scenarios - 1)]
    for row in range(rows):
        yield (False, *(column[row] for column in columns))


def _dice(*parts: object) -> random.Random:
    digest = hashlib.sha256(":".join(str(part) for part in parts).encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - re-derived by design, no secret


def _shuffled(dice: random.Random, items: Sequence[Item]) -> list[Item]:
    """Shuffle by random(): the one draw that Python promises to keep the same for a seed."""
    keys = [dice.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]
