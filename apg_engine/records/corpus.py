"""The frozen corpus: every text a draft may rest on, with addresses and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from apg_engine.records.debate import Agent


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
