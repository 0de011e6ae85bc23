"""Private traces may inform a verdict; a sentence that repeats one must not be published."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine.matching.index import CorpusIndex
from apg_engine.matching.spans import Match, matches_find
from apg_engine.records import ItemKind, Label, Sentence, Verdict

_MOST_ADDRESSES = 6


def private_veto(index: CorpusIndex, sentence: Sentence) -> Verdict | None:
    """Refuse a sentence that only a private trace states, word for word or nearly so."""
    return private_refusal(sentence, matches_find(index, sentence.text))


def private_refusal(sentence: Sentence, matches: Sequence[Match]) -> Verdict | None:
    """Refuse a sentence whose matches, already found, all lie in private traces."""
    if not matches or any(match.unit.item.kind is not ItemKind.PRIVATE for match in matches):
        return None
    addresses = ", ".join(match.unit.address for match in matches[:_MOST_ADDRESSES])
    return Verdict(
        sentence_id=sentence.id,
        label=Label.NOT_ENOUGH_INFORMATION,
        reason=f"only a private trace says it ({addresses}), and private traces are not quoted",
        decided_by="veto: private only",
    )
