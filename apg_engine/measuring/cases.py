"""Cases whose truth is known, and the corpora they are judged against."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from apg_engine.records import Corpus, Document, Source, Trace
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build


class Truth(StrEnum):
    """What people, or the way a case was made, say about it."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    NOT_ENOUGH = "not enough"


@dataclass(frozen=True, slots=True)
class Case:
    """One claim with the corpus it is to be judged against.

    Attributes:
        group: cases of one group share a source; no fold of a control divides them.
        kind: what sort of case it is, for rates by kind.
    """

    id: str
    claim: str
    corpus: Corpus
    truth: Truth
    group: str
    kind: str = ""

    @property
    def is_supported(self) -> bool:
        """True where the gate should let the claim pass."""
        return self.truth is Truth.SUPPORTED


def evidence_corpus(texts: Sequence[str], *, language: str = "en") -> Corpus:
    """Put pieces of evidence into a corpus of their own, one document each."""
    documents = tuple(Document(f"d{n}", "document", text) for n, text in enumerate(texts, start=1))
    trace = Trace(
        title="",
        language=language,
        crisis_context="",
        question="",
        agents=(),
        turns=(),
        documents=documents,
        shocks=(),
        conflict_level="",
        source=Source("cases", "", ""),
    )
    return trace_corpus(trace)


def trace_corpus(trace: Trace) -> Corpus:
    """Assemble a debate's corpus as the gate does."""
    return corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)


def evidence_shuffle(cases: Sequence[Case], *, dice: random.Random) -> list[Case]:
    """Give every case the corpus of a case from another group, if there is one.

    What a judge still calls supported then, it knows without the evidence.
    """
    order = list(cases)
    dice.shuffle(order)
    return [replace(case, corpus=_foreign(case, order, at)) for at, case in enumerate(order)]


def _foreign(case: Case, order: Sequence[Case], at: int) -> Corpus:
    for step in range(1, len(order)):
        other = order[(at + step) % len(order)]
        if other.group != case.group and other.corpus is not case.corpus:
            return other.corpus
    return evidence_corpus(())
