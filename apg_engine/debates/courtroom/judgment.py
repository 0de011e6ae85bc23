"""The court's written judgment, and its way through the Active Provenance Gate.

The court writes inside the debate's journal; the gate gets what it wrote as a script, so that a run
of the gate can be replayed alone. The gate's record holds exactly the turns and exhibits the court
was shown in full: a sentence that passes rests on a span its author has read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apg_engine.config import GateConfig, ModelSpec
from apg_engine.debates.budget import DebateBudget, ScopeSpentError
from apg_engine.debates.calls import DebateCalls
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.holding import CourtroomDebate
from apg_engine.debates.courtroom.seats import Seat
from apg_engine.debates.gate_run import gate_summary, not_judged
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer
from apg_engine.journal import CallJournal
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.prompting import json_lines, json_text
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.records import Trace
from apg_engine.results import GateResult, Outcome
from apg_engine.spending.budget import BudgetSpentError, GuardedJournal
from apg_engine.spending.estimates import call_estimate
from apg_engine.stages.repair import pair_refusals
from apg_engine.traces import trace_sha256


@dataclass(frozen=True, slots=True)
class _Means:
    """What a judgment is gated with.

    Attributes:
        shown: ids of what its author was shown in full.
    """

    config: GateConfig
    court: Seat
    budget: DebateBudget
    environment: Mapping[str, str]
    shown: frozenset[str] = frozenset()


def judgment_gate(
    debate: CourtroomDebate,
    *,
    path: Path,
    config: GateConfig,
    court: Seat,
    budget: DebateBudget,
    environment: Mapping[str, str],
) -> dict[str, Any]:
    """Have the judgment written, gate it in a folder, and sum the result up for the record.

    A trial that did not end by its rules has no judgment.

    Raises:
        ModelSetupError: the auditor cannot be built.
        JournalMismatchError: the folder holds another run.
    """
    if debate.trace is None or not debate.first.tried.is_whole:
        return not_judged("partial", f"there is no finding to write about ({debate.end.detail})")
    means = _Means(config, court, budget, environment)
    try:
        answer, text = court.take(
            steps.judgment(debate.matter, shown=_shown(debate)), _calls(debate)
        )
        if not text:
            return not_judged(answer.status.value, f"the court wrote no judgment: {answer.detail}")
        means = replace(means, shown=_whole(answer))
        return _gated(debate, means, _seen(debate.trace, answer), text, path)
    except ScopeSpentError as error:
        return not_judged("budget", str(error))


def _gated(
    debate: CourtroomDebate, means: _Means, trace: Trace, text: str, path: Path
) -> dict[str, Any]:
    with RunDirectory(path, trace) as directory:
        journal = GuardedJournal(
            directory.journal(),
            budget=means.budget.run,
            estimate=call_estimate(means.config, trace, prices=means.budget.prices),
            prices=means.budget.prices,
        )
        try:
            result = _judged(debate, means, trace, text, journal)
        except BudgetSpentError as error:
            journal.release()
            raise ScopeSpentError("run", error) from error
        directory.write(result)
    return {**gate_summary(result), "judgment": result.apg_text, "draft": result.baseline_text}


def _judged(
    debate: CourtroomDebate, means: _Means, trace: Trace, text: str, journal: CallJournal
) -> GateResult:
    """Gate the drafts so far; ask for one more while sentences are refused and pairs are left.

    Each time the gate finds its recorded calls, so that none is made twice.
    """
    drafts = [text]
    while True:
        config = _scripted(means, tuple(drafts))
        models = models_from_config(config, environment=means.environment)
        result = gate(trace, config=config, models=models, journal=journal)
        is_open = result.outcome is Outcome.DIVERGENCE and len(result.pairs) == len(drafts)
        if not is_open or len(drafts) == means.config.pairs:
            return result
        again = _repaired(debate, means, result)
        if not again:
            return result
        drafts.append(again)


def _repaired(debate: CourtroomDebate, means: _Means, result: GateResult) -> str:
    refused = [
        {"id": one.sentence_id, "text": one.sentence, "why": one.reason}
        for one in pair_refusals(result.pairs[-1], means.config.policy)
    ]
    repair = {"draft": json_text(result.pairs[-1].draft), "refused": json_lines(refused)}
    step = steps.judgment(debate.matter, shown=_shown(debate), repair=repair)
    answer, text = means.court.take(step, _calls(debate))
    # The draft takes room too: what is shown no more cannot carry a sentence that is written now.
    return text if text and means.shown <= _whole(answer) else ""


def _scripted(means: _Means, drafts: tuple[str, ...]) -> GateConfig:
    author = ModelSpec(kind="scripted", name=f"judgment by {means.court.name}", script=drafts)
    return replace(means.config, proposer=author, pairs=len(drafts))


def _shown(debate: CourtroomDebate) -> tuple[Piece, ...]:
    """Exhibits and turns; the announcement is kept longest where a context is small."""
    *turns, announced = debate.floor.pieces()
    exhibits = (item.piece for item in debate.first.play.room.docket.admitted)
    return (*exhibits, *turns, replace(announced, rank=0))


def _calls(debate: CourtroomDebate) -> DebateCalls:
    return debate.floor.calls


def _seen(trace: Trace, answer: Answer) -> Trace:
    """Keep of a trace what the author of a text was shown in full; turns are numbered anew."""
    whole = _whole(answer)
    documents = tuple(one for one in trace.documents if one.id in whole)
    known = {one.id for one in documents}
    places = [turn.number for turn in trace.turns]
    kept = [turn for turn in trace.turns if f"T{_spoken(answer, places, turn.number)}" in whole]
    turns = tuple(
        replace(turn, number=number, evidence=tuple(e for e in turn.evidence if e in known))
        for number, turn in enumerate(kept, start=1)
    )
    seen = replace(trace, turns=turns, documents=documents)
    return replace(seen, source=replace(seen.source, sha256=trace_sha256(seen)))


def _whole(answer: Answer) -> frozenset[str]:
    return frozenset(one.id for one in answer.exposures if one.shown and not one.is_cut)


def _spoken(answer: Answer, places: list[int], number: int) -> int:
    """Give a turn's number in the debate; a fork's trace counts without what it withholds."""
    spoken = [int(one.id[1:]) for one in answer.exposures if one.id[:1] == "T"]
    return spoken[places.index(number)]
