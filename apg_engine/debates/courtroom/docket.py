"""The docket of a trial: every item that was offered, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apg_engine.debates.courtroom.admission import Admission, Weight
from apg_engine.debates.material import Piece
from apg_engine.records import ItemKind
from apg_engine.retrieval.chunks import Chunk


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence that was offered.

    Attributes:
        id: the exhibit's name (E12).
        side: who looked for it; empty where it was sought for a premise.
        query: what it was found by; `round` 0 is the negotiation.
        cosine: to the query.
        novelty: against all that was admitted before; None where it was not asked.
        weight: the court's; None where the court gave none, or was not asked.
        admission: what follows.
    """

    id: str
    chunk: Chunk
    side: str
    query: str
    round: int
    cosine: float
    novelty: float | None = None
    weight: Weight | None = None
    admission: Admission = Admission.DISCARDED

    @property
    def has_no_weight(self) -> bool:
        """Whether the court weighed and discarded it: such a text is no evidence at all."""
        return self.weight is not None and self.admission is Admission.DISCARDED

    @property
    def piece(self) -> Piece:
        """The exhibit as a prompt shows it; its title stands where a speaker's name would."""
        return Piece(ItemKind.DOCUMENT, self.id, self.chunk.text, self.chunk.title)


class Docket:
    """Keeps items in the order they were offered; an equal text is kept once.

    Attributes:
        items: the last word on each item.
    """

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}

    @property
    def items(self) -> tuple[Item, ...]:
        """Everything that was offered."""
        return tuple(self._items.values())

    @property
    def admitted(self) -> tuple[Item, ...]:
        """The exhibits."""
        return self._of(Admission.ADMITTED)

    @property
    def flagged(self) -> tuple[Item, ...]:
        """What counsel may move to admit; nobody else is shown it."""
        return self._of(Admission.FLAGGED)

    def put(self, items: Iterable[Item]) -> None:
        """Enter items, or the court's second look at one that is there."""
        for item in items:
            self._items[item.id] = item

    def find(self, id_: str) -> Item | None:
        """Give an item by the exhibit's name."""
        return self._items.get(id_)

    def by_text(self) -> dict[str, Item]:
        """Give the items by the hashes of their texts."""
        return {item.chunk.sha256: item for item in self.items}

    def _of(self, admission: Admission) -> tuple[Item, ...]:
        return tuple(item for item in self._items.values() if item.admission is admission)
