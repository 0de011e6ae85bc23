"""What a module sees before its turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apg_engine.debates.committee.dispatcher import Dispatch
from apg_engine.debates.committee.knowledge import KnowledgeGraph, axioms_find
from apg_engine.debates.committee.scenario import Scenario
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Party
from apg_engine.records import ItemKind
from apg_engine.segmentation.segments import segments_find

_AXIOMS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class View:
    """One module before one turn.

    Attributes:
        turn: number of the turn it is to speak.
        heard: the public turns so far, as pieces; `speaker` is a module's name.
        shocks: what has happened so far, by the number in its id: 1 for `S1`.
        seed: picks among equal wordings of the rules.
    """

    scenario: Scenario
    graph: KnowledgeGraph
    party: Party
    parties: tuple[Party, ...]
    turn: int
    round: int
    rounds: int
    heard: tuple[Piece, ...]
    shocks: Mapping[int, Dispatch]
    seed: int

    @property
    def record(self) -> tuple[Piece, ...]:
        """Everything public: context, shocks, turns."""
        context = Piece(ItemKind.CONTEXT, "C1", self.scenario.crisis_context)
        shocks = [
            Piece(ItemKind.SHOCK, f"S{number}", one.shock.text)
            for number, one in self.shocks.items()
        ]
        return (context, *shocks, *self.heard)

    @property
    def graph_pieces(self) -> tuple[Piece, ...]:
        """The module's whole graph."""
        return tuple(
            Piece(ItemKind.AXIOM, node.id, node.text, node.kind.value) for node in self.graph.nodes
        )

    def axiom_pieces(self) -> tuple[Piece, ...]:
        """The nodes that bear on what the others said last and on the last shock."""
        about = [piece.text for piece in self.last_of_others().values()]
        about += [one.shock.text for one in list(self.shocks.values())[-1:]]
        everything = [node.id for node in self.graph.nodes]
        found = axioms_find(
            self.graph,
            about or [self.scenario.question],
            most=_AXIOMS_SHOWN,
            among=everything,
        )
        return tuple(Piece(ItemKind.AXIOM, node.id, node.text, node.kind.value) for node in found)

    def last_of_others(self) -> dict[str, Piece]:
        """The last turn of each other module, by its name."""
        return {piece.speaker: piece for piece in self.heard if piece.speaker != self.party.name}

    def targets(self) -> dict[str, str]:
        """The sentences of the others' last turns by address, the newest turn last."""
        return targets_in(self.last_of_others())


def targets_in(turns: Mapping[str, Piece]) -> dict[str, str]:
    """Give the sentences of some turns by address, in the order of the debate."""
    ordered = sorted(turns.values(), key=lambda piece: int(piece.id[1:]))
    return {
        f"{piece.id}.{number}": piece.text[segment.start : segment.end]
        for piece in ordered
        for number, segment in enumerate(segments_find(piece.text), start=1)
    }
