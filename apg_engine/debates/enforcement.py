"""Active provenance inside a debate: a turn's factual claims are audited before it is admitted.

This is the paper's future work (section VII). A factual claim is a sentence that holds a number,
says what another party states, or has most of its words in common with a sentence of the record;
it is not a recommendation, a question or what the speaker says about itself. The rest of a turn is
argument, and argument needs no source.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from apg_engine.auditors.protocol import Auditor
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Party
from apg_engine.journal import CallLedger
from apg_engine.matching.attribution import attribution_find
from apg_engine.matching.index import index_of, words_in
from apg_engine.proposers.protocol import Refusal
from apg_engine.reading.recommendations import recommends
from apg_engine.records import (
    Agent,
    Corpus,
    Document,
    ItemKind,
    Label,
    Sentence,
    SentenceKind,
    Severity,
    Shock,
    ShockKind,
    Source,
    Trace,
    Turn,
    Verdict,
)
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.audit import draft_audit
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences

# Share of a sentence's weighted words that one sentence of the record has too.
_NEAR = 0.6


class Enforcement(StrEnum):
    """What happens to a turn with claims the record does not carry."""

    OFF = "off"
    FLAG = "flag"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True)
class Finding:
    """One factual claim the record so far does not carry."""

    sentence: Sentence
    label: Label
    reason: str

    @property
    def refusal(self) -> Refusal:
        """The same as a proposer is told it."""
        return Refusal(self.sentence.id, self.sentence.text, self.reason)


def turn_findings(
    text: str,
    *,
    corpus: Corpus,
    speaker: Party,
    auditor: Auditor,
    calls: CallLedger,
    holds: Callable[[str], bool] = lambda _: False,
    names: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Audit the factual claims of a turn that is about to be admitted.

    Args:
        text: the turn.
        corpus: what was said and shown so far, from `record_corpus`.
        speaker: whose own stance needs no source.
        auditor: who judges.
        calls: where a model's calls are recorded.
        holds: tells what code can prove from the record, such as a sum.
        names: what the debate is about, as everybody calls it; to use such a name claims nothing.
    """
    common = {word for name in names for word in words_in(name)}
    claims = [
        one
        for one in draft_sentences(text)
        if one.kind is SentenceKind.CLAIM and _is_factual(one.text, corpus, speaker, common)
    ]
    open_claims = [one for one in claims if not holds(one.text)]
    if not open_claims:
        return ()
    audit = draft_audit(auditor=auditor, sentences=open_claims, corpus=corpus, calls=calls)
    return tuple(_findings(open_claims, audit.verdicts))


def record_corpus(pieces: Iterable[Piece], parties: Sequence[Party] = ()) -> Corpus:
    """Freeze what was said and shown so far into a corpus with the usual addresses.

    Args:
        pieces: context, shocks, turns, axioms and documents; turns name their speaker.
        parties: ids and names of those who speak.
    """
    return _record_corpus(tuple(pieces), tuple(parties))


@lru_cache(maxsize=4)
def _record_corpus(shown: tuple[Piece, ...], parties: tuple[Party, ...]) -> Corpus:
    """One turn asks for the same record several times."""
    ids = {party.name: party.id for party in parties}
    speakers = dict.fromkeys(one.speaker for one in shown if one.kind is ItemKind.TURN)
    agents = [Agent(party.id, party.name) for party in parties]
    agents += [Agent(name, name) for name in speakers if name not in ids]
    context = " ".join(one.text for one in shown if one.kind is ItemKind.CONTEXT)
    trace = Trace(
        title="",
        language="en",
        crisis_context=context,
        question="",
        agents=tuple(agents),
        turns=tuple(
            Turn(number, ids.get(one.speaker, one.speaker), one.text)
            for number, one in enumerate(_of(shown, ItemKind.TURN), start=1)
        ),
        documents=tuple(
            Document(one.id, "axiom", one.text)
            for one in shown
            if one.kind in {ItemKind.AXIOM, ItemKind.DOCUMENT}
        ),
        shocks=tuple(
            Shock(1, ShockKind.EPISTEMIC_SHIFT, Severity.LOW, one.text)
            for one in _of(shown, ItemKind.SHOCK)
        ),
        conflict_level="",
        source=Source("", "", ""),
    )
    return corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)


def _of(pieces: Iterable[Piece], kind: ItemKind) -> Iterator[Piece]:
    return (piece for piece in pieces if piece.kind is kind)


def _is_factual(text: str, corpus: Corpus, speaker: Party, common: Collection[str]) -> bool:
    if text.rstrip().endswith("?") or recommends(text) or _is_own_stance(text, speaker):
        return False
    if any(character.isdigit() for character in text) or attribution_find(text, corpus.agents):
        return True
    words = [word for word in words_in(text) if word not in common]
    nearest = index_of(corpus).near(words, limit=1)
    return bool(nearest) and nearest[0].of_claim >= _NEAR


def _is_own_stance(text: str, speaker: Party) -> bool:
    start = text.lstrip().removeprefix("The ").lower()
    return start.startswith((speaker.name.lower(), "i ", "we ", "our ", "my "))


def _findings(claims: Sequence[Sentence], verdicts: Iterable[Verdict]) -> Iterator[Finding]:
    by_id = {claim.id: claim for claim in claims}
    for verdict in verdicts:
        if verdict.label is not Label.SUPPORTED:
            yield Finding(by_id[verdict.sentence_id], verdict.label, verdict.reason)
