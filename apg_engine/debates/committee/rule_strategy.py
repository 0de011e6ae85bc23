"""The rule-based debater's private step: retrieval over the graph, and a few rules."""

from __future__ import annotations

from apg_engine.debates.committee.allocations import request_in
from apg_engine.debates.committee.knowledge import Node, NodeKind, axioms_find
from apg_engine.debates.committee.speech import Speech
from apg_engine.debates.committee.strategy import AttackSurface, Intent, Strategy
from apg_engine.debates.committee.table import Table
from apg_engine.debates.committee.view import View, targets_in
from apg_engine.debates.material import Piece
from apg_engine.reading.phrases import lowered
from apg_engine.records import ShockKind


def strategy_choose(view: View, table: Table, speech: Speech) -> Strategy:
    """Choose what to answer and what to rest on."""
    others = {piece.speaker: piece for piece in table.heard if piece.speaker != view.party.name}
    targets = targets_in(others)
    target = _target(view, targets)
    speaker = _speaker(table, target)
    return Strategy(
        target=target,
        target_text=targets.get(target, ""),
        attack_surface=_surface(view, table, targets.get(target, "")),
        intent=_intent(table),
        anticipated_counter=_expected(view, speech, speaker, others, targets.get(target, "")),
        axioms=_axioms(view, table, targets.get(target, ""), speaker),
    )


def _target(view: View, targets: dict[str, str]) -> str:
    """The newest request of another module; else the last sentence of the last turn."""
    if not targets:
        return ""
    requests = [at for at, text in targets.items() if _request(view, text) is not None]
    if not requests:
        return list(targets)[-1]
    # The largest request leaves least for the others.
    return max(requests, key=lambda at: (_request(view, targets[at]) or 0, _order(at)))


def _request(view: View, text: str) -> int | None:
    asked = [
        request_in(text, view.scenario, share.party)
        for share in view.scenario.shares
        if share.party != view.party.id
    ]
    return next((amount for amount in asked if amount is not None), None)


def _order(address: str) -> tuple[int, int]:
    turn, _, ordinal = address[1:].partition(".")
    return int(turn), int(ordinal)


def _speaker(table: Table, target: str) -> str:
    turn = target.partition(".")[0]
    return next((piece.speaker for piece in table.heard if piece.id == turn), "")


def _surface(view: View, table: Table, claim: str) -> AttackSurface:
    kinds = {view.shocks[at].shock.kind for at in table.news}
    if table.is_indivisible:
        return AttackSurface.VALUE_CONFLICT
    if ShockKind.EPISTEMIC_SHIFT in kinds:
        return AttackSurface.INCONSISTENCY
    if claim and _request(view, claim) is not None:
        return AttackSurface.RESOURCE_TRADEOFF
    return AttackSurface.AXIOM_VIOLATION


def _intent(table: Table) -> Intent:
    if table.due > 0:
        return Intent.CONCEDE
    return Intent.PIVOT if table.news else Intent.COUNTER


def _expected(
    view: View, speech: Speech, speaker: str, others: dict[str, Piece], claim: str
) -> str:
    if not speaker:
        other = next(party.name for party in view.parties if party.id != view.party.id)
        share = view.scenario.share_of(_id(view, other))
        return speech.line("expected", other=other, claim=f"{share.load} must come first.")
    said = [text for at, text in targets_in({speaker: others[speaker]}).items() if text != claim]
    return speech.line("expected", other=speaker, claim=lowered(max(said or [claim], key=len)))


def _axioms(view: View, table: Table, claim: str, speaker: str) -> tuple[str, ...]:
    about = [claim or view.scenario.question]
    about += [view.shocks[at].shock.text for at in table.news]
    to = _id(view, speaker) if speaker else ""
    sayable = [node.id for node in facts_left(view, table)]
    private = [node.id for node in table.axioms if node.kind.is_private]
    found: list[Node] = []
    for among in (sayable, private):
        found += axioms_find(view.graph, about, to=to, most=1, among=among)
    return tuple(node.id for node in found)


def facts_left(view: View, table: Table) -> list[Node]:
    """Give the facts the module has not said yet."""
    own = " ".join(piece.text for piece in table.heard if piece.speaker == view.party.name)
    return [node for node in table.axioms if node.kind is NodeKind.FACT and node.text not in own]


def _id(view: View, name: str) -> str:
    return next(party.id for party in view.parties if party.name == name)
