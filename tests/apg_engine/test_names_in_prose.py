"""How parties are called in prose: as the record calls them, whatever the case of its letters."""

from __future__ import annotations

import pytest

from apg_engine.matching.index import CorpusIndex
from apg_engine.reading.phrases import agents_called
from apg_engine.records import Agent
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
