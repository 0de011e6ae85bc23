"""Hold one trial, from a claim to a verdict; the evaluation harness calls this module.

    config = preset_load("proclaim", claim="...")            # courtroom.config; dataclasses.replace
    cast   = cast_build(config, environment=os.environ)       # courtroom.casting; rules by default
    budget = DebateBudget(config.limits, prices=prices_packaged())
    debate = courtroom_hold(config, index=index, cast=cast, journal=MemoryJournal(), budget=budget)
    debate.verdict.finding / .outcome / .confidence / .parts / .votes / .eligible
    debate.rounds            whole rounds of the first run
    debate.documents         ids of distinct documents among its exhibits (len() counts them)
    debate.chunks            ids of distinct chunks among them
    debate.ballots, debate.stop.reason, debate.is_whole, debate.floor, debate.trace, debate.details

`courtroom_hold` gates nothing; `running.courtroom_run` also has the judgment written and gated.
With Conduct(fan_out=Threads(n)) the journal must be a LockedJournal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.ended import CourtroomDebate
from apg_engine.debates.courtroom.evidence_room import batches_of
from apg_engine.debates.courtroom.library import Index, Library
from apg_engine.debates.courtroom.panel import ballots_most
from apg_engine.debates.courtroom.trial import Trial
from apg_engine.debates.fan_out import FanOut, one_by_one
from apg_engine.debates.floor import Floor
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.journal import CallJournal

__all__ = ["Conduct", "CourtroomDebate", "calls_most", "courtroom_hold"]

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
    trial = Trial(config, cast, Library(index, without=withheld.ids), conduct.fan_out)
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
    steps_most = negotiated + config.rounds * (2 * turn + 1) + ballots_most(config)
    return _MOST_TRIES * steps_most


def _without_turns(withheld: Withheld) -> Withheld:
    """Turns are numbered within a run: what is taken out of one is not meant in the other."""
    return Withheld(frozenset(one for one in withheld.ids if not one.startswith("T")))
