from __future__ import annotations

from dataclasses import replace

import pytest

from apg_engine import Corpus, Document, Severity, Shock, ShockKind, Trace
from apg_engine.records import ItemKind
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.traces_for_tests import trace_of


def corpus_of(trace: Trace) -> Corpus:
    return corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)


def full_trace() -> Trace:
    return trace_of(
        "The pump must run. It needs 9 MW.",
        "The clinic\u2011wing needs “power”.  \n",
        documents=(
            Document("d1", "document", "A pump draws 9 MW."),
            Document("d2", "axiom", "Care comes first."),
            Document("d3", "document", "A pump  draws 9 MW."),
        ),
        shocks=(Shock(2, ShockKind.ZERO_SUM, Severity.HIGH, "The line is cut."),),
        private=("I want more.", "I want all."),
    )


def test_everything_has_its_address_in_the_order_of_rank() -> None:
    corpus = corpus_of(full_trace())

    assert [item.address for item in corpus.items] == [
        "C1", "S1", "T1", "T2", "A1", "A2", "P1", "P2",
    ]  # fmt: skip
    ranks = [item.kind.rank for item in corpus.items]
    assert ranks == sorted(ranks)


def test_an_address_gives_the_text_byte_for_byte() -> None:
    corpus = corpus_of(full_trace())

    assert corpus["T2"] == "The clinic\u2011wing needs “power”.  \n"
    assert corpus["T1.2"] == "It needs 9 MW."
    assert corpus["C1"] == full_trace().crisis_context


@pytest.mark.parametrize(
    "address", ["T9", "T1.3", "T1.0", "T1.02", "T1.x", "X1", "", "T1.1.1", "T1."]
)
def test_an_unknown_address_is_not_in_the_corpus(address: str) -> None:
    corpus = corpus_of(full_trace())

    assert address not in corpus
    with pytest.raises(KeyError):
        corpus[address]


def test_repeated_documents_are_one_item() -> None:
    corpus = corpus_of(full_trace())

    documents = [item for item in corpus.items if item.kind is ItemKind.DOCUMENT]
    assert [item.text for item in documents] == ["A pump draws 9 MW."]


def test_a_repeated_turn_is_linked_so_that_it_is_no_second_source() -> None:
    corpus = corpus_of(trace_of("The pump must run.", "the pump  must run."))

    turn = corpus.item("T1")
    assert turn is not None
    assert turn.links == ("T2",)


def test_a_boilerplate_private_trace_is_no_evidence_and_is_named() -> None:
    trace = full_trace()
    dull = replace(trace.turns[1], private_is_boilerplate=True)
    corpus = corpus_of(replace(trace, turns=(trace.turns[0], dull)))

    assert "P2" not in corpus
    assert any("P2" in warning for warning in corpus.warnings)


def test_the_hash_follows_the_content() -> None:
    one, same = corpus_of(full_trace()), corpus_of(full_trace())
    other = corpus_of(replace(full_trace(), crisis_context="Only 41 MW remain."))

    assert one.sha256 == same.sha256
    assert one.sha256 != other.sha256


def test_sentences_lie_where_their_offsets_say() -> None:
    for item in corpus_of(full_trace()).items:
        for segment in item.segments:
            assert item.text[segment.start : segment.end].strip() != ""


LONG = (
    "The river rose two metres last night and the pumps ran without a break until the morning. "
    "The crew has not slept since Tuesday and asks for relief before the next storm arrives here."
)


@pytest.mark.parametrize(
    ("one", "other", "linked"),
    [
        (LONG, LONG, True),
        (LONG, LONG.upper(), True),
        (LONG, LONG[:77], True),
        (LONG, f"As I said before: {LONG}", True),
        (LONG, LONG.replace("two", "three"), True),
        (LONG, "The clinic needs 22 MW as long as the old boiler runs.", False),
        ("The river rose.", "The river rose two metres last night.", False),
    ],
    ids=["equal", "case", "cut mid-word", "framed", "one word", "other", "short beginning"],
)
def test_a_text_that_repeats_another_is_linked_to_it(one: str, other: str, linked: bool) -> None:
    corpus = corpus_of(trace_of(one, other))

    first, second = corpus.item("T1"), corpus.item("T2")
    assert first is not None
    assert second is not None
    assert (first.links, second.links) == ((("T2",), ("T1",)) if linked else ((), ()))
