"""A speaker may say a sentence only to call it false: the record does not state it then."""

from __future__ import annotations

import pytest

from apg_engine import Label, Trace, audit
from apg_engine.matching.index import index_of
from apg_engine.reading.agreed import common_facts
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.traces_for_tests import trace_of

SAID = "The pumping station can run on 18 MW for two days."
OTHER = "The clinic keeps its own boiler warm."
DENIALS = [
    "That is false.",
    "This claim is simply untrue.",
    "But it is not true!",
    "That's a myth.",
    "To nieprawda.",
]
OTHER_WORDS = [
    "That is false modesty.",
    "That is wrong and must be mended.",
    "It is not so far to the clinic.",
    "Is that false?",
]


def debate(*texts: str) -> Trace:
    return trace_of(*texts)


@pytest.mark.parametrize("denial", DENIALS)
def test_what_its_speaker_calls_false_is_not_supported(denial: str) -> None:
    (verdict,) = audit(SAID, debate(OTHER, f"{SAID} {denial}")).verdicts

    assert verdict.label is Label.CONTRADICTED
    assert verdict.decided_by == "rules: disowned veto"
    assert verdict.reason == "Clinic Trust says it only to call it false"
    assert verdict.denies == ("clinic",)
    assert [quote.text for quote in verdict.opposing] == [denial]


@pytest.mark.parametrize("following", OTHER_WORDS)
def test_other_words_behind_a_statement_leave_it_stated(following: str) -> None:
    (verdict,) = audit(SAID, debate(OTHER, f"{SAID} {following}")).verdicts

    assert verdict.label is Label.SUPPORTED


def test_what_another_party_states_stays_supported_and_is_contested() -> None:
    (verdict,) = audit(SAID, debate(SAID, f"{SAID} That is false.")).verdicts

    assert verdict.label is Label.SUPPORTED
    assert verdict.strict == "it is contested: denied by Clinic Trust"


def test_a_denial_in_a_turn_of_its_own_is_not_about_the_speakers_own_words() -> None:
    (verdict,) = audit(SAID, debate(SAID, "That is false.")).verdicts

    assert verdict.label is Label.SUPPORTED


def test_a_statement_that_one_party_calls_false_is_no_common_fact() -> None:
    agreed, disputed = (
        index_of(corpus_build(debate(SAID, text), segment=segments_find, segmenter=SEGMENTER))
        for text in (SAID, f"{SAID} That is false.")
    )

    assert [one.unit.text for one in common_facts(agreed)] == [SAID]
    assert common_facts(disputed) == []
