"""What must hold for any text."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from apg_engine import GateConfig, Label, MemoryJournal, gate, models_from_config
from apg_engine.auditors.replies import reply_read
from apg_engine.matching.tokens import tokens_of
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.traces_for_tests import trace_of

# Pieces that make splitters and matchers stumble, between words.
PIECES = st.sampled_from(
    ["The pump draws 9 MW", "It must not", "no. 5", "U.S.", "e.g.", ". ", "! ", "\u3002", "\n",
     "\n\n", "# ", "- ", "1. ", "| a | b |\n", "|---|---|\n", "```\n", "**", "[1]", "“", "”",
     "…", "$3.50.The", "\u2265 5", "12,5 %", "\u2028", "口罩有效", "zł. ", " if ", " all ", "?",
     "(", ")", "{x}"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60)
RELAXED = settings(max_examples=60, deadline=None)


@RELAXED
@given(TEXTS)
def test_segments_are_in_order_apart_and_inside_the_text(text: str) -> None:
    last = 0
    for segment in segments_find(text):
        assert last <= segment.start < segment.end <= len(text)
        assert text[segment.start : segment.end].strip()
        last = segment.end


@RELAXED
@given(TEXTS)
def test_every_letter_stands_in_a_segment_or_is_a_list_mark(text: str) -> None:
    inside = {place for s in segments_find(text) for place in range(s.start, s.end)}
    outside = "".join(char for place, char in enumerate(text) if place not in inside)

    assert sum(char.isalpha() for char in outside) <= text.count("```") * 60 + text.count(")")


@RELAXED
@given(TEXTS)
def test_tokens_stand_where_they_say(text: str) -> None:
    for token in tokens_of(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.norm


@RELAXED
@given(st.text(max_size=300), st.lists(st.sampled_from(["s1", "s2", "s3"]), unique=True))
def test_any_reply_gives_each_asked_id_a_verdict_or_a_fault_and_never_both(
    text: str, asked: list[str]
) -> None:
    reading = reply_read(text, asked)

    assert set(reading.judged) | set(reading.faults) == set(asked)
    assert not set(reading.judged) & set(reading.faults)


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
def test_any_trace_ends_typed_with_true_counts_and_true_quotes(
    texts: list[str], context: str
) -> None:
    trace = replace(trace_of(*texts, context=context))
    models = models_from_config(GateConfig(), environment={})
    result = gate(trace, config=GateConfig(), models=models, journal=MemoryJournal())
    corpus = corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)

    for pair in result.pairs:
        assert pair.sentences == draft_sentences(pair.draft)
        assert pair.fidelity is not None
        supported = [v for v in pair.verdicts if v.label is Label.SUPPORTED]
        assert pair.fidelity.supported == len(supported) <= pair.fidelity.total
        for verdict in pair.verdicts:
            for quote in (*verdict.supporting, *verdict.opposing, *verdict.nearest):
                assert corpus[quote.address][quote.start : quote.end] == quote.text
