"""Frozen records that cross stage borders, in the order of the arrow: first the debate trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

DocumentKind = Literal["axiom", "document"]
Policy = Literal["paper", "strict"]
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
    """An axiom or a retrieved document that agents could use."""

    id: str
    kind: DocumentKind
    text: str


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


# --- corpus ----------------------------------------------------------------------------------


class ItemKind(StrEnum):
    """What a corpus item is, in the order of its rank."""

    CONTEXT = "context"
    SHOCK = "shock"
    TURN = "turn"
    AXIOM = "axiom"
    DOCUMENT = "document"
    PRIVATE = "private"

    @property
    def rank(self) -> int:
        """0 for the strongest kind; axioms and documents share a rank."""
        return _RANKS[self]


_RANKS = {
    ItemKind.CONTEXT: 0,
    ItemKind.SHOCK: 1,
    ItemKind.TURN: 2,
    ItemKind.AXIOM: 3,
    ItemKind.DOCUMENT: 3,
    ItemKind.PRIVATE: 4,
}


class BlockKind(StrEnum):
    """The markdown block a segment was found in."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    BULLET = "bullet"
    TABLE_HEAD = "table head"
    TABLE_ROW = "table row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence, heading, row or code block: characters `start` to `end` of its text."""

    start: int
    end: int
    block: BlockKind


@dataclass(frozen=True, slots=True)
class CorpusItem:
    """One addressed text of the corpus, byte for byte as the trace holds it.

    Attributes:
        address: C1, S1.., T4, A3 or P5.
        speaker: id of an agent for turns and private traces, else empty.
        turn: number of the turn it belongs to; 0 for context and documents.
        segments: its sentences; the second one of T4 has the address T4.2.
        links: addresses of items with the same or nearly the same text, cut ones included
            (repetition is no corroboration).
    """

    address: str
    kind: ItemKind
    text: str
    speaker: str = ""
    turn: int = 0
    segments: tuple[Segment, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Everything a synthesis may rest on, frozen, with addresses. Compare corpora by `sha256`.

    `corpus[address]` is the text at an item's address (T4) or a sentence's (T4.2).
    """

    title: str
    question: str
    language: str
    agents: tuple[Agent, ...]
    items: tuple[CorpusItem, ...]
    sha256: str
    segmenter: str
    warnings: tuple[str, ...] = ()
    _places: dict[str, CorpusItem] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", {item.address: item for item in self.items})

    def __contains__(self, address: str) -> bool:
        return self.range_of(address) is not None

    def __getitem__(self, address: str) -> str:
        """Give the text at an address.

        Raises:
            KeyError: the corpus has no such address.
        """
        found = self.range_of(address)
        if found is None:
            raise KeyError(address)
        item, start, end = found
        return item.text[start:end]

    def item(self, address: str) -> CorpusItem | None:
        """Give the item an address lies in (T4 for T4.2)."""
        return self._places.get(address.partition(".")[0])

    def range_of(self, address: str) -> tuple[CorpusItem, int, int] | None:
        """Give item, first and last character of an address, or None if there is none."""
        name, dot, ordinal = address.partition(".")
        item = self._places.get(name)
        if item is None:
            return None
        if not dot:
            return item, 0, len(item.text)
        if not ordinal.isascii() or not ordinal.isdecimal() or str(int(ordinal)) != ordinal:
            return None
        place = int(ordinal) - 1
        if not 0 <= place < len(item.segments):
            return None
        segment = item.segments[place]
        return item, segment.start, segment.end

    def agent_name(self, agent_id: str) -> str:
        """Give the name people know an agent by."""
        return next((agent.name for agent in self.agents if agent.id == agent_id), agent_id)


# --- drafts and verdicts ---------------------------------------------------------------------


class SentenceKind(StrEnum):
    """Only claims stand in the denominator of PF; the rest is listed beside it."""

    CLAIM = "claim"
    HEADING = "heading"
    COURTESY = "courtesy"
    LEAD_IN = "lead-in"
    FRAGMENT = "fragment"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a draft, with its place in the draft's characters."""

    id: str
    text: str
    start: int
    end: int
    kind: SentenceKind
    duplicate_of: str = ""


class Label(StrEnum):
    """What an auditor found about one sentence. Only SUPPORTED counts for PF."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFORMATION = "not_enough_information"
    UNDETERMINED = "undetermined"
    NOT_AUDITED = "not_audited"


@dataclass(frozen=True, slots=True)
class Quote:
    """A verified quote: `corpus[address][start:end] == text`."""

    address: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge of several said about a sentence."""

    auditor: str
    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one sentence, and on what grounds.

    Attributes:
        decided_by: the rung or the model that decided.
        supporting: verified quotes for it.
        opposing: verified quotes against it; for a veto the span that differs.
        nearest: verified quotes nearest to it that decide nothing.
        claimed: the words of the sentence a veto is about, where there is one.
        asserts: ids of the agents who state it in public.
        denies: ids of the agents who deny it in public.
        failure: for NOT_AUDITED why, as a code: unparsed, refused, truncated, timeout, ...
        opinions: of the judges of an ensemble, one each.
        score: the model's own score for *supported*, 0 to 1, where it has one; it is no PF.
        strict: for SUPPORTED, why it is not under the policy `strict`; empty if it is.
        flags: for SUPPORTED, what is thin about its support: `private only`, `single source`.
        carried_from: number of the pair it was judged in, if that was an earlier one; else 0.
    """

    sentence_id: str
    label: Label
    reason: str
    decided_by: str
    supporting: tuple[Quote, ...] = ()
    opposing: tuple[Quote, ...] = ()
    nearest: tuple[Quote, ...] = ()
    claimed: str = ""
    asserts: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()
    failure: str = ""
    score: float | None = None
    opinions: tuple[Opinion, ...] = ()
    strict: str = ""
    flags: tuple[str, ...] = ()
    carried_from: int = 0

    def holds(self, policy: Policy) -> bool:
        """Tell whether the sentence counts as supported under a policy."""
        return self.label is Label.SUPPORTED and (policy == "paper" or not self.strict)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """PF as it is counted: supported claims of all distinct claims."""

    supported: int
    total: int

    def passes(self, percent: int) -> bool:
        """Compare in integers: 18 of 19 does not pass at 95."""
        return self.total > 0 and 100 * self.supported >= percent * self.total


@dataclass(frozen=True, slots=True)
class Counts:
    """PF of one draft, counted three ways.

    Attributes:
        paper: distinct claims the corpus entails, of all distinct claims.
        strict: the same without agreement that a party does not share and without what a party
            denies.
        pf_all: the paper's equation (1), over every sentence of the draft; for comparison only.
    """

    paper: Fidelity
    strict: Fidelity
    pf_all: Fidelity


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of the debate a draft still answers.

    Attributes:
        stances: ids of the parties that take a stance in the end.
        covered: those whose stance a sentence of the draft states.
        recommends: the draft holds a recommendation of its own.
    """

    stances: tuple[str, ...]
    covered: tuple[str, ...]
    recommends: bool


@dataclass(frozen=True, slots=True)
class Preservation:
    """How many of a draft's supported claims stand unchanged in the next draft."""

    kept: int
    of: int
