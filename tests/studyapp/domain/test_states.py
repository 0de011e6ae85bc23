"""The tables of moves, and what a refusal says."""

from __future__ import annotations

import pytest

from studyapp.domain.states import RUN_MOVES, STUDY_MOVES, Moves, move_refusal, states_before
from studyapp.models import RunState, StudyState


@pytest.mark.parametrize(("table", "states"), [(STUDY_MOVES, StudyState), (RUN_MOVES, RunState)])
def test_a_table_holds_every_state_and_no_other(
    table: Moves, states: type[StudyState | RunState]
) -> None:
    names = {str(state) for state in states}

    assert set(table) == names
    assert set().union(*table.values()) <= names


@pytest.mark.parametrize(
    ("table", "target", "before"),
    [
        (STUDY_MOVES, "open", ("draft", "piloting", "paused")),
        (STUDY_MOVES, "piloting", ("draft",)),
        (STUDY_MOVES, "archived", ("closed",)),
        (STUDY_MOVES, "closed", ("open", "paused")),
        (STUDY_MOVES, "draft", ("piloting",)),
        (RUN_MOVES, "running", ("queued",)),
        (RUN_MOVES, "queued", ("running", "failed", "cancelled")),
        (RUN_MOVES, "finished", ("running",)),
    ],
)
def test_the_states_from_which_a_state_is_reached(
    table: Moves, target: str, before: tuple[str, ...]
) -> None:
    assert states_before(table, target) == before


def test_a_refusal_says_what_it_is_and_from_where_it_would_be_allowed() -> None:
    refusal = move_refusal(
        what="study views", found="closed", target="open", allowed=("draft", "paused")
    )

    assert str(refusal) == (
        "study views is closed; it can become open only when it is draft or paused"
    )
