"""How evidence comes into a trial: negotiation, iterations of a search, motions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from apg_engine.debates.calls import CallFailedError, DebateCalls
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.admission import Admission
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.docket import Docket, Item
from apg_engine.debates.courtroom.library import Found, Library
from apg_engine.debates.courtroom.searching import Iteration, iteration_of
from apg_engine.debates.courtroom.seats import SOFT, Seat
from apg_engine.debates.courtroom.steps import Matter
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Party

# Items of one call of the court: a longer list of weights is cut by small models.
_BATCH: Final = 10


def batches_of(items: int) -> int:
    """Count the calls in which the court weighs so many items."""
    return math.ceil(items / _BATCH)


class EvidenceRoom:
    """Searches, has the court weigh what is new, and enters it on the docket.

    Args:
        config: of the trial.
        matter: of this run.
        court: weighs and refines queries.
        library: what can be found.
        calls: of this run.
        exchanged: whether this is the run with exchanged counsel.

    Attributes:
        iterations: of all sides, in order.
        warnings: about answers of the court that could not be used.
    """

    def __init__(
        self,
        *,
        config: CourtroomConfig,
        matter: Matter,
        court: Seat,
        library: Library,
        calls: DebateCalls,
        exchanged: bool,
    ) -> None:
        self._config, self._matter, self._court = config, matter, court
        self._library, self._calls, self._exchanged = library, calls, exchanged
        self.docket = Docket()
        self.iterations: list[Iteration] = []
        self.warnings: list[str] = []

    def negotiate(self, queries: Sequence[tuple[str, str]]) -> None:
        """Search by each side's query and each premise, and weigh what is found.

        Args:
            queries: side (empty for a premise) and query.

        Raises:
            CallFailedError: the court's model cannot be reached.
        """
        batch: dict[str, Item] = {}
        for side, query in queries:
            for found in self._library.search(query, count=self._config.search.found):
                batch.setdefault(found.chunk.sha256, _item(found, side, query, 0))
        self.docket.put(self._weighed(list(batch.values()), 0))

    def is_searching(self, party: Party) -> bool:
        """Tell whether a side may still search."""
        if not self._config.ablations.progressive_rag:
            return False
        own = [one for one in self.iterations if one.side == party.id]
        if self._config.released.search_never_stops:
            return True
        rules = self._config.search
        return len(own) < rules.iterations and not any(one.stop for one in own)

    def search(
        self, party: Party, round_: int, *, gap: str, need: str, turns: tuple[Piece, ...]
    ) -> None:
        """Hold one iteration of a side's search.

        Raises:
            CallFailedError: the court's model cannot be reached.
        """
        query = self._refined(party, round_, gap, need, turns)
        known, rules = self.docket.by_text(), self._config.search
        found = self._library.read_on(query, count=rules.found, known=known)
        met = [known[one.chunk.sha256] for one in found if one.chunk.sha256 in known]
        fresh = [one for one in found if one.chunk.sha256 not in known]
        weighed = self._let_in([_item(one, party.id, query, round_) for one in fresh], round_)
        self.docket.put(weighed)
        self.iterations.append(
            iteration_of(
                side=party.id,
                round_=round_,
                query=query,
                known=sum(not item.has_no_weight for item in met),
                fresh=[item for item in weighed if not item.has_no_weight],
                earlier=sum(one.side == party.id for one in self.iterations),
                rules=rules,
            )
        )

    def second_look(self, id_: str, round_: int) -> None:
        """Have the court weigh a flagged item again that counsel moved to admit.

        What a search had found must still be new: since then its like may have been admitted.

        Raises:
            CallFailedError: the court's model cannot be reached.
        """
        item = self.docket.find(id_)
        if item is None or item.admission is not Admission.FLAGGED:
            return
        if item.round:
            (item,) = self._with_novelty([item])
            self.docket.put([item])
            if (item.novelty or 0.0) < self._config.search.novelty:
                return
        (again,) = self._weighed([item], round_)
        # An answer that cannot be used leaves the item as it was.
        self.docket.put([again if again.weight else item])

    def admitted_in(self, round_: int) -> bool:
        """Tell whether a round brought an exhibit by a search."""
        return any(one.admitted for one in self.iterations if one.round == round_)

    def _refined(
        self, party: Party, round_: int, gap: str, need: str, turns: tuple[Piece, ...]
    ) -> str:
        step = steps.refine(self._matter, party, round_, gap=gap, need=need, turns=turns)
        answer, query = self._court.take(step, self._calls)
        if query is None:
            if answer.status not in SOFT:
                raise CallFailedError(answer)
            self.warnings.append(f"round {round_}: {party.id}: no query was refined; the claim is")
            return self._matter.claim
        return query

    def _let_in(self, fresh: Sequence[Item], round_: int) -> list[Item]:
        """Have the court weigh what is new enough; nothing else is admitted."""
        told = self._with_novelty(fresh)
        new = [item for item in told if (item.novelty or 0.0) >= self._config.search.novelty]
        return [item for item in told if item not in new] + self._admitted(new, round_)

    def _with_novelty(self, fresh: Sequence[Item]) -> list[Item]:
        texts, known = [item.chunk.text for item in fresh], self._pool()
        if self._config.released.empty_novelty_pool:
            scores = [self._library.novelty([text], known)[0] for text in texts]
        else:
            scores = self._library.novelty(texts, known)
        return [replace(item, novelty=one) for item, one in zip(fresh, scores, strict=True)]

    def _pool(self) -> list[str]:
        """What a novelty is measured against: everything admitted, or what P4 leaves of it."""
        empty = self._config.released.empty_novelty_pool and not self._exchanged
        return [item.chunk.text for item in self.docket.admitted if item.round or not empty]

    def _admitted(self, batch: list[Item], round_: int) -> list[Item]:
        if self._config.released.search_skips_admission:
            return [replace(item, admission=Admission.ADMITTED) for item in batch]
        return self._weighed(batch, round_)

    def _weighed(self, items: Sequence[Item], round_: int) -> list[Item]:
        weighed: list[Item] = []
        for at in range(0, len(items), _BATCH):
            part = items[at : at + _BATCH]
            answer, weights = self._court.take(steps.weigh(self._matter, part, round_), self._calls)
            if weights is None:
                if answer.status not in SOFT:
                    raise CallFailedError(answer)
                told = ", ".join(item.id for item in part)
                self.warnings.append(f"round {round_}: the court weighed none of {told}")
            weighed.extend(
                replace(item, weight=weight, admission=weight.admission)
                if (weight := (weights or {}).get(item.id))
                else replace(item, weight=None, admission=Admission.DISCARDED)
                for item in part
            )
        return weighed


def _item(found: Found, side: str, query: str, round_: int) -> Item:
    return Item(found.id, found.chunk, side, query, round_, found.cosine)
