"""How a run ends, and what is said beside its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apg_engine.auditors.ensemble import disagreement_count
from apg_engine.config import GateConfig
from apg_engine.matching.index import index_of
from apg_engine.reading.standing import BLINDING
from apg_engine.records import Corpus
from apg_engine.results import LeftOut, Outcome, Pair
from apg_engine.roles import Models
from apg_engine.states import Reason


@dataclass(frozen=True, slots=True)
class Ending:
    """How the run ends, once that is known."""

    outcome: Outcome = Outcome.NOT_JUDGED
    reason: Reason = Reason.NOT_AUDITED
    detail: str = ""
    text: str = ""
    divergence: dict[str, Any] | None = None


REPEATS = {
    Reason.IDENTICAL_DRAFT: "the proposer repeated its last draft",
    Reason.OSCILLATING_DRAFT: "the proposer went back to an earlier draft",
}


def role_warnings(config: GateConfig, models: Models) -> Iterator[str]:
    """Say what the choice of models takes from a result."""
    proposer, auditor = config.proposer, config.auditor
    if models.proposer.offline or models.auditor.offline:
        yield "offline models"
    same = (proposer.kind, proposer.name) == (auditor.kind, auditor.name)
    if same and proposer.kind != "offline":
        yield "symmetric"


def blinding_warnings(*texts: str) -> Iterator[str]:
    """Name the words that would tell a participant which report is which."""
    words = sorted({m.group().lower() for m in BLINDING.finditer(" ".join(texts))})
    if words:
        yield f"a text holds words that may unblind it: {', '.join(words)}"


def disagreement_warnings(pairs: Sequence[Pair]) -> Iterator[str]:
    """Tell where the judges of an ensemble do not agree."""
    for pair in pairs:
        split = disagreement_count(pair.verdicts)
        if split:
            total = len(pair.verdicts)
            yield f"pair {pair.number}: the judges disagree on {split} of {total} claims"


def left_out_warnings(corpus: Corpus, left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Tell how much of the record a model with a small context was not shown."""
    for left in left_out:
        yield (
            f"pair {left.pair}: the {left.role} was not shown {len(left.addresses)} of"
            f" {len(index_of(corpus).units)} sentences of the record"
        )
