"""The texts a system judges a claim by: found in an index, or the rationale its answer rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apg_engine.debates.material import Piece
from apg_engine.evaluating.claims import ClaimsError, LabelledClaim
from apg_engine.records import ItemKind
from apg_engine.retrieval.evidence_index import EvidenceIndex


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One text of one document."""

    id: str
    document: str
    text: str

    @property
    def sha256(self) -> str:
        """The text's own name: equal text in two documents is one chunk."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class ExhibitSource(Protocol):
    """Where texts come from."""

    @property
    def name(self) -> str:
        """What settings call it."""

    def find(self, claim: LabelledClaim) -> tuple[Exhibit, ...]:
        """Give the texts for a claim, the nearest first."""


class Retrieved:
    """The chunks of an index that are nearest to the claim.

    Args:
        index: over documents.
        count: how many chunks.
        digest: of the index, so that results of two indexes are not mixed.
    """

    def __init__(self, index: EvidenceIndex, *, count: int, digest: str = "") -> None:
        self._index, self._count = index, count
        self.name = f"{count} chunks by {index.embedder.name} {digest[:12]}".strip()

    def find(self, claim: LabelledClaim) -> tuple[Exhibit, ...]:
        """Search the index with the claim's words."""
        hits = self._index.search(claim.claim, count=self._count)
        return tuple(Exhibit(hit.chunk.id, hit.chunk.document, hit.chunk.text) for hit in hits)


class Rationale:
    """The sentences the answer was given from: only against them NOTENOUGHINFO says something.

    In Check-COVID such a row repeats a claim with another rationale of the same abstract.
    """

    name = "the rationale"

    def find(self, claim: LabelledClaim) -> tuple[Exhibit, ...]:
        """Give the sentences.

        Raises:
            ClaimsError: none are known.
        """
        if not claim.rationale:
            raise ClaimsError("claims", f"{claim.id}: rationale", "nothing", "its sentences")
        document = claim.document or claim.id
        numbered = enumerate(claim.rationale, start=1)
        return tuple(Exhibit(f"{document}#s{n}", document, text) for n, text in numbered)


def exhibit_pieces(exhibits: Sequence[Exhibit]) -> tuple[Piece, ...]:
    """Make pieces of a prompt of them; the nearest are kept longest."""
    return tuple(
        Piece(ItemKind.DOCUMENT, one.id, one.text, rank=rank) for rank, one in enumerate(exhibits)
    )
