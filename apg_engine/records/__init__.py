"""Frozen records that cross stage borders, in the order of the arrow."""

from __future__ import annotations

from apg_engine.records.corpus import (
    BlockKind,
    Corpus,
    CorpusItem,
    ItemKind,
    Segment,
)
from apg_engine.records.debate import (
    Agent,
    ConflictLevel,
    Document,
    DocumentKind,
    Severity,
    Shock,
    ShockKind,
    Source,
    Trace,
    Turn,
)
from apg_engine.records.verdicts import (
    Counts,
    Coverage,
    Fidelity,
    Label,
    Opinion,
    Policy,
    Preservation,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)

__all__ = [
    "Agent",
    "BlockKind",
    "ConflictLevel",
    "Corpus",
    "CorpusItem",
    "Counts",
    "Coverage",
    "Document",
    "DocumentKind",
    "Fidelity",
    "ItemKind",
    "Label",
    "Opinion",
    "Policy",
    "Preservation",
    "Quote",
    "Segment",
    "Sentence",
    "SentenceKind",
    "Severity",
    "Shock",
    "ShockKind",
    "Source",
    "Trace",
    "Turn",
    "Verdict",
]
