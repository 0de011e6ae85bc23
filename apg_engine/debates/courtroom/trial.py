"""The parts of a trial: premises, a run and its panel, and the end both runs come to."""

from __future__ import annotations

from collections.abc import Mapping

from apg_engine.debates.budget import ScopeSpentError
from apg_engine.debates.calls import Asking
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.ballots import Ballot, BallotStatus, panel_decide
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.details import trial_details
from apg_engine.debates.courtroom.ended import CourtroomDebate, Run
from apg_engine.debates.courtroom.library import Library
from apg_engine.debates.courtroom.panel import Bench, announcement, as_told, panel_hold
from apg_engine.debates.courtroom.play import CourtroomPlay
from apg_engine.debates.courtroom.seats import Seat
from apg_engine.debates.courtroom.steps import DEFENSE, PLAINTIFF, Matter
from apg_engine.debates.courtroom.verdict import Tried, verdict_of
from apg_engine.debates.fan_out import FanOut
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.material import Piece
from apg_engine.debates.trace_of import Frame, trace_of
from apg_engine.debates.turn_loop import DebateEnd, rounds_hold
from apg_engine.records import Document

SOURCE_FORMAT = "apg-courtroom"


class Trial:
    """What both runs of a trial share."""

    def __init__(
        self, config: CourtroomConfig, cast: Cast, library: Library, fan_out: FanOut
    ) -> None:
        self._config, self._cast, self._library = config, cast, library
        self._fan_out = fan_out

    def matter(self, floor: Floor) -> Matter:
        """Have the claim cut into premises; where that fails, the claim is the only one."""
        whole = Matter(self._config.claim, rounds=self._config.rounds)
        step = steps.mine(whole, most=self._config.premises_most, seed=self._config.seed)
        try:
            _, premises = self._cast.seats["miner"].take(step, floor.calls)
        except ScopeSpentError:
            premises = None
        if premises is None:
            floor.warnings.append("the claim was not cut: it is its own premise")
        return Matter(whole.claim, premises or (whole.claim,), whole.rounds)

    def run(self, floor: Floor, matter: Matter, *, exchanged: bool) -> Run:
        """Hold one run and its panel.

        A run that did not end by a rule has no panel: a partial debate is no basis for a vote.
        """
        keeps = exchanged and self._config.released.keeps_system_prompt
        oath = Matter(matter.claim, matter.premises, matter.rounds, keeps)
        play = CourtroomPlay(
            config=self._config,
            matter=oath,
            seats=_exchanged(self._cast.seats) if exchanged else self._cast.seats,
            library=self._library,
            floor=floor,
            exchanged=exchanged,
        )
        end = rounds_hold(play, floor=floor, rounds=self._config.rounds)
        # As released, the first panel is told about the other run, so it waits for it (P7).
        waits = self._config.released.judges_see_cut_exhibits and not exchanged
        judged = end.is_whole and not waits
        return Run(play, end, self._judged(play, ()) if judged else self._not_judged(end))

    def end(
        self, first: Run, switched: Run | None, *, matter: Matter, block: tuple[int, int] | None
    ) -> CourtroomDebate:
        """Put verdict, announcement, trace and details together."""
        released = self._config.released
        swapped = switched if released.reflections_of_switched_run and switched else first
        if released.judges_see_cut_exhibits and first.end.is_whole:
            told = as_told(swapped.play.reflections, first.play)
            first = Run(first.play, first.end, self._judged(first.play, told))
        verdict = verdict_of(
            first.tried,
            switched.tried if switched else None,
            config=self._config,
            reflections=swapped.play.reflections,
        )
        floor = first.play.floor
        floor.warnings.extend((*self._cast.warnings, *first.play.room.warnings))
        self._announce(first)
        _seat_others(floor)
        return CourtroomDebate(
            matter=matter,
            verdict=verdict,
            first=first,
            switched=switched,
            trace=trace_of(floor, _frame(self._config, first.play), end=first.stop),
            block=block,
            details=trial_details(
                self._config, self._cast, matter=matter, verdict=verdict,
                runs=[(one.play, one.end, one.tried) for one in (first, switched) if one],
            ),
        )  # fmt: skip

    def _judged(self, play: CourtroomPlay, told: tuple[Piece, ...]) -> Tried:
        ballots, decision = panel_hold(
            play,
            config=self._config,
            matter=Matter(self._config.claim),
            bench=Bench(self._cast.seats, self._cast.families),
            fan_out=self._fan_out,
            told=told,
        )
        return Tried(ballots, decision, is_whole=True)

    def _not_judged(self, end: DebateEnd) -> Tried:
        ballots = tuple(
            Ballot(judge, self._cast.families[judge], BallotStatus.FAILED, reason=end.detail)
            for judge in self._config.judges
        )
        return Tried(
            ballots, panel_decide(ballots, quorum=self._config.least_votes), is_whole=False
        )

    def _announce(self, first: Run) -> None:
        """The panel's finding is the last turn of the public record; code writes it."""
        if not first.tried.is_whole:
            return
        text = announcement(first.tried.decision)
        facts = {one.judge: one.finding.value if one.finding else "" for one in first.tried.ballots}
        answer = first.play.floor.calls.ask_rules(
            Asking(steps.PANEL, 0, "announce"),
            "the count of the ballots",
            facts=facts,
            pieces=(),
            answer=lambda _: text,
        )
        first.play.floor.admit(answer, Said(steps.PANEL, evidence=tuple(sorted(first.tried.cited))))


def _exchanged(seats: Mapping[str, Seat]) -> dict[str, Seat]:
    return {**seats, PLAINTIFF: seats[DEFENSE], DEFENSE: seats[PLAINTIFF]}


def _seat_others(floor: Floor) -> None:
    """Name witness and panel among the parties once they have spoken; they take no side."""
    spoke = {turn.speaker for turn in floor.turns}
    floor.parties += tuple(one for one in (steps.WITNESS, steps.BENCH) if one.id in spoke)


def _frame(config: CourtroomConfig, play: CourtroomPlay) -> Frame:
    return Frame(
        title=config.claim,
        crisis_context="",
        question=f"Does the record support or refute this claim: {config.claim}",
        source_name=f"courtroom-{config.seed}",
        documents=tuple(
            Document(item.id, "document", item.chunk.text) for item in play.room.docket.admitted
        ),
        source_format=SOURCE_FORMAT,
    )
