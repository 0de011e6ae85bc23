"""Have a draft audited, check what came back, and count provenance fidelity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apg_engine.auditors.protocol import Auditor
from apg_engine.journal import CallLedger
from apg_engine.matching.index import CorpusIndex, index_of
from apg_engine.reading.support import verdict_weighed
from apg_engine.records import (
    Corpus,
    Counts,
    Fidelity,
    Label,
    Policy,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)
from apg_engine.states import REASONS, Reason


@dataclass(frozen=True, slots=True)
class Audit:
    """Verdicts on every claim; `fidelity` is None and `failure` says why if one is missing.

    `fidelity` is counted under the policy that was asked for, `counts` in all ways.
    """

    verdicts: tuple[Verdict, ...]
    fidelity: Fidelity | None
    failure: Reason | None = None
    detail: str = ""
    counts: Counts | None = None


def draft_audit(
    *,
    auditor: Auditor,
    sentences: Sequence[Sentence],
    corpus: Corpus,
    calls: CallLedger,
    policy: Policy = "paper",
    known: Mapping[str, Verdict] | None = None,
) -> Audit:
    """Audit one draft. The auditor gives verdicts; the number is counted here, by code.

    Args:
        auditor: who judges.
        sentences: of the draft, claims and what is no claim.
        corpus: what the draft may rest on.
        calls: where a model's calls are recorded.
        policy: what counts as supported.
        known: verdicts on earlier drafts, by the sentence they are on, word for word; they are
            carried over, and the auditor is asked about the other claims only.
    """
    claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
    if not claims:
        return Audit((), None, Reason.NO_CLAIMS, "the draft holds no claim that could be judged")
    carried = known or {}
    given = {
        verdict.sentence_id: verdict for verdict in _ask(auditor, sentences, corpus, calls, carried)
    }
    index = index_of(corpus)
    verdicts = tuple(
        replace(carried[claim.text], sentence_id=claim.id)
        if claim.text in carried
        else verdict_counted(index, claim, given.get(claim.id, _absent(claim, auditor)))
        for claim in claims
    )
    open_ones = [verdict for verdict in verdicts if verdict.label is Label.NOT_AUDITED]
    if open_ones:
        return Audit(verdicts, None, _failure(open_ones), _open_detail(open_ones, len(claims)))
    counts = draft_counts(sentences, verdicts)
    return Audit(verdicts, fidelity_count(verdicts, policy), counts=counts)


def _ask(
    auditor: Auditor,
    sentences: Sequence[Sentence],
    corpus: Corpus,
    calls: CallLedger,
    carried: Mapping[str, Verdict],
) -> tuple[Verdict, ...]:
    """Ask about the claims without a verdict; the others stay in view as context, as duplicates."""
    asked = [
        replace(one, kind=SentenceKind.DUPLICATE)
        if one.kind is SentenceKind.CLAIM and one.text in carried
        else one
        for one in sentences
    ]
    if not any(one.kind is SentenceKind.CLAIM for one in asked):
        return ()
    return auditor.audit(sentences=asked, corpus=corpus, calls=calls)


def fidelity_count(verdicts: Sequence[Verdict], policy: Policy = "paper") -> Fidelity:
    """Count supported claims of all claims."""
    supported = sum(verdict.holds(policy) for verdict in verdicts)
    return Fidelity(supported=supported, total=len(verdicts))


def draft_counts(sentences: Sequence[Sentence], verdicts: Sequence[Verdict]) -> Counts:
    """Count a draft under both policies, and over every sentence as the paper's equation (1) does.

    Over every sentence a repetition counts like the sentence it repeats, and a heading or a
    courtesy, which nothing entails, counts as unsupported.
    """
    held = {verdict.sentence_id for verdict in verdicts if verdict.holds("paper")}
    supported = sum((one.duplicate_of or one.id) in held for one in sentences)
    return Counts(
        paper=fidelity_count(verdicts, "paper"),
        strict=fidelity_count(verdicts, "strict"),
        pf_all=Fidelity(supported=supported, total=len(sentences)),
    )


def verdict_counted(index: CorpusIndex, claim: Sentence, verdict: Verdict) -> Verdict:
    """Give a verdict as the gate counts it: quotes checked, and weighed by the rules."""
    return verdict_weighed(index, claim, verdict_checked(verdict, index.corpus))


def verdict_checked(verdict: Verdict, corpus: Corpus) -> Verdict:
    """Drop quotes that are not at their address; `supported` without a quote is none."""
    checked = replace(
        verdict,
        supporting=_true_quotes(verdict.supporting, corpus),
        opposing=_true_quotes(verdict.opposing, corpus),
        nearest=_true_quotes(verdict.nearest, corpus),
    )
    if checked.label is Label.SUPPORTED and not checked.supporting:
        return replace(
            checked,
            label=Label.NOT_ENOUGH_INFORMATION,
            reason="called supported, but no quote of the record was found at its address",
        )
    return checked


def _true_quotes(quotes: Sequence[Quote], corpus: Corpus) -> tuple[Quote, ...]:
    return tuple(quote for quote in quotes if quote_holds(quote, corpus))


def quote_holds(quote: Quote, corpus: Corpus) -> bool:
    """Check `corpus[address][start:end] == text`; an empty quote proves nothing."""
    if quote.address not in corpus or not 0 <= quote.start < quote.end:
        return False
    text = corpus[quote.address]
    return quote.end <= len(text) and text[quote.start : quote.end] == quote.text


def _absent(claim: Sentence, auditor: Auditor) -> Verdict:
    return Verdict(
        sentence_id=claim.id,
        label=Label.NOT_AUDITED,
        reason="the auditor returned no verdict",
        decided_by=auditor.name,
        failure="unparsed",
    )


def _failure(open_ones: Sequence[Verdict]) -> Reason:
    causes = {f"auditor_{verdict.failure}" for verdict in open_ones}
    cause = causes.pop()
    return Reason(cause) if not causes and cause in REASONS else Reason.NOT_AUDITED


def _open_detail(open_ones: Sequence[Verdict], total: int) -> str:
    listed = ", ".join(verdict.sentence_id for verdict in open_ones)
    return f"{len(open_ones)} of {total} claims have no verdict ({listed}): {open_ones[0].reason}"
