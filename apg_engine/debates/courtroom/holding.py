"""Hold one trial, from a claim to a verdict; the evaluation harness calls this module.

    config = preset_load("proclaim", claim="...")            # courtroom.config; dataclasses.replace
    cast   = cast_build(config, environment=os.environ)       # courtroom.casting; rules by default
    budget = DebateBudget(config.limits, prices=prices_packaged())
    debate = courtroom_hold(config, index=index, cast=cast, journal=MemoryJournal(), budget=budget)
    debate.verdict.finding / .outcome / .confidence / .parts / .votes / .eligible
    debate.rounds            whole rounds of the first run
    debate.documents         ids of distinct documents among its exhibits (len() counts them)
    debate.chunks            ids of distinct chunks among them
    debate.ballots, debate.end.reason, debate.is_whole, debate.floor, debate.trace, debate.details

`courtroom_hold` gates nothing; `running.courtroom_run` also has the judgment written and gated.
With Conduct(fan_out=Threads(n)) the journal must be a LockedJournal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apg_engine.debates.budget import DebateBudget, ScopeSpentError
from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.ballots import Ballot, BallotStatus, panel_decide
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.details import trial_details
from apg_engine.debates.courtroom.evidence_room import batches_of
from apg_engine.debates.courtroom.library import Index, Library
from apg_engine.debates.courtroom.panel import Bench, announcement, as_told, panel_hold
from apg_engine.debates.courtroom.play import CourtroomPlay
from apg_engine.debates.courtroom.seats import Seat
from apg_engine.debates.courtroom.steps import DEFENSE, PLAINTIFF, Matter
from apg_engine.debates.courtroom.verdict import Tried, Verdict, verdict_of
from apg_engine.debates.fan_out import FanOut, one_by_one
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.material import Piece
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.debates.trace_of import Frame, trace_of
from apg_engine.debates.turn_loop import DebateEnd, rounds_hold
from apg_engine.journal import CallJournal
from apg_engine.records import Document, Trace

SOURCE_FORMAT = "apg-courtroom"
# A step is asked twice, each time with its prompt shrunk twice.
_MOST_TRIES = 6
# Of a side's turn: plan, motion, query, argument, witness granted and heard, reflection.
_STEPS_OF_A_TURN = 7


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a trial is carried out; nothing of it changes what is found.

    Attributes:
        on_ask: told before each call.
        fan_out: runs the two runs beside each other, and the judges of each.
    """

    on_ask: Callable[[Asking], None] | None = None
    fan_out: FanOut = one_by_one


_ALONE = Conduct()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a trial that has ended, whole or in part."""

    play: CourtroomPlay
    end: DebateEnd
    tried: Tried


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
    def is_whole(self) -> bool:
        """Whether rules ended every run; else the verdict is a partial result."""
        return self.end.is_whole and (self.switched is None or self.switched.end.is_whole)

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


def courtroom_hold(
    config: CourtroomConfig,
    *,
    index: Index,
    cast: Cast,
    journal: CallJournal,
    budget: DebateBudget,
    withheld: Withheld = NOTHING_WITHHELD,
    conduct: Conduct = _ALONE,
) -> CourtroomDebate:
    """Try a claim; every call goes through the journal.

    Args:
        config: of the trial.
        index: what evidence is sought in.
        cast: who plays.
        journal: of the calls; with threads it must be locked.
        budget: of the whole trial, both runs.
        withheld: what a fork takes out: exhibits from both runs, turns from the first.
        conduct: whether runs and judges wait for each other.

    Raises:
        JournalMismatchError: the journal belongs to another trial.
    """
    calls = DebateCalls(journal, budget=budget, withheld=withheld, on_ask=conduct.on_ask)
    trial = _Trial(config, cast, Library(index, without=withheld.ids), conduct.fan_out)
    floor = Floor(steps.PARTIES, calls)
    matter = trial.matter(floor)
    lines: tuple[DebateCalls, ...] = ()
    jobs = [lambda: trial.run(floor, matter, exchanged=False)]
    before, size = calls.sequence, 0
    if config.ablations.role_switching:
        size = calls_most(config)
        lines = calls.branches(1, most_calls=size, withheld=_without_turns(withheld))
        other = Floor(steps.PARTIES, lines[0])
        jobs.append(lambda: trial.run(other, matter, exchanged=True))
    first, *others = conduct.fan_out(jobs)
    calls.join(lines)
    return trial.end(
        first,
        others[0] if others else None,
        matter=matter,
        block=(before + 1, before + size) if lines else None,
    )


def calls_most(config: CourtroomConfig) -> int:
    """Count the calls a run could make at most: that many sequence numbers are set aside for it."""
    found = config.search.found
    negotiated = 2 + batches_of((2 + config.premises_most) * found)
    turn = _STEPS_OF_A_TURN + batches_of(found)
    steps_most = negotiated + config.rounds * (2 * turn + 1) + len(config.judges)
    return _MOST_TRIES * steps_most


def _without_turns(withheld: Withheld) -> Withheld:
    """Turns are numbered within a run: what is taken out of one is not meant in the other."""
    return Withheld(frozenset(one for one in withheld.ids if not one.startswith("T")))


class _Trial:
    """What both runs of a trial share."""

    def __init__(
        self, config: CourtroomConfig, cast: Cast, library: Library, fan_out: FanOut
    ) -> None:
        self._config, self._cast, self._library = config, cast, library
        self._fan_out = fan_out

    def matter(self, floor: Floor) -> Matter:
        """Have the claim cut into premises; where that fails, the claim is the only one."""
        whole = Matter(self._config.claim, rounds=self._config.rounds)
        step = steps.mine(whole, most=self._config.premises_most)
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
            trace=trace_of(floor, _frame(self._config, first.play), end=first.end),
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
        return Tried(ballots, panel_decide(ballots, quorum=self._config.quorum), is_whole=False)

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
