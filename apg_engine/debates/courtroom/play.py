"""One run of a trial in the turn loop: negotiate; then plan, search, argue, hear, reflect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from apg_engine.debates.calls import CallFailedError, answer_needed
from apg_engine.debates.courtroom import steps
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.docket import Item
from apg_engine.debates.courtroom.evidence_room import EvidenceRoom
from apg_engine.debates.courtroom.library import Library
from apg_engine.debates.courtroom.readings import Preparation, Reflection, Review
from apg_engine.debates.courtroom.seats import SOFT, Seat, Step
from apg_engine.debates.courtroom.steps import Matter
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, Party
from apg_engine.debates.stopping import Standing
from apg_engine.records import ItemKind

Value = TypeVar("Value")
_CITED: Final = re.compile(r"\[([^\[\]\n]{1,60})\]")
_NAMES: Final = re.compile(
    r"^\W*(?:the )?(plaintiff|defen[sc]e|witness|court|panel)\W*:", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflection with the party and the round it belongs to."""

    party: str
    round: int
    reflection: Reflection


class CourtroomPlay:
    """One run, for the turn loop.

    Attributes:
        room: the evidence of this run.
        reflections: of both sides, in order.
        reviews: the critic's, by round.
    """

    def __init__(
        self,
        *,
        config: CourtroomConfig,
        matter: Matter,
        seats: Mapping[str, Seat],
        library: Library,
        floor: Floor,
        exchanged: bool,
    ) -> None:
        self._config, self._matter, self._seats, self.floor = config, matter, seats, floor
        self.room = EvidenceRoom(
            config=config,
            matter=matter,
            court=seats["court"],
            library=library,
            calls=floor.calls,
            exchanged=exchanged,
        )
        self.reflections: list[Reflected] = []
        self.reviews: dict[int, Review] = {}
        self._gave_way: set[int] = set()
        self._seen: dict[str, set[str]] = {}

    def round_open(self, round_: int) -> None:
        """Negotiate the evidence before the first round.

        Raises:
            CallFailedError: a model cannot be reached.
        """
        if round_ > 1:
            return
        queries = [(party.id, self._query(party)) for party in steps.PARTIES]
        self.room.negotiate([*queries, *(("", premise) for premise in self._matter.premises)])

    def speakers(self, round_: int) -> Iterable[Party]:
        """Plaintiff and defense, always in this order."""
        return steps.PARTIES

    def speak(self, party: Party, round_: int) -> None:
        """Plan, search, argue, hear a witness, reflect.

        Raises:
            CallFailedError: the turn did not come about.
        """
        planned, prepared = self._optional(
            steps.prepare(
                self._matter,
                party,
                round_,
                shown=self._shown(),
                flagged=self._flagged(),
            ),
            party.id,
        )
        plan = prepared or Preparation()
        if plan.motion:
            self.room.second_look(plan.motion, round_)
        if self.room.is_searching(party):
            last = self.floor.pieces(self._config.search.messages)
            self.room.search(party, round_, gap=plan.gap, need=self._need(party), turns=last)
        self._argue(party, round_, plan, planned)
        if plan.question:
            self._hear(plan, round_)
        if self._config.ablations.self_reflection:
            self._reflect(party, round_)

    def round_close(self, round_: int, standing: Standing) -> Standing:
        """Ask the critic, and add what the stop rules need."""
        _, review = self._optional(
            steps.review(self._matter, round_, shown=self._shown()), "critic"
        )
        if review is not None:
            self.reviews[round_] = review
        brought = self.room.admitted_in(round_)
        seeks = self._config.ablations.progressive_rag
        return replace(
            standing,
            critic_resolved=review is not None and review.resolved,
            dry_rounds=standing.dry_rounds + 1 if seeks and not brought else 0,
            moved_without_evidence=round_ in self._gave_way
            or (standing.moved_without_evidence and not brought),
        )

    def _query(self, party: Party) -> str:
        _, query = self._optional(steps.query(self._matter, party), party.id)
        if query is None:
            self.floor.warnings.append(f"{party.id}: no query could be read; the claim is one")
        return query or self._matter.claim

    def _optional(self, step: Step[Value], role: str) -> tuple[Answer, Value | None]:
        answer, value = self._seats[role].take(step, self.floor.calls)
        if value is None and answer.status not in SOFT:
            raise CallFailedError(answer)
        return answer, value

    def _exhibits(self) -> tuple[Piece, ...]:
        return tuple(item.piece for item in self.room.docket.admitted)

    def _shown(self) -> tuple[Piece, ...]:
        return (*self._exhibits(), *self.floor.pieces())

    def _flagged(self) -> tuple[Item, ...]:
        if self._config.released.search_skips_admission:
            return ()
        return self.room.docket.flagged[: self._config.search.found]

    def _need(self, party: Party) -> str:
        own = [one for one in self.reflections if one.party == party.id]
        return own[-1].reflection.discovery_need if own else ""

    def _argue(self, party: Party, round_: int, plan: Preparation, planned: Answer) -> None:
        step = steps.argue(self._matter, party, round_, gap=plan.gap, shown=self._shown())
        answer, _ = self._seats[party.id].take(step, self.floor.calls)
        self._admit(party, answer_needed(answer), private=plan.gap, rows=(planned.row,))
        shown = _documents(answer)
        if plan.gives_way and shown <= self._seen.get(party.id, set()):
            self._gave_way.add(round_)
        self._seen.setdefault(party.id, set()).update(shown)

    def _hear(self, plan: Preparation, round_: int) -> None:
        """A witness is optional: what fails leaves the debate as it was."""
        last = self.floor.pieces(self._config.search.messages)
        step = steps.grant(self._matter, plan, round_, turns=last)
        ruled, granted = self._seats["court"].take(step, self.floor.calls)
        if not granted:
            return
        answer, said = self._seats[steps.EXPERT].take(
            steps.testify(self._matter, plan, round_, exhibits=self._exhibits()), self.floor.calls
        )
        if said:
            self._admit(steps.WITNESS, answer, private="", rows=(ruled.row,))
        else:
            self.floor.warnings.append(f"round {round_}: the witness said nothing")

    def _admit(self, party: Party, answer: Answer, *, private: str, rows: tuple[int, ...]) -> None:
        number = len(self.floor.turns) + 1
        cited = _CITED.findall(answer.text)
        names = [one.strip() for group in cited for one in re.split(r"[,;]", group)]
        shown = _documents(answer)
        notices = [
            f"turn {number}: cites {name}, which was not shown to the {party.name}"
            for name in dict.fromkeys(names)
            if name not in shown
        ]
        named = _NAMES.match(answer.text)
        if named and named[1].lower() != party.name.lower():
            notices.append(f"turn {number}: the {party.name} speaks in the name of another")
        evidence = tuple(name for name in dict.fromkeys(names) if name in shown)
        self.floor.admit(
            answer,
            Said(party.id, "", party.side, private, evidence=evidence, rows=rows,
                 warnings=tuple(notices)),
        )  # fmt: skip

    def _reflect(self, party: Party, round_: int) -> None:
        step = steps.reflect(self._matter, party, round_, shown=self._shown())
        _, reflection = self._optional(step, party.id)
        if reflection is not None:
            self.reflections.append(Reflected(party.id, round_, reflection))


def _documents(answer: Answer) -> set[str]:
    return {one.id for one in answer.exposures if one.kind is ItemKind.DOCUMENT and one.shown}
