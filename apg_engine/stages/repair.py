"""What the proposer is told after a failed audit, and when telling it more is pointless."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apg_engine.proposers.protocol import Refusal
from apg_engine.records import Label, Policy, Preservation, Quote, Sentence, Verdict
from apg_engine.results import Pair
from apg_engine.states import Reason


def pair_refusals(pair: Pair, policy: Policy) -> tuple[Refusal, ...]:
    """List every sentence that either audit of a draft refused, with the reason."""
    texts = {sentence.id: sentence.text for sentence in pair.sentences}
    return tuple(
        Refusal(verdict.sentence_id, texts[verdict.sentence_id], _reason(verdict))
        for verdict in pair.refused(policy)
    )


def verdicts_known(pairs: Sequence[Pair], policy: Policy) -> dict[str, Verdict]:
    """Give what earlier audits found, by the sentence; the last word on it, a refusal before all.

    A sentence that a second audit refused stays refused.
    """
    known: dict[str, Verdict] = {}
    for pair in pairs:
        texts = {sentence.id: sentence.text for sentence in pair.sentences}
        refused = {verdict.sentence_id: verdict for verdict in pair.refused(policy)}
        for verdict in pair.verdicts:
            found = refused.get(verdict.sentence_id, verdict)
            origin = found.carried_from or pair.number
            known[texts[verdict.sentence_id]] = replace(found, carried_from=origin)
    return known


def draft_preservation(previous: Pair, sentences: Sequence[Sentence]) -> Preservation:
    """Count which supported claims of the last draft stand unchanged in the new one."""
    texts = {sentence.id: sentence.text for sentence in previous.sentences}
    held = [texts[v.sentence_id] for v in previous.verdicts if v.label is Label.SUPPORTED]
    now = {sentence.text for sentence in sentences}
    return Preservation(kept=sum(text in now for text in held), of=len(held))


def deletion_find(first: Pair, passing: Pair) -> str:
    """Say what a passing draft no longer answers that the first draft did; empty if nothing."""
    if first.coverage is None or passing.coverage is None:
        return ""
    if first.coverage.recommends and not passing.coverage.recommends:
        return "the draft passes because no recommendation is left in it"
    before, after = len(first.coverage.covered), len(passing.coverage.covered)
    if after < before:
        return f"the draft passes with {after} stances of the debate where the first had {before}"
    return ""


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
    """Give the pair with the highest PF; of equals the later one, as it saw more hints.

    A pair whose second audit found less counts with what that found.
    """
    judged = [pair for pair in pairs if pair.fidelity is not None]
    return max(judged, key=_merit)


def _merit(pair: Pair) -> tuple[float, int]:
    found = [fidelity for fidelity in (pair.fidelity, pair.confirmed) if fidelity]
    return min(fidelity.supported / fidelity.total for fidelity in found), pair.number


def _reason(verdict: Verdict) -> str:
    if verdict.label is Label.SUPPORTED:
        return verdict.strict
    quotes: tuple[Quote, ...] = verdict.opposing or verdict.nearest
    if not quotes:
        return verdict.reason
    return f'{verdict.reason}. Nearest in the record, {quotes[0].address}: "{quotes[0].text}"'
