"""The ladder with a cross-encoder as one more veto."""

from __future__ import annotations

import json
from collections.abc import Sequence

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.nli import NliAuditor
from apg_engine.journal import CallLedger
from apg_engine.matching.index import index_of
from apg_engine.records import Corpus, Label, Sentence, SentenceKind, Verdict

_NEAR_VERBATIM = "ladder: near-verbatim"


class VetoedLadder:
    """What the ladder says, but for contradictions that the model sees and the rules do not.

    The model is asked about near-verbatim quotes, against the very sentences they are quotes of,
    and about sentences the ladder leaves open. It can refuse; it can never support, and a verbatim
    quote is beyond its reach.
    """

    offline = True

    def __init__(self, nli: NliAuditor) -> None:
        self._ladder = LadderAuditor()
        self._nli = nli

    @property
    def name(self) -> str:
        """The ladder and the model."""
        return f"{self._ladder.name} with veto by {self._nli.name}"

    @property
    def identity(self) -> str:
        """Rules, weights and thresholds."""
        return json.dumps([self._ladder.identity, self._nli.identity])

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge every claim."""
        verdicts = self._ladder.audit(sentences=sentences, corpus=corpus, calls=calls)
        claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
        asked = [
            (claim, verdict)
            for claim, verdict in zip(claims, verdicts, strict=True)
            if _is_asked(verdict)
        ]
        vetoes = self._vetoes([claim for claim, _ in asked], [v for _, v in asked], corpus)
        return tuple(vetoes.get(verdict.sentence_id, verdict) for verdict in verdicts)

    def _vetoes(
        self, claims: Sequence[Sentence], verdicts: Sequence[Verdict], corpus: Corpus
    ) -> dict[str, Verdict]:
        scored = self._nli.evidence_score(claims, index_of(corpus))
        found = {}
        for claim, verdict, own in zip(claims, verdicts, scored, strict=True):
            sources = {quote.address for quote in verdict.supporting}
            pieces = [
                one for one in own or () if not sources or one.evidence.unit.address in sources
            ]
            against = self._nli.contradiction_find(pieces)
            if against:
                found[claim.id] = self._nli.contradicted(claim, against)
        return found


def _is_asked(verdict: Verdict) -> bool:
    return verdict.label is Label.UNDETERMINED or verdict.decided_by == _NEAR_VERBATIM
