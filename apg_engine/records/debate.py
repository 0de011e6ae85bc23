"""The debate trace, as every importer hands it over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

DocumentKind = Literal["axiom", "document"]
ConflictLevel = Literal["low", "high", ""]


class ShockKind(StrEnum):
    """What a shock does to the debate."""

    EPISTEMIC_SHIFT = "epistemic_shift"
    CASCADING_RISK = "cascading_risk"
    ZERO_SUM = "zero_sum"
    AD_HOMINEM = "ad_hominem"


class Severity(StrEnum):
    """How hard a shock hits."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Agent:
    """One party of the debate; `id` is what turns name as their speaker."""

    id: str
    name: str
    mandate: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One public contribution, with what its speaker thought in private.

    Attributes:
        number: 1-based place in the debate.
        speaker: id of an agent.
        text: what was said in public, byte for byte.
        private_trace: what the speaker planned in private; empty if nothing was recorded.
        private_is_boilerplate: the private trace is a fallback text and is no evidence.
        evidence: ids of the documents the speaker used.
    """

    number: int
    speaker: str
    text: str
    private_trace: str = ""
    private_is_boilerplate: bool = False
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shock:
    """News injected before the turn with number `turn`."""

    turn: int
    kind: ShockKind
    severity: Severity
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """An axiom or a retrieved document that agents could use; readers see its title, if any."""

    id: str
    kind: DocumentKind
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a trace came from; `sha256` is of the file's bytes."""

    format: str
    file_name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded debate, as every importer hands it over."""

    title: str
    language: str
    crisis_context: str
    question: str
    agents: tuple[Agent, ...]
    turns: tuple[Turn, ...]
    documents: tuple[Document, ...]
    shocks: tuple[Shock, ...]
    conflict_level: ConflictLevel
    source: Source
    warnings: tuple[str, ...] = ()
