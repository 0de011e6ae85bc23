"""Standard multi-agent debate: two sides, evidence found once, fixed rounds, one judge.

The baseline PROCLAIM is compared with (its +10 points); neither side looks for more evidence, no
court admits it, nobody reflects, and there is no panel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.records import Party
from apg_engine.debates.stopping import Standing, StopReason
from apg_engine.debates.turn_loop import DebateEnd, rounds_hold
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import Advisor
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.evaluating.debaters import Arguer, Turn
from apg_engine.evaluating.exhibits import Exhibit, ExhibitSource, exhibit_pieces
from apg_engine.evaluating.opinions import EvaluationStoppedError, Opinion, Sitting
from apg_engine.evaluating.panels import votes_opinion

MOST_ROUNDS: Final = 30
_SIDES: Final = (
    Party("affirmative", "Affirmative", side=Label.SUPPORT.value),
    Party("negative", "Negative", side=Label.REFUTE.value),
)


@dataclass(frozen=True, slots=True)
class Debaters:
    """Who speaks and who judges."""

    affirmative: Arguer
    negative: Arguer
    judge: Advisor


class StandardDebate:
    """The debate as a system.

    Args:
        debaters: who speaks and who judges.
        exhibits: found once, before the debate.
        labels: what may be found.
        rounds: at most; a round in which nothing new was said ends it earlier.
    """

    name = "mad"

    def __init__(
        self,
        debaters: Debaters,
        exhibits: ExhibitSource,
        labels: Sequence[Label],
        *,
        rounds: int = 3,
    ) -> None:
        if not 1 <= rounds <= MOST_ROUNDS:
            raise ConfigError(self.name, "rounds", str(rounds), f"1 to {MOST_ROUNDS}")
        self._debaters, self._exhibits = debaters, exhibits
        self._labels, self._rounds = tuple(labels), rounds
        speakers = (debaters.affirmative, debaters.negative, debaters.judge)
        self.offline = all(one.offline for one in speakers)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Who speaks, who judges, by what, and how long."""
        return {
            "affirmative": dict(self._debaters.affirmative.identity),
            "negative": dict(self._debaters.negative.identity),
            "judge": dict(self._debaters.judge.identity),
            "exhibits": self._exhibits.name,
            "rounds": self._rounds,
        }

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Hold the debate and have it judged.

        Raises:
            EvaluationStoppedError, ScopeSpentError: the budget does not hold the next call; what
                there is of the debate is not judged.
        """
        exhibits = self._exhibits.find(claim)
        calls = DebateCalls(sitting.journal, budget=sitting.budget)
        floor = Floor(_SIDES, calls)
        play = _Play(claim.claim, exhibits, self._debaters, floor, self._rounds)
        end = rounds_hold(play, floor=floor, rounds=self._rounds)
        if not end.is_whole:
            return cut_short(end, exhibits)
        vote = self._debaters.judge.advise(
            Asking("judge", 0, "verdict"),
            calls,
            claim=claim.claim,
            pieces=(*exhibit_pieces(exhibits), *floor.pieces()),
            labels=self._labels,
        )
        return votes_opinion([vote], exhibits, rounds=end.rounds_held)


def cut_short(end: DebateEnd, exhibits: Sequence[Exhibit]) -> Opinion:
    """Give what is left of a debate that a failed call ended: no verdict, and why.

    Raises:
        EvaluationStoppedError: the budget is spent, which says nothing about the claim.
    """
    if end.reason is StopReason.BUDGET:
        raise EvaluationStoppedError(end.detail)
    opinion = votes_opinion([], exhibits, rounds=end.rounds_held)
    return replace(opinion, ending=end.reason.value)


class _Play:
    """Both sides speak in each round, the affirmative first."""

    def __init__(
        self,
        claim: str,
        exhibits: Sequence[Exhibit],
        debaters: Debaters,
        floor: Floor,
        rounds: int,
    ) -> None:
        self._claim, self._pieces = claim, exhibit_pieces(exhibits)
        self._floor, self._rounds = floor, rounds
        self._arguers = {"affirmative": debaters.affirmative, "negative": debaters.negative}

    def round_open(self, round_: int) -> None:
        """Nothing comes before the turns."""

    def speakers(self, round_: int) -> Iterable[Party]:
        return self._floor.parties

    def speak(self, party: Party, round_: int) -> None:
        pieces = (*self._pieces, *self._floor.pieces())
        turn = Turn(self._claim, Label(party.side), round_, self._rounds, pieces)
        answer = self._arguers[party.id].argue(party, turn, self._floor.calls)
        self._floor.admit(answer, Said(party.id, side=party.side))

    def round_close(self, round_: int, standing: Standing) -> Standing:
        return standing
