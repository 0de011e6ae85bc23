"""What a batch tells about one run: a row of figures, and a line for each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from apg_engine.journal import CallRecord
from apg_engine.records import Fidelity, Trace
from apg_engine.results import GateResult, Pair
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import Spent, calls_spent
from apg_engine.traces import ConflictRule, conflict_level

COLUMNS = (
    "run",
    "trace",
    "trace_sha256",
    "language",
    "conflict_level",
    "conflict_rule",
    "proposer",
    "auditor",
    "offline",
    "policy",
    "threshold_percent",
    "pf_initial_paper",
    "pf_initial_strict",
    "pf_terminal_paper",
    "pf_terminal_strict",
    "pf_history",
    "sentences",
    "claims",
    "pairs_used",
    "outcome",
    "reason",
    "words_first",
    "words_last",
    "first_prompt_tokens",
    "first_completion_tokens",
    "first_cost",
    "first_seconds",
    "gate_calls",
    "gate_prompt_tokens",
    "gate_completion_tokens",
    "gate_cost",
    "gate_seconds",
    "currency",
)
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run that has ended, with all that its row is made of."""

    name: str
    trace: Trace
    result: GateResult
    records: tuple[CallRecord, ...]


def run_row(run: EndedRun, *, prices: PriceTable, rule: ConflictRule | None) -> dict[str, Cell]:
    """Give a run's row; what is not known is empty, never 0.

    PF is a share, 0 to 1, before anything was published: of the first and of the last draft,
    under both policies. `first_` is the proposer's first call, `gate_` all calls after it.

    Args:
        run: the run.
        prices: for what its calls cost.
        rule: how the conflict level is told; None keeps what the trace says.
    """
    result, trace = run.result, run.trace
    level, rule_name = _conflict(trace, rule)
    pairs = result.pairs
    last = pairs[-1] if pairs else None
    return {
        "run": run.name,
        "trace": trace.source.file_name,
        "trace_sha256": result.trace_sha256,
        "language": trace.language,
        "conflict_level": level,
        "conflict_rule": rule_name,
        "proposer": result.models.proposer,
        "auditor": result.models.auditor,
        "offline": _offline(result),
        "policy": result.config.policy,
        "threshold_percent": result.config.threshold_percent,
        **_fidelities(pairs),
        "sentences": len(last.sentences) if last else None,
        "claims": last.fidelity.total if last and last.fidelity else None,
        "pairs_used": len(pairs),
        "outcome": result.outcome.value,
        "reason": result.reason,
        "words_first": len(pairs[0].draft.split()) if pairs else None,
        "words_last": len(last.draft.split()) if last else None,
        **_costs(run.records, prices),
        "currency": prices.currency,
    }


def sentence_lines(run: EndedRun) -> Iterator[dict[str, Any]]:
    """Give a line for each sentence of each draft, with its verdict if it is a claim."""
    for pair in run.result.pairs:
        verdicts = {verdict.sentence_id: verdict for verdict in pair.verdicts}
        for sentence in pair.sentences:
            verdict = verdicts.get(sentence.id)
            yield {
                "run": run.name,
                "trace": run.trace.source.file_name,
                "pair": pair.number,
                "sentence": asdict(sentence),
                "verdict": asdict(verdict) if verdict else None,
            }


def _conflict(trace: Trace, rule: ConflictRule | None) -> tuple[str, str]:
    if rule is not None:
        return conflict_level(trace.shocks, rule=rule), rule
    told_by_rule = trace.conflict_level == conflict_level(trace.shocks)
    return trace.conflict_level, "zero_sum" if told_by_rule else "as the trace says"


def _offline(result: GateResult) -> str:
    models = result.models
    roles = [("proposer", models.proposer_offline), ("auditor", models.auditor_offline)]
    return " and ".join(role for role, offline in roles if offline) or "no"


def _fidelities(pairs: Sequence[Pair]) -> dict[str, Cell]:
    first, last = (pairs[0], pairs[-1]) if pairs else (None, None)
    cells: dict[str, Cell] = {}
    for when, pair in (("initial", first), ("terminal", last)):
        counts = pair.counts if pair else None
        cells[f"pf_{when}_paper"] = _share(counts.paper if counts else None)
        cells[f"pf_{when}_strict"] = _share(counts.strict if counts else None)
    cells["pf_history"] = " ".join(_counted(pair.fidelity) for pair in pairs)
    return cells


def _share(fidelity: Fidelity | None) -> float | None:
    if fidelity is None or not fidelity.total:
        return None
    return round(fidelity.supported / fidelity.total, 6)


def _counted(fidelity: Fidelity | None) -> str:
    return f"{fidelity.supported}/{fidelity.total}" if fidelity else "none"


def _costs(records: Sequence[CallRecord], prices: PriceTable) -> dict[str, Cell]:
    first = calls_spent(records[:1], prices=prices)
    rest = calls_spent(records[1:], prices=prices)
    return {
        **{f"first_{name}": value for name, value in _amounts(first).items()},
        "gate_calls": rest.calls,
        **{f"gate_{name}": value for name, value in _amounts(rest).items()},
    }


def _amounts(spent: Spent) -> dict[str, Cell]:
    return {
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "cost": None if spent.cost is None else round(spent.cost, 6),
        "seconds": None if spent.seconds is None else round(spent.seconds, 3),
    }
