"""The way through a study: what comes next, and how much is left."""

from __future__ import annotations

from studyapp.domain.steps import (
    Progress,
    StepKind,
    TrialState,
    progress_at,
    step_after,
    step_is_reached,
    step_next,
    steps_list,
    trial_ahead,
)


def trial(number: int, done: int) -> TrialState:
    """A trial with its first `done` steps done."""
    return TrialState(
        token=f"t{number}",
        number=number,
        title="",
        opened=done > 0,
        read=done > 1,
        answered=done > 2,
    )


def test_two_debates_are_eight_steps() -> None:
    steps = steps_list([trial_ahead(1), trial_ahead(2)], asks_background=True, has_background=False)
    assert [step.kind.name for step in steps] == [
        *("CONSENT", "BACKGROUND"),
        *("TRIAL", "DEBATE", "REPORTS") * 2,
    ]


def test_the_next_step_is_the_first_that_is_not_done() -> None:
    for done, kind in enumerate([StepKind.TRIAL, StepKind.DEBATE, StepKind.REPORTS]):
        steps = steps_list([trial(1, 3), trial(2, done)], asks_background=True, has_background=True)
        assert (step_next(steps).kind, step_next(steps).trial) == (kind, "t2")
    steps = steps_list([trial(1, 3)], asks_background=False, has_background=False)
    assert step_next(steps).kind is StepKind.DONE


def test_a_step_is_reached_when_all_before_it_are_done() -> None:
    steps = steps_list([trial(1, 1), trial(2, 0)], asks_background=True, has_background=True)
    assert step_is_reached(steps, kind=StepKind.TRIAL, trial="t1")
    assert step_is_reached(steps, kind=StepKind.DEBATE, trial="t1")
    assert not step_is_reached(steps, kind=StepKind.REPORTS, trial="t1")
    assert not step_is_reached(steps, kind=StepKind.TRIAL, trial="t2")


def test_after_the_last_step_come_the_thanks() -> None:
    steps = steps_list([trial(1, 2)], asks_background=False, has_background=False)
    assert step_after(steps, kind=StepKind.DEBATE, trial="t1").kind is StepKind.REPORTS
    assert step_after(steps, kind=StepKind.REPORTS, trial="t1").kind is StepKind.DONE


def test_the_time_left_falls_from_the_whole_to_a_minute() -> None:
    trials = [trial_ahead(1), trial_ahead(2)]
    steps = steps_list(trials, asks_background=True, has_background=False)
    places = [progress_at(steps, kind=s.kind, trial=s.trial, minutes=15) for s in steps]
    assert places[0] == Progress(number=1, total=8, minutes=15)
    minutes = [place.minutes for place in places]
    assert minutes == sorted(minutes, reverse=True)
    assert minutes[-1] >= 1
