"""Sentences with the same words: one statement, or a swap?"""

from __future__ import annotations

import pytest

from apg_engine import GateConfig, MemoryJournal, Outcome, gate, models_from_config
from apg_engine.matching.index import words_in
from apg_engine.matching.word_order import is_reordered
from tests.apg_engine.traces_for_tests import trace_of

SWAPS = (
    ("No amount for the wall takes the place of the pump.",
     "No amount for the pump takes the place of the wall."),
    ("The council should give 24 MW to the pump and 16 MW to the clinic.",
     "The council should give 16 MW to the pump and 24 MW to the clinic."),
    ("The pump should get 24 MW and the clinic 16 MW.",
     "The pump should get 16 MW and the clinic 24 MW."),
    ("The council should serve the wall before the pump.",
     "The council should serve the pump before the wall."),
    ("The water should go from the mill to the dam.",
     "The water should go to the mill from the dam."),
    ("The council should give 24 MW to the mill, 10 MW to the dam and 6 MW to the ward.",
     "The council should give 10 MW to the mill, 24 MW to the dam and 6 MW to the ward."),
)  # fmt: skip
SAME = (
    ("The council should give 24 MW to the pump and 16 MW to the clinic.",
     "The council should give 16 MW to the clinic and 24 MW to the pump."),
    ("In the first night the council should run the pump.",
     "The council should run the pump in the first night."),
    ("Tonight the council should run the pump.", "The council should run the pump tonight."),
    ("The council should repair the wall and the pump.",
     "The council should repair the pump and the wall."),
    ("The council should give 24 MW to the mill, 10 MW to the dam and 6 MW to the ward.",
     "The council should give 10 MW to the dam, 24 MW to the mill and 6 MW to the ward."),
)  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SWAPS)
def test_a_swap_is_another_order(one: str, other: str) -> None:
    assert is_reordered(words_in(one), words_in(other))
    assert is_reordered(words_in(other), words_in(one))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_list_a_day_and_a_moved_phrase_may_stand_elsewhere(one: str, other: str) -> None:
    assert not is_reordered(words_in(one), words_in(other))
    assert not is_reordered(words_in(other), words_in(one))


def outcome_of(one: str, other: str) -> Outcome:
    config = GateConfig()
    trace = trace_of("The pump needs water.", "The clinic needs heat.", one, other, context="Rain.")
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal()).outcome


@pytest.mark.parametrize(("one", "other"), SWAPS[1:])
def test_a_swap_is_published_as_no_agreement(one: str, other: str) -> None:
    assert outcome_of(one, other) is Outcome.DIVERGENCE


@pytest.mark.parametrize(("one", "other"), SAME)
def test_agreement_in_another_order_is_published(one: str, other: str) -> None:
    assert outcome_of(one, other) is Outcome.SYNTHESIS
