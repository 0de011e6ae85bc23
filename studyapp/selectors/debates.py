"""A study's debates as pages and programs read them: how far each is, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studyapp.models import BranchState, DebateRun, DebateSystem, ModelCall, RunState
from studyapp.seams import debates as engine
from studyapp.selectors import debate_words as words
from studyapp.selectors.rows import Rows


@dataclass(frozen=True, slots=True)
class DebateRow:
    """One debate of a study; `about` is its scenario's name or its claim."""

    id: int
    system: str
    preset: str
    about: str
    seed: int
    state: str
    stop: str
    is_whole: bool
    scenario: str
    error: str
    created_at: datetime
    finished_at: datetime | None

    @property
    def is_live(self) -> bool:
        """Whether a worker is expected to change it soon."""
        return self.state in (RunState.QUEUED, RunState.RUNNING)


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked at this moment, in which round and what for."""

    role: str
    round: int
    purpose: str

    @property
    def who(self) -> str:
        """The role in words."""
        return words.role_word(self.role)

    @property
    def what(self) -> str:
        """The purpose in words."""
        return words.purpose_word(self.purpose)


@dataclass(frozen=True, slots=True)
class Ballot:
    """How a judge voted; the finding is empty where the ballot could not be read."""

    judge: str
    finding: str

    @property
    def who(self) -> str:
        """The judge in words."""
        return words.role_word(self.judge)

    @property
    def what(self) -> str:
        """The finding in words."""
        return words.finding_word(self.finding)


@dataclass(frozen=True, slots=True)
class StepView:
    """One recorded call of the public part of a debate."""

    step: engine.Step

    @property
    def kind(self) -> str:
        """What it was for."""
        return self.step.kind.value

    @property
    def who(self) -> str:
        """Who was asked, in words."""
        return words.role_word(self.step.role)

    @property
    def told(self) -> str:
        """What came of it, in words; the text itself where somebody spoke."""
        if self.step.kind is engine.StepKind.BALLOT:
            return words.finding_word(self.step.text)
        if self.step.kind is engine.StepKind.WEIGHTS:
            return "; ".join(
                f"{item.id} {item.weight:.2f} {words.admission_word(item.admission)}"
                for item in self.step.items
            )
        return self.step.text


@dataclass(frozen=True, slots=True)
class RunPart:
    """One run of a debate as far as it is: a trial may have a second one with exchanged counsel.

    `admitted` holds its exhibits by name.
    """

    is_switched: bool
    steps: tuple[StepView, ...]
    turns: int
    searches: int
    admitted: tuple[str, ...]
    ballots: tuple[Ballot, ...]


@dataclass(frozen=True, slots=True)
class DebateView:
    """Everything a debate's page shows; `result` is its record once it is over."""

    row: DebateRow
    speakers: tuple[tuple[str, str], ...]
    is_offline: bool
    corpus: str
    embedder: str
    limits: Mapping[str, Any]
    asked: tuple[Asked, ...]
    parts: tuple[RunPart, ...]
    calls: int
    spent: engine.SpentSum
    attempts: int
    started_at: datetime | None
    result: DebateResult | None
    has_trace: bool

    @property
    def speaker_of(self) -> dict[str, str]:
        """Who speaks, by role."""
        return dict(self.speakers)

    @property
    def cast(self) -> tuple[tuple[str, str], ...]:
        """Who speaks, with the roles in words."""
        return tuple((words.role_word(role), name) for role, name in self.speakers)

    @property
    def most(self) -> str:
        """The limits in words."""
        set_ = {name: most for name, most in self.limits.items() if most is not None}
        return ", ".join(f"{most:g} {words.cap_word(name)}" for name, most in set_.items())

    @property
    def can_retry(self) -> bool:
        """Whether the researcher may queue it again."""
        return self.row.state in (RunState.FAILED, RunState.CANCELLED)

    @property
    def can_take(self) -> bool:
        """Whether it has a trace that is in no scenario."""
        return self.has_trace and not self.row.scenario


@dataclass(frozen=True, slots=True)
class DebateResult:
    """How a debate ended: why, what was noticed, and what it came to.

    `verdict` is a trial's, `allocation` a committee's, and the other is empty.
    """

    reason: str
    detail: str
    is_whole: bool
    rounds: int
    warnings: tuple[str, ...]
    failed_calls: int
    verdict: Mapping[str, Any]
    consistency: Mapping[str, Any]
    allocation: Mapping[str, Any]
    conflict: str

    @property
    def why(self) -> str:
        """The reason in words."""
        return words.stop_word(self.reason)

    @property
    def found(self) -> str:
        """A trial's finding in words, with how the panel came to it."""
        finding = words.finding_word(self.verdict["finding"])
        return f"{finding} ({words.outcome_word(self.verdict['outcome'])})"

    @property
    def exchanged(self) -> str:
        """The findings of both runs of a trial in words."""
        return " / ".join(words.finding_word(one) for one in self.consistency["findings"])


def debates_rows(study_id: int, *, state: str | None = None) -> Rows[DebateRow]:
    """Return a study's debates, the newest first."""
    rows = DebateRun.objects.filter(study_id=study_id).select_related("scenario")
    chosen = rows if state is None else rows.filter(state=state)
    return Rows(chosen.order_by("-pk"), _row)


def debate_find(*, study_id: int, debate_id: int) -> DebateView | None:
    """Return a debate of a study, or None if the study has no such debate."""
    rows = DebateRun.objects.filter(study_id=study_id, pk=debate_id)
    debate = rows.select_related("scenario", "corpus").defer("corpus__documents").first()
    return None if debate is None else _view(debate)


def _row(debate: DebateRun) -> DebateRow:
    config = debate.config
    stop = (debate.record or {}).get("stop", {})
    return DebateRow(
        id=debate.pk,
        system=debate.system,
        preset=debate.preset,
        about=config["claim" if debate.system == DebateSystem.COURTROOM else "scenario"],
        seed=config["seed"],
        state=debate.state,
        stop=stop.get("reason", ""),
        is_whole=stop.get("is_whole", False),
        scenario=debate.scenario.key if debate.scenario else "",
        error=debate.error,
        created_at=debate.created_at,
        finished_at=debate.finished_at,
    )


def _view(debate: DebateRun) -> DebateView:
    calls = _calls(debate)
    steps = engine.steps_read(calls, system=debate.system, config=debate.config)
    branches = list(debate.branches.all())
    speakers = engine.roles_told(debate.system, debate.config)
    return DebateView(
        row=_row(debate),
        speakers=speakers,
        is_offline=engine.is_offline(debate.system, debate.config),
        corpus=debate.corpus.file_name if debate.corpus else "",
        embedder=debate.embedder,
        limits=debate.config["limits"]["run"],
        asked=tuple(
            _asked(branch.stage)
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
    """Read of each call what was answered; the prompts are many times as long."""
    rows = ModelCall.objects.filter(debate=debate).order_by("sequence")
    values = rows.values_list(
        "sequence",
        "role",
        "record__request__round",
        "record__request__asked_for",
        "record__status",
        "record__reply",
    )
    return [
        engine.CallRow(sequence, role, round_ or 0, purpose or "", status, reply or "")
        for sequence, role, round_, purpose, status, reply in values
    ]


def _asked(stage: str) -> Asked:
    role, _, rest = stage.partition(" ")
    round_, _, purpose = rest.partition(" ")
    return Asked(role, int(round_ or 0), purpose)


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
