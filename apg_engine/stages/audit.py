"""Have a draft audited, check what came back, and count provenance fidelity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apg_engine.auditors.protocol import Auditor
from apg_engine.journal import CallLedger
from apg_engine.records import (
    Corpus,
    Fidelity,
    Label,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)
from apg_engine.states import REASONS, Reason


@dataclass(frozen=True, slots=True)
class Audit:
    """Verdicts on every claim; `fidelity` is None and `failure` says why if one is missing."""

    verdicts: tuple[Verdict, ...]
    fidelity: Fidelity | None
    failure: Reason | None = None
    detail: str = ""


def draft_audit(
    *, auditor: Auditor, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
) -> Audit:
    """Audit one draft. The auditor gives verdicts; the number is counted here, by code."""
    claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
    if not claims:
        return Audit((), None, Reason.NO_CLAIMS, "the draft holds no claim that could be judged")
    given = {
        verdict.sentence_id: verdict
        for verdict in auditor.audit(sentences=sentences, corpus=corpus, calls=calls)
    }
    verdicts = tuple(
        verdict_checked(given.get(claim.id, _absent(claim, auditor)), corpus) for claim in claims
    )
    open_ones = [verdict for verdict in verdicts if verdict.label is Label.NOT_AUDITED]
    if open_ones:
        return Audit(verdicts, None, _failure(open_ones), _open_detail(open_ones, len(claims)))
    return Audit(verdicts, fidelity_count(verdicts))


def fidelity_count(verdicts: Sequence[Verdict]) -> Fidelity:
    """Count supported claims of all claims."""
    supported = sum(verdict.label is Label.SUPPORTED for verdict in verdicts)
    return Fidelity(supported=supported, total=len(verdicts))


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
