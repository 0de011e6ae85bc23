"""The state of the negotiation, read from what a module was shown and from nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apg_engine.debates.committee.allocations import plan_in, requests_last
from apg_engine.debates.committee.knowledge import Node, NodeKind
from apg_engine.debates.committee.view import View
from apg_engine.debates.material import Piece
from apg_engine.records import ItemKind


@dataclass(frozen=True, slots=True)
class Table:
    """What the rules reckon with.

    Attributes:
        heard: the turns that were shown.
        record: everything public that was shown.
        axioms: the nodes of the own graph that were shown.
        given_up: own concessions that were already made.
        due: how many more are to be made by the end of this round.
        asked: the last request of each module, the own one as it stands now without `due`.
        is_indivisible: a shock that was shown leaves room for one load only.
        news: shocks that came after the module's own last turn.
        plan: amounts somebody named for all loads in this round; empty if nobody did.
    """

    heard: tuple[Piece, ...]
    record: tuple[Piece, ...]
    axioms: tuple[Node, ...]
    given_up: tuple[Node, ...]
    due: int
    asked: Mapping[str, int]
    is_indivisible: bool
    news: tuple[int, ...]
    plan: Mapping[str, int]

    @property
    def total(self) -> int:
        """Sum of the requests on the table."""
        return sum(self.asked.values())


def table_read(view: View, shown: Sequence[Piece]) -> Table:
    """Read the table from the pieces a module was shown."""
    heard = tuple(piece for piece in shown if piece.kind is ItemKind.TURN)
    record = tuple(piece for piece in shown if piece.kind is not ItemKind.AXIOM)
    ids = {piece.id for piece in shown}
    axioms = tuple(node for node in view.graph.nodes if node.id in ids)
    own = " ".join(piece.text for piece in heard if piece.speaker == view.party.name)
    concessions = [node for node in axioms if node.kind is NodeKind.CONCESSION]
    given_up = tuple(node for node in concessions if node.text in own)
    shocks = [at for at in view.shocks if f"S{at}" in ids]
    is_indivisible = any(view.shocks[at].effect.is_indivisible for at in shocks)
    spoken = [(_module(view, piece.speaker), piece.text) for piece in heard]
    share = view.scenario.share_of(view.party.id)
    # News that comes a second time is no second loss.
    effects = {view.shocks[at].shock.text: view.shocks[at].effect for at in shocks}
    extra = sum(effect.floor.get(view.party.id, 0) for effect in effects.values())
    now = share.opening + extra - sum(node.saves for node in given_up)
    return Table(
        heard=heard,
        record=record,
        axioms=axioms,
        given_up=given_up,
        due=0 if is_indivisible else _due(view, len(concessions)) - len(given_up),
        asked={**requests_last(spoken, view.scenario), view.party.id: now},
        is_indivisible=is_indivisible,
        news=tuple(at for at in shocks if view.shocks[at].shock.turn > _last_own(view, heard)),
        plan=_plan(view, heard),
    )


def _due(view: View, concessions: int) -> int:
    """Give nothing up in the first round, and everything before the last one."""
    if view.round == 1:
        return 0
    steps = max(1, view.rounds - 2)
    return min(concessions, math.ceil(concessions * (view.round - 1) / steps))


def _plan(view: View, heard: Sequence[Piece]) -> Mapping[str, int]:
    first = view.turn - (view.turn - 1) % len(view.parties)
    plans = [plan_in(one.text, view.scenario) for one in heard if int(one.id[1:]) >= first]
    named = [plan for plan in plans if plan]
    return named[-1] if named else {}


def _last_own(view: View, heard: Sequence[Piece]) -> int:
    return max((int(one.id[1:]) for one in heard if one.speaker == view.party.name), default=0)


def _module(view: View, name: str) -> str:
    return next(party.id for party in view.parties if party.name == name)
