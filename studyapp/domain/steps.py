"""The way through a study, step by step: what is done, what comes next, how much is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class StepKind(StrEnum):
    """What a participant does in a step; the value names the page that shows it."""

    CONSENT = "join"
    SCREENING = "participant-screening"
    BACKGROUND = "participant-background"
    TRIAL = "participant-trial"
    DEBATE = "participant-trace"
    REPORTS = "participant-pair"
    DONE = "participant-done"
    ENDED = "participant-ended"


# Shares of the expected time, for the estimate of what is left.
_WEIGHTS: Final = {
    StepKind.CONSENT: 1.0,
    StepKind.SCREENING: 1.0,
    StepKind.BACKGROUND: 1.0,
    StepKind.TRIAL: 0.25,
    StepKind.DEBATE: 4.0,
    StepKind.REPORTS: 3.0,
}


@dataclass(frozen=True, slots=True)
class TrialState:
    """How far a trial has come; `number` counts from 1 in this participant's order."""

    token: str
    number: int
    title: str
    opened: bool
    read: bool
    answered: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `trial` is the token of the trial it belongs to, if any."""

    kind: StepKind
    trial: str = ""
    done: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a page stands: step `number` of `total`, with about `minutes` left."""

    number: int
    total: int
    minutes: int


def trial_ahead(number: int) -> TrialState:
    """A trial of somebody who has not consented yet: it is counted, and has no token."""
    return TrialState(
        token=str(number), number=number, title="", opened=False, read=False, answered=False
    )


def steps_list(
    trials: Sequence[TrialState],
    *,
    asks_background: bool,
    has_background: bool,
    asks_screening: bool = False,
    is_screened: bool = False,
) -> tuple[Step, ...]:
    """List the steps of somebody who has consented, without the thanks page."""
    steps = [Step(StepKind.CONSENT, done=True)]
    if asks_screening:
        steps.append(Step(StepKind.SCREENING, done=is_screened))
    if asks_background:
        steps.append(Step(StepKind.BACKGROUND, done=has_background))
    for trial in trials:
        steps.extend(_trial_steps(trial))
    return tuple(steps)


def step_next(steps: Sequence[Step]) -> Step:
    """Return the first step that is not done, or the thanks page."""
    return next((step for step in steps if not step.done), Step(StepKind.DONE))


def step_after(steps: Sequence[Step], *, kind: StepKind, trial: str = "") -> Step:
    """Return the step that follows the named one, or the thanks page."""
    return next(iter(steps[_index(steps, kind, trial) + 1 :]), Step(StepKind.DONE))


def step_is_reached(steps: Sequence[Step], *, kind: StepKind, trial: str = "") -> bool:
    """Say whether everything before the named step is done."""
    return all(step.done for step in steps[: _index(steps, kind, trial)])


def progress_at(
    steps: Sequence[Step], *, kind: StepKind, trial: str = "", minutes: int
) -> Progress:
    """Say where a page stands; `minutes` is the expected time for all steps."""
    index = _index(steps, kind, trial)
    left = sum(_WEIGHTS[step.kind] for step in steps[index:])
    share = left / sum(_WEIGHTS[step.kind] for step in steps)
    return Progress(index + 1, len(steps), max(1, round(minutes * share)))


def _index(steps: Sequence[Step], kind: StepKind, trial: str) -> int:
    return next(i for i, step in enumerate(steps) if (step.kind, step.trial) == (kind, trial))


def _trial_steps(trial: TrialState) -> Iterator[Step]:
    yield Step(StepKind.TRIAL, trial.token, done=trial.opened)
    yield Step(StepKind.DEBATE, trial.token, done=trial.read)
    yield Step(StepKind.REPORTS, trial.token, done=trial.answered)
