"""What the gate asks of an auditor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from apg_engine.journal import CallLedger
from apg_engine.records import Corpus, Sentence, Verdict


class Auditor(Protocol):
    """One verdict for each sentence, in the order of the sentences.

    An auditor that cannot judge a sentence says NOT_AUDITED with a typed reason; it never
    guesses, and it never supplies PF.
    """

    @property
    def name(self) -> str:
        """What the auditor is called in records and results."""

    @property
    def identity(self) -> str:
        """What makes it this auditor: rules, weights, prompts, settings. A card is bound to it."""

    @property
    def offline(self) -> bool:
        """True where rules decide and no language model is asked."""

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge the claims of a draft against the whole corpus."""
