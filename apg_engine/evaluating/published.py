"""What PROCLAIM's paper reports on Check-COVID: other models and other runs, never ours.

The paper gives shares of 120 claims; the counts here are those that round to them. The ablations
are given as differences, unpaired.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apg_engine.calibration.rates import Rate

CLAIMS: Final = 120
SOURCE: Final = (
    "PROCLAIM (arXiv, 30 March 2026), results on the SUPPORT/REFUTE claims of Check-COVID"
)
ECE: Final = 0.034
ECE_AVERAGED: Final = 0.18


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One line of the published results.

    Attributes:
        name: of ours that comes nearest to it; empty if none does.
        told: what the paper calls it.
        hits: right claims of CLAIMS.
        kappa: mean agreement of its judges; None where the paper says nothing, as the others.
    """

    name: str
    told: str
    hits: int
    kappa: float | None = None
    rounds: float | None = None
    evidence: float | None = None
    tokens: float | None = None

    @property
    def accuracy(self) -> Rate:
        """With Wilson's interval at CLAIMS claims."""
        return Rate(self.hits, CLAIMS)


PUBLISHED: Final = (
    PublishedRow("courtroom", "PROCLAIM, majority vote", 98, 0.468, 5.47, 67.5, 210_900.0),
    PublishedRow("mad", "standard multi-agent debate (-10.0 points)", 86),
    PublishedRow("no_rag", "without P-RAG (-7.5)", 89, 0.599, None, 37.5),
    PublishedRow("no_switch", "without role switching (-4.2)", 93),
    PublishedRow("one_judge", "without the three-judge panel (-3.3)", 94),
    PublishedRow("no_reflection", "without self-reflection (-0.8)", 97, None, 7.06),
    PublishedRow("single", "one call of GPT-5-mini with retrieval", 103),
    PublishedRow("single", "one call of DeepSeek-v3.2 with retrieval", 96),
)
