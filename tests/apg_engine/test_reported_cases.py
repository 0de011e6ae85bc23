"""Cases of the public reports that stand in no other file; `test_known_reports` has the table."""

from __future__ import annotations

import pytest

from apg_engine import (
    Fidelity,
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Models,
    Outcome,
    SentenceKind,
    Trace,
    gate,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.replies import reply_read
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.scripted_pair import Writer
from tests.apg_engine.traces_for_tests import trace_of, two_sided


def ladder_run(draft: str, trace: Trace) -> GateResult:
    return gate(
        trace,
        config=GateConfig(pairs=1),
        models=Models(Writer(draft), LadderAuditor()),
        journal=MemoryJournal(),
    )


def test_a_sentence_about_absence_is_a_claim_like_any_other() -> None:
    claim = "The sources do not state the dose."
    [sentence] = draft_sentences(claim)
    result = ladder_run(claim, trace_of("The dose is 5 mg.", "It rains."))

    assert sentence.kind is SentenceKind.CLAIM
    assert result.pairs[0].fidelity == Fidelity(0, 1)


def test_what_a_draft_leaves_out_lowers_coverage_and_not_pf() -> None:
    result = ladder_run("The pumping station must receive at least 26 MW.", two_sided())

    assert result.pairs[0].fidelity == Fidelity(1, 1)
    coverage = result.pairs[0].coverage
    assert coverage is not None
    assert coverage.stances == ("water", "clinic")
    assert coverage.covered == ("water",)


def test_a_sentence_of_two_words_counts() -> None:
    result = ladder_run("It failed.", trace_of("It rains.", "It holds."))

    assert result.pairs[0].fidelity == Fidelity(0, 1)
    assert result.outcome is Outcome.DIVERGENCE


def test_a_result_names_the_splitter_and_its_corpus_depends_on_it() -> None:
    result = ladder_run("It rains.", trace_of("It rains."))
    other = corpus_build(trace_of("It rains."), segment=segments_find, segmenter="another 1")

    assert result.segmenter == SEGMENTER
    assert result.corpus_sha256 != other.sha256


@pytest.mark.parametrize(
    "reply",
    [
        '{"provenance_fidelity": 95, "unsupported_sentences": []}',
        '{"provenance_fidelity": NaN, "verdict": "APPROVED"}',
        '{"provenance_fidelity": "95%", "verdicts": []}',
        '{"verdict": "APPROVED.", "provenance_fidelity": 1.0}',
        '{"provenance_fidelity": 1.0, "unsupported_sentences": null}',
        '{"verdicts": [{"id": "s1", "verdict": "APPROVED."}]}',
    ],
)
def test_a_pf_in_a_reply_is_never_read(reply: str) -> None:
    reading = reply_read(reply, ["s1"])

    assert not reading.judged
    assert set(reading.faults) == {"s1"}


def test_a_relation_is_not_read_out_of_words_that_occur_together() -> None:
    result = ladder_run(
        "Paris is the capital of France.", trace_of("I had a great day in Paris last week.")
    )

    assert result.pairs[0].verdicts[0].label is not Label.SUPPORTED
