"""Rules that stand above every model: what it calls supported must survive them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apg_engine.matching.aligned import aligned_veto
from apg_engine.matching.index import CorpusIndex, Near, words_in
from apg_engine.matching.spans import matches_find
from apg_engine.matching.vetoes import Veto, is_about, told, veto_find
from apg_engine.records import ItemKind, Label, Quote, Sentence, Verdict

RULE = "veto: "


def rule_veto(index: CorpusIndex, sentence: Sentence, verdict: Verdict) -> Verdict:
    """Overrule a model's *supported* where every sentence it cites says another number, unit, ...

    A sentence that the record states in so many words is left alone, and so is one with a cited
    sentence that no rule objects to: the record may hold both claims.
    """
    if verdict.label is not Label.SUPPORTED or _is_stated(index, sentence):
        return verdict
    words = words_in(sentence.text)
    about = [near for near in _cited(index, words, verdict.supporting) if is_about(near)]
    vetoes = [
        (near, veto_find(words, near) or aligned_veto(index, sentence.text, words, near))
        for near in about
    ]
    if not vetoes or any(veto is None for _, veto in vetoes):
        return verdict
    near, veto = vetoes[0]
    return _overruled(verdict, near, veto) if veto else verdict


def is_rule_veto(verdict: Verdict) -> bool:
    """Tell whether a rule, and no model, refused the sentence and showed why."""
    by_rule = verdict.decided_by.startswith((RULE, "ladder: ")) and "veto" in verdict.decided_by
    return by_rule and verdict.label in {Label.CONTRADICTED, Label.NOT_ENOUGH_INFORMATION}


def _is_stated(index: CorpusIndex, sentence: Sentence) -> bool:
    matches = matches_find(index, sentence.text)
    return any(match.unit.item.kind is not ItemKind.PRIVATE for match in matches)


def _cited(index: CorpusIndex, words: Sequence[str], quotes: Sequence[Quote]) -> Iterator[Near]:
    """Give the corpus sentences the quotes lie in."""
    for quote in quotes:
        found = index.corpus.range_of(quote.address)
        if found is None:
            continue
        item, start, _ = found
        first, last = start + quote.start, start + quote.end
        for unit in index.of_item(item):
            if unit.start < last and first < unit.end:
                yield index.nearness(words, unit)


def _overruled(verdict: Verdict, near: Near, veto: Veto) -> Verdict:
    text = near.unit.text
    speaker = near.unit.item.speaker if near.unit.item.kind is ItemKind.TURN else ""
    return Verdict(
        sentence_id=verdict.sentence_id,
        label=Label.CONTRADICTED if veto.contradicts else Label.NOT_ENOUGH_INFORMATION,
        reason=f"{verdict.decided_by} called it supported, but the {veto.kind} differs: the "
        f"sentence has {told(veto.claimed)}, {near.unit.address} has {told(veto.found)}",
        decided_by=f"{RULE}{veto.kind}",
        opposing=(Quote(near.unit.address, 0, len(text), text),),
        claimed=veto.claimed,
        denies=(speaker,) if speaker and veto.contradicts else (),
        score=verdict.score,
    )
