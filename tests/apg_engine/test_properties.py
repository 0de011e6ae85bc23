"""What must hold for any text."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from apg_engine import (
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Models,
    gate,
    models_from_config,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.replies import reply_read
from apg_engine.matching.tokens import tokens_of
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.scripted_pair import Writer
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


# Statements that agree, differ in one thing, or stand for themselves.
STATEMENTS = st.sampled_from(
    ["The pump draws 9 MW of power at night.", "The pump draws 7 MW of power at night.",
     "The pump does not draw 9 MW of power at night.", "The clinic must keep 12 beds open.",
     "All clinics must keep 12 beds open.", "The clinic rejects 9 MW of power for the pump.",
     "The convoy leaves Arden at 06:00 on Friday.", "The convoy leaves Borel at 06:00 on Friday.",
     "The convoy leaves Arden at 09:00 on Monday.", "If it rains, the pump draws 9 MW of power."]
)  # fmt: skip
DEBATES = st.lists(st.lists(STATEMENTS, min_size=1, max_size=3).map(" ".join), max_size=5)
DRAFTS = st.lists(STATEMENTS, min_size=1, max_size=5).map(" ".join)


def found(draft: str, texts: list[str]) -> GateResult:
    return gate(
        trace_of(*texts),
        config=GateConfig(pairs=1),
        models=Models(Writer(draft), LadderAuditor()),
        journal=MemoryJournal(),
    )


@RELAXED
@given(DRAFTS, DEBATES.filter(bool))
def test_pf_is_a_share_of_whole_counts_under_every_policy(draft: str, texts: list[str]) -> None:
    counts = found(draft, texts).pairs[0].counts

    assert counts is not None
    for fidelity in (counts.paper, counts.strict, counts.pf_all):
        assert isinstance(fidelity.supported, int)
        assert 0 <= fidelity.supported <= fidelity.total
        assert 0 <= fidelity.supported / fidelity.total <= 1
    assert counts.strict.supported <= counts.paper.supported
    assert counts.strict.total == counts.paper.total <= counts.pf_all.total


@RELAXED
@given(DRAFTS, DEBATES.filter(bool), st.randoms(use_true_random=False))
def test_the_order_of_sentences_within_the_turns_changes_no_label(
    draft: str, texts: list[str], dice: random.Random
) -> None:
    shuffled = list(texts)
    for at, text in enumerate(texts):
        sentences = text.replace(". ", ".|").split("|")
        dice.shuffle(sentences)
        shuffled[at] = " ".join(sentences)

    one, other = found(draft, texts).pairs[0], found(draft, shuffled).pairs[0]

    assert [v.label for v in one.verdicts] == [v.label for v in other.verdicts]


@RELAXED
@given(DRAFTS, DEBATES.filter(bool), DEBATES)
def test_more_evidence_unsettles_a_supported_sentence_only_with_a_named_opposing_span(
    draft: str, texts: list[str], more: list[str]
) -> None:
    before, after = found(draft, texts).pairs[0], found(draft, [*texts, *more]).pairs[0]

    for old, new in zip(before.verdicts, after.verdicts, strict=True):
        if old.label is Label.SUPPORTED and new.label is not Label.SUPPORTED:
            assert new.opposing
        if old.holds("strict") and not new.holds("strict"):
            assert new.opposing or "denied by" in new.strict
