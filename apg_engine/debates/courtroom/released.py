"""Where the released code of PROCLAIM departs from its paper, and what this court does.

Our paper-faithful preset has every switch off; `proclaim_as_released` has them all on, so that the
departures that change a verdict or a score can be measured one by one:

    P2   keeps_system_prompt          exchanged counsel keep the system prompt of their old side
    P3   reflections_of_switched_run  the panel sees, and delta_ref uses, the switched run's
    P4   empty_novelty_pool           the first run's novelty pool starts empty; a batch is not
                                      compared with itself
    P5   search_never_stops           the stop rules of a search are recorded and not acted on
    P6   search_skips_admission       what a search finds is admitted by novelty alone
    P7   judges_see_cut_exhibits      judges see 10 exhibits of 150 characters, of the negotiation
                                      only, with the critic's findings and the reflections
    P8   panel_of_debaters            critic, expert and court judge
    P9   broken_ballot_votes          a broken ballot votes INCONCLUSIVE with 5 for everything, and
                                      the first of a tie wins
    P12  confidence_as_released       q from three scores of all judges; delta_ref is not scaled

The others are faults or bookkeeping. They are never built:

    P1   error texts in the transcript    a failed call is an attempt and never a turn
    P10  control by substring             every control is an enum of a schema
    P11  one persona for every expert     the field counsel asked for is in the witness's prompt
    P13  calibration on one split         5 folds, in `confidence.py`
    P14  literal and unsigned metrics     none of them is reported
    P15  counts over both runs            rounds and evidence of the first run; distinct chunks and
                                          distinct documents are counted apart
    P16  patched token counts             usage is recorded per call in the journal
    P17  resume per claim                 resume per call; a journal's sequence numbers are unique
    P18  chunks of one paper share an id  an exhibit is a chunk; its document stands beside it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Final

from apg_engine.debates.courtroom.ballots import (
    SCORE_MOST,
    Ballot,
    BallotStatus,
    PanelDecision,
    PanelOutcome,
)
from apg_engine.debates.courtroom.verdicts import Finding

BROKEN_SCORE: Final = 5.0
EXHIBITS_SHOWN: Final = 10
CHARACTERS_SHOWN: Final = 150
# The three scores the released judges return, by our names.
THREE: Final = ("evidence_quality", "logical_validity", "source_reliability")


@dataclass(frozen=True, slots=True)
class Released:
    """Which departures are on; none by default."""

    keeps_system_prompt: bool = False
    reflections_of_switched_run: bool = False
    empty_novelty_pool: bool = False
    search_never_stops: bool = False
    search_skips_admission: bool = False
    judges_see_cut_exhibits: bool = False
    panel_of_debaters: bool = False
    broken_ballot_votes: bool = False
    confidence_as_released: bool = False


SWITCHES: Final = tuple(field.name for field in fields(Released))


def panel_decide_as_released(ballots: Sequence[Ballot]) -> PanelDecision:
    """Count as the released code does (P9): everybody votes, and the first of a tie wins.

    Raises:
        ValueError: there is no judge.
    """
    if not ballots:
        raise ValueError("a panel needs at least one judge")
    votes = Counter(ballot.finding or Finding.INCONCLUSIVE for ballot in ballots)
    finding, most = votes.most_common(1)[0]
    outcome = PanelOutcome.MAJORITY if 2 * most > len(ballots) else PanelOutcome.TIED
    return PanelDecision(
        finding=finding,
        outcome=PanelOutcome.UNANIMOUS if most == len(ballots) else outcome,
        votes=dict(votes),
        eligible=len(ballots),
        consensus=most / len(ballots),
        quality=quality_as_released(ballots),
    )


def quality_as_released(ballots: Sequence[Ballot]) -> float:
    """Give q as the mean of three scores of all judges; a broken ballot counts as 5 (P9, P12)."""
    scores = [
        ballot.scores[name] if ballot.status is BallotStatus.VOTED else BROKEN_SCORE
        for ballot in ballots
        for name in THREE
    ]
    return fmean(scores) / SCORE_MOST
