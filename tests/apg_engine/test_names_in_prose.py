"""How parties are called in prose: as the record calls them, whatever the case of its letters."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from apg_engine import Agent, Turn
from apg_engine.matching.attribution import attribution_find
from apg_engine.matching.index import CorpusIndex
from apg_engine.reading.phrases import agents_called
from apg_engine.reading.quantities import names_others
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.traces_for_tests import trace_of


def called(name: str, *said: str) -> str:
    corpus = corpus_build(trace_of(*said), segment=segments_find, segmenter=SEGMENTER)
    return agents_called(CorpusIndex(corpus), [Agent("a", name, "")])["a"]


@pytest.mark.parametrize(
    ("name", "said", "prose"),
    [
        ("Mill", "The mill needs forty metres.", "the Mill"),
        ("Mill", "Mill needs forty metres.", "Mill"),
        ("Mill", "The miller needs forty metres.", "Mill"),
        ("Water Board", "Nobody is named here.", "the Water Board"),
        ("Water Board", "Water Board asks for ten. Water board insists.", "Water Board"),
        ("The Mill", "Mill needs forty metres.", "The Mill"),
        ("Kos-Desk", "All wait for the \u212aos-Desk to answer.", "the Kos-Desk"),
        ("Żuraw", "They say the ŻURAW cannot wait.", "the Żuraw"),
        ("Co.", "They say the Co. cannot wait.", "the Co."),
        ("???", "Nobody is named here.", "???"),
    ],
)
def test_the_record_decides_whether_a_name_takes_an_article(
    name: str, said: str, prose: str
) -> None:
    assert called(name, said) == prose


def test_who_is_named_costs_as_much_more_as_there_are_more_parties() -> None:
    """All names are made of the same words, so that no word of a text tells which one is meant."""
    few, many = (_steps(lambda index: agents_called(index, index.corpus.agents), n) for n in _SIZES)
    assert many < 2.5 * few


def test_asking_of_each_sentence_who_else_is_named_costs_no_more_either() -> None:
    def ask(index: CorpusIndex) -> None:
        assert all(names_others(index, unit) for unit in index.units if unit.item.speaker)

    few, many = (_steps(ask, n) for n in _SIZES)
    assert many < 2.5 * few


def test_a_list_of_all_parties_is_read_in_steps_of_its_length() -> None:
    def read(index: CorpusIndex) -> None:
        *listed, last = [agent.name for agent in index.corpus.agents]
        found = attribution_find(
            f"{', '.join(listed)} and {last} state that no.", index.corpus.agents
        )
        assert found is not None
        assert len(found.agents) == len(index.corpus.agents)

    few, many = (_steps(read, n) for n in _SIZES)
    assert many < 2.5 * few


_SIZES = (100, 200)
_DIGITS = str.maketrans("01", "io")


def _steps(work: Callable[[CorpusIndex], object], parties: int) -> int:
    """Count the calls that some work on a debate of so many parties takes, patterns being known."""
    names = [f"Board {' '.join(f'{n:08b}'.translate(_DIGITS))}" for n in range(parties)]
    agents = tuple(Agent(f"a{n}", name, "") for n, name in enumerate(names))
    turns = tuple(
        Turn(n, agents[n - 1].id, f"{names[n - 2]} must wait for {names[n % parties]}.")
        for n in range(1, parties + 1)
    )
    trace = replace(trace_of(), agents=agents, turns=turns)
    index = CorpusIndex(corpus_build(trace, segment=segments_find, segmenter=SEGMENTER))
    work(index)
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work(index)
    finally:
        sys.setprofile(before)
    return counted
