"""Kinds of people that programs play, and what each of them does."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Profile:
    """How somebody takes part.

    `follows` is the chance that an answer follows the planted preference; without it, answers are
    drawn evenly. `visible_ms` bounds the time that pages report for each part in view, and
    `scrolled` how much of it; `attends` is the chance to pass a check. `straight` always takes the
    option at one place, `doubles` sends each form twice at the same moment, `goes_back` opens the
    former page again and sends it with other answers.
    """

    name: str
    share: int
    follows: float
    visible_ms: tuple[int, int]
    scrolled: tuple[int, int]
    attends: float = 1.0
    straight: bool = False
    doubles: bool = False
    goes_back: bool = False


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType({
    profile.name: profile
    for profile in (
        Profile("careful", 50, 0.85, (1500, 4500), (70, 100)),
        Profile("speeding", 15, 0.0, (40, 300), (5, 40), attends=0.4),
        Profile("straight-lining", 10, 0.0, (200, 900), (20, 60), attends=0.5, straight=True),
        Profile("double-clicking", 15, 0.85, (1200, 4000), (60, 100), doubles=True),
        Profile("back-button", 10, 0.85, (1200, 4000), (60, 100), goes_back=True),
    )
})  # fmt: skip
MIXED: Final = "mixed"


@dataclass(frozen=True, slots=True)
class Person:
    """One program: its number, what it plays, its dice, and after how many pages it leaves.

    `leaves_after` is None for those who stay. Dice depend on seed and number alone, so that the
    same command plays the same people.
    """

    number: int
    profile: Profile
    seed: int
    leaves_after: int | None

    def dice(self, *what: object) -> random.Random:
        """Return dice for one decision, so that no other decision changes it."""
        return random.Random(f"{self.seed}:{self.number}:{what}")  # noqa: S311 - a play, no secret


def people_cast(
    *, n: int, profile: str, dropout: float, seed: int, pages: int
) -> tuple[Person, ...]:
    """Cast `n` people: all of one profile, or mixed by the profiles' shares.

    Args:
        n: how many.
        profile: the name of a profile, or `mixed`.
        dropout: share of those who leave before the end, exactly so many of `n`.
        seed: decides who is who.
        pages: about how many pages there are; who leaves does so after one of them.
    """
    dice = random.Random(f"cast:{seed}")  # noqa: S311 - a play, no secret
    parts = _parts(n, profile)
    dice.shuffle(parts)
    leaving = set(dice.sample(range(n), round(n * dropout)))
    return tuple(
        Person(
            number=number,
            profile=part,
            seed=seed,
            leaves_after=dice.randrange(1, max(2, pages)) if number in leaving else None,
        )
        for number, part in enumerate(parts)
    )


def _parts(n: int, profile: str) -> list[Profile]:
    if profile != MIXED:
        return [PROFILES[profile]] * n
    whole = sum(part.share for part in PROFILES.values())
    parts: list[Profile] = []
    for part in PROFILES.values():
        parts += [part] * (n * part.share // whole)
    careful = PROFILES["careful"]
    return parts + [careful] * (n - len(parts))
