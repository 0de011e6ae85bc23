"""The only place where stages meet: one run of the gate, state by state."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from apg_engine.calibration.fidelity import CalibratedFidelity, fidelity_calibrate
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.config import GateConfig
from apg_engine.endings import (
    REPEATS,
    Ending,
    blinding_warnings,
    disagreement_warnings,
    left_out_warnings,
    role_warnings,
)
from apg_engine.journal import CallJournal, CallLedger
from apg_engine.matching.index import index_of
from apg_engine.measures import run_measures
from apg_engine.proposers.protocol import Proposal, Refusal
from apg_engine.reading.coverage import draft_coverage
from apg_engine.records import Fidelity, Sentence, Trace, Verdict
from apg_engine.results import GateResult, LeftOut, Outcome, Pair, Progress
from apg_engine.roles import Models, model_names
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.audit import Audit, draft_audit
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.divergence import divergence_report
from apg_engine.stages.divergence_prose import divergence_render
from apg_engine.stages.repair import (
    best_pair,
    deletion_find,
    draft_preservation,
    hint_write,
    loop_end,
    pair_refusals,
    verdicts_known,
)
from apg_engine.stages.sentences import draft_sentences
from apg_engine.stages.synthesis import draft_write
from apg_engine.states import MOVES, Reason, State, move
from apg_engine.traces import trace_sha256


def gate(
    trace: Trace,
    *,
    config: GateConfig,
    models: Models,
    journal: CallJournal,
    on_progress: Callable[[Progress], None] | None = None,
) -> GateResult:
    """Turn a debate trace into a verified synthesis or a Divergence Report.

    Every model call goes through `journal`: an interrupted run that is started again with the
    same arguments finds its recorded calls and does not repeat them.

    Raises:
        JournalMismatchError: the journal belongs to another run.
    """
    run = _Run(trace, config, models, CallLedger(journal), on_progress)
    while MOVES[run.state]:
        run.step()
    return run.result()


class _Run:
    """What a run knows so far. Each method is one state; it ends with a move."""

    def __init__(
        self,
        trace: Trace,
        config: GateConfig,
        models: Models,
        calls: CallLedger,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        self._trace = trace
        self._config = config
        self._models = models
        self._calls = calls
        self._on_progress = on_progress
        self._corpus = corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)
        self._end = Ending()
        self._draft = ""
        self._pairs: list[Pair] = []
        self._refused: tuple[Refusal, ...] = ()
        self._left_out: list[LeftOut] = []
        self.state = State.ASSEMBLING

    def step(self) -> None:
        """Do what the present state is for, and move on."""
        self._tell()
        match self.state:
            case State.ASSEMBLING:
                self._assemble()
            case State.PROPOSING:
                self._propose()
            case State.AUDITING:
                self._audit()
            case State.DECIDING:
                self._decide()
            case State.REPAIRING:
                self._repair()
            case State.REPORTING:
                self._report()
            case State.PUBLISHED | State.DIVERGED | State.NOT_JUDGED:
                self.state = move(self.state, self.state)

    def _tell(self) -> None:
        if self._on_progress:
            number = len(self._pairs) + (self.state in {State.PROPOSING, State.AUDITING})
            self._on_progress(Progress(self.state.value, number))

    def _assemble(self) -> None:
        if not self._corpus.items or not self._trace.turns:
            self._stop(Reason.EMPTY_CORPUS, "the trace holds no text a draft could rest on")
        else:
            self.state = move(self.state, State.PROPOSING)

    def _propose(self) -> None:
        previous = self._pairs[-1] if self._pairs else None
        proposal = Proposal(
            corpus=self._corpus,
            language=self._config.language,
            pair_number=len(self._pairs) + 1,
            previous_draft=previous.draft if previous else "",
            hint=previous.hint if previous else "",
            refused=self._refused,
        )
        draft, failure, detail = draft_write(
            proposer=self._models.proposer, proposal=proposal, calls=self._calls
        )
        repeats = None if failure else loop_end(_sha256(draft), self._pairs)
        self._note_left_out(proposal.pair_number)
        if failure:
            self._stop(failure, detail or f"the proposer gave no draft: {failure}")
        elif repeats:
            self._end = replace(self._end, reason=repeats, detail=REPEATS[repeats])
            self.state = move(self.state, State.REPORTING)
        else:
            self._draft = draft
            self.state = move(self.state, State.AUDITING)

    def _audit(self) -> None:
        sentences = draft_sentences(self._draft)
        audit = self._audited(sentences, known=verdicts_known(self._pairs, self._config.policy))
        pair = Pair(
            number=len(self._pairs) + 1,
            draft=self._draft,
            draft_sha256=_sha256(self._draft),
            sentences=sentences,
            verdicts=audit.verdicts,
            fidelity=audit.fidelity,
            calibrated=self._calibrated(audit.fidelity),
            counts=audit.counts,
            coverage=draft_coverage(index_of(self._corpus), sentences),
            preserved=draft_preservation(self._pairs[-1], sentences) if self._pairs else None,
        )
        failed = audit
        if pair.passes(self._config.threshold_percent) and not self._models.auditor.offline:
            pair, failed = self._confirm(pair)
        self._note_left_out(pair.number)
        self._pairs.append(pair)
        if failed.failure:
            self._stop(failed.failure, failed.detail)
        else:
            self.state = move(self.state, State.DECIDING)

    def _confirm(self, pair: Pair) -> tuple[Pair, Audit]:
        """Have a passing draft audited once more in full: a model may say yes by chance."""
        self._calls.purpose = "confirmation"
        again = self._audited(pair.sentences, known={})
        self._calls.purpose = ""
        return replace(pair, confirmation=again.verdicts, confirmed=again.fidelity), again

    def _audited(self, sentences: Sequence[Sentence], *, known: Mapping[str, Verdict]) -> Audit:
        return draft_audit(
            auditor=self._models.auditor,
            sentences=sentences,
            corpus=self._corpus,
            calls=self._calls,
            policy=self._config.policy,
            known=known,
        )

    def _note_left_out(self, pair_number: int) -> None:
        for role, addresses in sorted(self._calls.left_out.items()):
            order = [a for a in index_of(self._corpus).addresses if a in addresses]
            self._left_out.append(LeftOut(pair_number, role, tuple(order)))
        self._calls.left_out.clear()

    def _calibrated(self, fidelity: Fidelity | None) -> CalibratedFidelity | None:
        if fidelity is None:
            return None
        return fidelity_calibrate(
            fidelity,
            card=self._models.card,
            auditor_sha256=auditor_sha256(self._models.auditor),
            language=self._trace.language,
        )

    def _decide(self) -> None:
        pair = self._pairs[-1]
        if pair.passes(self._config.threshold_percent):
            self._publish(pair)
        elif pair.number < self._config.pairs:
            self.state = move(self.state, State.REPAIRING)
        else:
            detail = f"no draft passed in {pair.number} proposer-auditor pairs"
            self._end = replace(self._end, reason=Reason.PAIRS_USED, detail=detail)
            self.state = move(self.state, State.REPORTING)

    def _publish(self, pair: Pair) -> None:
        """Publish a passing draft, unless it passes because it no longer answers."""
        emptied = deletion_find(self._pairs[0], pair)
        if emptied or pair.fidelity is None:
            self._end = replace(self._end, reason=Reason.DELETION_ONLY, detail=emptied)
            self.state = move(self.state, State.REPORTING)
        else:
            detail = f"{pair.fidelity.supported} of {pair.fidelity.total} claims are supported"
            self._end = Ending(Outcome.SYNTHESIS, Reason.PASSED, detail, text=pair.draft)
            self.state = move(self.state, State.PUBLISHED)

    def _repair(self) -> None:
        pair = self._pairs[-1]
        self._refused = pair_refusals(pair, self._config.policy)
        self._pairs[-1] = replace(pair, hint=hint_write(self._refused))
        self.state = move(self.state, State.PROPOSING)

    def _report(self) -> None:
        report = divergence_report(
            corpus=self._corpus,
            pairs=self._pairs,
            best=best_pair(self._pairs),
            end=self._end.reason,
            policy=self._config.policy,
        )
        text = divergence_render(report, language=self._config.language)
        self._end = replace(self._end, outcome=Outcome.DIVERGENCE, text=text, divergence=report)
        self.state = move(self.state, State.DIVERGED)

    def _stop(self, reason: Reason, detail: str) -> None:
        self._end = Ending(Outcome.NOT_JUDGED, reason, detail)
        self.state = move(self.state, State.NOT_JUDGED)

    def result(self) -> GateResult:
        """Give the result of a run that has ended."""
        measures = run_measures(self._pairs, self._models, self._corpus, self._calls)
        self._note_left_out(len(self._pairs))
        baseline = self._pairs[0].draft if self._pairs else ""
        return GateResult(
            outcome=self._end.outcome,
            reason=self._end.reason.value,
            detail=self._end.detail,
            pairs=tuple(self._pairs),
            baseline_text=baseline,
            apg_text=self._end.text,
            has_contrast=bool(self._end.text) and self._end.text != baseline,
            divergence=self._end.divergence,
            warnings=self._warnings(baseline),
            models=model_names(self._models),
            config=self._config,
            trace_sha256=trace_sha256(self._trace),
            corpus_sha256=self._corpus.sha256,
            segmenter=SEGMENTER,
            prompts=self._models.prompts,
            card=self._models.card,
            measures=measures,
            left_out=tuple(self._left_out),
        )

    def _warnings(self, baseline: str) -> tuple[str, ...]:
        return (
            *role_warnings(self._config, self._models),
            *blinding_warnings(baseline, self._end.text),
            *self._models.warnings,
            *disagreement_warnings(self._pairs),
            *dict.fromkeys(self._calls.warnings),
            *left_out_warnings(self._corpus, self._left_out),
            *self._corpus.warnings,
            *self._trace.warnings,
        )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
