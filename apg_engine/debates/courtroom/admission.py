"""Which evidence a court admits: weight = relevance x credibility (PROCLAIM, evidence negotiation).

w > 0.5 admitted, 0.1 < w <= 0.5 flagged, w <= 0.1 discarded
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ADMITTED_ABOVE: Final = 0.5
FLAGGED_ABOVE: Final = 0.1


class Admission(StrEnum):
    """What becomes of an item that was offered."""

    ADMITTED = "admitted"
    FLAGGED = "flagged"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Weight:
    """Relevance and credibility of an item, each in 0 to 1, and what follows."""

    relevance: float
    credibility: float

    def __post_init__(self) -> None:
        for name in ("relevance", "credibility"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} is {value!r}; allowed is a number from 0 to 1")

    @property
    def value(self) -> float:
        """The product."""
        return self.relevance * self.credibility

    @property
    def admission(self) -> Admission:
        """The paper's bands; a value on a border belongs to the lower one."""
        if self.value > ADMITTED_ABOVE:
            return Admission.ADMITTED
        return Admission.FLAGGED if self.value > FLAGGED_ABOVE else Admission.DISCARDED
