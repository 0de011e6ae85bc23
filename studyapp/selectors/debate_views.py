"""What pages and programs are told of a study's debates: a row, a run as far as it is, an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import number_format

from studyapp.models import RunState
from studyapp.seams import debates as engine
from studyapp.selectors import debate_words as words
from studyapp.selectors.cast import CastRow, cast_rows


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
    """Who is asked at this moment, in which round and what for; in a trial also in which run."""

    role: str
    round: int
    purpose: str
    is_switched: bool

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
                f"{item.id} {number_format(item.weight, 2)} {words.admission_word(item.admission)}"
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
    speakers: tuple[tuple[str, str, bool], ...]
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
        return {role: name for role, name, _ in self.speakers}

    @property
    def cast(self) -> tuple[CastRow, ...]:
        """Who speaks, with the roles in words."""
        return cast_rows(
            (role, "" if offline else name, offline) for role, name, offline in self.speakers
        )

    @property
    def most(self) -> str:
        """The limits in words."""
        set_ = {name: most for name, most in self.limits.items() if most is not None}
        return ", ".join(f"{intcomma(most)} {words.cap_word(name)}" for name, most in set_.items())

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
