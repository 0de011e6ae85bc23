"""What of the debate a draft still answers: the parties' stances, and a recommendation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from apg_engine.matching.attribution import attribution_find
from apg_engine.matching.index import CorpusIndex, Unit, content_of, words_in
from apg_engine.reading.disputes import demands_read
from apg_engine.reading.quantities import demands
from apg_engine.reading.recommendations import is_recommendation, recommends
from apg_engine.records import Coverage, Sentence, SentenceKind

# Share of a stance's content words that one sentence must hold to state it.
_STATED = 0.6
_ACTS = re.compile(
    r"\b(?:will|shall|(?:is|are) to|best (?:course|option)|course of action|agree(?:s|d)? to)\b"
    r"|^\W*(?:allocate|give|send|keep|move|adopt|assign|reserve|prioriti[sz]e|use|approve|proceed|"
    r"implement|provide|divide|split|share|evacuate|open|close|start|stop|delay|hold)\b"
    r"|\b(?:trzeba|przyznać|przydzielić)\b",
    re.IGNORECASE,
)
_SAID = frozenset({SentenceKind.CLAIM, SentenceKind.DUPLICATE})


def draft_coverage(index: CorpusIndex, sentences: Sequence[Sentence]) -> Coverage:
    """Read which parties' final stances a draft states, and whether it recommends anything."""
    said = [sentence for sentence in sentences if sentence.kind in _SAID]
    words = [frozenset(words_in(sentence.text)) for sentence in said]
    stances = stances_of(index)
    return Coverage(
        stances=tuple(agent for agent, _ in stances),
        covered=tuple(agent for agent, unit in stances if _is_stated(index, unit, words)),
        recommends=any(_recommends(index, sentence.text) for sentence in said),
    )


@lru_cache(maxsize=2)
def stances_of(index: CorpusIndex) -> tuple[tuple[str, Unit], ...]:
    """Give the final demand or advice of each party that has one, by agent id."""
    return tuple(
        (demand.agent, demand.unit)
        for demand in demands_read(index)
        if is_recommendation(demand.unit) or demands(demand.unit.text)
    )


def _is_stated(index: CorpusIndex, unit: Unit, sentences: Sequence[frozenset[str]]) -> bool:
    content = index.content(unit)
    numbers = {word for word in unit.words if word[0] == "#"}
    return any(
        numbers <= words and len(content & content_of(words)) >= _STATED * len(content)
        for words in sentences
    )


def _recommends(index: CorpusIndex, text: str) -> bool:
    """Tell whether a sentence recommends in its own name, not in that of one party."""
    attribution = attribution_find(text, index.corpus.agents)
    if attribution and not set(index.speakers) <= set(attribution.agents):
        return False
    return not text.endswith("?") and (recommends(text) or bool(_ACTS.search(text)))
