"""From a debate trace to the frozen corpus: one address for everything a draft may rest on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from apg_engine.matching.copies import near_copies
from apg_engine.records import Corpus, CorpusItem, Document, ItemKind, Segment, Trace, Turn

Segmenter = Callable[[str], tuple[Segment, ...]]


def corpus_build(trace: Trace, *, segment: Segmenter, segmenter: str) -> Corpus:
    """Assemble the corpus both roles see, whole and uncut.

    Args:
        trace: the debate.
        segment: cuts a text into sentences.
        segmenter: name and version of `segment`, kept with the corpus.
    """
    return _built(trace, segment, segmenter)


@lru_cache(maxsize=2)
def _built(trace: Trace, segment: Segmenter, segmenter: str) -> Corpus:
    """Build once: a run and the files that are written of it need the same corpus."""
    items = _linked(tuple(_addressed(trace, segment)))
    return Corpus(
        title=trace.title,
        question=trace.question,
        language=trace.language,
        agents=trace.agents,
        items=items,
        sha256=_content_hash(items, trace, segmenter),
        segmenter=segmenter,
        warnings=_warnings(trace),
    )


def _addressed(trace: Trace, segment: Segmenter) -> Iterator[CorpusItem]:
    for item in _plain_items(trace):
        if item.text.strip():
            yield replace(item, segments=segment(item.text))


def _plain_items(trace: Trace) -> Iterator[CorpusItem]:
    yield CorpusItem("C1", ItemKind.CONTEXT, trace.crisis_context)
    for number, shock in enumerate(trace.shocks, start=1):
        yield CorpusItem(f"S{number}", ItemKind.SHOCK, shock.text, turn=shock.turn)
    for turn in trace.turns:
        yield CorpusItem(f"T{turn.number}", ItemKind.TURN, turn.text, turn.speaker, turn.number)
    for number, document in enumerate(_distinct(trace.documents), start=1):
        yield CorpusItem(f"A{number}", ItemKind(document.kind), document.text)
    for turn in trace.turns:
        if _is_private_evidence(turn):
            yield CorpusItem(
                f"P{turn.number}", ItemKind.PRIVATE, turn.private_trace, turn.speaker, turn.number
            )


def _is_private_evidence(turn: Turn) -> bool:
    return bool(turn.private_trace.strip()) and not turn.private_is_boilerplate


def _distinct(documents: Iterable[Document]) -> list[Document]:
    by_text: dict[str, Document] = {}
    for document in documents:
        by_text.setdefault(" ".join(document.text.split()), document)
    return list(by_text.values())


def _linked(items: tuple[CorpusItem, ...]) -> tuple[CorpusItem, ...]:
    groups = near_copies([item.text for item in items])
    return tuple(
        replace(item, links=tuple(items[other].address for other in group if other != at))
        for at, (item, group) in enumerate(zip(items, groups, strict=True))
    )


def _warnings(trace: Trace) -> tuple[str, ...]:
    boilerplate = [f"P{turn.number}" for turn in trace.turns if turn.private_is_boilerplate]
    if not boilerplate:
        return ()
    listed = ", ".join(boilerplate)
    return (f"boilerplate private traces are no evidence and were left out: {listed}",)


def _content_hash(items: tuple[CorpusItem, ...], trace: Trace, segmenter: str) -> str:
    agents = [[agent.id, agent.name, agent.mandate] for agent in trace.agents]
    rows = [[item.address, item.kind, item.speaker, item.turn, item.text] for item in items]
    whole = json.dumps(
        [segmenter, trace.title, trace.question, trace.language, agents, rows],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
