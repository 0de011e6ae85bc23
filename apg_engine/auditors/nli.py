"""A local cross-encoder as auditor: it contradicts or abstains, and supports only if allowed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from apg_engine.auditors.nli_scoring import Pair, PairScorer, PairScores
from apg_engine.auditors.nli_settings import NliSettings
from apg_engine.auditors.nli_windows import Evidence, evidence_find
from apg_engine.auditors.private import private_veto
from apg_engine.auditors.vetoes_above import rule_veto
from apg_engine.errors import ModelSetupError
from apg_engine.journal import CallLedger
from apg_engine.matching.index import CorpusIndex, index_of, is_public_turn
from apg_engine.records import Corpus, Label, Quote, Sentence, SentenceKind, Verdict

# [CLS], [SEP] and [SEP], and the least evidence that is worth a look.
_SPECIAL, _LEAST_ROOM = 3, 24
_MOST_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Scored:
    """One piece of evidence with its scores against a claim."""

    evidence: Evidence
    scores: PairScores


class NliAuditor:
    """Retrieves evidence, scores it against each claim, and reads the scores by thresholds.

    With the default settings it never says *supported*. It needs no network and no journal: the
    same model gives the same scores.
    """

    offline = False

    def __init__(self, scorer: PairScorer, settings: NliSettings) -> None:
        if settings.is_calibrated and settings.model_sha256 != scorer.sha256:
            raise ModelSetupError(
                f"nli: the thresholds were measured with model {settings.model_sha256[:12]}, "
                f"found {scorer.name} {scorer.sha256[:12]}"
            )
        self._scorer = scorer
        self._settings = settings

    @property
    def name(self) -> str:
        """Model, the start of its hash, and whether its thresholds were measured."""
        state = "calibrated" if self._settings.is_calibrated else "uncalibrated"
        return f"nli {self._scorer.name} {self._scorer.sha256[:8]} ({state})"

    @property
    def identity(self) -> str:
        """Weights and settings."""
        return json.dumps([self._scorer.sha256, asdict(self._settings)], sort_keys=True)

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge every claim."""
        index = index_of(corpus)
        claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
        scored = self.evidence_score(claims, index)
        return tuple(
            private_veto(index, claim) or self._verdict(claim, own, index)
            for claim, own in zip(claims, scored, strict=True)
        )

    def evidence_score(
        self, claims: Sequence[Sentence], index: CorpusIndex
    ) -> list[list[Scored] | None]:
        """Score each claim against its evidence; None for a claim too long for the model."""
        evidence = [self._evidence(claim.text, index) for claim in claims]
        pairs = [
            Pair(piece.text, claim.text)
            for claim, pieces in zip(claims, evidence, strict=True)
            for piece in pieces or ()
        ]
        scores = iter(self._scorer.score(pairs))
        return [
            None if pieces is None else [Scored(piece, next(scores)) for piece in pieces]
            for pieces in evidence
        ]

    def contradiction_find(self, scored: Sequence[Scored]) -> Scored | None:
        """Give the piece that refutes the claim, unless another supports it more strongly.

        In a debate one party's sentence refutes what another one's states; the record then states
        both, and the claim is not contradicted by the record as a whole.
        """
        worst = max(scored, key=lambda one: one.scores.refuted, default=None)
        if worst is None or worst.scores.refuted < self._settings.contradicted:
            return None
        best = max(one.scores.supported for one in scored)
        return worst if worst.scores.refuted > best else None

    def _evidence(self, claim: str, index: CorpusIndex) -> list[Evidence] | None:
        room = self._scorer.longest - _SPECIAL - len(self._scorer.token_spans(claim))
        if room < _LEAST_ROOM:
            return None
        return evidence_find(
            index,
            claim,
            candidates=self._settings.candidates,
            aggregation=self._settings.aggregation,
            token_spans=self._scorer.token_spans,
            room=room,
        )

    def _verdict(
        self, claim: Sentence, scored: Sequence[Scored] | None, index: CorpusIndex
    ) -> Verdict:
        if scored is None:
            return self._open(claim, (), "the sentence is too long for the model")
        if not scored:
            return self._open(claim, (), "no sentence of the record is near it")
        against = self.contradiction_find(scored)
        if against:
            return self.contradicted(claim, against)
        return rule_veto(index, claim, self._by_thresholds(claim, scored))

    def _by_thresholds(self, claim: Sentence, scored: Sequence[Scored]) -> Verdict:
        settings = self._settings
        best = max(scored, key=lambda one: one.scores.supported)
        if settings.supported is not None and best.scores.supported >= settings.supported:
            return self._supported(claim, best)
        least = min(one.scores.not_enough for one in scored)
        if settings.not_enough is not None and least >= settings.not_enough:
            reason = f"every piece of evidence is off the point ({least:.2f} or more)"
            return self._open(claim, scored, reason, label=Label.NOT_ENOUGH_INFORMATION)
        return self._open(claim, scored, "the model's scores decide nothing")

    def _supported(self, claim: Sentence, best: Scored) -> Verdict:
        return Verdict(
            sentence_id=claim.id,
            label=Label.SUPPORTED,
            reason=f"the model reads it as entailed ({best.scores.supported:.2f})",
            decided_by=self.name,
            supporting=(best.evidence.quote,),
            asserts=_speaker(best.evidence),
            score=best.scores.supported,
        )

    def contradicted(self, claim: Sentence, against: Scored) -> Verdict:
        """Word a veto of the model, with the piece of the record that refutes the sentence."""
        quote = against.evidence.quote
        return Verdict(
            sentence_id=claim.id,
            label=Label.CONTRADICTED,
            reason=f"the model reads {quote.address} as refuting it "
            f"({against.scores.refuted:.2f}, threshold {self._settings.contradicted:.2f})",
            decided_by=self.name,
            opposing=(quote,),
            denies=_speaker(against.evidence),
            score=against.scores.supported,
        )

    def _open(
        self,
        claim: Sentence,
        scored: Sequence[Scored],
        reason: str,
        *,
        label: Label = Label.UNDETERMINED,
    ) -> Verdict:
        ranked = sorted(scored, key=lambda one: -one.scores.supported)
        return Verdict(
            sentence_id=claim.id,
            label=label,
            reason=reason,
            decided_by=self.name,
            nearest=_quotes(ranked),
            score=ranked[0].scores.supported if ranked else None,
        )


def _quotes(scored: Sequence[Scored]) -> tuple[Quote, ...]:
    return tuple(dict.fromkeys(one.evidence.quote for one in scored))[:_MOST_QUOTES]


def _speaker(evidence: Evidence) -> tuple[str, ...]:
    return (evidence.unit.item.speaker,) if is_public_turn(evidence.unit) else ()
