"""Hold one branch of a debate on the database's journal; what comes of it is plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apg_engine.debates.committee.config import CommitteeConfig
from apg_engine.debates.committee.holding import cast_build as committee_cast
from apg_engine.debates.committee.holding import committee_hold
from apg_engine.debates.courtroom.casting import cast_build as courtroom_cast
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.holding import Conduct, courtroom_hold
from apg_engine.debates.fan_out import BranchEndedError, Branches, ForkReachedError
from apg_engine.debates.floor import Floor
from apg_engine.debates.record_json import record_to_dict
from apg_engine.debates.turn_loop import DebateEnd
from apg_engine.errors import EngineError
from apg_engine.records import Trace
from apg_engine.spending.prices import prices_packaged
from apg_engine.spending.spent import calls_spent
from apg_engine.traces import trace_to_bytes
from studyapp.errors import GenerationError
from studyapp.seams.debates.budget import SharedBudget
from studyapp.seams.debates.journal import DebateJournal, Hand
from studyapp.seams.debates.setting import config_load
from studyapp.seams.debates.uploads import Evidence, index_of


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker does of a debate.

    Attributes:
        debate_id: the debate, and `branch_id` the row of the branch named `branch`.
        evidence: of a trial; None for a committee.
        is_done: tells of other branches, by name, as it was before the work began.
    """

    debate_id: int
    branch_id: int
    branch: str
    system: str
    config: Mapping[str, Any]
    evidence: Evidence | None
    is_done: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Forked:
    """The line forks, and these branches have to be done first."""

    branches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The worker's own branch is done."""


@dataclass(frozen=True, slots=True)
class Held:
    """The whole debate is over.

    Attributes:
        trace: as a file; None where nobody spoke.
        is_whole: False where a limit or a failure ended it.
        record: how it was held, as JSON.
    """

    trace: bytes | None
    is_whole: bool
    record: dict[str, Any]


Outcome = Forked | Ended | Held


def debate_work(work: Work, *, hand: Hand, environment: Mapping[str, str]) -> Outcome:
    """Hold the debate as far as this branch goes; what is recorded is found and not asked again.

    Raises:
        GenerationError: it could not be held; the message is for the researcher.
        LeaseLostError: the debate was cancelled, or another worker does the branch.
    """
    try:
        return _Room(work, hand, environment).held()
    except ForkReachedError as fork:
        return Forked(fork.branches)
    except BranchEndedError:
        return Ended()
    except EngineError as error:
        raise GenerationError(str(error)) from error


class _Room:
    """Where one worker holds a debate: on the debate's journal, within the debate's budget."""

    def __init__(self, work: Work, hand: Hand, environment: Mapping[str, str]) -> None:
        self._work, self._environment = work, environment
        self._config = config_load(work.system, work.config)
        self._budget = SharedBudget(
            self._config.limits,
            prices=prices_packaged(),
            debate_id=work.debate_id,
            branch_id=work.branch_id,
        )
        self._journal = DebateJournal(work.debate_id, hand, book=self._budget.book)

    def held(self) -> Held:
        if isinstance(self._config, CommitteeConfig):
            return self._committee(self._config)
        return self._courtroom(self._config)

    def _committee(self, config: CommitteeConfig) -> Held:
        debate = committee_hold(
            config,
            cast=committee_cast(config, environment=self._environment),
            journal=self._journal,
            budget=self._budget,
            on_ask=self._journal.asked,
        )
        return self._told(debate.floor, debate.end, debate.trace, debate.details)

    def _courtroom(self, config: CourtroomConfig) -> Held:
        evidence = self._work.evidence
        if evidence is None:
            raise GenerationError("a trial has no corpus to find evidence in")
        branches = Branches(self._work.branch, is_done=self._work.is_done)
        debate = courtroom_hold(
            config,
            index=index_of(evidence),
            cast=courtroom_cast(config, environment=self._environment),
            journal=self._journal,
            budget=self._budget,
            conduct=Conduct(on_ask=self._journal.asked, fan_out=branches),
        )
        details = {**debate.details, "switched_rows": debate.block}
        return self._told(debate.floor, debate.stop, debate.trace, details)

    def _told(
        self, floor: Floor, end: DebateEnd, trace: Trace | None, details: dict[str, Any]
    ) -> Held:
        record = record_to_dict(
            system=self._work.system,
            setup=dict(self._work.config),
            floor=floor,
            end=end,
            spent=calls_spent(self._journal.records, prices=self._budget.prices),
            more=details,
        )
        return Held(trace_to_bytes(trace) if trace else None, end.is_whole, record)
