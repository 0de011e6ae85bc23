"""Initial and terminal PF of a run: by the auditor that steered it, and by one that did not."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine.auditors.protocol import Auditor
from apg_engine.journal import CallLedger
from apg_engine.records import Corpus, Counts
from apg_engine.results import Measure, Pair
from apg_engine.roles import Models
from apg_engine.stages.audit import draft_audit


def run_measures(
    pairs: Sequence[Pair], models: Models, corpus: Corpus, calls: CallLedger
) -> tuple[Measure, ...]:
    """Count the first and the last draft; a PF that steered the repair is circular as a measure."""
    if not pairs:
        return ()
    first, last = pairs[0], pairs[-1]
    steered = Measure(models.auditor.name, "steered", first.counts, last.counts)
    if models.measurer is None:
        return (steered,)
    calls.purpose = "measure"
    initial = _measured(models.measurer, first, corpus, calls)
    terminal = initial if last is first else _measured(models.measurer, last, corpus, calls)
    calls.purpose = ""
    return steered, Measure(models.measurer.name, "measured", initial, terminal)


def _measured(measurer: Auditor, pair: Pair, corpus: Corpus, calls: CallLedger) -> Counts | None:
    audit = draft_audit(auditor=measurer, sentences=pair.sentences, corpus=corpus, calls=calls)
    if audit.failure:
        told = f"{measurer.name} gives no PF for draft {pair.number}: {audit.detail}"
        calls.warnings.append(told)
    return audit.counts
