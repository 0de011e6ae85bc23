"""Does a run's outcome follow from its counts, and do its texts follow from its outcome?"""

from __future__ import annotations

from collections.abc import Iterator

from apg_engine.provenance.faults import Fault, shown, values_compare
from apg_engine.provenance.run_files import DIVERGENCE, RESULT
from apg_engine.records import Corpus, Trace
from apg_engine.results import GateResult, Outcome
from apg_engine.segmentation.segments import SEGMENTER
from apg_engine.stages.divergence import divergence_report
from apg_engine.stages.divergence_prose import divergence_render
from apg_engine.stages.repair import best_pair, loop_end
from apg_engine.states import REASONS, Reason
from apg_engine.traces import trace_sha256

_DIVERGED = (
    Reason.PAIRS_USED,
    Reason.IDENTICAL_DRAFT,
    Reason.OSCILLATING_DRAFT,
    Reason.DELETION_ONLY,
)
_ENDS = {
    Outcome.SYNTHESIS: frozenset({Reason.PASSED}),
    Outcome.DIVERGENCE: frozenset(_DIVERGED),
    Outcome.NOT_JUDGED: frozenset(Reason) - {Reason.PASSED, *_DIVERGED},
}


def sources_check(result: GateResult, trace: Trace, corpus: Corpus) -> Iterator[Fault]:
    """Check that the result is over this trace, corpus and segmentation."""
    for name, found, expected in (
        ("trace_sha256", result.trace_sha256, trace_sha256(trace)),
        ("corpus_sha256", result.corpus_sha256, corpus.sha256),
        ("segmenter", result.segmenter, SEGMENTER),
    ):
        if found != expected:
            yield Fault(RESULT, name, shown(found), shown(expected))


def outcome_check(result: GateResult) -> Iterator[Fault]:
    """Check the gate's arithmetic: which draft passed, and whether the run ended for it."""
    threshold, most = result.config.threshold_percent, result.config.pairs
    passed = [pair.number for pair in result.pairs if pair.passes(threshold)]
    ends_passing = (
        result.outcome is Outcome.SYNTHESIS or result.reason == Reason.DELETION_ONLY.value
    )
    expected = [len(result.pairs)] if ends_passing else []
    if passed != expected:
        told = f"pairs {passed} at {threshold} % or more"
        yield Fault(RESULT, "outcome", f"{result.outcome.value} with {told}", f"pairs {expected}")
    if len(result.pairs) > most:
        yield Fault(RESULT, "pairs", str(len(result.pairs)), f"at most {most}")
    if result.reason not in REASONS or Reason(result.reason) not in _ENDS[result.outcome]:
        allowed = ", ".join(sorted(_ENDS[result.outcome]))
        yield Fault(RESULT, "reason", repr(result.reason), allowed)
    elif result.outcome is Outcome.DIVERGENCE and result.reason != Reason.DELETION_ONLY:
        used = len(result.pairs)
        if (result.reason == Reason.PAIRS_USED) != (used == most):
            yield Fault(RESULT, "reason", f"{result.reason} after {used} pairs", f"{most} allowed")
    yield from _repeats_check(result)


def _repeats_check(result: GateResult) -> Iterator[Fault]:
    for at, pair in enumerate(result.pairs):
        if loop_end(pair.draft_sha256, result.pairs[:at]):
            place = f"pairs[{at}].draft"
            yield Fault(RESULT, place, "a draft that was there before", "a new draft")


def texts_check(result: GateResult, corpus: Corpus) -> Iterator[Fault]:
    """Check both texts and the Divergence Report against what they follow from."""
    baseline = result.pairs[0].draft if result.pairs else ""
    published = _published(result, corpus)
    for name, found, expected in (
        ("baseline_text", result.baseline_text, baseline),
        ("apg_text", result.apg_text, published),
        ("has_contrast", result.has_contrast, bool(published) and published != baseline),
    ):
        if found != expected:
            yield Fault(RESULT, name, shown(found), shown(expected))
    report = None
    if result.outcome is Outcome.DIVERGENCE and result.pairs:
        report = divergence_report(
            corpus=corpus,
            pairs=result.pairs,
            best=best_pair(result.pairs),
            end=result.reason,
            policy=result.config.policy,
        )
    yield from values_compare(DIVERGENCE, "", result.divergence, report)


def _published(result: GateResult, corpus: Corpus) -> str:
    if not result.pairs or result.outcome is Outcome.NOT_JUDGED:
        return ""
    if result.outcome is Outcome.SYNTHESIS:
        return result.pairs[-1].draft
    report = divergence_report(
        corpus=corpus,
        pairs=result.pairs,
        best=best_pair(result.pairs),
        end=result.reason,
        policy=result.config.policy,
    )
    return divergence_render(report, language=result.config.language)
