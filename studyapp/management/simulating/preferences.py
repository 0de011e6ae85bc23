"""Which arm people prefer, as it is planted, and how that turns into answers to a field."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studyapp.management.simulating.profiles import Person
from studyapp.management.visiting.page import Field
from studyapp.selectors.blinding import TrialSide

ALL: Final = "*"
_SIDES: Final = ("left", "right")
_WORDS: Final = (
    "It was clear to me.",
    "The second part was harder to follow.",
    "I missed the numbers.",
    "Both say nearly the same.",
)


class PreferenceError(ValueError):
    """A planted preference names what the study does not have."""


@dataclass(frozen=True, slots=True)
class Planted:
    """The preferred arm by scenario key; whether the treatment is meant."""

    treatment: Mapping[str, bool]

    def side(self, trial: TrialSide) -> str:
        """Return the side on which the preferred arm stands; empty where none is preferred."""
        wanted = self.treatment.get(trial.scenario, self.treatment.get(ALL))
        if wanted is None:
            return ""
        return "left" if trial.treatment_is_left == wanted else "right"


def preferences_read(
    given: Sequence[str], *, arms: tuple[str, str], scenarios: Sequence[str]
) -> Planted:
    """Read `ARM` or `SCENARIO=ARM`, later ones over earlier ones.

    Args:
        given: as on the command line; nothing plants nothing.
        arms: (reference, treatment).
        scenarios: keys of the study's scenarios.

    Raises:
        PreferenceError: an arm or a scenario is unknown.
    """
    planted: dict[str, bool] = {}
    for text in given:
        scenario, equals, arm = text.rpartition("=")
        if arm not in arms:
            raise PreferenceError(f"--prefer {text}: no arm {arm!r}; allowed: {', '.join(arms)}")
        if equals and scenario not in scenarios:
            allowed = ", ".join(scenarios)
            raise PreferenceError(f"--prefer {text}: no scenario {scenario!r}; allowed: {allowed}")
        planted[scenario if equals else ALL] = arm == arms[1]
    return Planted(planted)


def answer_field(
    entry: Field, person: Person, *, preferred: str, trial: str, right: Mapping[str, str]
) -> str | None:
    """Answer one field as a person does; None leaves it empty.

    Args:
        entry: the field as the page shows it.
        person: who answers.
        preferred: the side of the preferred arm, or an empty text.
        trial: the scenario's key, or an empty text outside a trial: the same in every run.
        right: what passes checks, by field.
    """
    dice = person.dice(trial, _without_side(entry.name, preferred))
    if entry.name in right:
        passes = dice.random() < person.profile.attends
        return right[entry.name] if passes else dice.choice(list(entry.offered))
    if entry.is_text:
        return dice.choice(_WORDS) if entry.required or dice.random() < 0.3 else None
    return _offered(entry, person, dice, preferred) if entry.offered else None


def _offered(entry: Field, person: Person, dice: random.Random, preferred: str) -> str:
    follows = bool(preferred and person.profile.follows)
    if entry.kind == "checkbox":
        return next(iter(entry.offered))
    if person.profile.straight:
        return list(entry.offered)[-1]
    if follows and set(_SIDES) <= set(entry.offered):
        return _choice(entry, preferred, dice, person)
    if follows and entry.name.rpartition(".")[2] in _SIDES:
        return _rating(entry, dice, is_preferred=entry.name.endswith(f".{preferred}"))
    return dice.choice(list(entry.offered))


def _without_side(name: str, preferred: str) -> str:
    """Name a field by preference in place of side, so that dice do not depend on the draw."""
    key, _, side = name.rpartition(".")
    return f"{key}.{side == preferred}" if preferred and side in _SIDES else name


def _choice(entry: Field, preferred: str, dice: random.Random, person: Person) -> str:
    if dice.random() < person.profile.follows:
        return preferred
    return dice.choice([value for value in entry.offered if value != preferred])


def _rating(entry: Field, dice: random.Random, *, is_preferred: bool) -> str:
    """Around the middle of the scale, and on average a point and a half of five apart."""
    points = list(entry.offered)
    middle, step = (len(points) - 1) / 2, (len(points) - 1) / 4
    shift = 0.75 * step if is_preferred else -0.75 * step
    place = round(middle + shift + dice.gauss(0.0, step))
    return points[min(max(place, 0), len(points) - 1)]
