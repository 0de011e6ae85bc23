"""A language model that speaks for a module."""

from __future__ import annotations

import json

from apg_engine.debates.calls import Asking, DebateCalls, Question
from apg_engine.debates.committee.debater import Repair
from apg_engine.debates.committee.strategy import (
    Strategy,
    strategy_read,
    strategy_schema,
    strategy_to_json,
)
from apg_engine.debates.committee.view import View
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer
from apg_engine.debates.voices import Voice
from apg_engine.prompting import json_lines, json_text, prompt_load
from apg_engine.records import ItemKind


class ModelDebater:
    """Asks a chat model; its graph reaches it through retrieval only."""

    offline = False

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @property
    def name(self) -> str:
        """The model's name."""
        return self._voice.model.name

    def plan(self, view: View, calls: DebateCalls) -> tuple[Answer, Strategy | None]:
        """Ask for a strategy; claims and axioms it names must have been shown to it."""
        axioms = view.axiom_pieces()
        shown = [piece.id for piece in axioms if piece.id not in calls.withheld.ids]
        targets = view.targets()
        question = Question(
            prompt_load(f"debates/committee_{'strategy' if targets else 'opening_strategy'}"),
            slots=_slots(view),
            pieces=(*view.record, *axioms),
            schema=strategy_schema(),
        )
        asking = Asking(view.party.id, view.round, "strategy")
        return calls.ask_read(
            asking,
            self._voice,
            question,
            lambda text: strategy_read(text, targets=targets, axioms=shown),
        )

    def speak(
        self, view: View, strategy: Strategy | None, calls: DebateCalls, repair: Repair | None
    ) -> Answer:
        """Ask for the public turn."""
        name = "turn" if view.last_of_others() else "opening_turn"
        slots = {**_slots(view), "strategy": _strategy(strategy)}
        if repair is not None:
            name = "repair_turn"
            refused = [{"text": one.sentence, "why": one.reason} for one in repair.refused]
            slots |= {"draft": json_text(repair.text), "refused": json_lines(refused)}
        question = Question(
            prompt_load(f"debates/committee_{name}"),
            slots=slots,
            pieces=(*view.record, *_rested_on(view, strategy)),
        )
        return calls.ask(Asking(view.party.id, view.round, "turn"), self._voice, question)


def _slots(view: View) -> dict[str, str]:
    scenario, share = view.scenario, view.scenario.share_of(view.party.id)
    return {
        "name": view.party.name,
        "mandate": view.party.mandate,
        "load": share.load,
        "opening": f"{share.opening} {scenario.unit}",
        "goods": scenario.goods,
        "unit": scenario.unit,
        "question": scenario.question,
        "round": str(view.round),
        "rounds": str(view.rounds),
    }


def _strategy(strategy: Strategy | None) -> str:
    return json.dumps(strategy_to_json(strategy) if strategy else {}, ensure_ascii=False)


def _rested_on(view: View, strategy: Strategy | None) -> tuple[Piece, ...]:
    nodes = [view.graph.node(name) for name in (strategy.axioms if strategy else ())]
    return tuple(
        Piece(ItemKind.AXIOM, node.id, node.text, node.kind.value) for node in nodes if node
    )
