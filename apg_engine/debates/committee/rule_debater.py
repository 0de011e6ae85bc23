"""A module that speaks by rules: retrieval over its graph and the ladder, no language model."""

from __future__ import annotations

import json
from typing import Any, Final

from apg_engine.debates.calls import Asking, DebateCalls
from apg_engine.debates.committee.debater import Repair
from apg_engine.debates.committee.rule_strategy import strategy_choose
from apg_engine.debates.committee.rule_turn import turn_write
from apg_engine.debates.committee.speech import Speech
from apg_engine.debates.committee.strategy import Strategy, strategy_read, strategy_to_json
from apg_engine.debates.committee.table import table_read
from apg_engine.debates.committee.view import View
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer

RULE_DEBATER_NAME: Final = "offline rule-based debater 1"


class RuleDebater:
    """Reads the record it is shown, retrieves from its graph and fills sentences of its own.

    A fact that the ladder finds contradicted by the record is not said. It keeps a model's
    contract: it sees pieces, and what a fork withholds it does not know.
    """

    name = RULE_DEBATER_NAME
    offline = True

    def plan(self, view: View, calls: DebateCalls) -> tuple[Answer, Strategy | None]:
        """Choose a strategy by rules."""

        def answer(shown: tuple[Piece, ...]) -> str:
            chosen = strategy_choose(view, table_read(view, shown), Speech(view, "plan"))
            return json.dumps(strategy_to_json(chosen), ensure_ascii=False)

        made = calls.ask_rules(
            Asking(view.party.id, view.round, "strategy"),
            self.name,
            facts=_facts(view),
            pieces=(*view.record, *view.graph_pieces),
            answer=answer,
        )
        axioms = [node.id for node in view.graph.nodes]
        return made, strategy_read(made.text, targets=view.targets(), axioms=axioms)

    def speak(
        self, view: View, strategy: Strategy | None, calls: DebateCalls, repair: Repair | None
    ) -> Answer:
        """Say a turn by rules."""
        refused = [one.sentence for one in repair.refused] if repair else []
        plan = strategy_to_json(strategy) if strategy else {}

        def answer(shown: tuple[Piece, ...]) -> str:
            table = table_read(view, shown)
            heard = " ".join(piece.text for piece in table.heard)
            return turn_write(view, table, strategy, Speech(view, "turn", heard), refused)

        return calls.ask_rules(
            Asking(view.party.id, view.round, "turn"),
            self.name,
            facts={**_facts(view), "strategy": plan, "refused": refused},
            pieces=(*view.record, *view.graph_pieces),
            answer=answer,
        )


def _facts(view: View) -> dict[str, Any]:
    return {
        "scenario": view.scenario.id,
        "turn": view.turn,
        "rounds": view.rounds,
        "seed": view.seed,
        "shocks": [[one.shock.turn, one.variant] for one in view.shocks.values()],
    }
