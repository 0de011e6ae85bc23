from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apg_engine import Fidelity, GateConfig, GateResult, MemoryJournal, Models, Outcome, gate
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.scripted_pair import Writer
from tests.apg_engine.traces_for_tests import two_sided

TRUE = "The pumping station must receive at least 26 MW."
FALSE = "The two parties settled everything over lunch."
PADDING = (
    TRUE,
    f"Moreover, {TRUE[0].lower()}{TRUE[1:]}",
    f"In addition, {TRUE[0].lower()}{TRUE[1:]}",
    TRUE.upper(),
    f"**{TRUE}**",
    "Thank you.",
    "I hope this helps.",
    "\n\n## Summary\n\n",
)


def audited(draft: str) -> GateResult:
    return gate(
        two_sided(),
        config=GateConfig(pairs=1),
        models=Models(Writer(draft), LadderAuditor()),
        journal=MemoryJournal(),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PADDING), max_size=25))
def test_no_padding_carries_a_false_sentence_over_the_threshold(padding: list[str]) -> None:
    result = audited(" ".join([TRUE, FALSE, *padding]))

    assert result.pairs[0].fidelity == Fidelity(1, 2)
    assert result.outcome is Outcome.DIVERGENCE


def test_the_papers_count_over_every_sentence_stands_beside_it_and_can_be_padded() -> None:
    plain = audited(f"{TRUE} {FALSE}").pairs[0].counts
    padded = audited(f"# Plan\n\n{' '.join([TRUE] * 7)} {FALSE} Thank you.").pairs[0].counts

    assert plain is not None
    assert padded is not None
    assert plain.paper == padded.paper == Fidelity(1, 2)
    assert plain.pf_all == Fidelity(1, 2)
    assert padded.pf_all == Fidelity(7, 10)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The pump draws 9 MW.", "Thus the pump draws nine MW.", True),
        ("The pump draws 9 MW.", "the  PUMP draws 9 MW!", True),
        ("The pump draws 1,200 MW.", "The pump draws 1200 MW.", True),
        ("The pump draws 9 MW.", "The pump does not draw 9 MW.", False),
        ("The pump draws 9 MW.", "The pump draws 9 kW.", False),
        ("The pump draws 9 MW.", "The pump draws 9 MW?", False),
        ("The pump feeds the clinic.", "The clinic feeds the pump.", False),
    ],
)
def test_duplicates_are_told_by_their_normal_form(one: str, other: str, same: bool) -> None:
    first, second = draft_sentences(f"{one} {other}")

    assert (second.duplicate_of == first.id) is same
