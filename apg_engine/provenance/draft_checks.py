"""Do a run's drafts, sentences, quotes and counts hold, counted again without a model?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from apg_engine.provenance.faults import Fault, shown
from apg_engine.provenance.run_files import RESULT
from apg_engine.records import Corpus, Label, Policy, Quote, SentenceKind, Verdict
from apg_engine.results import GateResult, Pair
from apg_engine.stages.audit import draft_counts, fidelity_count, quote_holds
from apg_engine.stages.repair import hint_write, pair_refusals
from apg_engine.stages.sentences import draft_sentences


def references_check(result: GateResult) -> Iterator[Fault]:
    """Check that every id a pair mentions is one of its sentences; else nothing can be derived."""
    for at, pair in enumerate(result.pairs):
        known = {sentence.id for sentence in pair.sentences}
        for name, verdicts in (("verdicts", pair.verdicts), ("confirmation", pair.confirmation)):
            for number, verdict in enumerate(verdicts):
                if verdict.sentence_id not in known:
                    place = f"pairs[{at}].{name}[{number}].sentence_id"
                    yield Fault(RESULT, place, repr(verdict.sentence_id), "a sentence of the draft")


def drafts_check(result: GateResult, corpus: Corpus) -> Iterator[Fault]:
    """Check every pair: hash, segmentation, verdicts, quotes, count and hint."""
    for at, pair in enumerate(result.pairs):
        place = f"pairs[{at}]"
        yield from _same(f"{place}.number", pair.number, at + 1)
        yield from _same(f"{place}.draft_sha256", pair.draft_sha256, _sha256(pair.draft))
        yield from _sentences_check(pair, place)
        yield from _verdicts_check(pair, corpus, place)
        yield from _count_check(pair, place, result.config.policy)
        yield from _same(f"{place}.hint", pair.hint, _hint(pair, result))


def _sentences_check(pair: Pair, place: str) -> Iterator[Fault]:
    expected = draft_sentences(pair.draft)
    yield from _same(f"{place}.sentences", len(pair.sentences), len(expected))
    for at, (one, other) in enumerate(zip(pair.sentences, expected, strict=False)):
        yield from _same(f"{place}.sentences[{at}]", one, other)


def _verdicts_check(pair: Pair, corpus: Corpus, place: str) -> Iterator[Fault]:
    claims = [s.id for s in pair.sentences if s.kind is SentenceKind.CLAIM]
    judged = [verdict.sentence_id for verdict in pair.verdicts]
    yield from _same(f"{place}.verdicts", judged, claims)
    for name, verdicts in (("verdicts", pair.verdicts), ("confirmation", pair.confirmation)):
        for at, verdict in enumerate(verdicts):
            yield from _verdict_check(verdict, corpus, f"{place}.{name}[{at}]")


def _verdict_check(verdict: Verdict, corpus: Corpus, place: str) -> Iterator[Fault]:
    for side in ("supporting", "opposing", "nearest"):
        yield from _quotes_check(getattr(verdict, side), corpus, f"{place}.{side}")
    if verdict.label is Label.SUPPORTED and not verdict.supporting:
        yield Fault(RESULT, f"{place}.supporting", "no quote", "a quote for a supported claim")
    if (verdict.label is Label.NOT_AUDITED) != bool(verdict.failure):
        allowed = "a reason exactly where a sentence was not audited"
        yield Fault(RESULT, f"{place}.failure", repr(verdict.failure), allowed)
    known = {agent.id for agent in corpus.agents}
    for side in ("asserts", "denies"):
        for agent in getattr(verdict, side):
            if agent not in known:
                yield Fault(RESULT, f"{place}.{side}", repr(agent), "an agent of the debate")


def _quotes_check(quotes: Sequence[Quote], corpus: Corpus, place: str) -> Iterator[Fault]:
    for at, quote in enumerate(quotes):
        if not quote_holds(quote, corpus):
            span = f"{quote.address}[{quote.start}:{quote.end}]"
            held = _held(quote, corpus)
            yield Fault(RESULT, f"{place}[{at}]", f"{shown(quote.text)} at {span}", held)


def _held(quote: Quote, corpus: Corpus) -> str:
    if quote.address not in corpus:
        return "an address of the corpus"
    return shown(corpus[quote.address][quote.start : quote.end])


def _count_check(pair: Pair, place: str, policy: Policy) -> Iterator[Fault]:
    for name, found, verdicts in (
        ("fidelity", pair.fidelity, pair.verdicts),
        ("confirmed", pair.confirmed, pair.confirmation),
    ):
        is_open = any(verdict.label is Label.NOT_AUDITED for verdict in verdicts)
        expected = None if is_open or not verdicts else fidelity_count(verdicts, policy)
        yield from _same(f"{place}.{name}", found, expected)
    counts = draft_counts(pair.sentences, pair.verdicts) if pair.fidelity else None
    yield from _same(f"{place}.counts", pair.counts, counts)


def _hint(pair: Pair, result: GateResult) -> str:
    """Give what the next pair was told; a pair that ended the run told nobody anything."""
    config = result.config
    if pair.fidelity is None or pair.passes(config.threshold_percent):
        return ""
    if pair.confirmation and pair.confirmed is None:
        return ""
    if pair.number >= config.pairs:
        return ""
    return hint_write(pair_refusals(pair, config.policy))


def _same(place: str, found: object, expected: object) -> Iterator[Fault]:
    if found != expected:
        yield Fault(RESULT, place, shown(found), shown(expected))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
