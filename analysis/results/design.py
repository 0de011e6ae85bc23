"""Was the design balanced, and what does it confound? No outcome is read here.

This is the part of a report that may be shown while a study is running.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.dataset import Dataset, Trial, trials_of
from analysis.saying import say


@dataclass(frozen=True, slots=True)
class ScenarioDesign:
    """How one scenario was shown: counts of trials by left arm and by place in the order."""

    scenario: str
    trials: int
    left: dict[str, int]
    order: dict[int, int]
    cells: dict[str, int]
    position_confounded: bool
    order_confounded: bool


@dataclass(frozen=True, slots=True)
class DesignCheck:
    """All scenarios, with the sentences a reader must know."""

    scenarios: tuple[ScenarioDesign, ...]
    sentences: tuple[str, ...]

    def of(self, scenario: str) -> ScenarioDesign:
        """The design of one scenario."""
        return next(design for design in self.scenarios if design.scenario == scenario)


def design_check(dataset: Dataset) -> DesignCheck:
    """Count positions and orders of every scenario's trials."""
    trials = trials_of(dataset)
    designs = tuple(
        _scenario(scenario, [t for t in trials.values() if t.scenario == scenario], dataset.arms)
        for scenario in dataset.scenarios
    )
    return DesignCheck(designs, tuple(_sentences(designs, blind=dataset.blind)))


def _scenario(scenario: str, trials: list[Trial], arms: tuple[str, str]) -> ScenarioDesign:
    left = Counter(trial.left_arm for trial in trials if trial.left_arm)
    order = Counter(trial.order for trial in trials if trial.order is not None)
    cells = Counter(f"{t.left_arm}, {t.order}" for t in trials if t.left_arm and t.order)
    return ScenarioDesign(
        scenario=scenario,
        trials=len(trials),
        left={arm: left[arm] for arm in arms},
        order=dict(sorted(order.items())),
        cells=dict(sorted(cells.items())),
        position_confounded=len(left) < 2,
        order_confounded=len(order) < 2,
    )


def _sentences(designs: tuple[ScenarioDesign, ...], *, blind: bool) -> Iterator[str]:
    position = [design for design in designs if design.position_confounded]
    if blind:
        yield say("position_sealed")
    elif position and not any(any(design.left.values()) for design in designs):
        yield say("position_unrecorded")
    else:
        for design in position:
            arm = max(design.left, key=lambda name: design.left[name])
            yield say("position_confounded", scenario=design.scenario, arm=arm)
    if len(designs) > 1 and all(design.order_confounded for design in designs):
        yield say("order_confounded")
