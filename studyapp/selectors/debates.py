"""A study's debates as pages and programs read them: how far each is, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.fields.json import KT

from studyapp.models import BranchState, DebateRun, DebateSystem, ModelCall
from studyapp.seams import debates as engine
from studyapp.selectors.debate_views import (
    Asked,
    Ballot,
    DebateResult,
    DebateRow,
    DebateView,
    RunPart,
    StepView,
)
from studyapp.selectors.rows import Rows


def debates_rows(study_id: int, *, state: str | None = None) -> Rows[DebateRow]:
    """Return a study's debates, the newest first, without their records, which are large."""
    rows = _debates(study_id).defer("record", "spent")
    chosen = rows if state is None else rows.filter(state=state)
    return Rows(chosen.order_by("-pk"), _row)


def debate_find(*, study_id: int, debate_id: int) -> DebateView | None:
    """Return a debate of a study, or None if the study has no such debate."""
    rows = _debates(study_id).filter(pk=debate_id)
    debate = rows.select_related("scenario", "corpus").defer("corpus__documents").first()
    return None if debate is None else _view(debate)


def _debates(study_id: int) -> QuerySet[Any]:
    """Choose a study's debates, with why each ended."""
    rows = DebateRun.objects.filter(study_id=study_id).select_related("scenario")
    return rows.annotate(stop=KT("record__stop__reason"), is_whole=F("record__stop__is_whole"))


def _row(debate: Any) -> DebateRow:
    config = debate.config
    return DebateRow(
        id=debate.pk,
        system=debate.system,
        preset=debate.preset,
        about=config["claim" if debate.system == DebateSystem.COURTROOM else "scenario"],
        seed=config["seed"],
        state=debate.state,
        stop=debate.stop or "",
        is_whole=debate.is_whole or False,
        scenario=debate.scenario.key if debate.scenario else "",
        error=debate.error,
        created_at=debate.created_at,
        finished_at=debate.finished_at,
    )


def _view(debate: Any) -> DebateView:
    calls = _calls(debate)
    steps = engine.steps_read(calls, system=debate.system, config=debate.config)
    branches = list(debate.branches.all())
    is_in_switched = engine.switched_branches(debate.system, debate.config)
    speakers = engine.roles_told(debate.system, debate.config)
    return DebateView(
        row=_row(debate),
        speakers=speakers,
        is_offline=engine.is_offline(debate.system, debate.config),
        corpus=debate.corpus.file_name if debate.corpus else "",
        embedder=debate.embedder,
        limits=debate.config["limits"]["run"],
        asked=tuple(
            _asked(branch.stage, is_switched=is_in_switched(branch.name))
            for branch in branches
            if branch.state == BranchState.RUNNING and branch.stage
        ),
        parts=tuple(_parts(steps)),
        calls=len(calls),
        spent=engine.spent_sum(debate.spent, system=debate.system, config=debate.config),
        attempts=max((branch.attempts for branch in branches), default=0),
        started_at=debate.started_at,
        result=None if debate.record is None else _result(debate.record),
        has_trace=debate.trace_id is not None,
    )


def _calls(debate: DebateRun) -> list[engine.CallRow]:
    """Read of each call what was answered; the prompts are many times as long.

    Texts are taken out as texts: SQLite would read a reply that is JSON itself.
    """
    rows = ModelCall.objects.filter(debate=debate).order_by("sequence")
    values = rows.values_list(
        "sequence",
        "role",
        "record__request__round",
        KT("record__request__asked_for"),
        KT("record__status"),
        KT("record__reply"),
    )
    return [
        engine.CallRow(sequence, role, round_ or 0, purpose or "", status, reply or "")
        for sequence, role, round_, purpose, status, reply in values
    ]


def _asked(stage: str, *, is_switched: bool) -> Asked:
    role, _, rest = stage.partition(" ")
    round_, _, purpose = rest.partition(" ")
    return Asked(role, int(round_ or 0), purpose, is_switched)


def _parts(steps: Sequence[engine.Step]) -> list[RunPart]:
    first = [step for step in steps if not step.is_switched]
    switched = [step for step in steps if step.is_switched]
    return [_part(first, is_switched=False)] + (
        [_part(switched, is_switched=True)] if switched else []
    )


def _part(steps: Sequence[engine.Step], *, is_switched: bool) -> RunPart:
    counted = [step for step in steps if not step.is_failed and not step.is_replaced]
    weighed = {item.id: item.admission for step in counted for item in step.items}
    return RunPart(
        is_switched=is_switched,
        steps=tuple(StepView(step) for step in steps if step.kind is not engine.StepKind.PRIVATE),
        turns=sum(step.kind is engine.StepKind.TURN for step in counted),
        searches=sum(step.kind is engine.StepKind.SEARCH for step in counted),
        admitted=tuple(name for name, admission in weighed.items() if admission == "admitted"),
        ballots=tuple(
            Ballot(step.role, "" if step.is_failed else step.text)
            for step in steps
            if step.kind is engine.StepKind.BALLOT and not step.is_replaced
        ),
    )


def _result(record: Mapping[str, Any]) -> DebateResult:
    stop, other = record["stop"], record.get("switched_run") or {}
    turns = [*record["turns"], *other.get("turns", ())]
    told = [warning for turn in turns for warning in turn["warnings"]]
    is_trial = record["system"] == engine.COURTROOM
    return DebateResult(
        reason=stop["reason"],
        detail=stop["detail"],
        is_whole=stop["is_whole"],
        rounds=stop["rounds_held"],
        warnings=tuple(dict.fromkeys([*told, *record["warnings"], *other.get("warnings", ())])),
        failed_calls=len(record["failed_calls"]),
        verdict=record["verdict"] if is_trial else {},
        consistency=record.get("consistency") or {},
        allocation=record.get("allocation", {}),
        conflict=record.get("conflict", {}).get("level", ""),
    )
