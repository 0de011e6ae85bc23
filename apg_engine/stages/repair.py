"""What the proposer is told after a failed audit, and when telling it more is pointless."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine.proposers.protocol import Refusal
from apg_engine.records import Label, Quote, Sentence, Verdict
from apg_engine.results import Pair
from apg_engine.states import Reason


def refusals_list(
    sentences: Sequence[Sentence], verdicts: Sequence[Verdict]
) -> tuple[Refusal, ...]:
    """List every sentence that is not supported, with the reason."""
    texts = {sentence.id: sentence.text for sentence in sentences}
    return tuple(
        Refusal(verdict.sentence_id, texts[verdict.sentence_id], _reason(verdict))
        for verdict in verdicts
        if verdict.label is not Label.SUPPORTED
    )


def hint_write(refusals: Sequence[Refusal]) -> str:
    """Name every refused sentence and why, one a line, for the next draft."""
    lines = [f"- [{r.sentence_id}] {r.sentence}\n  Why: {r.reason}" for r in refusals]
    return "\n".join(lines)


def loop_end(draft_sha256: str, earlier: Sequence[Pair]) -> Reason | None:
    """Tell whether a new draft only repeats: the last one, or one before it."""
    if not earlier:
        return None
    if earlier[-1].draft_sha256 == draft_sha256:
        return Reason.IDENTICAL_DRAFT
    if any(pair.draft_sha256 == draft_sha256 for pair in earlier[:-1]):
        return Reason.OSCILLATING_DRAFT
    return None


def best_pair(pairs: Sequence[Pair]) -> Pair:
    """Give the pair with the highest PF; of equals the later one, as it saw more hints."""
    judged = [pair for pair in pairs if pair.fidelity is not None]
    return max(judged, key=_merit)


def _merit(pair: Pair) -> tuple[float, int]:
    fidelity = pair.fidelity
    share = fidelity.supported / fidelity.total if fidelity else -1.0
    return share, pair.number


def _reason(verdict: Verdict) -> str:
    quotes: tuple[Quote, ...] = verdict.opposing or verdict.nearest
    if not quotes:
        return verdict.reason
    return f'{verdict.reason}. Nearest in the record, {quotes[0].address}: "{quotes[0].text}"'
