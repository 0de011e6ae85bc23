"""The judges: blind to sides and to each other, each on a line of calls of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from apg_engine.debates.budget import ScopeSpentError
from apg_engine.debates.calls import DebateCalls
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.ballots import (
    Ballot,
    BallotStatus,
    PanelDecision,
    PanelOutcome,
    panel_decide,
)
from apg_engine.debates.courtroom.blinding import blinding_of
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.play import CourtroomPlay, Reflected
from apg_engine.debates.courtroom.readings import Opinion
from apg_engine.debates.courtroom.released import (
    CHARACTERS_SHOWN,
    EXHIBITS_SHOWN,
    panel_decide_as_released,
)
from apg_engine.debates.courtroom.seats import Seat, Step
from apg_engine.debates.courtroom.steps import Matter
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.debates.fan_out import FanOut
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, AnswerStatus
from apg_engine.records import ItemKind

# Two tries, each with the prompt shrunk twice.
CALLS_OF_A_JUDGE: Final = 6
_BALLOT_OF: Final = {
    AnswerStatus.UNPARSED: BallotStatus.UNPARSED,
    AnswerStatus.REFUSED: BallotStatus.REFUSED,
}
_COUNTS: Final = {1: "one", 2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges: seats and model families by judge."""

    seats: Mapping[str, Seat]
    families: Mapping[str, str]


def panel_hold(
    play: CourtroomPlay,
    *,
    config: CourtroomConfig,
    matter: Matter,
    bench: Bench,
    fan_out: FanOut,
    told: Sequence[Piece] = (),
) -> tuple[tuple[Ballot, ...], PanelDecision]:
    """Have every judge vote and count the ballots; where both orders are asked, the first one's.

    Args:
        play: the run that is judged.
        config: of the trial.
        matter: of the run.
        bench: the judges.
        fan_out: runs them beside each other; each has sequence numbers of its own.
        told: what judges are told beyond arguments and exhibits (P3, P7); nothing by default.
    """
    calls = play.floor.calls
    lines = calls.branches(ballots_most(config), most_calls=CALLS_OF_A_JUDGE)

    exhibits = _exhibits(play, config)

    def vote(judge: str, line: DebateCalls, *, exchanged: bool) -> Ballot:
        blind = blinding_of(judge, seed=config.seed, exchanged=exchanged, exhibits=exhibits)
        arguments = map(blind.hidden, _in_order(play, exchanged=exchanged))
        shown = (*exhibits, *arguments, *told)
        return _ballot(judge, bench, steps.judge(matter, judge, shown=shown), line)

    # Those that count come first, so that their calls have the same numbers either way.
    asked = [(judge, other) for other in (False, True) for judge in config.judges][: len(lines)]
    jobs = [
        partial(vote, judge, line, exchanged=other)
        for (judge, other), line in zip(asked, lines, strict=True)
    ]
    ballots = _paired(fan_out(jobs), len(config.judges))
    calls.join(lines)
    if config.released.broken_ballot_votes:
        return tuple(ballots), panel_decide_as_released(ballots)
    return tuple(ballots), panel_decide(ballots, quorum=config.least_votes)


def ballots_most(config: CourtroomConfig) -> int:
    """Count the ballots a panel is asked for."""
    return len(config.judges) * (2 if config.both_orders else 1)


def as_told(reflections: Sequence[Reflected], play: CourtroomPlay) -> tuple[Piece, ...]:
    """Give reflections and the critic's findings as P3 and P7 show them to judges."""
    pieces = [
        Piece(
            ItemKind.CONTEXT,
            f"R{number}",
            f"Reflection of the {one.party} in round {one.round}: {one.reflection.score:.2f}.",
        )
        for number, one in enumerate(reflections, start=1)
    ]
    for round_, review in sorted(play.reviews.items()):
        settled = ", ".join(review.settled) or "nothing"
        text = f"The critic found {settled} settled in round {round_}."
        pieces.append(Piece(ItemKind.CONTEXT, f"K{round_}", text))
    return tuple(pieces)


def announcement(decision: PanelDecision) -> str:
    """Say what a panel found, in one sentence."""
    votes = decision.votes.get(decision.finding, 0)
    eligible = _COUNTS.get(decision.eligible, str(decision.eligible))
    of = f"by {_COUNTS.get(votes, str(votes))} of {eligible} judges"
    if decision.finding is Finding.SUPPORT:
        return f"The panel finds, {of}, that the evidence supports the claim."
    if decision.finding is Finding.REFUTE:
        return f"The panel finds, {of}, that the evidence refutes the claim."
    why = "the votes are tied" if decision.outcome is PanelOutcome.TIED else "too few judges voted"
    return f"The panel makes no finding on the claim, because {why}."


def _paired(ballots: Sequence[Ballot], judges: int) -> list[Ballot]:
    """Note on each ballot that counts what its judge said in the other order, if it was asked."""
    counted, others = ballots[:judges], ballots[judges:]
    if not others:
        return list(counted)
    return [
        replace(one, exchanged=other.finding or other.status)
        for one, other in zip(counted, others, strict=True)
    ]


def _ballot(judge: str, bench: Bench, step: Step[Opinion], line: DebateCalls) -> Ballot:
    family = bench.families[judge]
    try:
        answer, opinion = bench.seats[judge].take(step, line)
    except ScopeSpentError as error:
        return Ballot(judge, family, BallotStatus.FAILED, reason=str(error), is_cut=True)
    if opinion is None:
        status = _BALLOT_OF.get(answer.status, BallotStatus.FAILED)
        return Ballot(judge, family, status, reason=answer.detail or answer.status.value)
    unseen = _unseen(answer, opinion)
    if unseen:
        reason = f"it cites {unseen[0]}, which its prompt had no room for"
        return Ballot(judge, family, BallotStatus.UNPARSED, reason=reason)
    if opinion.finding is None:
        return Ballot(judge, family, BallotStatus.ABSTAINED, reason=opinion.reason)
    return Ballot(
        judge=judge,
        family=family,
        status=BallotStatus.VOTED,
        finding=opinion.finding,
        scores=opinion.scores,
        reason=opinion.reason,
        cited=opinion.cited,
    )


def _unseen(answer: Answer, opinion: Opinion) -> list[str]:
    shown = {one.id for one in answer.exposures if one.shown}
    return [one for one in opinion.cited if one not in shown]


def _exhibits(play: CourtroomPlay, config: CourtroomConfig) -> tuple[Piece, ...]:
    admitted = play.room.docket.admitted
    if not config.released.judges_see_cut_exhibits:
        return tuple(item.piece for item in admitted)
    first = [item.piece for item in admitted if item.round == 0][:EXHIBITS_SHOWN]
    return tuple(replace(piece, text=piece.text[:CHARACTERS_SHOWN]) for piece in first)


def _in_order(play: CourtroomPlay, *, exchanged: bool) -> Sequence[Piece]:
    """The turns as they were said; exchanged, the other side comes first in each round."""
    pieces = play.floor.pieces()
    if not exchanged:
        return pieces
    place = {turn.id: (turn.round, turn.speaker != steps.DEFENSE) for turn in play.floor.heard}
    return sorted(pieces, key=lambda piece: place[piece.id])
