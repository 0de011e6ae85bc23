"""A trial that has ended: its runs, its verdict, its trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apg_engine.debates.courtroom.ballots import Ballot
from apg_engine.debates.courtroom.play import CourtroomPlay
from apg_engine.debates.courtroom.steps import Matter
from apg_engine.debates.courtroom.verdict import Tried, Verdict
from apg_engine.debates.floor import Floor
from apg_engine.debates.stopping import StopReason
from apg_engine.debates.turn_loop import DebateEnd
from apg_engine.records import Trace


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a trial that has ended, whole or in part."""

    play: CourtroomPlay
    end: DebateEnd
    tried: Tried

    @property
    def stop(self) -> DebateEnd:
        """How it ended with its panel: the budget may have cut a judge after the last round."""
        cut = next((one for one in self.tried.ballots if one.is_cut), None)
        if cut is None or not self.end.is_whole:
            return self.end
        return DebateEnd(StopReason.BUDGET, f"{cut.judge}: {cut.reason}", self.end.rounds_held)


@dataclass(frozen=True, slots=True)
class CourtroomDebate:
    """A trial that has ended.

    Attributes:
        first: the run the verdict comes from.
        switched: the run with exchanged counsel, if there was one.
        trace: of the first run, the panel's announcement last; None where nobody spoke.
        block: first and last sequence number of the switched run; None without one.
        details: what the courtroom adds to the record of a debate, as JSON.
    """

    matter: Matter
    verdict: Verdict
    first: Run
    switched: Run | None
    trace: Trace | None
    block: tuple[int, int] | None
    details: dict[str, Any]

    @property
    def floor(self) -> Floor:
        """What was said in the first run."""
        return self.first.play.floor

    @property
    def end(self) -> DebateEnd:
        """How the first run ended."""
        return self.first.end

    @property
    def stop(self) -> DebateEnd:
        """How the whole trial ended: as its first run did, unless what came after it was cut."""
        if self.switched is None or not self.first.stop.is_whole or self.switched.stop.is_whole:
            return self.first.stop
        cut = self.switched.stop
        return DebateEnd(cut.reason, f"with exchanged sides: {cut.detail}", self.rounds)

    @property
    def is_whole(self) -> bool:
        """Whether rules ended every run and panel; else the verdict is a partial result."""
        return self.stop.is_whole

    @property
    def ballots(self) -> tuple[Ballot, ...]:
        """Of the first run's panel."""
        return self.first.tried.ballots

    @property
    def rounds(self) -> int:
        """Whole rounds of the first run."""
        return self.end.rounds_held

    @property
    def chunks(self) -> tuple[str, ...]:
        """Ids of the chunks among the first run's exhibits."""
        return tuple(item.chunk.id for item in self.first.play.room.docket.admitted)

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of their documents, each once."""
        admitted = self.first.play.room.docket.admitted
        return tuple(dict.fromkeys(item.chunk.document for item in admitted))
