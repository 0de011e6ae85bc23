"""Systems without a debate: one judgment, many of one model, or a vote of several judges."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import Advisor
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.evaluating.exhibits import Exhibit, ExhibitSource, exhibit_pieces
from apg_engine.evaluating.opinions import DECIDED, UNDECIDED, Allowance, Opinion, Sitting, Vote
from apg_engine.journal import CallJournal, CallRecord
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import calls_spent

# No allowance is larger than this many judgments of one claim.
MOST_SAMPLES: Final = 99
_VOTED: Final = frozenset({"voted", "abstained"})


class Single:
    """One call with retrieval: the baseline a debate has to beat."""

    name = "single"

    def __init__(self, advisor: Advisor, exhibits: ExhibitSource, labels: Sequence[Label]) -> None:
        self._advisor, self._exhibits, self._labels = advisor, exhibits, tuple(labels)
        self.offline = advisor.offline

    @property
    def settings(self) -> Mapping[str, Any]:
        """Who judges, and by what."""
        return {"judge": dict(self._advisor.identity), "exhibits": self._exhibits.name}

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Ask once."""
        exhibits = self._exhibits.find(claim)
        calls = DebateCalls(sitting.journal, budget=sitting.budget)
        vote = self._advisor.advise(
            Asking("single", 0, "verdict"),
            calls,
            claim=claim.claim,
            pieces=exhibit_pieces(exhibits),
            labels=self._labels,
        )
        return votes_opinion([vote], exhibits)


class Panel:
    """Judges in turn, each by itself; the majority of the votes cast decides, and a tie nothing.

    With one judge it is self-consistency, with several a vote. It asks `samples` times, or as
    often as the allowance holds: a call is not begun where the calls so far, or their tokens and
    one more of their mean, are beyond it. One judgment is always made.
    """

    def __init__(
        self,
        name: str,
        advisors: Sequence[Advisor],
        exhibits: ExhibitSource,
        labels: Sequence[Label],
        *,
        samples: int,
        prices: PriceTable,
    ) -> None:
        if not 1 <= samples <= MOST_SAMPLES:
            raise ConfigError(name, "samples", str(samples), f"1 to {MOST_SAMPLES}")
        if len(advisors) == 1 and advisors[0].offline:
            found = f"{advisors[0].name}, which always answers the same"
            raise ConfigError(name, "judge", found, "a model that samples, or several judges")
        self.name = name
        self._advisors, self._exhibits, self._labels = tuple(advisors), exhibits, tuple(labels)
        self._samples, self._prices = samples, prices
        self.offline = all(advisor.offline for advisor in advisors)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Who judges, by what, and how often."""
        return {
            "judges": [dict(advisor.identity) for advisor in self._advisors],
            "exhibits": self._exhibits.name,
            "samples": self._samples,
        }

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Ask until there are enough votes or nothing is left for another."""
        exhibits = self._exhibits.find(claim)
        kept = _Kept(sitting.journal)
        calls = DebateCalls(kept, budget=sitting.budget)
        votes: list[Vote] = []
        while self._goes_on(votes, kept, sitting.allowance):
            advisor = self._advisors[len(votes) % len(self._advisors)]
            asking = Asking("sample", 0, f"verdict {len(votes) + 1}")
            votes.append(
                advisor.advise(
                    asking,
                    calls,
                    claim=claim.claim,
                    pieces=exhibit_pieces(exhibits),
                    labels=self._labels,
                )
            )
        return votes_opinion(votes, exhibits)

    def _goes_on(self, votes: Sequence[Vote], kept: _Kept, allowance: Allowance) -> bool:
        if not votes:
            return True
        if self.offline or (allowance.calls is None and allowance.tokens is None):
            return len(votes) < self._samples
        if len(votes) >= MOST_SAMPLES:
            return False
        return self._is_held(kept, allowance)

    def _is_held(self, kept: _Kept, allowance: Allowance) -> bool:
        spent = calls_spent(kept.seen.values(), prices=self._prices)
        sent, received = spent.prompt_tokens, spent.completion_tokens
        if allowance.tokens is not None and sent is not None and received is not None:
            tokens = sent + received
            return tokens + tokens / max(1, spent.calls) <= allowance.tokens
        return allowance.calls is not None and spent.calls + 1 <= allowance.calls


class _Kept:
    """A journal that remembers which calls went through it, stored ones too."""

    def __init__(self, journal: CallJournal) -> None:
        self._journal = journal
        self.seen: dict[int, CallRecord] = {}

    def find(self, sequence: int) -> CallRecord | None:
        record = self._journal.find(sequence)
        if record is not None:
            self.seen[sequence] = record
        return record

    def append(self, record: CallRecord) -> None:
        self._journal.append(record)
        self.seen[record.sequence] = record


def votes_opinion(
    votes: Sequence[Vote], exhibits: Sequence[Exhibit], *, rounds: int = 0
) -> Opinion:
    """Count votes: a majority of those cast decides.

    The confidence of one vote is its own score, that of several the share of the majority.
    """
    cast = Counter(vote.label for vote in votes if vote.label is not None)
    label, most = cast.most_common(1)[0] if cast else (None, 0)
    is_majority = 2 * most > cast.total()
    alone = votes[0].score if len(votes) == 1 else most / max(1, cast.total())
    return Opinion(
        label=label if is_majority else None,
        ending=_ending(votes, is_decided=is_majority),
        confidence=alone if is_majority else None,
        rounds=rounds,
        documents=len({one.document for one in exhibits}),
        chunks=len({one.sha256 for one in exhibits}),
        votes=tuple(votes),
    )


def _ending(votes: Sequence[Vote], *, is_decided: bool) -> str:
    if is_decided:
        return DECIDED
    failed = next((vote.status for vote in votes if vote.status not in _VOTED), None)
    return failed if failed and all(vote.label is None for vote in votes) else UNDECIDED


def scores_mean(votes: Sequence[Vote]) -> float | None:
    """Give the plain average of what judges who voted say of themselves; None if none does."""
    scores = [vote.score for vote in votes if vote.label is not None and vote.score is not None]
    return math.fsum(scores) / len(scores) if scores else None
