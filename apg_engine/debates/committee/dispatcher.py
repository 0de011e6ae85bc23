"""The dispatcher: which shock comes before which turn, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apg_engine.debates.committee.scenario import Scenario, ShockText
from apg_engine.records import Shock, ShockKind

# The order of the paper's repository (S1 to S4), so that equal seeds draw equal kinds.
KINDS: Final = (
    ShockKind.EPISTEMIC_SHIFT,
    ShockKind.CASCADING_RISK,
    ShockKind.ZERO_SUM,
    ShockKind.AD_HOMINEM,
)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One scheduled shock.

    Attributes:
        shock: as the trace holds it, with the turn it comes before.
        variant: 0-based, of its kind.
        effect: what it does to the numbers of the scenario.
    """

    shock: Shock
    variant: int
    effect: ShockText


def shocks_dispatch(
    scenario: Scenario,
    *,
    seed: int,
    turns: Sequence[int],
    kinds: Sequence[ShockKind] = KINDS,
) -> tuple[Dispatch, ...]:
    """Draw a kind and a variant for each scheduled turn.

    The draw is that of the paper's repository: `random.Random(seed)`, then for each shock a choice
    among the kinds and one among its variants. With both schedules of two shocks and all four
    kinds, seed 102 + i gives the kinds and variants of its run i.
    """
    dice = random.Random(seed)  # noqa: S311 (a schedule, no secret)
    drawn = []
    for turn in turns:
        kind = dice.choice(list(kinds))
        variants = scenario.shocks[kind]
        variant = dice.randrange(len(variants))
        effect = variants[variant]
        drawn.append(Dispatch(Shock(turn, kind, effect.severity, effect.text), variant, effect))
    return tuple(drawn)
