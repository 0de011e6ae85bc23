"""What an auditor leaves out or misquotes supports nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apg_engine import (
    Corpus,
    GateConfig,
    Label,
    MemoryJournal,
    Models,
    Outcome,
    Quote,
    Sentence,
    Verdict,
    gate,
)
from apg_engine.journal import CallLedger
from tests.apg_engine.scripted_pair import FACT, Judge, Writer
from tests.apg_engine.traces_for_tests import trace_of


class Silent(Judge):
    """An auditor that leaves a sentence out, cites nothing, or cites what is not there."""

    def __init__(self, quote: Quote | None) -> None:
        self.quote = quote

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        quotes = () if self.quote is None else (self.quote,)
        return (Verdict(sentences[0].id, Label.SUPPORTED, "so", "judge", supporting=quotes),)


@pytest.mark.parametrize(
    "quote",
    [
        None,
        Quote("T9", 0, 3, "The"),
        Quote("T1.1", 0, 3, "the"),
        Quote("T1.1", 0, 99, FACT),
        Quote("T1.1", -3, 3, "The"),
        Quote("T1.1", 4, 4, ""),
        Quote("T2.1", 0, len(FACT), FACT),
    ],
)
def test_a_quote_that_is_not_at_its_address_supports_nothing(quote: Quote | None) -> None:
    result = gate(
        trace_of(FACT, "It rains."),
        config=GateConfig(pairs=1),
        models=Models(Writer("One thing is so."), Silent(quote)),
        journal=MemoryJournal(),
    )

    assert result.pairs[0].verdicts[0].label is Label.NOT_ENOUGH_INFORMATION
    assert result.outcome is Outcome.DIVERGENCE


def test_a_sentence_the_auditor_leaves_out_is_not_audited() -> None:
    good = Quote("T1.1", 0, len(FACT), FACT)
    result = gate(
        trace_of(FACT, "It rains."),
        config=GateConfig(),
        models=Models(Writer("One thing. Another thing."), Silent(good)),
        journal=MemoryJournal(),
    )

    assert result.outcome is Outcome.NOT_JUDGED
    assert result.pairs[0].fidelity is None
    assert "s2" in result.detail
