"""The loop every debate here runs in: rounds, turns, and one table that ends them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from apg_engine.debates.budget import ScopeSpentError
from apg_engine.debates.calls import CallFailedError
from apg_engine.debates.floor import Floor
from apg_engine.debates.records import Party
from apg_engine.debates.stopping import Standing, StopReason, stop_find


@dataclass(frozen=True, slots=True)
class DebateEnd:
    """How a debate ended.

    Attributes:
        reason: of the table of stop rules.
        detail: the same for a person.
        rounds_held: whole rounds.
    """

    reason: StopReason
    detail: str
    rounds_held: int

    @property
    def is_whole(self) -> bool:
        """False for a partial result, which is labelled as one."""
        return self.reason.is_whole


class Play(Protocol):
    """What one debate system adds to the loop."""

    def round_open(self, round_: int) -> None:
        """Do what comes before the turns of a round: shocks, retrieval."""

    def speakers(self, round_: int) -> Iterable[Party]:
        """Give who speaks in this round, in order."""

    def speak(self, party: Party, round_: int) -> None:
        """Make the calls of one turn and admit it on the floor.

        Raises:
            CallFailedError: a call the turn needs has failed; no turn is admitted then.
        """

    def round_close(self, round_: int, standing: Standing) -> Standing:
        """Do what comes after the turns, and add what the stop rules need to know."""


def rounds_hold(play: Play, *, floor: Floor, rounds: int) -> DebateEnd:
    """Hold rounds until a rule of the table ends them.

    A call that fails, or one the budget does not hold, ends the debate with what was said before
    it; nothing of that call is on the floor.

    Raises:
        JournalMismatchError: the journal belongs to another debate.
    """
    standing = Standing(rounds_planned=rounds)
    while True:
        round_ = standing.rounds_held + 1
        try:
            standing = _round(play, floor, round_, standing)
        except ScopeSpentError as error:
            return _end(replace(standing, budget_spent=True), str(error))
        except CallFailedError as error:
            return _end(replace(standing, failed=error.answer.status), str(error))
        if stop_find(standing):
            return _end(standing, "")


def _round(play: Play, floor: Floor, round_: int, standing: Standing) -> Standing:
    play.round_open(round_)
    for party in play.speakers(round_):
        play.speak(party, round_)
    stale = standing.stale_rounds + 1 if floor.is_stale(round_) else 0
    held = replace(
        standing,
        rounds_held=round_,
        stale_rounds=stale,
        dissent_tested=floor.is_dissent_tested(),
    )
    return play.round_close(round_, held)


def _end(standing: Standing, detail: str) -> DebateEnd:
    reason = stop_find(standing)
    if reason is None:
        raise ValueError("a debate ended without a reason of the table")
    held = standing.rounds_held
    told = detail or f"after {held} of {standing.rounds_planned} rounds"
    return DebateEnd(reason, told, held)
