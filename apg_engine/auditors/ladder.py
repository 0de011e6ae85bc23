"""The deterministic auditor: quotes support, vetoes refuse, and everything else is left open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from apg_engine.auditors.private import private_refusal
from apg_engine.auditors.rules import rules_sha256
from apg_engine.journal import CallLedger
from apg_engine.matching.aligned import aligned_veto
from apg_engine.matching.attribution import Attribution, attribution_find
from apg_engine.matching.index import CorpusIndex, Near, index_of, is_public_turn, words_in
from apg_engine.matching.spans import Match, matches_find
from apg_engine.matching.vetoes import Veto, entity_veto, told, veto_find
from apg_engine.records import Corpus, ItemKind, Label, Quote, Sentence, SentenceKind, Verdict

LADDER_NAME = "offline ladder auditor 1"
_MOST_QUOTES = 6


class LadderAuditor:
    """Verbatim or near-verbatim span, then vetoes, else undetermined.

    It only says `supported` where the corpus states the sentence, so it abstains on every
    paraphrase. Public text alone can support: a quote of a private trace must not be published.
    """

    name = LADDER_NAME
    offline = True

    @property
    def identity(self) -> str:
        """Hash of the rules."""
        return rules_sha256()

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge every claim; no model is asked, so `calls` stays as it is."""
        index = index_of(corpus)
        claims = (sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM)
        return tuple(_verdict(index, sentence) for sentence in claims)


def _verdict(index: CorpusIndex, sentence: Sentence) -> Verdict:
    matches = matches_find(index, sentence.text)
    public = [match for match in matches if match.unit.item.kind is not ItemKind.PRIVATE]
    if public:
        return _supported(sentence, public)
    attribution = attribution_find(sentence.text, index.corpus.agents)
    if attribution:
        attributed = _attributed(index, sentence, attribution)
        if attributed:
            return attributed
    return private_refusal(sentence, matches) or _refused(index, sentence)


def _supported(sentence: Sentence, matches: Sequence[Match]) -> Verdict:
    exact = any(match.exact for match in matches)
    return Verdict(
        sentence_id=sentence.id,
        label=Label.SUPPORTED,
        reason="the record states it" if exact else "the record states it in nearly these words",
        decided_by="ladder: verbatim" if exact else "ladder: near-verbatim",
        supporting=_quotes(matches),
        asserts=_speakers(matches),
    )


def _attributed(index: CorpusIndex, sentence: Sentence, attribution: Attribution) -> Verdict | None:
    """Judge `NAME states X`: X must stand in a public turn of every party named."""
    matches = [m for m in matches_find(index, attribution.inner) if is_public_turn(m.unit)]
    if not matches:
        return None
    speakers = _speakers(matches)
    absent = [agent for agent in attribution.agents if agent not in speakers]
    if absent:
        names = ", ".join(index.corpus.agent_name(agent) for agent in absent)
        return Verdict(
            sentence_id=sentence.id,
            label=Label.CONTRADICTED
            if len(attribution.agents) == 1
            else Label.NOT_ENOUGH_INFORMATION,
            reason=f"the record has others say it, not {names}",
            decided_by="ladder: speaker veto",
            opposing=_quotes(matches),
            claimed=names,
            asserts=speakers,
        )
    own = [match for match in matches if match.unit.item.speaker in attribution.agents]
    verdict = _supported(sentence, own)
    return replace(verdict, decided_by="ladder: attributed quote")


def _refused(index: CorpusIndex, sentence: Sentence) -> Verdict:
    words = words_in(sentence.text)
    near = [n for n in index.near(words) if n.unit.item.kind is not ItemKind.PRIVATE]
    for candidate in near:
        veto = (
            veto_find(words, candidate)
            or aligned_veto(index, sentence.text, words, candidate)
            or entity_veto(sentence.text, candidate)
        )
        if veto:
            return _vetoed(sentence, candidate, veto)
    return Verdict(
        sentence_id=sentence.id,
        label=Label.UNDETERMINED,
        reason="no sentence of the record states it",
        decided_by="ladder: undetermined",
        nearest=tuple(_whole(candidate) for candidate in near[:2] if candidate.of_claim > 0),
    )


def _vetoed(sentence: Sentence, near: Near, veto: Veto) -> Verdict:
    label = Label.CONTRADICTED if veto.contradicts else Label.NOT_ENOUGH_INFORMATION
    speaker = near.unit.item.speaker
    return Verdict(
        sentence_id=sentence.id,
        label=label,
        reason=f"{veto.kind} differs: the sentence has {told(veto.claimed)}, "
        f"{near.unit.address} has {told(veto.found)}",
        decided_by=f"ladder: {veto.kind} veto",
        opposing=(_whole(near),),
        claimed=veto.claimed,
        denies=(speaker,) if speaker and veto.contradicts else (),
    )


def _whole(near: Near) -> Quote:
    text = near.unit.text
    return Quote(near.unit.address, 0, len(text), text)


def _quotes(matches: Iterable[Match]) -> tuple[Quote, ...]:
    return tuple(match.quote for match in matches)[:_MOST_QUOTES]


def _speakers(matches: Iterable[Match]) -> tuple[str, ...]:
    speakers = (match.unit.item.speaker for match in matches if is_public_turn(match.unit))
    return tuple(dict.fromkeys(speakers))
